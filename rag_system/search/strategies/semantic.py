"""Meaning: the nearest vectors.

Embedding models prefer passages in the question's language: a Spanish question finds Spanish passages on nearby topics
before the English one that answers. Where a project holds several languages, each proposes its own nearest, and what a
language gains or loses as a whole is taken out of the cosines: cos − q·μ(its language) + q·μ(the main language), where
μ is the mean vector of a language in this project and the main language is the one with most chunks. Cosines of the
main language stay as they are, so that thresholds mean the same; those of the others are what they would be in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from pgvector import HalfVector
from psycopg import Connection, sql

from rag_system.search.request import SearchRequest
from rag_system.search.strategies.metadata import NAMED_DOCUMENTS
from rag_system.search.strategies.protocol import Rows
from rag_system.search.table import Column, Table
from rag_system.storage.projects import COMMON_LANGUAGE, ProjectRow
from rag_system.storage.sql import queries

__all__ = ["COMMON_LANGUAGE", "Cosine", "Semantic", "spoken_languages"]

_SQL = queries("rag_system.search.strategies", "semantic.sql")

# Candidates that the approximate index keeps while it searches 10,000 vectors, and how that grows with them, so that it
# finds 97 of the 100 nearest (docs/benchmarks.md): 10,000 need 130, 100,000 need 460, more where the graph
# came out worse: built by several workers it is never the same.
TUNING = {
    "ef_search": 180,
    "growth": 0.5,
    "max_scan_tuples": "100000",  # that the index may visit to find a project's own among others'
}
EXACT_UP_TO = 5_000  # chunks of a project that are compared one by one: about 3 ms
EXACT_IN_LANGUAGE = 20_000  # chunks of one language among others, likewise: about 10 ms
LANGUAGE_SHARE = 0.01  # of a project's chunks that a language needs to be searched by itself
MOST_LANGUAGES = 4  # searched by themselves; the rest share one search


class Semantic:
    """Nearest vectors by cosine, in each language of the project and inside the documents that the question names."""

    name: ClassVar[str] = "semantic"

    def __init__(self, request: SearchRequest) -> None:
        self._request = request
        self._languages = spoken_languages(request.project)
        self._cursors: list[Rows] = []
        self._means: Rows | None = None

    def send(self, connection: Connection) -> None:
        request = self._request
        if self._is_approximate:
            size = {"chunks": request.project.chunk_count, "least": 2 * request.recipe.candidates}
            connection.execute(_SQL["tune"], {**size, **TUNING})
        for vector in filter(None, (request.vector, request.original_vector)):
            self._send_nearest(connection, {**request.key, "vector": HalfVector(vector)})
        if request.bases:
            named = {"vector": HalfVector(request.vector), "bases": request.bases, "documents": NAMED_DOCUMENTS}
            query = request.confined(_SQL["nearest_within_named"])
            self._cursors.append(connection.execute(query, {**request.key, **named}))
        if self._languages:
            key = {"project": request.project.project_id, "languages": list(self._languages)}
            self._means = connection.execute(_SQL["language_means"], key, binary=True)

    def propose(self) -> list[int]:
        return list(dict.fromkeys(row[0] for cursor in self._cursors for row in cursor.fetchall()))

    def column(self, table: Table) -> Column:
        if self._means is None:
            return table.similarities
        question = np.asarray(self._request.vector)
        mean_cosines = {language: float(question @ np.asarray(mean)) for language, mean in self._means}
        level = next(iter(mean_cosines.values()), 0.0)  # of the main language
        gains = [mean_cosines.get(language, level) - level for language in table.languages]
        return table.similarities - np.array(gains, np.float32)

    @property
    def _is_approximate(self) -> bool:
        if self._request.within is not None:  # the index knows nothing of concepts, and few chunks are about one
            return False
        limit = EXACT_IN_LANGUAGE if self._languages else EXACT_UP_TO
        return max(self._languages.values(), default=self._request.project.chunk_count) > limit

    def _send_nearest(self, connection: Connection, key: Mapping[str, object]) -> None:
        if not self._languages:
            query = self._approximate("nearest") if self._is_approximate else self._exact("nearest_exact")
            self._cursors.append(connection.execute(query, key))
            return
        for language, chunks in self._languages.items():
            nearest = "nearest_spoken" if language == COMMON_LANGUAGE else "nearest_foreign"
            among_few = chunks <= EXACT_IN_LANGUAGE or self._request.within is not None
            query = self._exact("nearest_spoken_exact") if among_few else self._approximate(nearest)
            self._cursors.append(connection.execute(query, {**key, "language": language}))
        if len(self._languages) < len(self._request.project.languages):
            others = {**key, "languages": list(self._languages)}
            self._cursors.append(connection.execute(self._exact("nearest_in_other_languages"), others))

    def _exact(self, name: str) -> sql.Composed:
        return sql.SQL(self._request.confined(_SQL[name])).format()

    def _approximate(self, name: str) -> sql.Composed:
        return sql.SQL(_SQL[name]).format(dimension=sql.Literal(len(self._request.vector)))


class Cosine:
    """The raw cosine, where several languages make it differ from the semantic column. For people and thresholds."""

    name: ClassVar[str] = "cosine"

    def __init__(self, project: ProjectRow) -> None:
        self.differs = bool(spoken_languages(project))

    def column(self, table: Table) -> Column:
        return table.similarities


def spoken_languages(project: ProjectRow) -> dict[str, int]:
    """The languages that a search tells apart, with their chunks, most chunks first; none where there is only one."""
    least = LANGUAGE_SHARE * sum(project.languages.values())
    ordered = sorted(project.languages.items(), key=lambda pair: (-pair[1], pair[0]))
    spoken = {language: chunks for language, chunks in ordered[:MOST_LANGUAGES] if chunks >= least}
    return spoken if len(spoken) > 1 else {}
