"""Fill an empty database with a synthetic collection, in bulk: the approximate index is built after the rows are in."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from uuid import UUID, uuid5

from pgvector import HalfVector
from psycopg import Connection, sql

from benchmarks.collection import SyntheticDocument
from benchmarks.vectors import DIMENSION
from rag_system import LOCAL_PERSON
from rag_system.query.text import analyze_terms
from rag_system.storage.connection import Database
from rag_system.storage.postings import ChunkTerms, pack
from rag_system.storage.projects import create_project
from rag_system.storage.segments import add_segment
from rag_system.storage.sql import queries

__all__ = ["MODEL", "PROJECT", "Loaded", "load", "load_all"]

PROJECT = "benchmark"
MODEL = "synthetic/384/1"
DOCUMENTS_A_BATCH = 100
CHUNKS_A_SEGMENT = 125_000  # of postings: a collection of a million is left with eight segments, as indexing leaves it
ANALYZE_EVERY = 10  # times more chunks: the planner must know that the tables that foreign keys point at have grown
BUILD_BYTES = 2_000  # of memory that the approximate index takes for each vector while it is built
LEAST_BUILD_MB = 256

_SQL = queries("benchmarks", "loading.sql")
_NAMESPACE = UUID("6c656761-6a6f-4000-8000-000000000000")
_TYPES = {
    "copy_documents": "text uuid text text text text text text[] text[] int4 int4".split(),
    "copy_terms": "text text uuid".split(),
    "copy_identifiers": "text text text uuid bool".split(),
    "copy_acronyms": "text text uuid text".split(),
    "copy_chunks": "text int4 uuid int4 text[] text int4 text".split(),
    "copy_embeddings": "text int4 halfvec".split(),
}

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What loading took and what it left."""

    rows_s: float
    index_s: float
    sizes: dict[str, int]  # relation → bytes; a table with its indexes, the approximate index also by itself


def load(
    database: Database,
    documents: Iterable[SyntheticDocument],
    *,
    chunks: int,
    on_progress: Callable[[str, int], None],
    project: str = PROJECT,
) -> Loaded:
    """Write the documents, then build the approximate index. `on_progress` hears the stage and the chunks so far."""
    return load_all(database, {project: documents}, chunks=chunks, on_progress=on_progress)


def load_all(
    database: Database,
    projects: Mapping[str, Iterable[SyntheticDocument]],
    *,
    chunks: int,
    on_progress: Callable[[str, int], None],
) -> Loaded:
    """The same for several projects, whose documents come to so many chunks."""
    with database.as_person(LOCAL_PERSON).connection() as connection:
        for project in projects:
            create_project(connection, project)
    with database.as_owner() as connection:
        definitions = _drop_vector_indexes(connection)
        started = perf_counter()
        for project, documents in projects.items():
            _Loader(connection, project).run(documents, lambda done: on_progress("load", done))
        rows_s = perf_counter() - started
    on_progress("index", chunks)
    started = perf_counter()
    with database.as_owner() as connection:
        _tune_build(connection, chunks)
        for definition in definitions:
            connection.execute(sql.SQL(definition))  # PostgreSQL's own words
    index_s = perf_counter() - started
    with database.as_owner() as connection, _outside_transactions(connection):
        connection.execute("VACUUM ANALYZE")
    with database.as_owner() as connection:
        return Loaded(rows_s=rows_s, index_s=index_s, sizes=dict(connection.execute(_SQL["sizes"]).fetchall()))


