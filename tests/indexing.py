"""Take files in as the product does: accepted, queued, and worked on by a worker of this process."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from assistant.assistant import Assistant
from assistant.library import Library
from rag_system import DEFAULT_PROJECT
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.ingestion.jobs import WorkerThread
from rag_system.ingestion.report import IngestReport, OnProgress
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.faults.processes import until


class Indexing:
    """Indexes into one project of a test's database."""

    def __init__(self, *, database: Database, embeddings: EmbeddingModel, settings: Settings, project: str) -> None:
        self._library = Library(database=database, settings=settings, embeddings=lambda: embeddings)
        self._project = project

    def run(self, *paths: Path, on_progress: OnProgress | None = None) -> list[IngestReport]:
        """What became of each file, by path."""
        reports = self._library.add(paths, project=self._project, on_progress=on_progress)
        return sorted(reports, key=lambda report: report.path)


def upload(home: Assistant | Library, name: str, data: bytes, *, project: str = DEFAULT_PROJECT) -> IngestReport:
    """What became of a file that was put into the chat, after a worker of this process has seen it through."""
    accepted = home.accept_stream(name, BytesIO(data), project=project)
    if isinstance(accepted, IngestReport):
        return accepted
    with WorkerThread(home.worker()):
        until(lambda: home.ingestion(accepted, project=project) is not None, f"{name} is not taken in")
    report = home.ingestion(accepted, project=project)
    assert report is not None
    return report
