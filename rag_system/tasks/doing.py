"""The life of a task: the documents that are meant, read in order; then what is written of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

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
from rag_system.storage.wholes import EVERY_PASSAGE, WholeDocument, read_chunks, read_whole
from rag_system.tasks.comparing import compare
from rag_system.tasks.facts import tell
from rag_system.tasks.listing import list_all
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
MOST_PASSAGES = 10_000  # that a list is made from
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
        documents = found.documents
        if task.kind == "list_all":
            documents = _readable(documents)
        elif task.of == "collection":
            documents = documents[:MOST_DOCUMENTS]
        first = FIRST_PASSAGES if task.of == "collection" and task.kind != "list_all" else EVERY_PASSAGE
        chunks = read_whole(connection, self._project, documents, first=first)
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
        """What is told without a model; None where nothing is, so that a search may."""
        task = work.task
        match task.kind:
            case _ if work.said:
                written: Written | None = work.said
            case "facts" | "outline":
                written = _of_one(work)
            case "compare" if len(work.documents) > 1:
                written = compare(work.documents, work.parts, task.what)
            case "list_all":
                whole = not work.total or len(work.documents) == work.total
                written = list_all(task.what, work.documents, work.parts, of=_whole(work), whole=whole)
            case "summarise":
                written = _summary(work)
            case _:
                written = None
        return written


def _of_one(work: Work) -> Written | None:
    task, document, parts = work.task, work.documents[0], work.parts[0]
    if task.kind == "facts":
        return tell(task.what, document, parts)
    return gist(document, parts) if task.what == "gist" and not task.section else index(document, parts)


def _summary(work: Work) -> Written:
    if work.task.of == "collection":
        return collection_summary(list(zip(work.documents, work.parts, strict=True)), work.total)
    if work.task.section:
        return section_summary(work.documents[0], work.parts[0])
    return summary(work.documents[0], work.parts[0])


def _whole(work: Work) -> str:
    """What was read, for people."""
    read = len(work.documents)
    if read > 1:
        return (
            f"los {read} documentos"
            if read == (work.total or read)
            else f"los primeros {read} de {work.total} documentos"
        )
    name = inert(work.documents[0].label)
    return f"«{inert(work.task.section)}», de {name}" if work.task.section else f"{name} (todo el documento)"


def _readable(documents: Sequence[WholeDocument]) -> tuple[WholeDocument, ...]:
    """As many as can be read through in a few seconds."""
    passages = accumulate(document.chunk_count for document in documents)
    return tuple(each for each, so_far in zip(documents, passages, strict=True) if so_far <= MOST_PASSAGES) or tuple(
        documents[:1]
    )


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
