"""Meaning: the nearest vectors."""

from __future__ import annotations

from typing import ClassVar

from pgvector import HalfVector
from psycopg import Connection, sql

from rag_system.search.strategies.metadata import NAMED_DOCUMENTS
from rag_system.search.strategies.protocol import Column, Probe, Rows, Table
from rag_system.storage.sql import queries

__all__ = ["Semantic"]

_SQL = queries("rag_system.search.strategies", "semantic.sql")

MIN_EF_SEARCH = 100  # recall 0.97 at m = 16 over 100,000 chunks; at 40 it is 0.76
EXACT_UP_TO = 5_000  # chunks of a project that are compared one by one: about 3 ms
MAX_SCAN_TUPLES = "100000"  # that the approximate index may visit to find a project's own among others'


class Semantic:
    """Nearest vectors by cosine, over the project and inside the documents that the question names."""

    name: ClassVar[str] = "semantic"

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._cursors: list[Rows] = []

    def send(self, connection: Connection) -> None:
        probe = self._probe
        nearest = sql.Composed([sql.SQL(_SQL["nearest_exact"])])
        if probe.project.chunk_count > EXACT_UP_TO:
            ef_search = str(max(2 * probe.recipe.candidates, MIN_EF_SEARCH))
            connection.execute(_SQL["tune"], {"ef_search": ef_search, "max_scan_tuples": MAX_SCAN_TUPLES})
            nearest = sql.SQL(_SQL["nearest"]).format(dimension=sql.Literal(len(probe.vector)))
        for vector in filter(None, (probe.vector, probe.original_vector)):
            self._cursors.append(connection.execute(nearest, {**probe.key, "vector": HalfVector(vector)}))
        if probe.bases:
            named = {"vector": HalfVector(probe.vector), "bases": probe.bases, "documents": NAMED_DOCUMENTS}
            self._cursors.append(connection.execute(_SQL["nearest_within_named"], {**probe.key, **named}))

    def propose(self) -> list[int]:
        return list(dict.fromkeys(row[0] for cursor in self._cursors for row in cursor))

    def column(self, table: Table) -> Column:
        return table.similarities
