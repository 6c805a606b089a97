"""What a task is done with: documents, a part of them, the last answer or the conversation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby

from psycopg import Connection

from rag_system.generation.citation_label import inert
from rag_system.storage.wholes import EVERY_PASSAGE, WholeDocument, read_chunks, read_vectors, read_whole
from rag_system.tasks.matching import Vector, Vectors
from rag_system.tasks.parts import Part, find_parts, read_parts
from rag_system.tasks.quoting import Written
from rag_system.tasks.reading import Notes, merged
from rag_system.tasks.resolving import Meant, meant
from rag_system.types import Chunk, Evidence, Message, QueryPlan, Task

__all__ = ["FROM_ANSWER", "Material", "gather"]

MOST_DOCUMENTS = 40  # of a collection, in its summary
FIRST_PASSAGES = 6  # of each of them
MOST_PASSAGES = 10_000  # that a list is made from
FROM_ANSWER = frozenset({"explain", "example", "translate", "draft"})  # may be done with the last answer
UNKNOWN = "No encontré un documento que se llame «{}»: busqué la respuesta en todos."
TAKEN_FOR = "No encontré un documento que se llame «{}»: tomé «{}»."
NO_PART = "«{}» no tiene una parte que se llame «{}»: busqué la respuesta en sus pasajes."
PAST = "Se dejó fuera el texto que ya no está en vigor: {number}."
NO_ANSWER = "Todavía no hay una respuesta en esta conversación con la que hacerlo: haga primero una pregunta."
SPEAKERS = {"user": "Persona", "assistant": "Asistente"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """A task with all that it is done with; where there is nothing, what a search has to tell instead."""

    task: Task | None = None  # None: its words are a question
    documents: tuple[WholeDocument, ...] = ()
    parts: tuple[tuple[Part, ...], ...] = ()  # of each document; of a section, only its own
    total: int = 0  # documents of the project, where all are meant
    vectors: Vectors = field(default_factory=dict)  # of what is compared
    matter: Vector | None = None  # of that in which it is
    answer: Notes | None = None  # the last one, with its sources
    conversation: Notes | None = None
    said: Written | None = None  # what there is to say instead: which documents may be meant
    unknown: str = ""  # what was named as a document, and none is called
    notices: tuple[str, ...] = ()

    @property
    def chunks(self) -> list[Chunk]:
        """All that is read, in its order."""
        return list(dict.fromkeys(chunk for each in self.parts for part in each for chunk in part.chunks))

    @property
    def label(self) -> str:
        """What is read, in words."""
        if self.conversation or self.answer:
            return "la conversación" if self.conversation else "la última respuesta"
        if self.task and self.task.of == "collection":
            return f"los {len(self.documents)} documentos del proyecto"
        names = " y ".join(f"«{inert(document.label)}»" for document in self.documents)
        return f"la parte «{inert(self.task.section)}» de {names}" if self.task and self.task.section else names


def gather(
    connection: Connection, project: str, plan: QueryPlan, history: Sequence[Message], *, chosen: Sequence[str]
) -> Material:
    """The material of a plan's task. `chosen` are the paths of the only documents that are asked."""
    task = plan.task
    if task is None:
        return Material()
    turns = _turns(connection, project, history)
    last = next((notes for turn, notes in reversed(turns) if turn.role == "assistant" and turn.content.strip()), None)
    if _is_of_conversation(task, last, chosen):
        return Material(task=task, conversation=merged([notes for _, notes in turns])) if turns else _no_answer(task)
    if _is_of_answer(task, last, chosen):
        return Material(task=task, answer=merged([last])) if last else _no_answer(task)
    cited = [each.chunk.path for each in last.evidence] if last else []
    is_subject = task.kind == "draft" and task.of == "unsaid" and not chosen  # which is searched for
    found = Meant() if is_subject else meant(connection, project, task, chosen=chosen, cited=cited)
    if not found.documents:
        return _unfound(task, found, plan)
    return _read(connection, project, task, found, past=plan.past)


def _unfound(task: Task, found: Meant, plan: QueryPlan) -> Material:
    if found.choices:
        return Material(task=task, said=_which(found))
    is_told = found.unknown and task.certain and not plan.identifiers
    if not is_told:
        return Material()
    return Material(unknown=found.unknown, notices=(UNKNOWN.format(inert(found.unknown)),))


