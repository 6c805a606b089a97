"""What every strategy is given and what it gives back.

A strategy lives for one search. `send` queues its statements in the open pipeline, `propose` reads the rows, and
`column` scores the table of candidates, its own and the others', once their texts are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, LiteralString, Protocol

import numpy as np
from numpy.typing import NDArray
from psycopg import Connection, Cursor

from rag_system.search.facets import Facet
from rag_system.search.recipes import Recipe
from rag_system.storage.projects import ProjectRow
from rag_system.storage.sql import queries
from rag_system.types import Chunk, QueryPlan

__all__ = ["Column", "Probe", "Rows", "Strategy", "Table"]

_FACET = queries("rag_system.search.strategies", "facet.sql")

Column = NDArray[np.float32]
Rows = Cursor[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question, ready to be searched."""

    project: ProjectRow
    plan: QueryPlan
    dense_query: str = ""  # the standalone question without what only names a document
    embedded: Callable[[], list[float]]  # the vector of `dense_query`, waited for when it is first needed
    original_vector: list[float] | None = None  # of the question as asked, when that differs: proposes candidates too
    terms: Sequence[str]  # analysed, without stopwords
    broader_terms: Callable[[], Sequence[str]] = tuple  # looked up only when the question's own find too little
    angle_vectors: Sequence[list[float]] = ()  # of further angles: they propose candidates and lift them a little
    recipe: Recipe
    top_k: int
    facet: Facet | None = None  # nothing else is proposed

    @property
    def vector(self) -> list[float]:
        """Of `dense_query`: ranks every candidate."""
        return self.embedded()

    @property
    def key(self) -> dict[str, object]:
        key: dict[str, object] = {"project": self.project.project_id, "limit": self.recipe.candidates}
        if self.facet is None:
            return key
        return {**key, "concepts": list(self.facet.concept_ids), "within": list(self.facet.document_ids)}

    def confined(self, query: LiteralString) -> LiteralString:
        """A query with a mark among its conditions, confined to the chunks of the facet where there is one."""
        if self.facet is None:
            return query
        about = _FACET["about"] if self.facet.concept_ids else ""
        within = _FACET["within"] if self.facet.documents else ""
        return query.replace("/* about */", f"\n{about}\n{within}\n")

    def may_answer(self, chunk_id: int) -> bool:
        """Whether the chunk is one of the facet; all are where there is none."""
        return self.facet is None or self.facet.has(chunk_id)

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Those of the question that choose its documents: none where the recipe does not look at them."""
        return self.plan.identifiers if self.recipe.by_identifier else ()

    @property
    def bases(self) -> list[str]:
        """The identifiers asked for, without their editions."""
        return [identifier.partition("@")[0] for identifier in self.identifiers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The union of all proposals, hydrated. Row i of every field belongs to the same candidate."""

    chunks: Sequence[Chunk] = ()
    similarities: Column = field(default_factory=lambda: np.zeros(0, np.float32))
    languages: Sequence[str] = ()  # ISO 639-1, of each document
    entities: Sequence[Sequence[str]] = ()  # that each mentions; empty ones where the recipe has no use for them

    @property
    def chunk_ids(self) -> NDArray[np.int32]:
        return np.array([chunk.chunk_id for chunk in self.chunks], np.int32)


class Strategy(Protocol):
    name: ClassVar[str]

    def send(self, connection: Connection) -> None: ...

    def propose(self) -> list[int]: ...

    def column(self, table: Table) -> Column: ...
