"""What a search hands on: its candidates, best first, and the account of how it came to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rag_system.types.document import Chunk, ConceptTag, Passage

__all__ = ["Candidate", "Funnel", "NearWord", "Reading", "Rejection", "SearchResult", "Survivor"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A chunk that some strategy proposed, with the score of every strategy that knows it."""

    chunk: Chunk
    score: float  # fused
    scores: Mapping[str, float]  # strategy → its own score: a cosine, a share of the question's weight, 0 or 1
    passage: Passage | None = None  # the chunk with the neighbours that complete it, where it has any
    concepts: tuple[ConceptTag, ...] | None = None  # of the chunk, surest first; None: the project has no tree
    goes_on: bool = False  # the list or table in which `text` ends goes on in the document

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
    dense_query: str = ""  # what its vector was made from
    words: tuple[str, ...] = ()  # those looked up, as the question writes them
    angles: tuple[str, ...] = ()  # further phrases that were searched with it
    identifiers: tuple[str, ...] = ()  # canonical
    absent: tuple[str, ...] = ()  # of `identifiers`: no candidate's document is it
    elsewhere: tuple[str, ...] = ()  # of `identifiers`: only documents that the search was not to look into are it
    authors: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()  # Spanish sentences: words that were corrected, a question that was cut


@dataclass(frozen=True, slots=True, kw_only=True)
class Survivor:
    """A passage that stayed, and what speaks for it."""

    project: str = ""  # whose it is
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
    state: str = ""  # that it is not in force, as people read it


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A passage that left: an example of its reason."""

    reason: str
    project: str = ""  # whose it is
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
    projects: tuple[str, ...] = ()  # that were searched as one; empty: only the one in which it was asked
    documents: tuple[str, ...] = ()  # paths, the only ones that were searched; empty: all
    outside: int = 0  # chunks of the project that are not of those documents: no search proposed any
    yielded: tuple[str, ...] = ()  # steps left out for want of memory: "rerank", "expansion" or "angles"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The ranked candidates of a question, best first."""

    candidates: tuple[Candidate, ...] = ()
    absent: tuple[str, ...] = ()  # of the norms asked for, canonical: no candidate's document is it
    elsewhere: tuple[
        str, ...
    ] = ()  # of the norms asked for: only documents that the search was not to look into are it
    funnel: Funnel = Funnel()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
