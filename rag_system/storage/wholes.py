"""Documents as wholes: found by their names, and read in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import Connection
from psycopg.rows import dict_row

from rag_system.storage.sql import queries, rows_of
from rag_system.storage.states import read_state
from rag_system.types import Chunk

__all__ = [
    "EVERY_PASSAGE",
    "WholeDocument",
    "first_documents",
    "named_by_norms",
    "named_by_paths",
    "named_by_words",
    "read_chunks",
    "read_vectors",
    "read_whole",
]

_SQL = queries("rag_system.storage.queries", "wholes.sql")

CANDIDATES = 60  # documents that share a name, at most
EVERY_PASSAGE = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeDocument:
    """What is known of a document as such."""

    document_id: str  # that holds its passages
    path: str
    title: str
    format: str
    identifiers: list[str]  # what it is
    mentions: list[str]  # what its head names besides
    authors: list[str]
    years: list[int]
    file_date: str  # when the file was made, as its properties say it: ISO 8601, or empty
    pages: int | None  # None where its format has none
    unread_pages: int  # with something on them, and no text
    chunk_count: int
    opening: str = ""  # how its text begins, of one that was looked for by words

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    @property
    def label(self) -> str:
        """What people call it."""
        return self.title or self.file_name


def named_by_paths(connection: Connection, project: str, paths: Sequence[str]) -> list[WholeDocument]:
    """Those of `paths` that have a text, in their order."""
    return _documents(connection, "by_path", project=project, paths=list(paths))


def named_by_norms(connection: Connection, project: str, bases: Sequence[str]) -> list[WholeDocument]:
    """Documents that are one of the norms, by their identifiers without an edition, then those that mention one."""
    return _documents(connection, "by_norm", project=project, bases=list(bases), limit=CANDIDATES)


def named_by_words(connection: Connection, project: str, terms: Sequence[str]) -> list[WholeDocument]:
    """Documents that have index terms in their title, file name or folder, those with most of them first."""
    return _documents(connection, "by_words", project=project, terms=list(terms), limit=CANDIDATES)


def first_documents(connection: Connection, project: str, *, limit: int) -> tuple[list[WholeDocument], int]:
    """At most `limit` documents with a text, by path, and how many there are in all."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(_SQL["first"], {"project": project, "limit": limit}).fetchall()
    total = rows[0]["documents"] if rows else 0
    return [WholeDocument(**{name: row[name] for name in row if name != "documents"}) for row in rows], total


def read_whole(
    connection: Connection, project: str, documents: Sequence[WholeDocument], *, first: int = EVERY_PASSAGE
) -> list[Chunk]:
    """The passages of the documents, in the order of these and of their texts: of each at most the `first` ones."""
    ids = [document.document_id for document in documents]
    return _chunks(connection, "chunks", project=project, documents=ids, limit=first)


def read_chunks(connection: Connection, project: str, chunk_ids: Sequence[int]) -> dict[int, Chunk]:
    """Those passages that are still there, by id."""
    return {each.chunk_id: each for each in _chunks(connection, "some_chunks", project=project, ids=list(chunk_ids))}


def read_vectors(
    connection: Connection, project: str, documents: Sequence[WholeDocument]
) -> dict[int, NDArray[np.float32]]:
    """The vectors of the passages of the documents, by passage."""
    ids = [document.document_id for document in documents]
    rows = connection.execute(_SQL["vectors"], {"project": project, "documents": ids})
    return {chunk_id: np.asarray(vector.to_numpy(), np.float32) for chunk_id, vector in rows}


def _documents(connection: Connection, query: str, **key: object) -> list[WholeDocument]:
    return rows_of(connection, WholeDocument, _SQL[query], key)


def _chunks(connection: Connection, query: str, **key: object) -> list[Chunk]:
    with connection.cursor(row_factory=dict_row) as cursor:
        return [_chunk(row, str(key["project"])) for row in cursor.execute(_SQL[query], key)]


def _chunk(row: dict[str, Any], project: str) -> Chunk:
    lists = {name: tuple(row[name]) for name in ("heading_path", "identifiers", "page_starts")}
    return Chunk(**{**row, **lists, "state": read_state(row["state"]), "project": project})
