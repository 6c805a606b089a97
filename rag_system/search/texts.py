"""The texts of the candidates that can be among the results, and of what stands beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from psycopg import Connection

from rag_system.storage.sql import int_array, queries
from rag_system.types import Chunk

__all__ = ["Piece", "Texts", "find_chunk"]

_SQL = queries("rag_system.search", "texts.sql")


class Piece(NamedTuple):
    """A chunk as it is stored, without what it shares with its document's others."""

    chunk_id: int
    document_id: str
    heading_path: Sequence[str]
    page_first: int | None
    page_last: int | None
    page_starts: Sequence[int] | None
    text: str


class Texts:
    """What one search has read of chunks and of their documents, by id."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection = connection
        self._project = project
        self._documents: dict[str, tuple[str, str, Sequence[str]]] = {}  # path, title, identifiers
        self.pieces: dict[int, Piece] = {}

    def read(self, chunk_ids: Iterable[int], documents: Iterable[str]) -> None:
        """Read the chunks and documents that were not read yet, in one round trip."""
        chunks, unknown = set(chunk_ids) - self.pieces.keys(), set(documents) - self._documents.keys()
        if not chunks and not unknown:
            return
        with self._connection.pipeline():
            key = {"project": self._project, "ids": int_array(chunks)}
            pieces = self._connection.execute(_SQL["pieces"], key, binary=True)
            described = self._connection.execute(_SQL["documents"], {**key, "ids": list(unknown)}, binary=True)
        self.pieces.update((row[0], Piece._make(row)) for row in pieces)
        self._documents.update((document_id, (path, title, own)) for document_id, path, title, own in described)

    def chunk(self, chunk_id: int) -> Chunk:
        """One that was read, with its document."""
        piece = self.pieces[chunk_id]
        return _chunk(piece, *self._documents[piece.document_id])


def find_chunk(connection: Connection, project: str, chunk_id: int) -> Chunk | None:
    """One chunk, if it is still there."""
    row = connection.execute(_SQL["one"], {"project": project, "chunk_id": chunk_id}).fetchone()
    return _chunk(Piece._make(row[:7]), *row[7:]) if row else None


def _chunk(piece: Piece, path: str, title: str, identifiers: Sequence[str] = ()) -> Chunk:
    return Chunk(
        chunk_id=piece.chunk_id,
        document_id=piece.document_id,
        path=path,
        title=title,
        heading_path=tuple(piece.heading_path),
        page_first=piece.page_first,
        page_last=piece.page_last,
        text=piece.text,
        identifiers=tuple(identifiers),
        page_starts=tuple(piece.page_starts or ()),
    )
