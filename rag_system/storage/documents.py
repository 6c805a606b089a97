"""Documents, their bytes and their chunks: how they are stored, listed, published and removed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import BinaryIO
from uuid import UUID, uuid4

from pgvector import HalfVector
from psycopg import Connection
from psycopg.rows import class_row, dict_row

from rag_system.embeddings.protocol import Manifest
from rag_system.errors import UnreadableFileError
from rag_system.storage.entities import add_entities, uncount_entities
from rag_system.storage.languages import count_vectors, uncount_vectors
from rag_system.storage.postings import ChunkTerms, pack
from rag_system.storage.projects import check_model, lock_project
from rag_system.storage.segments import add_segment, remember_removed
from rag_system.storage.sql import copy_rows, queries
from rag_system.types import ChunkDraft, DocumentFacts

__all__ = [
    "DocumentRow",
    "NewDocument",
    "SampleHeading",
    "digest",
    "find_document",
    "known_embeddings",
    "list_documents",
    "publish",
    "read_file",
    "remove_document",
    "sample_headings",
]

PART_BYTES = 1 << 20  # files are stored in parts of 1 MiB

_SQL = queries("rag_system.storage.queries", "documents.sql")
_PROJECTS = queries("rag_system.storage.queries", "projects.sql")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document as stored."""

    document_id: str
    path: str
    sha256: str
    status: str  # "indexed", "empty" or "failed"
    error: str
    format: str
    title: str
    language: str
    category: str
    identifiers: list[str]
    pages: int | None
    empty_pages: list[int]
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
class NewDocument:
    """All of a document that becomes visible at once."""

    path: str
    sha256: str
    size_bytes: int
    status: str
    facts: DocumentFacts
    error: str = ""
    format: str = ""
    pages: int | None = None
    empty_pages: Sequence[int] = ()
    index_version: str = ""
    chunks: Sequence[ChunkDraft] = ()
    vectors: Sequence[list[float]] = ()
    chunk_terms: Sequence[ChunkTerms] = ()  # ids counted from 0
    document_terms: Sequence[str] = ()  # of the title, the file name and the folder
    acronyms: Mapping[str, str] = field(default_factory=dict)  # folded acronym → long form
    entities: Sequence[Sequence[str]] = ()  # of each chunk: keys of `query.entities`, distinct


# ---------------------------------------------------------------- reading


def list_documents(connection: Connection, project: str) -> list[DocumentRow]:
    """Every document of the project, by path."""
    with connection.cursor(row_factory=class_row(DocumentRow)) as cursor:
        return cursor.execute(_SQL["list"], {"project": project}).fetchall()


def find_document(connection: Connection, project: str, path: str) -> DocumentRow | None:
    """The document at `path`, if any."""
    with connection.cursor(row_factory=class_row(DocumentRow)) as cursor:
        return cursor.execute(_SQL["by_path"], {"project": project, "path": path}).fetchone()


def known_embeddings(connection: Connection, project: str, hashes: Sequence[str]) -> dict[str, list[float]]:
    """Vectors of chunks whose content is already stored, by content hash."""
    rows = connection.execute(_SQL["known_embeddings"], {"project": project, "hashes": list(hashes)}, binary=True)
    return {content_hash: embedding.to_list() for content_hash, embedding in rows}


def sample_headings(connection: Connection, project: str, *, limit: int) -> list[SampleHeading]:
    """A heading out of the middle of each of the first `limit` documents that have one of a few words."""
    with connection.cursor(row_factory=class_row(SampleHeading)) as cursor:
        return cursor.execute(_SQL["sample_headings"], {"project": project, "limit": limit}).fetchall()


# ---------------------------------------------------------------- bytes


def digest(stream: BinaryIO) -> tuple[str, int]:
    """SHA-256 in hex and size in bytes, in constant memory."""
    sha, size = hashlib.sha256(), 0
    for part in _parts(stream):
        sha.update(part)
        size += len(part)
    return sha.hexdigest(), size


def _store_file(connection: Connection, project: str, document: NewDocument, stream: BinaryIO) -> None:
    """Keep the bytes in the database, unless the project holds them already.

    Raises `UnreadableFileError` when they are not those that were digested.
    """
    row = {"project": project, "sha256": document.sha256}
    if connection.execute(_SQL["store_file"], {**row, "size": document.size_bytes}).fetchone() is None:
        return
    sha = hashlib.sha256()
    for number, part in enumerate(_parts(stream)):
        sha.update(part)
        connection.execute(_SQL["store_part"], {**row, "part": number, "bytes": part}, binary=True)
    if sha.hexdigest() != document.sha256:
        raise UnreadableFileError("El archivo cambió mientras se leía. Vuelva a incorporarlo.")


def read_file(connection: Connection, project: str, sha256: str) -> Iterator[bytes]:
    """The stored bytes, part by part; nothing when the project does not hold them."""
    part = 0
    while row := connection.execute(
        _SQL["file_part"], {"project": project, "sha256": sha256, "part": part}, binary=True
    ).fetchone():
        yield row[0]
        part += 1


def _parts(stream: BinaryIO) -> Iterator[bytes]:
    while part := stream.read(PART_BYTES):
        yield part


# ---------------------------------------------------------------- publishing


