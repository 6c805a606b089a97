"""Waiting for accepted files to be documents, whoever works on them: this process, or one on another machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue

from rag_system.ingestion.report import IngestProgress, IngestReport, OnProgress, cancelled, reported
from rag_system.storage.connection import Database
from rag_system.storage.ingestions import Ingestion, ingestions_among, queued_among

__all__ = ["Waiting"]

POLL_S = 0.3  # how often the work of other processes is looked at


class Waiting:
    """The ingestions that somebody waits for."""

    def __init__(self, database: Database, project: str, total: int, on_progress: OnProgress | None) -> None:
        self._database = database
        self._project = project
        self._total = total
        self._on_progress = on_progress
        self._paths: dict[str, str] = {}  # by ingestion
        self._woken: SimpleQueue[str] = SimpleQueue()
        self._done = 0
        self._began = False

    def __bool__(self) -> bool:
        return bool(self._paths)

    def add(self, ingestion_id: str, path: str) -> bool:
        """Wait for an ingestion too; True for the first one of all."""
        self._paths[ingestion_id] = path
        first, self._began = not self._began, True
        return first

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
        with suppress(Empty):  # all that was told since is seen in one look
            while True:
                self._woken.get_nowait()
        return True

    def _tell(self, row: Ingestion) -> None:
        if self._on_progress is not None and row.stage:
            progress = IngestProgress(
                path=row.path,
                stage=row.stage,  # type: ignore[arg-type]
                done=row.done,
                total=row.total,
                files_done=self._done,
                files_total=self._total,
            )
            self._on_progress(progress)
