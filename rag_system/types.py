"""The values that travel between the steps. All frozen: a step returns a new value, it never edits an earlier one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Literal, TypeVar

__all__ = [
    "Answer",
    "AnswerRequest",
    "Candidate",
    "Chunk",
    "ChunkDraft",
    "Citation",
    "Concept",
    "ConceptTag",
    "Courtesy",
    "DocumentFacts",
    "Event",
    "Evidence",
    "Finished",
    "Funnel",
    "InventoryFilter",
    "Message",
    "NearWord",
    "Passage",
    "Planned",
    "QueryPlan",
    "Reading",
    "Rejection",
    "Retrieved",
    "Route",
    "SearchResult",
    "Survivor",
    "Token",
    "Usage",
]

Number = TypeVar("Number", int, float)


# ---------------------------------------------------------------- the question


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["user", "assistant"]
    content: str


class Route(StrEnum):
    """What kind of message this is."""

    TRIVIAL = "trivial"  # the whole message is courtesy, or about the assistant itself
    INVENTORY = "inventory"  # about the collection of documents
    RETRIEVE = "retrieve"  # anything else: search and answer


Courtesy = Literal["", "about", "farewell", "thanks", "greeting", "acknowledgement", "nothing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryFilter:
    """What part of the collection an inventory question asks for. Empty fields ask for everything."""

    topic: str = ""  # «teletrabajo» in «¿qué leyes tienes sobre teletrabajo?»
    formats: tuple[str, ...] = ()  # lower-case format names: "pdf", "docx", "html", "md", "txt"
    kinds: tuple[str, ...] = ()  # identifier kinds: "ley", "iso", "ds"…


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
    angles: tuple[str, ...] = ()  # further phrases to search, written by a model
    inventory: InventoryFilter = InventoryFilter()
    courtesy: Courtesy = ""  # of a trivial message: what it says
    notices: tuple[str, ...] = ()  # Spanish sentences for the person («la pregunta se cortó…»)


# ---------------------------------------------------------------- the document


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """What is read once from a document and stored beside it."""

    title: str
    language: str  # ISO 639-1, "es" when in doubt
    category: str  # the folder, "" at the top
    identifiers: tuple[str, ...]  # what the document *is*: from its file name, title and own header
    mentions: tuple[str, ...]  # what the head of its text names besides
    authors: tuple[str, ...]  # lower case
    years: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDraft:
    """A chunk before it has an id."""

    ordinal: int  # position in the document, from 0
    heading_path: tuple[str, ...]
    text: str  # the body alone, without the heading path
    page_first: int | None
    page_last: int | None
    tokens: int  # of `embedding_text(title, chunk)`
    content_hash: str  # SHA-256 hex of what is embedded, without positions
    page_starts: tuple[int, ...] = ()  # where each page after the first begins in `text`, in characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """A node of a project's tree of concepts, as a person writes it."""

    name: str
    parent: str = ""  # the name of another; empty at the top
    aliases: tuple[str, ...] = ()  # other names for it


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptTag:
    """A concept that a chunk is about."""

    name: str
    confidence: float  # above 0, up to 1: `rag_system.ingestion.concepts` has how it is computed


# ---------------------------------------------------------------- retrieval


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A stored piece of a document."""

    chunk_id: int  # counted per project
    document_id: str
    path: str  # relative to the ingested directory, with forward slashes
    title: str
    heading_path: tuple[str, ...]  # («Título II», «Capítulo I», «Artículo 23»)
    page_first: int | None  # as the file numbers them; None where the format has no pages
    page_last: int | None
    text: str
    identifiers: tuple[str, ...] = ()  # what its document is, canonical
    page_starts: tuple[int, ...] = ()  # where each page after the first begins in `text`, in characters

    def page_at(self, offset: int) -> int | None:
        """The page on which a character of `text` stands."""
        return None if self.page_first is None else self.page_first + bisect_right(self.page_starts, offset)

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def section(self) -> str:
        return " › ".join(self.heading_path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Neighbouring chunks of a document, in reading order, and their text in one piece."""

    chunks: tuple[Chunk, ...]
    text: str  # what two chunks share stands once


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A chunk that some strategy proposed, with the score of every strategy that knows it."""

    chunk: Chunk
    score: float  # fused
    scores: Mapping[str, float]  # strategy → its own score: a cosine, a share of the question's weight, 0 or 1
    passage: Passage | None = None  # the chunk with the neighbours that complete it, where it has any
    concepts: tuple[ConceptTag, ...] | None = None  # of the chunk, surest first; None: the project has no tree

    @property
    def text(self) -> str:
        """What is read: the passage, or the chunk alone."""
        return self.passage.text if self.passage else self.chunk.text

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """What `text` consists of, in reading order."""
        return self.passage.chunks if self.passage else (self.chunk,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a question was read by the search that it led to."""

    standalone_question: str
    reformulated: bool = False
    meaning: str = ""  # what its vector was made from
    words: tuple[str, ...] = ()  # those looked up, as the question writes them
    angles: tuple[str, ...] = ()  # further phrases that were searched with it
    identifiers: tuple[str, ...] = ()  # canonical
    absent: tuple[str, ...] = ()  # of `identifiers`: no candidate's document is it
    authors: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()  # Spanish sentences: words that were corrected, a question that was cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A passage that stayed, and what speaks for it."""

    chunk_id: int
    path: str
    page: int | None
    section: str
    score: float  # fused
    level: float  # the same between the worst (0) and the best (1) of all candidates of the question
    scores: Mapping[str, float]  # strategy → its own score
    levels: Mapping[str, float]  # strategy → its score in 0…1, cosines and BM25 spread over the candidates
    proposed_by: tuple[str, ...]  # strategies; the others only scored it
    words: tuple[str, ...] = ()  # of the question, as its text writes them
    heading_words: tuple[str, ...] = ()  # of the question, only in its title or headings
    guaranteed: bool = False  # the question names it: its score alone would not have been enough
    ceded: bool = False  # stands below one that scored less: its document had several passages before
    concepts: tuple[ConceptTag, ...] = ()  # surest first


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A passage that left: an example of its reason."""

    reason: str
    chunk_id: int
    path: str
    page: int | None
    section: str
    level: float  # as a survivor's
    identifiers: tuple[str, ...] = ()  # what its document is
    repeats: str = ""  # of a near duplicate: the path of the passage that stayed instead


@dataclass(frozen=True, slots=True, kw_only=True)
class NearWord:
    """A word of the candidates, and how near it lies to what the question was taken to mean."""

    word: str
    similarity: float  # −1…1: cosine after the mean of all words compared was taken from both


@dataclass(frozen=True, slots=True, kw_only=True)
class Funnel:
    """How the question was read, how many candidates each step saw, why some left and what speaks for the others."""

    generated: Mapping[str, int] = field(default_factory=dict)
    merged: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    returned: int = 0
    reading: Reading | None = None
    survivors: tuple[Survivor, ...] = ()  # in the order of the results
    examples: tuple[Rejection, ...] = ()  # the best of each reason
    near_words: tuple[NearWord, ...] = ()  # only where an explanation was asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The ranked candidates of a question, best first."""

    candidates: tuple[Candidate, ...] = ()
    funnel: Funnel = Funnel()
    timings_ms: Mapping[str, float] = field(default_factory=dict)


