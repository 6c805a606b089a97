"""The texts of the candidates that can be among the results, and of what stands beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from psycopg import Connection

from rag_system.storage.sql import int_array, queries
from rag_system.storage.states import read_state
from rag_system.types import Chunk, TextState

__all__ = ["Piece", "Texts", "find_chunk"]

_SQL = queries("rag_system.search", "texts.sql")


class Piece(NamedTuple):
    """A chunk as the database sends it: most are only looked at, and never become a `Chunk`."""

    chunk_id: int
    document_id: str
    path: str
    title: str
    identifiers: Sequence[str]
    heading_path: Sequence[str]
    page_first: int | None
    page_last: int | None
    page_starts: Sequence[int] | None
    text: str
    state: Mapping[str, Any] | None = None


class Texts:
    """What one search has read, by chunk id; `repealed` are the states of documents that another one repeals."""

    def __init__(
        self, connection: Connection, project: str, *, repealed: Mapping[str, TextState] | None = None
    ) -> None:
        self._connection = connection
        self._project = project
        self._repealed = repealed or {}
        self.pieces: dict[int, Piece] = {}

    def read(self, chunk_ids: Iterable[int]) -> None:
        """Read those that were not read yet, in one round trip."""
        unread = set(chunk_ids) - self.pieces.keys()
        if unread:
            key = {"project": self._project, "ids": int_array(unread)}
            rows = self._connection.execute(_SQL["chunks"], key, binary=True).fetchall()
            self.pieces.update({row[0]: Piece._make(row) for row in rows})

    def chunk(self, chunk_id: int) -> Chunk:
        """One that was read."""
        piece = self.pieces[chunk_id]
        return _chunk(piece, read_state(piece.state) or self._repealed.get(piece.document_id))


def find_chunk(connection: Connection, project: str, chunk_id: int) -> Chunk | None:
    """One chunk, if it is still there."""
    texts = Texts(connection, project)
    texts.read([chunk_id])
    return texts.chunk(chunk_id) if chunk_id in texts.pieces else None


def _chunk(piece: Piece, state: TextState | None) -> Chunk:
    return Chunk(
        chunk_id=piece.chunk_id,
        document_id=piece.document_id,
        path=piece.path,
        title=piece.title,
        heading_path=tuple(piece.heading_path),
        page_first=piece.page_first,
        page_last=piece.page_last,
        text=piece.text,
        identifiers=tuple(piece.identifiers),
        page_starts=tuple(piece.page_starts or ()),
        state=state,
    )
