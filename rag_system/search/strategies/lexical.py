"""Words: BM25 of the question's terms, and of broader ones where those found too little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from psycopg import Connection

from rag_system.search.bm25 import LexicalScores, score
from rag_system.search.strategies.protocol import Column, Probe, Rows, Table
from rag_system.storage.postings import Posting
from rag_system.storage.sql import queries

__all__ = ["Expansion", "Lexical"]

_SQL = queries("rag_system.search.strategies", "lexical.sql")


class Lexical:
    """BM25 over the packed postings of every term of the question."""

    name: ClassVar[str] = "lexical"

    def __init__(self, probe: Probe, terms: Sequence[str] | None = None) -> None:
        self._probe = probe
        self._terms = probe.terms if terms is None else terms
        self._cursors: dict[str, Rows] = {}
        self._scores: LexicalScores | None = None

    def send(self, connection: Connection) -> None:
        key = {"project": self._probe.project.project_id, "terms": list(self._terms)}
        # What is removed first: a merge in between forgets it together with its postings.
        self._cursors["removed"] = connection.execute(_SQL["removed"], key)
        self._cursors["postings"] = connection.execute(_SQL["postings"], key, binary=True)

    @property
    def scores(self) -> LexicalScores:
        if self._scores is None:
            self._scores = score(
                self._terms,
                [Posting(*row) for row in self._cursors["postings"]],
                removed=[range(*row) for row in self._cursors["removed"]],
                chunk_count=self._probe.project.chunk_count,
                among=self._probe.facet.chunk_ids if self._probe.facet else None,
                bm25=self._probe.recipe.bm25,
            )
        return self._scores

    def propose(self) -> list[int]:
        return self.scores.top(self._probe.recipe.candidates)

    def column(self, table: Table) -> Column:
        return self.scores.coverage(table.chunk_ids)


class Expansion(Lexical):
    """BM25 of broader terms. Asked only when the other strategies found too little."""

    name: ClassVar[str] = "expansion"

    def __init__(self, probe: Probe) -> None:
        super().__init__(probe, probe.broader_terms())
