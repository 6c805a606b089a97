"""From what a person typed to a `QueryPlan`: every question goes through `analyze`, top to bottom."""

from __future__ import annotations

from collections.abc import Sequence

from rag_system.query.citations import find_citations
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.identifiers import extract_identifiers
from rag_system.query.inventory import read_inventory
from rag_system.query.kinds import read_kind
from rag_system.query.markup import strip_invisible, strip_tags
from rag_system.query.past import asks_for_the_past
from rag_system.query.reformulation import standalone
from rag_system.query.remembering import fact_to_remember
from rag_system.query.routing import courtesy, route
from rag_system.query.tasks import read_task
from rag_system.query.typing_habits import shorthand_in_full
from rag_system.types import Courtesy, InventoryFilter, Message, QueryPlan, Route

__all__ = ["analyze"]

_CUT = "La pregunta tenía más de {limit} caracteres: solo se leyeron los primeros {limit}."
_SHORT = "El mensaje es muy corto para buscar: escriba al menos {limit} caracteres."


def analyze(
    question: str,
    history: Sequence[Message] = (),
    *,
    max_chars: int = 1000,
    min_chars: int = 3,
    history_messages: int = 6,
) -> QueryPlan:
    """Understand a question: route, what stands alone, citations, identifiers, inventory filter or task.

    `max_chars` and `min_chars` are the length gate, in characters; `history_messages` is how many of the last turns the
    question may lean on.
    """
    asked, notices = _gate(question, max_chars)
    turns = list(history)[-history_messages:] if history_messages else []
    likeliest = read_kind(asked)
    kind_of_message, too_short = _route(asked, turns, min_chars)
    if too_short:
        notices = (*notices, _SHORT.format(limit=min_chars))
    read = strip_courtesy(shorthand_in_full(asked))
    whole = standalone(read, turns) if kind_of_message in (Route.RETRIEVE, Route.TASK) else asked
    own = find_citations(asked)
    cited = own or find_citations(whole)
    searched = kind_of_message in (Route.RETRIEVE, Route.INVENTORY, Route.TASK)
    inventory = read_inventory(asked) if kind_of_message is Route.INVENTORY else None
    return QueryPlan(
        question=asked,
        route=kind_of_message,
        standalone_question=whole,
        reformulated=whole not in (asked, read),
        citation=searched and bool(cited),
        authors=cited.authors if searched else (),
        years=cited.years if searched else (),
        identifiers=tuple(extract_identifiers(whole)),
        past=searched and (asks_for_the_past(asked) or asks_for_the_past(whole)),
        kind=likeliest.kind,
        probability=likeliest.probability,
        inventory=inventory or InventoryFilter(),
        courtesy=_courtesy(asked, too_short=too_short) if kind_of_message is Route.TRIVIAL else "",
        fact=fact_to_remember(asked) if kind_of_message is Route.REMEMBER else "",
        task=read_task(asked, turns) if kind_of_message is Route.TASK else None,
        notices=notices,
    )


def _gate(question: str, max_chars: int) -> tuple[str, tuple[str, ...]]:
    """The question without invisible characters and tags, cut at the last word that fits."""
    clean = strip_tags(strip_invisible(question, kept="\r")).strip()
    if len(clean) <= max_chars:
        return clean, ()
    cut = clean[:max_chars].rsplit(maxsplit=1)[0] if " " in clean[:max_chars] else clean[:max_chars]
    return cut.rstrip(), (_CUT.format(limit=max_chars),)


def _route(question: str, history: Sequence[Message], min_chars: int) -> tuple[Route, bool]:
    """The route, and whether the message is too short to search. A conversation can lend a short one its subject."""
    kind_of_message = route(question, history)
    if len(question) >= min_chars or history:
        return kind_of_message, False
    return Route.TRIVIAL, kind_of_message is not Route.TRIVIAL


def _courtesy(question: str, *, too_short: bool) -> Courtesy:
    return "nothing" if too_short else courtesy(question)
