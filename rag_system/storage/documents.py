"""Documents as they are stored: listed and found. `storage.publishing` makes and removes them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from psycopg import Connection
from psycopg.rows import class_row

from rag_system.storage.sql import queries

__all__ = ["DocumentRow", "SampleHeading", "find_document", "list_documents", "sample_headings", "set_origin"]

_SQL = queries("rag_system.storage.queries", "documents.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document as stored."""

    document_id: str
    path: str
    sha256: str
    origin: str  # a web address, a watched folder, or empty
    status: str  # "indexed" or "empty"
    error: str
    format: str
    title: str
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


def list_documents(connection: Connection, project: str) -> list[DocumentRow]:
    """Every document of the project, by path."""
    with connection.cursor(row_factory=class_row(DocumentRow)) as cursor:
        return cursor.execute(_SQL["list"], {"project": project}).fetchall()


def find_document(connection: Connection, project: str, path: str) -> DocumentRow | None:
    """The document at `path`, if any."""
    with connection.cursor(row_factory=class_row(DocumentRow)) as cursor:
        return cursor.execute(_SQL["by_path"], {"project": project, "path": path}).fetchone()


def set_origin(connection: Connection, project: str, document_id: str, origin: str) -> None:
    """Remember where a document comes from that was taken in before anybody said so."""
    key = {"project": project, "document_id": document_id}
    connection.execute(_SQL["set_origin"], {**key, "origin": origin})


def sample_headings(connection: Connection, project: str, *, limit: int) -> list[SampleHeading]:
    """A heading out of the middle of each of the first `limit` documents that have one of a few words."""
    with connection.cursor(row_factory=class_row(SampleHeading)) as cursor:
        return cursor.execute(_SQL["sample_headings"], {"project": project, "limit": limit}).fetchall()
