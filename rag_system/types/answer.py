"""What an answer is made from, and what becomes of it: its words, its citations, its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeVar

from rag_system.types.document import Chunk, ConceptTag
from rag_system.types.question import Message, QueryPlan, Task

__all__ = ["Answer", "AnswerRequest", "Assignment", "Citation", "Evidence", "Payer", "Usage", "chunks_of", "mark"]

Payer = Literal["settings", "project", "person"]  # whose key a provider was asked with

Number = TypeVar("Number", int, float)


def mark(n: int) -> str:
    """What stands in the brackets that cite a source: «1», or «M1» for the remembered fact that has −1.

    >>> mark(2), mark(-1)
    ('2', 'M1')
    """
    return str(n) if n > 0 else f"M{-n}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A numbered source: what `[n]` in the answer points at."""

    n: int  # from 1; of a remembered fact, its number below 0: see `mark`
    chunk: Chunk  # the one that was found; a fact is one of no document
    text: str  # what the answerer reads: the chunk, possibly with its neighbours or shortened
    score: float
    neighbours: tuple[Chunk, ...] = ()  # the chunks that `text` joins, `chunk` among them; empty: `chunk` alone
    concepts: tuple[ConceptTag, ...] | None = None  # of `chunk`, surest first; None: the project has no tree
    goes_on: bool = False  # the list or table in which `text` ends goes on in the document

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The stored chunks that `text` comes from, in reading order."""
        return self.neighbours or (self.chunk,)

    @property
    def is_fact(self) -> bool:
        """Whether a person said it, and no document."""
        return self.n < 0

    def page_of(self, quote: str) -> int | None:
        """The page where words of `text` begin; of words that no chunk holds whole, the first of the one found."""
        holding = (each for each in (self.chunk, *self.chunks) if quote in each.text)
        chunk = next(holding, None)
        return chunk.page_at(chunk.text.find(quote)) if chunk else self.chunk.page_first


def chunks_of(evidence: Iterable[Evidence]) -> dict[tuple[str, int], Chunk]:
    """The stored chunks of the evidence, neighbours included, by what a citation points at: project and id."""
    return {(chunk.project, chunk.chunk_id): chunk for item in evidence for chunk in item.chunks}


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """What is to be written of documents, where it is no answer to a question."""

    task: Task
    documents: str  # what is read, in words: «la Ley 29733 y su reglamento»
    said: str = ""  # with markers of the evidence: notes that were taken, the last answer, the conversation
    said_is: Literal["notes", "answer", "conversation"] = "notes"
    shows_evidence: bool = True  # else `said` stands for it
    step: Literal["take_notes", "join_notes", "write"] = "write"
    part: int = 1  # of notes: which of how many parts is read
    parts: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRequest:
    """All an answerer may use."""

    plan: QueryPlan
    evidence: tuple[Evidence, ...]
    history: tuple[Message, ...] = ()
    instructions: str = ""  # the project's, in the person's words
    facts: tuple[Evidence, ...] = ()  # remembered about the project
    assistant_name: str = "Legajo"  # what it calls itself
    hides_model: bool = False  # nobody is told which model and provider answer
    similarities: Callable[[Sequence[str]], Sequence[float]] | None = None  # cosines of texts with the question
    several: tuple[AnswerRequest, ...] = ()  # the questions of a message that asks more than one, each by itself
    is_doubtful: bool = False  # whether the passages answer at all: `rag_system.generation.confidence`
    assignment: Assignment | None = None  # of a task
    sections: frozenset[int] = frozenset()  # numbers of the evidence that stands under the heading that is asked for
    language: str = ""  # to answer in, ISO 639-1; empty: that of the question

    @property
    def sources(self) -> tuple[Evidence, ...]:
        """All that a marker may point at."""
        return (*self.evidence, *self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an answer took, as its provider reports it: its further questions to the model included.

    None where nothing is reported.
    """

    tokens_in: int | None = None
    tokens_out: int | None = None  # thoughts included
    cost_usd: float | None = None
    prompt_version: int | None = None  # of the prompt that it was written with; None: no model wrote it
    paid_by: Payer | None = None  # None: no key was needed

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            tokens_in=_sum(self.tokens_in, other.tokens_in),
            tokens_out=_sum(self.tokens_out, other.tokens_out),
            cost_usd=_sum(self.cost_usd, other.cost_usd),
            prompt_version=other.prompt_version or self.prompt_version,
            paid_by=other.paid_by or self.paid_by,
        )

    @property
    def reported(self) -> dict[str, int | float | str]:
        """What is known, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A marker of the answer, tied to the words that support it."""

    n: int  # as of the source: see `mark`
    project: str = ""  # whose document it is
    chunk_id: int  # the chunk where the words stand: the one that was found, or a neighbour in its passage
    document: str  # file name
    path: str
    page: int | None
    quote: str  # occurs literally in the chunk's text
    added: bool = False  # by the check: the model wrote the sentence without a marker

    @classmethod
    def of(cls, n: int, chunk: Chunk, quote: str, page: int | None, *, added: bool = False) -> Citation:
        """Of words of a chunk."""
        return cls(
            n=n,
            project=chunk.project,
            chunk_id=chunk.chunk_id,
            document=chunk.file_name,
            path=chunk.path,
            page=page,
            quote=quote,
            added=added,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The end of a question's life."""

    text: str
    citations: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    unsupported: tuple[str, ...] = ()  # sentences of `text` that no source supports: `rag_system.generation.claims`
    abstained: bool = False  # nothing found: the fixed sentence, no sources
    incomplete: bool = False  # the provider failed midway; `text` is what arrived
    error: str = ""  # Spanish sentence when the provider failed
    code: str = ""  # of the error: `rag_system.errors`
    params: Mapping[str, str | float] = field(default_factory=dict)  # what its sentence names
    provider: str = ""
    model: str = ""
    notices: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)  # ms: embedding, retrieval, context, …, ttft, total
    usage: Usage = Usage()

    @property
    def chunks(self) -> dict[tuple[str, int], Chunk]:
        """As `chunks_of` its evidence."""
        return chunks_of(self.evidence)

    @property
    def citation_fields(self) -> list[dict[str, object]]:
        """The citations for programs, each with the `chunk_id` by which the results name its whole passage."""
        found = {evidence.n: None if evidence.is_fact else evidence.chunk.chunk_id for evidence in self.evidence}
        states = {key: chunk.state.fields if chunk.state else None for key, chunk in self.chunks.items()}
        return [
            {
                **asdict(each),
                "n": each.n if each.n > 0 else mark(each.n),
                "chunk_id": found[each.n],
                "state": states[each.project, each.chunk_id],
            }
            for each in self.citations
        ]


def _sum(one: Number | None, other: Number | None) -> Number | None:
    return one if other is None else other if one is None else one + other