class _Loader:
    """Counts the ids while it writes."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection = connection
        self._project = project
        self._chunks = self._terms = self._segments = 0
        self._waiting: list[ChunkTerms] = []  # for their segment to be full

    def run(self, documents: Iterable[SyntheticDocument], tell: Callable[[int], None]) -> None:
        remaining, analyzed_at = iter(documents), 1
        while batch := list(islice(remaining, DOCUMENTS_A_BATCH)):
            self._write(batch)
            if self._chunks >= ANALYZE_EVERY * analyzed_at:
                self._connection.execute(_SQL["analyze"])
                analyzed_at *= ANALYZE_EVERY
            if len(self._waiting) >= CHUNKS_A_SEGMENT:
                self._write_segment()
            tell(self._chunks)
        self._write_segment()
        counters = {"chunks": self._chunks, "terms": self._terms, "segments": self._segments}
        model = {"project": self._project, "model": MODEL, "dimension": DIMENSION}
        self._connection.execute(_SQL["complete_project"], {**model, **counters})

    def _write(self, documents: Iterable[SyntheticDocument]) -> None:
        rows: dict[str, list[Row]] = {name: [] for name in _TYPES}
        for document in documents:
            document_id = uuid5(_NAMESPACE, f"{self._project}/{document.path}")
            for name, row in self._document_rows(document, document_id):
                rows[name].append((self._project, *row))
            for name, row in self._chunk_rows(document, document_id):
                rows[name].append((self._project, *row))
        for name, types in _TYPES.items():
            with self._connection.cursor() as cursor, cursor.copy(_SQL[name]) as copy:
                copy.set_types(types)
                for row in rows[name]:
                    copy.write_row(row)

    def _document_rows(self, document: SyntheticDocument, document_id: UUID) -> Iterator[tuple[str, Row]]:
        own, mentioned = document.identifiers, document.mentioned
        digest = hashlib.sha256(document.path.encode()).hexdigest()
        about = (document.path, digest, "indexed", "md", document.title, own, mentioned)
        yield "copy_documents", (document_id, *about, self._chunks, len(document.chunks))
        for term in dict.fromkeys(analyze_terms(f"{document.title} {document.path.removesuffix('.md')}")):
            yield "copy_terms", (term, document_id)
        for identifier in dict.fromkeys((*own, *mentioned)):
            yield "copy_identifiers", (identifier.partition("@")[0], identifier, document_id, identifier in own)
        for acronym, long_form in document.acronyms.items():
            yield "copy_acronyms", (acronym, document_id, long_form)

    def _chunk_rows(self, document: SyntheticDocument, document_id: UUID) -> Iterator[tuple[str, Row]]:
        for ordinal, chunk in enumerate(document.chunks):
            body = analyze_terms(chunk.text)
            heading = analyze_terms(" ".join((document.title, *chunk.heading_path)))
            terms = ChunkTerms(chunk_id=self._chunks, heading=heading, body=body)
            digest = hashlib.sha256(f"{document.path}/{ordinal}".encode()).hexdigest()
            place = (self._chunks, document_id, ordinal, list(chunk.heading_path))
            yield "copy_chunks", (*place, chunk.text, len(terms), digest)
            yield "copy_embeddings", (self._chunks, HalfVector(chunk.vector))
            self._waiting.append(terms)
            self._terms += len(terms)
            self._chunks += 1

    def _write_segment(self) -> None:
        if self._waiting:
            postings = pack(self._waiting, mean_length=self._terms / self._chunks)
            add_segment(self._connection, self._project, self._segments, postings)
            self._segments += 1
            self._waiting.clear()


def _drop_vector_indexes(connection: Connection) -> list[str]:
    """Their definitions, as they must be made again."""
    found = connection.execute(_SQL["vector_indexes"], {"dimension": DIMENSION}).fetchall()
    for name, _ in found:
        connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
    return [definition for _, definition in found]


def _tune_build(connection: Connection, chunks: int) -> None:
    """Memory for the whole graph, and as many workers as fit: they share it in /dev/shm, which may be tiny."""
    megabytes = max(LEAST_BUILD_MB, chunks * BUILD_BYTES >> 20)
    workers = (os.cpu_count() or 1) - 1 if _shared_memory_mb() > 2 * megabytes else 0
    for name, value in (("maintenance_work_mem", f"{megabytes}MB"), ("max_parallel_maintenance_workers", workers)):
        connection.execute("SELECT set_config(%s, %s, true)", (name, str(value)))


def _shared_memory_mb() -> int:
    try:
        room = os.statvfs("/dev/shm")  # noqa: S108  (only looked at)
    except (AttributeError, OSError):
        return 0
    return room.f_bavail * room.f_frsize >> 20


@contextmanager
def _outside_transactions(connection: Connection) -> Iterator[None]:
    connection.commit()
    connection.autocommit = True
    try:
        yield
    finally:
        connection.autocommit = False
