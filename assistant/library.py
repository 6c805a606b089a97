"""A project's documents: take in, follow, list, remove."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from queue import Empty, SimpleQueue
from typing import IO

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import IngestionError, InputError
from rag_system.ingestion.accepting import Acceptor, find_files
from rag_system.ingestion.addresses import shown
from rag_system.ingestion.indexing import MERGE_EVERY, OnStage
from rag_system.ingestion.jobs import Jobs, OnFinished, Worker, WorkerThread
from rag_system.ingestion.report import IngestProgress, IngestReport, OnProgress, cancelled, reported
from rag_system.ingestion.web import fetch_with
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import DocumentRow, SampleHeading, list_documents, sample_headings
from rag_system.storage.ingestions import (
    Ingestion,
    Pace,
    cancel_ingestion,
    get_ingestion,
    ingestions_among,
    list_ingestions,
    pace,
    queued_among,
    retry_ingestion,
)
from rag_system.storage.publishing import remove_document
from rag_system.storage.segments import merge_segments
from rag_system.storage.sql import queries

__all__ = ["UPLOADS", "DocumentSummary", "IngestionSummary", "Library"]

_SQL = queries("rag_system.storage.queries", "library.sql")

UPLOADS = "cargados"  # the folder that uploads go to, and so their category
SAMPLED = 30  # documents looked at for something to suggest
PART_BYTES = 1 << 20  # of an upload, at a time
POLL_S = 0.3  # how often the work of other programs is looked at
LEAST_DONE = 8  # chunks embedded before a rate is told from them


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
    status: str  # "indexed" or "empty"
    error: str
    identifiers: tuple[str, ...]
    updated_at: datetime
    origin: str = ""  # the web address that it came from, or the folder that is watched
    empty_pages: tuple[int, ...] = ()  # pages without text
    ocr_pages: tuple[int, ...] = ()  # pages read by optical character recognition
    copy_of: str = ""  # path of the document that holds the same content

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestionSummary:
    """A file that is not a document yet."""

    ingestion_id: str
    path: str
    status: str  # "queued", "working", "ready" or "failed"
    stage: str  # of one that is worked on: "read", "chunk", "embed" or "publish"
    done: int  # chunks embedded
    total: int
    size_bytes: int
    error: str
    remaining_s: float | None  # until it is searchable; None when nothing is known


class Library:
    """The documents of every project."""

    def __init__(self, *, database: Database, settings: Settings, embeddings: Callable[[], EmbeddingModel]) -> None:
        self._database = database
        self._settings = settings
        self._embeddings = embeddings

    # ------------------------------------------------------------ what there is

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

    def remove(self, document_id: str, *, project: str) -> bool:
        """Take a document out of the project. False when it was not there."""
        with self._database.connection() as connection:
            if not remove_document(connection, project, document_id):
                return False
        with self._database.connection() as connection:
            merge_segments(connection, project, more_than=MERGE_EVERY)
        return True

    # ------------------------------------------------------------ taking in

    def add(
        self, paths: Sequence[Path], *, project: str, on_progress: OnProgress | None = None
    ) -> Iterator[IngestReport]:
        """Index files and directories; a directory's files keep their path relative to it."""
        missing = next((path for path in paths if not path.exists()), None)
        if missing is not None:
            raise InputError(f"No existe «{missing}». Revise la ruta.")
        return self.add_files(find_files(paths), project=project, on_progress=on_progress)

    def add_files(
        self,
        files: Sequence[tuple[Path, str]],
        *,
        project: str,
        origin: str = "",
        on_progress: OnProgress | None = None,
    ) -> Iterator[IngestReport]:
        """Accept the files under the given paths and see them through, one report a file as it is over.

        This process works on the queue meanwhile. If it ends early, what was accepted stays in the queue.
        """
        acceptor = self._acceptor(project)
        return self._see_through(acceptor, files, project, origin, on_progress)

    def _see_through(
        self,
        acceptor: Acceptor,
        files: Sequence[tuple[Path, str]],
        project: str,
        origin: str,
        on_progress: OnProgress | None,
    ) -> Iterator[IngestReport]:
        waiting = _Waiting(self._database, project, len(files), on_progress)
        jobs = Jobs(self._database)
        with self._worker(waiting):
            for file, path in files:
                accepted = acceptor.accept(file, path, origin=origin)
                if isinstance(accepted, IngestReport):
                    yield waiting.told(accepted)
                else:
                    jobs.defer(project, accepted, size_bytes=file.stat().st_size)
                    waiting.add(accepted, path)
                yield from waiting.over(block=False)
            while waiting:
                yield from waiting.over(block=True)

    def add_url(self, url: str, *, project: str, on_progress: OnProgress | None = None) -> IngestReport:
        """Read a page of the web and see it through; one that cannot be read is told like a file that cannot."""
        try:
            with fetch_with(self._settings, url) as page:
                (report,) = self.add_files(
                    [(page.file, page.path)], project=project, origin=page.url, on_progress=on_progress
                )
                return report
        except IngestionError as error:
            return IngestReport(path=shown(url), status="failed", error=str(error))

    def accept_bytes(self, name: str, data: bytes, *, project: str) -> str | IngestReport:
        """Take an upload into the queue; its ingestion's id, or a report where nothing is to be done.

        Only the last part of `name` is used.
        """
        return self.accept_stream(name, BytesIO(data), project=project)

    def accept_stream(self, name: str, stream: IO[bytes], *, project: str) -> str | IngestReport:
        """The same for bytes that are read part by part, from where the stream stands."""
        safe = PurePosixPath(name.replace("\\", "/")).name.replace("\0", "") or "documento"
        acceptor = self._acceptor(project)
        with tempfile.NamedTemporaryFile(prefix="legajo-") as file:
            shutil.copyfileobj(stream, file, PART_BYTES)
            file.flush()
            size = file.tell()
            accepted = acceptor.accept(Path(file.name), f"{UPLOADS}/{safe}")
        if isinstance(accepted, str):
            Jobs(self._database).defer(project, accepted, size_bytes=size)
        return accepted

    def add_bytes(self, name: str, data: bytes, *, project: str, on_progress: OnProgress | None = None) -> IngestReport:
        """Take in an upload and see it through. Only the last part of `name` is used."""
        accepted = self.accept_bytes(name, data, project=project)
        if isinstance(accepted, IngestReport):
            return accepted
        waiting = _Waiting(self._database, project, 1, on_progress)
        waiting.add(accepted, name)
        with self._worker(waiting):
            while True:
                for report in waiting.over(block=True):
                    return report

    def _acceptor(self, project: str) -> Acceptor:
        return Acceptor(database=self._database, embeddings=self._embeddings, settings=self._settings, project=project)

    def worker(self, *, on_stage: OnStage | None = None, on_finished: OnFinished | None = None) -> Worker:
        """A worker on the queue of every project."""
        return Worker(
            database=self._database,
            embeddings=self._embeddings,
            settings=self._settings,
            on_stage=on_stage,
            on_finished=on_finished,
        )

    def _worker(self, waiting: _Waiting) -> WorkerThread:
        return WorkerThread(self.worker(on_stage=waiting.wake, on_finished=waiting.wake))

    # ------------------------------------------------------------ the queue

    def ingestions(self, *, project: str) -> list[IngestionSummary]:
        """What waits, is worked on or failed, in the order in which it was accepted, each with its remaining time."""
        with self._database.connection() as connection:
            rows, known = list_ingestions(connection, project), pace(connection, project)
        return _with_remaining_time(rows, known)

    def worker_is_alive(self) -> bool:
        """Whether some worker, on any machine, attends to the queue."""
        with self._database.connection() as connection:
            (alive,) = connection.execute(_SQL["worker_is_alive"]).fetchone() or (False,)
        return bool(alive)

    def cancel(self, ingestion_id: str, *, project: str) -> bool:
        """Give up a file that is not a document yet; its old version stays. False when there is nothing to give up."""
        with self._database.connection() as connection:
            return cancel_ingestion(connection, project, ingestion_id)

    def retry(self, ingestion_id: str, *, project: str) -> bool:
        """Queue a failed file again. False when it is not one that failed."""
        with self._database.connection() as connection:
            size = retry_ingestion(connection, project, ingestion_id)
        if size is None:
            return False
        Jobs(self._database).defer(project, ingestion_id, size_bytes=size)
        return True

    def ingestion(self, ingestion_id: str, *, project: str) -> IngestReport | None:
        """What became of an accepted file; None while it is under way, or when it was cancelled."""
        with self._database.connection() as connection:
            row = get_ingestion(connection, project, ingestion_id)
        return reported(row) if row is not None and row.is_over else None


