"""The life of a task: the documents that are meant, read in order; then what is written of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from psycopg import Connection

from rag_system.errors import LegajoError
from rag_system.generation.answering import fail
from rag_system.generation.citation_label import inert
from rag_system.generation.protocol import Answerer
from rag_system.generation.provider_redaction import without_provider
from rag_system.generation.sanitizing import disarm
from rag_system.scope import Scope, confined
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import ProjectRow
from rag_system.storage.wholes import WholeDocument, read_chunks, read_whole
from rag_system.tasks.facts import tell
from rag_system.tasks.outlines import collection_summary, gist, index, section_summary, summary
from rag_system.tasks.parts import Part, find_parts, read_parts
from rag_system.tasks.quoting import Written
from rag_system.tasks.resolving import Meant, meant
from rag_system.timing import Stopwatch
from rag_system.types import (
    Answer,
    Candidate,
    Chunk,
    Event,
    Finished,
    Message,
    Planned,
    QueryPlan,
    Retrieved,
    Route,
    SearchResult,
    Task,
    Token,
)

__all__ = ["Tasks"]

MOST_DOCUMENTS = 40  # of a collection, in its summary
FIRST_PASSAGES = 6  # of each of them
UNKNOWN = "No encontré un documento que se llame «{}»: busqué la respuesta en todos."
NO_PART = "«{}» no tiene una parte que se llame «{}»: busqué la respuesta en sus pasajes."


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A task with all that it is about."""

    task: Task
    documents: tuple[WholeDocument, ...] = ()
    parts: tuple[tuple[Part, ...], ...] = ()  # of each document; of a section, only its own
    total: int = 0  # documents of the project, where all are meant
    said: Written | None = None  # what there is to say instead: which documents may be meant


class Tasks:
    """Does the tasks of a project. Safe to share between threads."""

    def __init__(
        self,
        *,
        database: Database,
        project: str,
        settings: Settings,
        row: Callable[[], ProjectRow],
        answerer: Callable[[ProviderName | None], Answerer],
    ) -> None:
        self._database = database
        self._project = project
        self._settings = settings
        self._row = row
        self._answerer = answerer

    def do(
        self,
        plan: QueryPlan,
        history: Sequence[Message],
        scope: Scope,
        watch: Stopwatch,
        *,
        otherwise: Callable[[QueryPlan], Iterator[Event]],
    ) -> Iterator[Event]:
        """The events of a task's answer. Where its words mean no documents, they are a question: `otherwise`."""
        hides_model = self._settings.hide_model
        try:
            hides_model = bool(self._row().hide_model)
            with watch.phase("reading"):
                work, notices = self._take_up(plan, history, scope)
            written = self._written(work) if work else None
        except LegajoError as error:
            yield from fail(error, plan, watch, hides_model=hides_model)
            return
        if written is None:
            asked = replace(plan, route=Route.RETRIEVE, task=None, notices=(*plan.notices, *notices))
            asked = confined(asked, scope)
            yield Planned(asked)
            yield from otherwise(asked)
            return
        yield from _told(written, plan, watch, hides_model=hides_model)

    # ------------------------------------------------------------ what is meant

    def _take_up(
        self, plan: QueryPlan, history: Sequence[Message], scope: Scope
    ) -> tuple[Work | None, tuple[str, ...]]:
        """The task with its documents, or None; and what a search instead has to tell."""
        task = plan.task
        if task is None or scope.concept:
            return None, ()
        with self._database.snapshot() as connection:
            cited = self._cited(connection, history)
            found = meant(connection, self._project, task, chosen=scope.documents, cited=[each.path for each in cited])
            if found.choices:
                return Work(task=task, said=_which(found)), ()
            if not found.documents:
                unknown = [name for name in task.names if task.certain and not plan.identifiers]
                return None, tuple(UNKNOWN.format(inert(name)) for name in unknown[:1])
            return self._read(connection, task, found)

    def _read(self, connection: Connection, task: Task, found: Meant) -> tuple[Work | None, tuple[str, ...]]:
        documents, whole = found.documents, task.of != "collection"
        if not whole:
            documents = documents[:MOST_DOCUMENTS]
        first = {} if whole else {"first": FIRST_PASSAGES}
        chunks = read_whole(connection, self._project, documents, **first)
        parts = [tuple(read_parts(_of(document, chunks))) for document in documents]
        if task.section:
            parts = [tuple(find_parts(each, task.section)) for each in parts]
            if not any(parts):
                return None, (NO_PART.format(inert(documents[0].label), inert(task.section)),)
        return Work(task=task, documents=documents, parts=tuple(parts), total=found.total), ()

    def _cited(self, connection: Connection, history: Sequence[Message]) -> list[Chunk]:
        """What the last answer cited."""
        answers = [turn for turn in history if turn.role == "assistant" and turn.sources]
        ids = [chunk_id for _, chunk_id in answers[-1].sources] if answers else []
        return list(read_chunks(connection, self._project, ids).values()) if ids else []

    # ------------------------------------------------------------ without a model

    def _written(self, work: Work) -> Written | None:
        if work.said:
            return work.said
        task, document, parts = work.task, work.documents[0], work.parts[0]
        match task.kind:
            case "facts":
                return tell(task.what, document, parts)
            case "outline":
                return gist(document, parts) if task.what == "gist" and not task.section else index(document, parts)
            case "summarise" if task.of == "collection":
                return collection_summary(list(zip(work.documents, work.parts, strict=True)), work.total)
            case "summarise":
                return section_summary(document, parts) if task.section else summary(document, parts)
        return None


def _of(document: WholeDocument, chunks: Sequence[Chunk]) -> list[Chunk]:
    return [chunk for chunk in chunks if chunk.document_id == document.document_id]


def _which(found: Meant) -> Written:
    """The documents among which a person has to choose."""
    lines = ["Diga de qué documento se trata, por su nombre, o elíjalo en la lista de documentos:", ""]
    lines += [f"- **{inert(document.label)}** ({inert(document.path)})" for document in found.choices]
    more = found.total - len(found.choices)
    return Written(text="\n".join([*lines, *([f"- … y {more} más."] if more > 0 else [])]), abstained=True)


def _told(written: Written, plan: QueryPlan, watch: Stopwatch, *, hides_model: bool) -> Iterator[Event]:
    if written.evidence:
        found = tuple(Candidate(chunk=each.chunk, score=0.0, scores={}) for each in written.evidence)
        yield Retrieved(SearchResult(candidates=found), written.evidence)
    watch.mark("ttft")
    text = disarm(written.text)
    yield Token(text)
    watch.mark("total")
    answer = Answer(
        text=text,
        citations=written.citations,
        evidence=written.evidence,
        abstained=written.abstained,
        provider="extractive",
        notices=(*plan.notices, *written.notices),
        metrics=watch.metrics,
    )
    yield Finished(without_provider(answer) if hides_model else answer)
