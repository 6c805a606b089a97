"""What is asked: a message, and how it was understood."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

__all__ = [
    "Courtesy",
    "DocumentFact",
    "InventoryFilter",
    "Message",
    "QueryPlan",
    "Route",
    "Task",
    "TaskKind",
    "TaskObject",
]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["user", "assistant"]
    content: str
    sources: tuple[tuple[int, int], ...] = ()  # of an answer: each number that it cites, with the chunk it points at


class Route(StrEnum):
    """What kind of message this is."""

    TRIVIAL = "trivial"  # the whole message is courtesy, or about the assistant itself
    REMEMBER = "remember"  # the whole message asks for a fact to be kept
    INVENTORY = "inventory"  # about the collection of documents
    TASK = "task"  # work on documents as wholes: summarise, compare, list all…
    RETRIEVE = "retrieve"  # anything else: search and answer


Courtesy = Literal["", "about", "farewell", "thanks", "greeting", "acknowledgement", "nothing", "other_script"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryFilter:
    """What part of the collection an inventory question asks for. Empty fields ask for everything."""

    topic: str = ""  # «teletrabajo» in «¿qué leyes tienes sobre teletrabajo?»
    formats: tuple[str, ...] = ()  # lower-case format names: "pdf", "docx", "html", "md", "txt"
    kinds: tuple[str, ...] = ()  # identifier kinds: "ley", "iso", "ds"…


TaskKind = Literal["summarise", "compare", "outline", "list_all", "explain", "example", "translate", "draft", "facts"]
TaskObject = Literal["documents", "section", "conversation", "collection", "answer", "unsaid"]
# What a document says of itself.
DocumentFact = Literal["author", "signatories", "issuer", "date", "pages", "version", "title", "kind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be done, and with what. The names are the person's: which documents they are is seen later."""

    kind: TaskKind
    of: TaskObject = "unsaid"
    names: tuple[str, ...] = ()  # of the documents, as written; none: the chosen one, or that of the conversation
    section: str = ""  # of them, as written: «capítulo III», «conclusiones»
    # What is listed, compared or counted, as written; each `DocumentFact`, joined by commas; a translation's language;
    # empty: all of it.
    what: str = ""
    certain: bool = True  # the words name documents; else they may be a subject, which is searched for
    confirmed: bool = False  # the person was told what it costs and wants it
    sentences: int = 0  # that a summary may have: «en cinco puntos»; 0: as many as it takes


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryPlan:
    """How a question was understood. Made by `rag_system.query.plan.analyze`, without a database or a model."""

    question: str  # as asked, trimmed and cut to the length gate
    route: Route
    standalone_question: str  # the question alone makes sense: equals `question` unless `reformulated`
    reformulated: bool = False
    citation: bool = False  # asks for an author and year
    authors: tuple[str, ...] = ()  # lower case, accents as written
    years: tuple[int, ...] = ()
    identifiers: tuple[str, ...] = ()  # canonical, in order of appearance: "ley:29733", "iso:27001@2022"
    past: bool = False  # asks for what is not in force any more: `rag_system.query.past`
    angles: tuple[str, ...] = ()  # further phrases to search, written by a model
    inventory: InventoryFilter = InventoryFilter()
    task: Task | None = None
    kind: str = ""  # what its words look most like: one of `rag_system.query.kinds.KINDS`
    probability: float = 0.0  # of that kind
    courtesy: Courtesy = ""  # of a trivial message: what it says
    fact: str = ""  # what is to be kept, as a sentence
    notices: tuple[str, ...] = ()  # Spanish sentences for the person («la pregunta se cortó…»)
