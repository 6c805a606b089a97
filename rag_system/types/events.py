"""What a streamed answer tells while it is made."""

from __future__ import annotations

from dataclasses import dataclass

from rag_system.types.answer import Answer, Evidence
from rag_system.types.question import QueryPlan
from rag_system.types.retrieval import SearchResult

__all__ = ["Event", "Finished", "Planned", "Progress", "Retrieved", "Token"]


@dataclass(frozen=True, slots=True)
class Planned:
    """The question is understood."""

    plan: QueryPlan


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a model has read what does not fit into one request."""

    done: int  # parts
    total: int
    tokens: int = 0  # that the whole task takes, estimated; what was read before is not asked again


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


Event = Planned | Progress | Retrieved | Token | Finished
