"""Follow-ups: whether a question leans on the conversation, and the question that makes sense alone.

Rules decide and, without a model, build the standalone question from the last topic. A model may write it instead:
`accept_rewrite` keeps its words only when they are one bounded line that names the same norms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.query import context_dependence
from rag_system.query.articles import article_references
from rag_system.query.citations import find_citations
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.identifier_names import identifier_name
from rag_system.query.identifiers import (
    IdentifierMatch,
    extract_identifiers,
    find_identifiers,
    kind,
    without_identifiers,
)
from rag_system.query.inventory import read_inventory
from rag_system.query.kinds import LEANS, read_kind
from rag_system.query.routing import route
from rag_system.query.tasks import accepts_offer, names_documents
from rag_system.query.text import fold, stem, tokens
from rag_system.query.typing_habits import shorthand_in_full
from rag_system.query.word_lists import STOPWORDS
from rag_system.types import Message, Route

__all__ = ["accept_rewrite", "needs_context", "standalone"]

_TOPIC_WORDS = 40  # a longer topic drowns the question
_REWRITE_CHARS = 300
_FAITHFUL = 0.5  # of a rewrite's content words, the share at least that somebody said


def needs_context(question: str, history: Sequence[Message]) -> bool:
    """Whether a question makes no sense without the conversation. Never without a topic to lean on.

    >>> needs_context("¿Y cómo se instala?", [Message("user", "¿Qué es Samba?")])
    True
    """
    return _needs_context(question, history, _topic(history))


def standalone(question: str, history: Sequence[Message]) -> str:
    """The question with what it leaves unsaid; as it was when nothing is missing.

    >>> standalone("¿Y cómo se instala?", [Message("user", "¿Qué es Samba?")])
    '¿Cómo se instala? (Samba)'
    """
    return _standalone(question, history, _topic(history))


def _needs_context(question: str, history: Sequence[Message], topic: str) -> bool:
    core = strip_courtesy(question)
    if not topic:
        return bool(_pointed_at(core, history))
    return accepts_offer(question, history) or read_kind(question).follows >= LEANS


def _standalone(question: str, history: Sequence[Message], topic: str) -> str:
    if not _needs_context(question, history, topic):
        return question
    core = _offered(history) if accepts_offer(question, history) else strip_courtesy(question)
    core = _spell_out(core, find_identifiers(topic))
    own = find_identifiers(core)
    if own and not context_dependence.compares(core):
        if context_dependence.only_names(core):
            return _swap(topic, own[0].canonical, _in_a_sentence(core[own[0].start : own[-1].end], own[0].canonical))
        topic = _swap(topic, own[0].canonical, "")
    if find_citations(core):
        topic = _without_authors(topic)
    asked = context_dependence.without_connector(core)
    if not tokens(asked):  # «¿y en ese caso?»
        return topic
    pieces = [
        *_pointed_at(core, history),
        _inherited_norm(core, topic, history),
        context_dependence.topic_phrase(topic, _TOPIC_WORDS, asks=context_dependence.keeps_asking(core)),
    ]
    return f"{asked} ({', '.join(filter(None, pieces))})"


# ---------------------------------------------------------------- the topic


def _topic(history: Sequence[Message]) -> str:
    """The last question of the conversation that has a subject, made to stand alone.

    Told forward, each turn from the topic before it, so that a long conversation costs no more than its turns.
    """
    topic = ""
    for index, turn in enumerate(history):
        if turn.role == "user" and turn.content.strip():
            topic = _next_topic(turn.content, history[:index], topic)
    return topic


def _next_topic(question: str, before: Sequence[Message], topic: str) -> str:
    """The topic after a question."""
    kind_of_turn = route(question, before)
    if kind_of_turn is Route.RETRIEVE or (kind_of_turn is Route.TASK and names_documents(question, before)):
        return _standalone(shorthand_in_full(question), before, topic)
    if kind_of_turn is Route.INVENTORY and (topic_asked := read_inventory(question).topic):
        return topic_asked
    return topic


def _offered(history: Sequence[Message]) -> str:
    """The question with which the assistant's last message ends."""
    return re.split(r"(?<=[.!\n])\s+|(?=¿)", history[-1].content.strip())[-1]


def _inherited_norm(core: str, topic: str, history: Sequence[Message]) -> str:
    """The norm that the last answer named, when the question points at it («esa ley», «el artículo 5»)."""
    if find_identifiers(topic) or find_identifiers(core):
        return ""
    if not (context_dependence.points_at_norm(core) or article_references(core)):
        return ""
    answer = _last_answer(history)
    found = {match.canonical: answer[match.start : match.end] for match in find_identifiers(answer)}
    return next(iter(found.values())) if len(found) == 1 else ""


