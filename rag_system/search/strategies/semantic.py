"""Meaning: the nearest vectors.

Embedding models prefer passages in the question's language: a Spanish question finds Spanish passages on nearby topics
before the English one that answers. Where what is searched is in several languages, each proposes its own nearest, and
what a language gains or loses as a whole is taken out of the cosines: cos − q·μ(its language) + q·μ(the main language),
where μ is the mean vector of a language in the collection and the main language is the one with most chunks. Cosines of
the main language stay as they are, so that thresholds mean the same; those of the others are what they would be in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import ClassVar, LiteralString

import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector
from psycopg import Connection, sql

from rag_system.search.collection import Collection, Part
from rag_system.search.request import SearchRequest
from rag_system.search.strategies.metadata import NAMED_DOCUMENTS
from rag_system.search.strategies.protocol import Found, Rows
from rag_system.search.table import Column, Table
from rag_system.storage.projects import COMMON_LANGUAGE, main_language
from rag_system.storage.sql import queries

__all__ = ["COMMON_LANGUAGE", "Cosine", "Semantic", "spoken_languages"]

_SQL = queries("rag_system.search.strategies", "semantic.sql")

# Candidates that the approximate index keeps in each of two batches while it searches 10,000 vectors, and how that
# grows with them, so that it finds 97 of the 100 nearest (docs/decisions/0010): of 30,000 real ones 120 do. Synthetic
# ones need less: a graph that several workers built is never the same, and one that grew document by document neither.
TUNING = {
    "ef_search": 65,
    "growth": 0.6,
    "max_scan_tuples": "100000",  # that the index may visit to find a project's own among others'
    "scan_mem_multiplier": "4",  # of work_mem, for what is left aside: where that is short the second batch is cut
}
EXACT_UP_TO = 5_000  # chunks of a project that are compared one by one: about 3 ms
EXACT_IN_LANGUAGE = 20_000  # chunks of one language among others, likewise: about 10 ms
LANGUAGE_SHARE = 0.01  # of a project's chunks that a language needs to be searched by itself
MOST_LANGUAGES = 4  # searched by themselves; the rest share one search


class Semantic:
    """Nearest vectors by cosine, in each language of the collection and in the documents that the question names."""

    name: ClassVar[str] = "semantic"

    def __init__(self, request: SearchRequest) -> None:
        self._request = request
        self._nearest: defaultdict[object, list[Found]] = defaultdict(list)  # by what was looked for
        self._sums: list[Rows] = []  # of the vectors of each language
        self._spoken = spoken_languages(request.collection.languages)

    def send(self, connection: Connection) -> None:
        for part in self._request.collection.parts:
            self._send(connection, part)

    def _send(self, connection: Connection, part: Part) -> None:
        request, languages = self._request, spoken_languages(part.project.languages)
        if self._is_approximate(part, languages):
            size = {"chunks": part.project.chunk_count, "wanted": request.recipe.candidates}
            connection.execute(_SQL["tune"], {**size, **TUNING})
        for number, vector in enumerate(filter(None, (request.vector, request.original_vector))):
            key = {**request.key(part), "vector": HalfVector(vector)}
            for language, query, more in self._queries(part, languages):
                self._nearest[number, language].append((part, connection.execute(query, {**key, **more})))
        if request.bases:
            named = {"vector": HalfVector(request.vector), "bases": request.bases, "documents": NAMED_DOCUMENTS}
            query = self._exact("nearest_within_named")
            self._nearest["named"].append((part, connection.execute(query, {**request.key(part), **named})))
        if self._spoken:
            key = {"project": part.name, "languages": list(self._spoken)}
            self._sums.append(connection.execute(_SQL["language_sums"], key, binary=True))

    def propose(self) -> list[int]:
        return list(dict.fromkeys(chunk_id for ids in self._ranked() for chunk_id in ids))

    def _ranked(self) -> Iterator[list[int]]:
        """The nearest of each search, whichever projects they are of, nearest first."""
        for found in self._nearest.values():
            near = [(distance, part.first + chunk_id) for part, rows in found for chunk_id, distance in rows.fetchall()]
            yield [chunk_id for _, chunk_id in sorted(near)[: self._request.recipe.candidates]]

    def column(self, table: Table) -> Column:
        if not self._spoken:
            return table.similarities
        question = np.asarray(self._request.vector)
        mean_cosines = {language: float(question @ mean) for language, mean in self._means().items()}
        level = mean_cosines.get(next(iter(self._spoken)), 0.0)  # of the main language
        gains = [mean_cosines.get(language, level) - level for language in table.languages]
        return table.similarities - np.array(gains, np.float32)

    def _means(self) -> dict[str, NDArray[np.float64]]:
        """The mean vector of each language over all that is searched."""
        sums: defaultdict[str, list[tuple[int, NDArray[np.float64]]]] = defaultdict(list)
        for rows in self._sums:
            for language, vectors, total in rows.fetchall():
                sums[language].append((vectors, np.asarray(total)))
        return {
            language: np.sum([total for _, total in each], axis=0) / sum(vectors for vectors, _ in each)
            for language, each in sums.items()
        }

    def _is_approximate(self, part: Part, languages: Mapping[str, int]) -> bool:
        if self._request.within is not None:  # the index knows nothing of concepts, and few chunks are about one
            return False
        limit = EXACT_IN_LANGUAGE if languages else EXACT_UP_TO
        return max(languages.values(), default=part.project.chunk_count) > limit

    def _queries(
        self, part: Part, languages: Mapping[str, int]
    ) -> Iterator[tuple[str, LiteralString | bytes, Mapping[str, object]]]:
        """How a project is searched: in one go, or by language, each with its name; "" is all that have few chunks."""
        if not languages:
            is_approximate = self._is_approximate(part, languages)
            query = self._approximate("nearest") if is_approximate else self._exact("nearest_exact")
            yield main_language(part.project.languages), query, {}
            return
        for language, chunks in languages.items():
            nearest = "nearest_spoken" if language == COMMON_LANGUAGE else "nearest_foreign"
            among_few = chunks <= EXACT_IN_LANGUAGE or self._request.within is not None
            query = self._exact("nearest_spoken_exact") if among_few else self._approximate(nearest)
            yield language, query, {"language": language}
        if len(languages) < len(part.project.languages):
            yield "", self._exact("nearest_in_other_languages"), {"languages": list(languages)}

    def _exact(self, name: str) -> LiteralString:
        return self._request.confined(_SQL[name])

    def _approximate(self, name: str) -> bytes:
        return _of_dimension(name, len(self._request.vector))


class Cosine:
    """The raw cosine, where several languages make it differ from the semantic column. For people and thresholds."""

    name: ClassVar[str] = "cosine"

    def __init__(self, collection: Collection) -> None:
        self.differs = bool(spoken_languages(collection.languages))

    def column(self, table: Table) -> Column:
        return table.similarities


@cache
def _of_dimension(name: str, dimension: int) -> bytes:
    return sql.SQL(_SQL[name]).format(dimension=sql.Literal(dimension)).as_bytes()


def spoken_languages(languages: Mapping[str, int]) -> dict[str, int]:
    """The languages that a search tells apart, with their chunks, most chunks first; none where there is only one."""
    least = LANGUAGE_SHARE * sum(languages.values())
    ordered = sorted(languages.items(), key=lambda pair: (-pair[1], pair[0]))
    spoken = {language: chunks for language, chunks in ordered[:MOST_LANGUAGES] if chunks >= least}
    return spoken if len(spoken) > 1 else {}