def _is_of_conversation(task: Task, last: Notes | None, chosen: Sequence[str]) -> bool:
    if task.of == "conversation":
        return True
    return task.kind == "summarise" and task.of == "unsaid" and last is not None and not chosen


def _is_of_answer(task: Task, last: Notes | None, chosen: Sequence[str]) -> bool:
    if task.of == "answer":
        return True
    if task.of != "unsaid" or task.kind not in FROM_ANSWER or (task.kind == "draft" and last is None):
        return False
    return last is not None or not chosen


def _no_answer(task: Task) -> Material:
    return Material(task=task, said=Written(text=NO_ANSWER, abstained=True))


def _turns(connection: Connection, project: str, history: Sequence[Message]) -> list[tuple[Message, Notes]]:
    """What was said, each with what it cited, as far as that is still there."""
    ids = [chunk_id for turn in history for _, chunk_id in turn.sources]
    known = read_chunks(connection, project, ids) if ids else {}
    return [(turn, _notes(turn, known)) for turn in history]


def _notes(turn: Message, known: dict[int, Chunk]) -> Notes:
    cited = {n: known[chunk_id] for n, chunk_id in reversed(turn.sources) if chunk_id in known}
    evidence = [Evidence(n=n, chunk=chunk, text=chunk.text, score=0.0) for n, chunk in sorted(cited.items())]
    return Notes(text=f"{SPEAKERS[turn.role]}: {turn.content}", evidence=tuple(evidence))


def _which(found: Meant) -> Written:
    """The documents among which a person has to choose."""
    lines = ["Diga de qué documento se trata, por su nombre, o elíjalo en la lista de documentos:", ""]
    lines += [f"- **{inert(document.label)}** ({inert(document.path)})" for document in found.choices]
    more = found.total - len(found.choices)
    return Written(text="\n".join([*lines, *([f"- … y {more} más."] if more > 0 else [])]), abstained=True)


def _read(connection: Connection, project: str, task: Task, found: Meant, *, past: bool) -> Material:
    documents, first = found.documents, EVERY_PASSAGE
    if task.kind == "list_all":
        documents = _readable(documents)
    elif task.of == "collection":
        documents, first = documents[:MOST_DOCUMENTS], FIRST_PASSAGES
    chunks, notices = _in_force(read_whole(connection, project, documents, first=first), past=past)
    texts = {document: list(run) for document, run in groupby(chunks, lambda chunk: chunk.document_id)}
    parts = [tuple(read_parts(texts.get(each.document_id, []))) for each in documents]
    if task.section:
        parts = [tuple(find_parts(each, task.section)) for each in parts]
        if not any(parts):
            return Material(notices=(NO_PART.format(inert(documents[0].label), inert(task.section)),))
    vectors = read_vectors(connection, project, documents) if task.kind == "compare" else {}
    return Material(
        task=task,
        documents=documents,
        parts=tuple(parts),
        total=found.total,
        vectors=vectors,
        notices=(*_taken(found), *(notices if task.kind != "facts" else ())),  # so many pages, whatever they say
    )


def _taken(found: Meant) -> Iterator[str]:
    if found.taken_for:
        yield TAKEN_FOR.format(inert(found.taken_for), inert(found.documents[0].label))


def _in_force(chunks: Sequence[Chunk], *, past: bool) -> tuple[Sequence[Chunk], tuple[str, ...]]:
    """Without what another text took the place of, unless the past is asked for, or nothing else is there."""
    current = [chunk for chunk in chunks if chunk.state is None]
    gone = len(chunks) - len(current)
    if past or not gone or not current:
        return chunks, ()
    return current, (PAST.format(number="1 pasaje" if gone == 1 else f"{gone} pasajes"),)


def _readable(documents: Sequence[WholeDocument]) -> tuple[WholeDocument, ...]:
    """As many as can be read through in a few seconds."""
    passages = accumulate(document.chunk_count for document in documents)
    fitting = [each for each, so_far in zip(documents, passages, strict=True) if so_far <= MOST_PASSAGES]
    return tuple(fitting or documents[:1])