def _last_answer(history: Sequence[Message]) -> str:
    return next((turn.content for turn in reversed(history) if turn.role == "assistant"), "")


def _pointed_at(core: str, history: Sequence[Message]) -> list[str]:
    """What «el primero», «la última» stand for in the last answer."""
    item = context_dependence.pointed_item(core, _last_answer(history))
    return [item] if item else []


# ---------------------------------------------------------------- names that change

_BARE_NUMBER = re.compile(r"\b(la|el|las|los)\s+(?=\d{2,}[\d.]*(?:[-/]\w+)*\s*(?:[?!.]|$))", re.IGNORECASE)
_OTHER_EDITION = re.compile(
    r"\b(?:la|el)\s+(?:versi[oó]n|edici[oó]n|del?|v\.?)\s+(?:del?\s+)?(?:año\s+)?((?:19|20)\d\d|\d(?:\.\d)?)\b",
    re.IGNORECASE,
)


def _spell_out(core: str, topic: Sequence[IdentifierMatch]) -> str:
    """«¿y la 27444?» after a law names another law; «¿y la versión 2013?», another edition of the same norm."""
    if not topic or find_identifiers(core):
        return core
    last = topic[-1].canonical
    name, _, number = last.partition(":")
    if edition := _OTHER_EDITION.search(core):
        base, _, old = last.partition("@")
        if old or kind(last) in ("iso", "cobit", "itil", "pci-dss"):
            written = identifier_name(base)
            joint = ":" if ":" in base else " "
            return core[: edition.start()] + f"{written}{joint}{edition[1]}" + core[edition.end() :]
    candidate = _BARE_NUMBER.sub(rf"\1 {identifier_name(name)} ", core) if number else core
    return candidate if any(kind(found) == name for found in extract_identifiers(candidate)) else core


def _in_a_sentence(text: str, canonical: str) -> str:
    """A norm as it reads in the middle of a sentence: «la 9001» is «ISO 9001»."""
    bare = re.sub(r"^las?\s+", "", text, flags=re.IGNORECASE)
    return f"{identifier_name(kind(canonical))} {bare}" if bare[:1].isdigit() else bare


def _swap(topic: str, canonical: str, replacement: str) -> str:
    """The topic with another norm in the place of its own: the norm of the same kind, or else the first."""
    found = find_identifiers(topic)
    place = next((match for match in found if kind(match.canonical) == kind(canonical)), found[0] if found else None)
    for match in reversed(found):
        written = replacement if match is place else ""
        topic = topic[: match.start] + written + topic[match.end :]
    if replacement and not found:
        return f"{replacement} ({context_dependence.topic_phrase(topic, _TOPIC_WORDS)})"
    return re.sub(r"\s+([?,.)])", r"\1", re.sub(r"\s{2,}", " ", topic)).strip()


def _without_authors(topic: str) -> str:
    """The topic without the names and years it cites: the question cites its own."""
    cited = find_citations(topic)
    gone = {fold(word) for author in cited.authors for word in author.split()} | {str(year) for year in cited.years}
    return " ".join(word for word in topic.split() if not gone & set(re.findall(r"\w+", fold(word))))


# ---------------------------------------------------------------- with a model


def accept_rewrite(
    original: str,
    rewrite: str,
    *,
    said: Sequence[str] = (),
    identifiers: Sequence[str] = (),
) -> str | None:
    """The model's sentence, cleaned, or None when it cannot be trusted.

    `identifiers` are those of the plan (the question's own, or inherited): a rewrite that loses or adds one goes, and
    so does one that is empty, long, or several lines, or has most of its content words from neither the question nor
    the conversation (`said`): «No lo sé.», «Lo siento, no puedo reescribir esa pregunta.»
    """
    lines = [line.strip() for line in rewrite.strip().splitlines() if line.strip()]
    if len(lines) != 1:
        return None
    text = re.sub(r"^(?:pregunta(?:\s+reescrita)?|b[uú]squeda)\s*:\s*", "", lines[0], flags=re.IGNORECASE).strip(
        " \"'«»“”*`"
    )
    if not text or len(text) > max(_REWRITE_CHARS, len(original)):
        return None
    content = _content(without_identifiers(text))
    if len(content & _content(" ".join((original, *said)))) < max(_FAITHFUL * len(content), 1):
        return None
    expected = set(identifiers) or set(extract_identifiers(original))
    return text if set(extract_identifiers(text)) == expected else None


def _content(text: str) -> set[str]:
    return {stem(word) for word in tokens(text) if word not in STOPWORDS}