class _Waiting:
    """The ingestions that somebody waits for."""

    def __init__(self, database: Database, project: str, total: int, on_progress: OnProgress | None) -> None:
        self._database = database
        self._project = project
        self._total = total
        self._on_progress = on_progress
        self._paths: dict[str, str] = {}  # by ingestion
        self._woken: SimpleQueue[str] = SimpleQueue()
        self._done = 0

    def __bool__(self) -> bool:
        return bool(self._paths)

    def add(self, ingestion_id: str, path: str) -> None:
        self._paths[ingestion_id] = path

    def wake(self, news: str) -> None:
        """Called by the worker's threads: a stage begins, or an ingestion may be over."""
        self._woken.put(news)

    def told(self, report: IngestReport) -> IngestReport:
        self._done += 1
        return report

    def over(self, *, block: bool) -> Iterator[IngestReport]:
        """Reports of those that are over. With `block`, one is waited for, but not for long."""
        woken = self._was_woken(block=block)
        if not self._paths or not (woken or block):
            return
        with self._database.connection() as connection:
            rows = ingestions_among(connection, self._project, list(self._paths))
            known = {row.ingestion_id for row in rows}
            rest = [each for each in self._paths if each not in known] if not woken else []
            queued = queued_among(connection, self._project, rest) if rest else set()
        for row in rows:
            if row.is_over:
                self._paths.pop(row.ingestion_id)
                yield self.told(reported(row))
            else:
                self._tell(row)
        for ingestion_id in rest:
            if ingestion_id not in queued:
                yield self.told(cancelled(self._paths.pop(ingestion_id)))

    def _was_woken(self, *, block: bool) -> bool:
        try:
            self._woken.get(block=block, timeout=POLL_S)
        except Empty:
            return False
        return True

    def _tell(self, row: Ingestion) -> None:
        if self._on_progress is not None and row.stage:
            stage = {"done": row.done, "total": row.total}
            progress = IngestProgress(
                path=row.path,
                stage=row.stage,  # type: ignore[arg-type]
                files_done=self._done,
                files_total=self._total,
                **stage,
            )
            self._on_progress(progress)


