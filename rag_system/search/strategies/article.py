"""Articles that the question names by number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.query.articles import article_references
from rag_system.search.request import SearchRequest
from rag_system.search.strategies.metadata import NAMED_DOCUMENTS, Metadata
from rag_system.search.strategies.protocol import Found
from rag_system.search.table import Column, Table
from rag_system.storage.sql import queries

__all__ = ["Article", "heading_pattern"]

_SQL = queries("rag_system.search.strategies", "article.sql")


class Article:
    """Chunks under an article the question names, of the norm it names if any: «el artículo 218 de la ley 27444»."""

    name: ClassVar[str] = "article"

    def __init__(self, request: SearchRequest, metadata: Metadata) -> None:
        self._request = request
        self._metadata = metadata
        self._asked = set(article_references(request.plan.standalone_question))
        self._found: list[Found] = []

    def send(self, connection: Connection) -> None:
        if self._asked and self._request.bases:
            named = {
                "bases": self._request.bases,
                "documents": NAMED_DOCUMENTS,
                "pattern": heading_pattern(self._asked),
            }
            query = self._request.confined(_SQL["articles"])
            for part in self._request.collection.parts:
                self._found.append((part, connection.execute(query, {**self._request.key(part), **named})))

    def propose(self) -> list[int]:
        return [part.first + chunk_id for part, rows in self._found for (chunk_id,) in rows.fetchall()]

    def column(self, table: Table) -> Column:
        if not self._asked:
            return np.zeros(len(table), np.float32)
        here = [bool(self._asked.intersection(article_references(" › ".join(path)))) for path in table.heading_paths]
        if not self._request.bases:  # nearly every norm has an article of that number: of many, it names none
            documents = {document for document, has in zip(table.document_ids, here, strict=True) if has}
            return np.array(here, np.float32) / np.float32(max(len(documents), 1))
        # Only the best named: an article of that number in a mere mention is another.
        named = self._metadata.column(table)
        best = (named > 0) & (named >= named.max(initial=0))
        return np.array(best & np.array(here, bool), np.float32)


def heading_pattern(articles: Iterable[str]) -> str:
    """PostgreSQL's, for headings of these articles in any case; a server in the locale C knows no case of «Í»."""
    numbers = "|".join(sorted(map(re.escape, articles)))
    return rf"art([íÍi]culo|\.)\s*(n\S*\s*)?({numbers})\M"
