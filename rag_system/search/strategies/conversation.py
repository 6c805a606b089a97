"""The documents that a conversation is about: who asks on mostly asks the same ones."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.search.request import SearchRequest
from rag_system.search.table import Column, Table

__all__ = ["Conversation"]


class Conversation:
    """Passages of the documents that the last answer cites, whether the question leans on it or stands alone.

    What was cited is proposed, so that its documents are known from the table; what belongs to them scores 1.
    """

    name: ClassVar[str] = "conversation"

    def __init__(self, request: SearchRequest) -> None:
        self._cited = {chunk_id for chunk_id in request.cited if request.may_answer(chunk_id)}

    def send(self, connection: Connection) -> None:
        """Nothing to ask."""

    def propose(self) -> list[int]:
        return sorted(self._cited)

    def column(self, table: Table) -> Column:
        rows = list(zip(table.chunk_ids, table.document_ids, strict=True))
        documents = {document for chunk_id, document in rows if chunk_id in self._cited}
        return np.array([document in documents for _, document in rows], np.float32)
