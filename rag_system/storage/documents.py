"""Documents as they are stored: listed and found. `storage.publishing` makes and removes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from psycopg import Connection

from rag_system.storage.postings import Ids
from rag_system.storage.sql import queries, row_of, rows_of

__all__ = [
    "DocumentRow",
    "PassageRow",
    "SampleHeading",
    "brought_by",
    "find_document",
    "find_place",
    "held_chunks",
    "holders",
    "list_documents",
    "list_norms",
    "list_passages",
    "list_paths",
    "path_of",
    "rename_document",
    "sample_headings",
    "set_origin",
]

_SQL = queries("rag_system.storage.queries", "documents.sql")

NORM_DOCUMENTS = 40  # that are the same norm, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document as stored."""

    project: str
    document_id: str
    path: str
    sha256: str
    origin: str  # a web address, a watched folder, or empty
    source: str  # the file that it was read from, «upload:…», or empty
    container: str  # path of the archive or message that brought it, or empty
    status: str  # "indexed" or "empty"
    error: str
    format: str
    title: str
    given_title: str  # by a person, or empty
    language: str
    category: str
    identifiers: list[str]
    pages: int | None
    empty_pages: list[int]
    ocr_pages: list[int]
    blank_pages: list[int]
    hidden_pages: list[int]
    copy_of: str  # path of the document that holds the same content, or empty
    chunk_count: int
    size_bytes: int
    index_version: str
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleHeading:
    """A heading and the document it comes from."""

    title: str
    path: str
    category: str
    identifiers: list[str]
    heading: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRow:
    """A passage of a document, in its place."""

    chunk_id: int
    ordinal: int  # from 0, in the order of the document
    heading_path: list[str]
    page: int | None
    text: str


def list_documents(connection: Connection, project: str) -> list[DocumentRow]:
    """Every document of the project, by path."""
    return rows_of(connection, DocumentRow, _SQL["list"], {"project": project})


def find_document(connection: Connection, project: str, path: str) -> DocumentRow | None:
    """The document at `path`, if any."""
    return row_of(connection, DocumentRow, _SQL["by_path"], {"project": project, "path": path})


def path_of(connection: Connection, project: str, document_id: str) -> str:
    """The path of a document; empty where it is not there."""
    row = connection.execute(_SQL["path_of"], {"project": project, "document_id": document_id}).fetchone()
    return str(row[0]) if row else ""


def rename_document(
    connection: Connection, project: str, document_id: str, *, title: str, terms: Sequence[str]
) -> str | None:
    """Call a document otherwise, and find it by the index `terms` of that; its path, or None: nothing was changed."""
    key = {"project": project, "document_id": document_id}
    row = connection.execute(_SQL["rename"], {**key, "title": title, "terms": list(dict.fromkeys(terms))}).fetchone()
    return str(row[0]) if row else None


def list_paths(connection: Connection, project: str) -> list[str]:
    """The path of every document of the project, in order."""
    return [path for (path,) in connection.execute(_SQL["paths"], {"project": project})]


def holders(connection: Connection, project: str, paths: Sequence[str]) -> dict[str, str]:
    """Of each of `paths` that there is, the id of the document that holds its chunks."""
    return dict(connection.execute(_SQL["holders"], {"project": project, "paths": list(paths)}).fetchall())


def list_norms(connection: Connection, project: str, bases: Sequence[str]) -> list[tuple[str, range]]:
    """The documents that are one of the norms, whatever the edition: what each is, and the ids of its chunks."""
    rows = connection.execute(_SQL["norms"], {"project": project, "bases": list(bases), "limit": NORM_DOCUMENTS})
    return [(identifier, range(first, first + count)) for identifier, first, count in rows]


def held_chunks(connection: Connection, project: str, document_ids: Sequence[str]) -> Ids:
    """The ids of all chunks of the documents, ascending."""
    key = {"project": project, "documents": list(document_ids)}
    (packed,) = connection.execute(_SQL["held_chunks"], key, binary=True).fetchone() or (b"",)
    return np.frombuffer(packed, ">i4").astype(np.int32)


def list_passages(
    connection: Connection, project: str, document_id: str, *, first: int, limit: int
) -> list[PassageRow]:
    """At most `limit` passages of a document, from its passage number `first` on."""
    key = {"project": project, "document_id": document_id, "first": first, "limit": limit}
    return rows_of(connection, PassageRow, _SQL["passages"], key)


def find_place(connection: Connection, project: str, document_id: str, chunk_id: int) -> int | None:
    """Which passage of its document a chunk is; None where the document has no such chunk."""
    key = {"project": project, "document_id": document_id, "chunk_id": chunk_id}
    row = connection.execute(_SQL["place_of"], key).fetchone()
    return int(row[0]) if row else None


def set_origin(connection: Connection, project: str, document_id: str, *, origin: str, source: str) -> None:
    """Remember where a document comes from that was taken in before anybody said so."""
    key = {"project": project, "document_id": document_id}
    connection.execute(_SQL["set_origin"], {**key, "origin": origin, "source": source})


def brought_by(connection: Connection, project: str, container: str) -> list[tuple[str, str]]:
    """Id and path of each document that came in an archive or a message, whatever folder of it."""
    return connection.execute(_SQL["brought"], {"project": project, "container": container}).fetchall()


def sample_headings(
    connection: Connection, project: str, *, limit: int, paths: Sequence[str] = ()
) -> list[SampleHeading]:
    """Headings of a few words out of the middle of `limit` documents, folders in turn; the best of each first.

    `paths`: the documents that they are taken from; none: all.
    """
    values = {"project": project, "limit": limit, "paths": list(paths) or None}
    return rows_of(connection, SampleHeading, _SQL["sample_headings"], values)
