"""Take files in as the product does: accepted, queued, and worked on by a worker of this process."""

from __future__ import annotations

from pathlib import Path

from assistant.library import Library
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.ingestion.report import IngestReport, OnProgress
from rag_system.settings import Settings
from rag_system.storage.connection import Database


class Indexing:
    """Indexes into one project of a test's database."""

    def __init__(self, *, database: Database, embeddings: EmbeddingModel, settings: Settings, project: str) -> None:
        self._library = Library(database=database, settings=settings, embeddings=lambda: embeddings)
        self._project = project

    def run(self, *paths: Path, on_progress: OnProgress | None = None) -> list[IngestReport]:
        """What became of each file, by path."""
        reports = self._library.add(paths, project=self._project, on_progress=on_progress)
        return sorted(reports, key=lambda report: report.path)