# ---------------------------------------------------------------- the answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A numbered source: what `[n]` in the answer points at."""

    n: int  # from 1
    chunk: Chunk  # the one that was found
    text: str  # what the answerer reads: the chunk, possibly with its neighbours or shortened
    score: float
    neighbours: tuple[Chunk, ...] = ()  # the chunks that `text` joins, `chunk` among them; empty: `chunk` alone
    concepts: tuple[ConceptTag, ...] | None = None  # of `chunk`, surest first; None: the project has no tree

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The stored chunks that `text` comes from, in reading order."""
        return self.neighbours or (self.chunk,)

    def page_of(self, quote: str) -> int | None:
        """The page where words of `text` begin; of words that no chunk holds whole, the first of the one found."""
        holding = (each for each in (self.chunk, *self.chunks) if quote in each.text)
        chunk = next(holding, None)
        return chunk.page_at(chunk.text.find(quote)) if chunk else self.chunk.page_first


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRequest:
    """All an answerer may use."""

    plan: QueryPlan
    evidence: tuple[Evidence, ...]
    history: tuple[Message, ...] = ()
    instructions: str = ""  # the project's, in the person's words
    facts: tuple[str, ...] = ()  # remembered about the project
    assistant_name: str = "Legajo"  # what it calls itself
    hides_model: bool = False  # nobody is told which model and provider answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What an answer took, as its provider reports it: its further questions to the model included.

    None where nothing is reported.
    """

    tokens_in: int | None = None
    tokens_out: int | None = None  # thoughts included
    cost_usd: float | None = None
    prompt_version: int | None = None  # of the prompt that it was written with; None: no model wrote it

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            tokens_in=_sum(self.tokens_in, other.tokens_in),
            tokens_out=_sum(self.tokens_out, other.tokens_out),
            cost_usd=_sum(self.cost_usd, other.cost_usd),
            prompt_version=other.prompt_version or self.prompt_version,
        )

    @property
    def reported(self) -> dict[str, int | float]:
        """What is known, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def _sum(one: Number | None, other: Number | None) -> Number | None:
    return one if other is None else other if one is None else one + other


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A marker of the answer, tied to the words that support it."""

    n: int
    chunk_id: int  # the chunk where the words stand: the one that was found, or a neighbour in its passage
    document: str  # file name
    path: str
    page: int | None
    quote: str  # occurs literally in the chunk's text
    added: bool = False  # by the check: the model wrote the sentence without a marker


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
    provider: str = ""
    model: str = ""
    notices: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(
        default_factory=dict
    )  # milliseconds: embedding, retrieval, context, …, ttft, total
    usage: Usage = Usage()

    @property
    def chunks(self) -> dict[int, Chunk]:
        """The stored chunks of the evidence, neighbours included, by id: what a citation's `chunk_id` points at."""
        return {chunk.chunk_id: chunk for evidence in self.evidence for chunk in evidence.chunks}

    @property
    def citation_fields(self) -> list[dict[str, object]]:
        """The citations for programs, each with the `chunk_id` by which the results name its whole passage."""
        found = {evidence.n: evidence.chunk.chunk_id for evidence in self.evidence}
        return [{**asdict(citation), "chunk_id": found[citation.n]} for citation in self.citations]


# ---------------------------------------------------------------- events of a streamed answer


@dataclass(frozen=True, slots=True)
class Planned:
    """The question is understood."""

    plan: QueryPlan


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The sources are chosen and numbered."""

    search: SearchResult
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is whole, checked, and replaces what was streamed."""

    answer: Answer


Event = Planned | Retrieved | Token | Finished
