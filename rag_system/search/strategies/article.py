"""Articles that the question names by number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.query.identifiers import article_references
from rag_system.search.strategies.metadata import NAMED_DOCUMENTS, Metadata
from rag_system.search.strategies.protocol import Column, Probe, Rows, Table
from rag_system.storage.sql import queries

__all__ = ["Article", "heading_pattern"]

_SQL = queries("rag_system.search.strategies", "article.sql")


class Article:
    """Chunks under an article the question names, of the norm it names if any: «el artículo 218 de la ley 27444»."""

    name: ClassVar[str] = "article"

    def __init__(self, probe: Probe, metadata: Metadata) -> None:
        self._probe = probe
        self._metadata = metadata
        self._asked = set(article_references(probe.plan.standalone_question))
        self._cursor: Rows | None = None

    def send(self, connection: Connection) -> None:
        if self._asked and self._probe.bases:
            named = {"bases": self._probe.bases, "documents": NAMED_DOCUMENTS}
            key = {**self._probe.key, **named, "pattern": heading_pattern(self._asked)}
            self._cursor = connection.execute(self._probe.confined(_SQL["articles"]), key)

    def propose(self) -> list[int]:
        return [row[0] for row in self._cursor or ()]

    def column(self, table: Table) -> Column:
        if not self._asked:
            return np.zeros(len(table.chunks), np.float32)
        here = [bool(self._asked.intersection(article_references(chunk.section))) for chunk in table.chunks]
        if not self._probe.bases:
            return np.array(here, np.float32)
        # Only the best named: an article of that number in a mere mention is another.
        named = self._metadata.column(table)
        best = (named > 0) & (named >= named.max(initial=0))
        return np.array(best & np.array(here, bool), np.float32)


def heading_pattern(articles: Iterable[str]) -> str:
    """PostgreSQL's, for headings of these articles in any case; a server in the locale C knows no case of «Í»."""
    numbers = "|".join(sorted(map(re.escape, articles)))
    return rf"art([íÍi]culo|\.)\s*(n\S*\s*)?({numbers})\M"