def _with_remaining_time(rows: Sequence[Ingestion], known: Pace) -> list[IngestionSummary]:
    """Those ahead in the queue come first: an estimate counts their time too. Small files overtake large ones."""
    now, ahead = datetime.now(UTC), 0.0
    remaining: dict[str, float | None] = {}
    due = [row for row in rows if row.status in ("queued", "working")]
    for row in sorted(due, key=lambda row: (row.status == "queued", row.size_bytes.bit_length(), row.accepted_at)):
        own = _own_time(row, known, now)
        if own is None:
            break  # what comes after an unknown time is unknown
        ahead += own
        remaining[row.ingestion_id] = ahead
    return [_ingestion_summary(row, remaining.get(row.ingestion_id)) for row in rows]


def _own_time(row: Ingestion, known: Pace, now: datetime) -> float | None:
    """Seconds of work left, from the chunks that were embedded, or from what files took lately."""
    if row.stage == "embed" and row.done >= LEAST_DONE and row.started_at is not None:
        return (now - row.started_at).total_seconds() / row.done * (row.total - row.done)
    return known.seconds_a_byte * row.size_bytes if known.seconds_a_byte else None


def _ingestion_summary(row: Ingestion, remaining_s: float | None) -> IngestionSummary:
    return IngestionSummary(
        ingestion_id=row.ingestion_id,
        path=row.path,
        status=row.status,
        stage=row.stage,
        done=row.done,
        total=row.total,
        size_bytes=row.size_bytes,
        error=row.error,
        remaining_s=remaining_s,
    )


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
        origin=row.origin,
        empty_pages=tuple(row.empty_pages),
        ocr_pages=tuple(row.ocr_pages),
        copy_of=row.copy_of,
    )
