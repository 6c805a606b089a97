"""A project's documents: add, list, remove."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import InputError
from rag_system.ingestion.indexing import MERGE_EVERY, Indexer, IngestReport, OnProgress, find_files
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import (
    DocumentRow,
    SampleHeading,
    list_documents,
    remove_document,
    sample_headings,
)
from rag_system.storage.segments import merge_segments
from rag_system.storage.sql import queries

__all__ = ["UPLOADS", "DocumentSummary", "Library"]

_SQL = queries("rag_system.storage.queries", "library.sql")

UPLOADS = "cargados"  # the folder that uploads go to, and so their category
SAMPLED = 30  # documents looked at for something to suggest


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSummary:
    """A document as a person sees it."""

    document_id: str
    path: str
    title: str
    format: str
    category: str
    pages: int | None
    chunks: int
    size_bytes: int
    status: str  # "indexed", "empty" or "failed"
    error: str
    identifiers: tuple[str, ...]
    updated_at: datetime

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


class Library:
    """The documents of every project."""

    def __init__(self, *, database: Database, settings: Settings, embeddings: Callable[[], EmbeddingModel]) -> None:
        self._database = database
        self._settings = settings
        self._embeddings = embeddings

    def all(self, *, project: str) -> list[DocumentSummary]:
        """By path."""
        with self._database.connection() as connection:
            return [_summary(row) for row in list_documents(connection, project)]

    def count(self, *, project: str) -> int:
        """How many there are."""
        with self._database.connection() as connection:
            (number,) = connection.execute(_SQL["count"], {"project": project}).fetchone() or (0,)
        return int(number)

    def headings(self, *, project: str) -> list[SampleHeading]:
        """What a few of the documents speak of."""
        with self._database.connection() as connection:
            return sample_headings(connection, project, limit=SAMPLED)

    def add(
        self, paths: Sequence[Path], *, project: str, on_progress: OnProgress | None = None
    ) -> Iterator[IngestReport]:
        """Index files and directories; a directory's files keep their path relative to it."""
        missing = next((path for path in paths if not path.exists()), None)
        if missing is not None:
            raise InputError(f"No existe «{missing}». Revise la ruta.")
        return self._indexer(project).run(find_files(paths), on_progress)

    def add_bytes(self, name: str, data: bytes, *, project: str, on_progress: OnProgress | None = None) -> IngestReport:
        """Index an upload. Only the last part of `name` is used."""
        safe = PurePosixPath(name.replace("\\", "/")).name.replace("\0", "") or "documento"
        with tempfile.TemporaryDirectory(prefix="legajo-") as folder:
            # the suffix is all that the loaders need of the name; the rest could be too long for a file system
            file = Path(folder, "documento").with_suffix(PurePosixPath(safe).suffix[:10])
            file.write_bytes(data)
            (report,) = self._indexer(project).run([(file, f"{UPLOADS}/{safe}")], on_progress)
            return report

    def remove(self, document_id: str, *, project: str) -> bool:
        """Take a document out of the project. False when it was not there."""
        with self._database.connection() as connection:
            if not remove_document(connection, project, document_id):
                return False
        with self._database.connection() as connection:
            merge_segments(connection, project, more_than=MERGE_EVERY)
        return True

    def _indexer(self, project: str) -> Indexer:
        return Indexer(database=self._database, embeddings=self._embeddings(), settings=self._settings, project=project)


def _summary(row: DocumentRow) -> DocumentSummary:
    return DocumentSummary(
        document_id=row.document_id,
        path=row.path,
        title=row.title,
        format=row.format,
        category=row.category,
        pages=row.pages,
        chunks=row.chunk_count,
        size_bytes=row.size_bytes,
        status=row.status,
        error=row.error,
        identifiers=tuple(row.identifiers),
        updated_at=row.updated_at,
    )
