"""Where and how a question is answered, and what its answer says of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rag_system.errors import InputError
from rag_system.settings import ProviderName
from rag_system.types import Event, Finished, QueryPlan, Route

__all__ = ["Scope", "confined", "not_searched", "offering_all", "searched_part"]

NOT_IN_CHOSEN = "En los documentos elegidos no está: puede preguntar a todos."
NAMED_DOCUMENTS = 2  # chosen ones that an answer names; of more it tells the number


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where in a project a question is answered, and how. Empty fields mean the project's value or the settings'."""

    provider: ProviderName | None = None
    recipe: str = ""
    top_k: int | None = None
    concept: str = ""  # the only thing that is searched: chunks about it, or about one below it
    documents: Sequence[str] = ()  # paths, the only ones that are searched; empty: all
    all_projects: bool = False  # also what is in the others that who asks may read
    unasked: bool = False  # a task that costs much is done without asking first
    anew: bool = False  # a model is asked again, whatever it wrote before

    def __post_init__(self) -> None:
        if self.all_projects and (self.concept or self.documents):
            raise InputError(
                "En todos los proyectos se busca sin elegir conceptos ni documentos: son de un solo proyecto. Quite lo "
                "uno o lo otro."
            )


def confined(plan: QueryPlan, scope: Scope) -> QueryPlan:
    """The plan of a search within a concept or some documents: whoever reads the answer is told."""
    if plan.route is not Route.RETRIEVE:
        return plan
    about = [f"Busqué solo en lo que trata de «{scope.concept}»."] if scope.concept else []
    within = [f"Busqué solo en {_named(scope.documents)}."] if scope.documents else []
    return replace(plan, notices=(*plan.notices, *about, *within))


def not_searched(projects: Sequence[str]) -> list[str]:
    """The notice of those that a search of all projects leaves out, for their model; none where there are none."""
    if not projects:
        return []
    names = ", ".join(f"«{project}»" for project in projects)
    return [f"No busqué en {names}: se indexó con otro modelo. Páselo al actual con «legajo reindex»."]


def searched_part(scope: Scope) -> str:
    """Where the question was looked for, as the end of «no está …»."""
    return "entre los documentos elegidos" if scope.documents else f"en lo que trata de «{scope.concept}»"


def _named(documents: Sequence[str]) -> str:
    """«manual.pdf» y «guía.docx»; many are only counted."""
    if len(documents) > NAMED_DOCUMENTS:
        return f"los {len(documents)} documentos elegidos"
    return " y ".join(f"«{path.rsplit('/', 1)[-1]}»" for path in documents)


def offering_all(events: Iterator[Event], scope: Scope) -> Iterator[Event]:
    """An answer out of chosen documents that found nothing says where else to look."""
    for event in events:
        if scope.documents and isinstance(event, Finished) and event.answer.abstained and not event.answer.error:
            event = Finished(replace(event.answer, notices=(*event.answer.notices, NOT_IN_CHOSEN)))  # noqa: PLW2901
        yield event
