"""The candidates of a question as columns: all that ranks them, and none of their texts where no rule reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection

from rag_system.query.articles import article_references
from rag_system.search.request import SearchRequest
from rag_system.storage.sql import array_of, queries
from rag_system.types import StateKind, TextState

__all__ = ["Column", "Ranking", "Row", "Table", "read_table"]

_SQL = queries("rag_system.search", "candidates.sql")

Column = NDArray[np.float32]
Row = int  # of a table: a candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The union of all proposals, by ascending chunk id. Row i of every field belongs to the same candidate.

    The fields after `states` are empty where nothing about the question or the recipe looks at them.
    """

    chunk_ids: Sequence[int] = ()
    document_ids: Sequence[str] = ()
    similarities: Column = field(default_factory=lambda: np.zeros(0, np.float32))
    languages: Sequence[str] = ()  # ISO 639-1, of each document
    states: Sequence[str] = ()  # a `StateKind`, where a document says that it is not in force; empty: it is
    identifiers: Sequence[Sequence[str]] = ()  # what each one's document is
    heading_paths: Sequence[Sequence[str]] = ()
    texts: Sequence[str] = ()
    titles: Sequence[str] = ()  # of each one's document, with its path
    entities: Sequence[Sequence[str]] = ()  # that each mentions

    def __len__(self) -> int:
        return len(self.chunk_ids)

    def with_repealed(self, documents: Collection[str]) -> Table:
        """The same, where all else of these documents is repealed."""
        if not documents:
            return self
        known = zip(self.states, self.document_ids, strict=True)
        states = [state or (StateKind.REPEALED if document in documents else "") for state, document in known]
        return replace(self, states=states)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Every candidate of a question with its scores, before the final pick."""

    request: SearchRequest
    proposals: Mapping[str, Sequence[int]]  # strategy → chunk ids
    table: Table
    fused: Sequence[float]  # by row
    scores: Mapping[str, Sequence[float]]  # strategy → its score by row
    judged: Mapping[str, Mapping[Row, float]] = field(default_factory=dict)  # a reranker's, of those that it read
    repealed: Mapping[str, TextState] = field(default_factory=dict)  # documents that another one repeals, by id
    kept: Sequence[Row]  # those that may answer, best first
    rejected: Mapping[str, Sequence[Row]]  # reason → those that may not
    shown: Sequence[str] = ()  # the best of `kept`, as a reranker reads them
    timings_ms: Mapping[str, float]

    @property
    def ranked(self) -> list[Row]:
        """All candidates: first those that were kept."""
        return [*self.kept, *(row for group in self.rejected.values() for row in group)]

    def scores_of(self, row: Row) -> dict[str, float]:
        """Of every strategy, and of a reranker where it read the candidate."""
        known = {name: column[row] for name, column in self.scores.items()}
        return known | {name: judged[row] for name, judged in self.judged.items() if row in judged}


def read_table(connection: Connection, request: SearchRequest, ids: Sequence[int]) -> Table:
    """The columns of chunks; one that is gone meanwhile is left out."""
    recipe, plan = request.recipe, request.plan
    by_citation = plan.citation and recipe.uses("citation")
    by_article = recipe.uses("article") and bool(article_references(plan.standalone_question))
    by_definition = bool(request.things)
    wanted = {
        "vector": HalfVector(request.vector),
        "with_identifiers": bool(plan.identifiers),
        "with_headings": by_citation or by_article or by_definition or request.by_heading,
        "with_texts": by_citation or by_definition or bool(request.identifiers),
        "with_entities": recipe.uses("graph"),
    }
    rows: list[tuple[Any, ...]] = []
    for part, own in request.collection.own(ids):
        key = {"project": part.name, "first": part.first, "ids": array_of(own), **wanted}
        rows += connection.execute(_SQL["columns"], key, binary=True).fetchall()
    if not rows:
        return Table()
    chunk_ids, document_ids, similarities, languages, states, *others = zip(*rows, strict=True)
    identifiers, heading_paths, texts, entities, titles = (() if column[0] is None else column for column in others)
    return Table(
        chunk_ids=chunk_ids,
        document_ids=document_ids,
        similarities=np.array(similarities, np.float32),
        languages=languages,
        states=states,
        identifiers=identifiers,
        heading_paths=heading_paths,
        texts=texts,
        entities=entities,
        titles=titles,
    )
