"""Words: BM25 of the question's terms, and of broader ones where those found too little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.query.expansion import expand
from rag_system.query.text import query_terms, tokens
from rag_system.search.bm25 import LexicalScores, score
from rag_system.search.collection import Part
from rag_system.search.request import SearchRequest
from rag_system.search.strategies.protocol import Rows
from rag_system.search.table import Column, Table
from rag_system.storage.postings import Posting
from rag_system.storage.sql import queries
from rag_system.storage.vocabulary import project_acronyms

__all__ = ["Expansion", "Lexical", "broader_terms"]

_SQL = queries("rag_system.search.strategies", "lexical.sql")


class Lexical:
    """BM25 over the packed postings of every term of the question."""

    name: ClassVar[str] = "lexical"

    def __init__(self, request: SearchRequest, terms: Sequence[str] | None = None) -> None:
        self._request = request
        self._terms = request.terms if terms is None else terms
        self._found: list[tuple[Part, Rows, Rows]] = []  # what is removed, and the postings
        self._scores: LexicalScores | None = None

    def send(self, connection: Connection) -> None:
        for part in self._request.collection.parts:
            key = {"project": part.name, "terms": list(self._terms)}
            # What is removed first: a merge in between forgets it together with its postings.
            removed = connection.execute(_SQL["removed"], key)
            self._found.append((part, removed, connection.execute(_SQL["postings"], key, binary=True)))

    @property
    def scores(self) -> LexicalScores:
        if self._scores is None:
            self._scores = score(
                self._terms,
                [Posting(*row).raised(part.first) for part, _, postings in self._found for row in postings.fetchall()],
                removed=[
                    range(part.first + first, part.first + stop)
                    for part, removed, _ in self._found
                    for first, stop in removed.fetchall()
                ],
                chunk_count=self._request.collection.chunk_count,
                among=self._request.within.chunk_ids if self._request.within else None,
                bm25=self._request.recipe.bm25,
            )
        return self._scores

    def propose(self) -> list[int]:
        return self.scores.top(self._request.recipe.candidates)

    def column(self, table: Table) -> Column:
        return self.scores.coverage(np.array(table.chunk_ids, np.int32))


def broader_terms(question: str, connection: Connection, projects: Sequence[str]) -> list[str]:
    """The terms of the broader words, without those that the question has itself."""
    acronyms = project_acronyms(connection, projects, tokens(question))
    own = set(query_terms(question))
    return [term for term in query_terms(" ".join(expand(question, acronyms))) if term not in own]


class Expansion(Lexical):
    """BM25 of broader terms. Asked only when the other strategies found too little."""

    name: ClassVar[str] = "expansion"

    def __init__(self, request: SearchRequest) -> None:
        super().__init__(request, request.broader_terms())
