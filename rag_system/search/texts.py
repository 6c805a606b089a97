"""The texts of the candidates that can be among the results, and of what stands beside them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from psycopg import Connection

from rag_system.search.collection import Collection
from rag_system.search.in_force import repealed_documents
from rag_system.storage.projects import ProjectRow
from rag_system.storage.sql import array_of, queries
from rag_system.storage.states import read_state
from rag_system.types import Chunk, TextState

__all__ = ["Piece", "Texts", "find_chunk"]

_SQL = queries("rag_system.search", "texts.sql")


class Piece(NamedTuple):
    """A chunk as the database sends it: most are only looked at, and never become a `Chunk`."""

    chunk_id: int  # of the collection
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
    """What one search has read, by the chunk ids of its collection.

    `repealed` are the states of documents that another one repeals.
    """

    def __init__(
        self, connection: Connection, collection: Collection, *, repealed: Mapping[str, TextState] | None = None
    ) -> None:
        self._connection = connection
        self._collection = collection
        self._repealed = repealed or {}
        self.pieces: dict[int, Piece] = {}
        self._chunks: dict[int, Chunk] = {}

    def read(self, chunk_ids: Iterable[int]) -> None:
        """Read those that were not read yet, in one round trip for each project."""
        for part, own in self._collection.own(set(chunk_ids) - self.pieces.keys()):
            key = {"project": part.name, "first": part.first, "ids": array_of(own)}
            found = map(Piece._make, self._connection.execute(_SQL["chunks"], key, binary=True).fetchall())
            self.pieces.update((piece.chunk_id, piece) for piece in found)

    def chunk(self, chunk_id: int) -> Chunk:
        """One that was read, as its project knows it."""
        if chunk_id not in self._chunks:
            self._chunks[chunk_id] = self._read_chunk(chunk_id)
        return self._chunks[chunk_id]

    def _read_chunk(self, chunk_id: int) -> Chunk:
        part, piece = self._collection.part_of(chunk_id), self.pieces[chunk_id]
        state = read_state(piece.state) or self._repealed.get(piece.document_id)
        return _chunk(piece, part.name, chunk_id - part.first, state)


def find_chunk(connection: Connection, project: str, chunk_id: int) -> Chunk | None:
    """One chunk, if it is still there."""
    texts = Texts(connection, Collection(projects=[ProjectRow(project_id=project)]))
    texts.read([chunk_id])
    if chunk_id not in texts.pieces:
        return None
    found = texts.chunk(chunk_id)
    repealed = {} if found.state else repealed_documents(connection, [project], [found.document_id])
    return replace(found, state=found.state or repealed.get(found.document_id))


def _chunk(piece: Piece, project: str, chunk_id: int, state: TextState | None) -> Chunk:
    return Chunk(
        project=project,
        chunk_id=chunk_id,
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