def publish(connection: Connection, project: str, document: NewDocument, manifest: Manifest, stream: BinaryIO) -> str:
    """Store the bytes of `stream`, make the document searchable and take its old version out; returns its id.

    All in the caller's transaction. The project is locked first, so that publishers take turns.
    """
    row = lock_project(connection, project)
    check_model(row, manifest)
    if row.embedding_model is None and document.chunks:
        model = {"project": project, "model": manifest.model_id, "dimension": manifest.dimension}
        connection.execute(_PROJECTS["set_model"], model)
    _store_file(connection, project, document, stream)
    if old := find_document(connection, project, document.path):
        _retire(connection, project, old.document_id, keep=document.sha256)
    first, segment, mean_length = _advance(connection, project, document, row.chunk_count, row.term_count)
    document_id = _insert(connection, project, document, first)
    if document.chunks:
        chunks = _chunk_rows(project, document_id, first, document.chunks)
        copy_rows(connection, _SQL["copy_chunks"], _CHUNK_TYPES, chunks)
        language = document.facts.language
        vectors = ((project, first + i, language, HalfVector(v)) for i, v in enumerate(document.vectors))
        copy_rows(connection, _SQL["copy_embeddings"], _EMBEDDING_TYPES, vectors)
        count_vectors(connection, project, language, document.vectors)
        terms = (replace(t, chunk_id=first + t.chunk_id) for t in document.chunk_terms)
        add_segment(connection, project, segment, pack(terms, mean_length=mean_length))
        add_entities(connection, project, document_id, first=first, entities=document.entities)
    return str(document_id)


def remove_document(connection: Connection, project: str, document_id: str) -> bool:
    """Take a document out; its bytes go when no other document holds them. False when it was not there."""
    lock_project(connection, project)
    return _retire(connection, project, document_id)


def _retire(connection: Connection, project: str, document_id: str, *, keep: str = "") -> bool:
    uncount_entities(connection, project, document_id)
    uncount_vectors(connection, project, document_id)
    with connection.cursor(row_factory=dict_row) as cursor:
        old = cursor.execute(_SQL["retire"], {"project": project, "document_id": document_id}).fetchone()
    if old is None:
        return False
    change = {"ids": 0, "segments": 0, "chunks": -old["chunk_count"], "terms": -old["term_count"]}
    connection.execute(_PROJECTS["advance"], {"project": project, **change})
    if old["chunk_count"]:
        first = old["first_chunk_id"]
        remember_removed(connection, project, range(first, first + old["chunk_count"]))
    if old["sha256"] != keep:
        connection.execute(_SQL["drop_unused_file"], {"project": project, "sha256": old["sha256"]})
    return True


def _advance(
    connection: Connection, project: str, document: NewDocument, chunks: int, terms: int
) -> tuple[int, int, float]:
    """Reserve ids and a segment; returns the first id, the segment, and the mean chunk length in terms."""
    new_chunks, new_terms = len(document.chunks), sum(map(len, document.chunk_terms))
    change = {"ids": new_chunks, "segments": int(new_chunks > 0), "chunks": new_chunks, "terms": new_terms}
    row = connection.execute(_PROJECTS["advance"], {"project": project, **change}).fetchone()
    assert row is not None, "the project row is locked by this transaction"  # noqa: S101
    return row[0], row[1], (terms + new_terms) / max(chunks + new_chunks, 1)


def _insert(connection: Connection, project: str, document: NewDocument, first: int) -> UUID:
    facts, document_id = document.facts, uuid4()
    key = {"project": project, "document_id": document_id}
    connection.execute(
        _SQL["insert"],
        {
            **key,
            **{name: getattr(document, name) for name in ("path", "sha256", "status", "error", "format", "pages")},
            **{name: getattr(facts, name) for name in ("title", "language", "category")},
            **{name: list(getattr(facts, name)) for name in ("authors", "years", "identifiers", "mentions")},
            "empty_pages": list(document.empty_pages),
            "size": document.size_bytes,
            "index_version": document.index_version,
            "first_chunk_id": first,
            "chunk_count": len(document.chunks),
            "term_count": sum(map(len, document.chunk_terms)),
        },
    )
    terms = [{**key, "term": term} for term in dict.fromkeys(document.document_terms)]
    named = [(i, True) for i in facts.identifiers] + [(i, False) for i in facts.mentions if i not in facts.identifiers]
    rows = [{**key, "base": i.partition("@")[0], "identifier": i, "own": own} for i, own in dict(named).items()]
    with connection.cursor() as cursor:
        cursor.executemany(_SQL["insert_term"], terms)
        cursor.executemany(_SQL["insert_identifier"], rows)
        cursor.executemany(
            _SQL["insert_acronym"], [{**key, "acronym": a, "long_form": f} for a, f in document.acronyms.items()]
        )
    return document_id


_CHUNK_TYPES = ("text", "int4", "uuid", "int4", "text[]", "int4", "int4", "text", "int4", "text")
_EMBEDDING_TYPES = ("text", "int4", "text", "halfvec")


def _chunk_rows(
    project: str, document_id: UUID, first: int, chunks: Sequence[ChunkDraft]
) -> Iterator[tuple[object, ...]]:
    for i, c in enumerate(chunks):
        pages = (c.page_first, c.page_last)
        yield project, first + i, document_id, c.ordinal, list(c.heading_path), *pages, c.text, c.tokens, c.content_hash
