"""Waiting for accepted files to be documents, whoever works on them: this process, or one on another machine."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue

from rag_system.ingestion.report import IngestProgress, IngestReport, OnProgress, cancelled, reported
from rag_system.storage.connection import Database
from rag_system.storage.ingestions import Ingestion, ingestions_among, statuses_among

__all__ = ["Waiting"]

POLL_S = 0.3  # how often the work of other processes is looked at
LOOK_S = 1.0  # at least, between two looks at all files
REST = 9.0  # times the duration of a look at all files before the next one: a tenth of the time goes into looking


class Waiting:
    """The ingestions that somebody waits for."""

    def __init__(self, database: Database, project: str, total: int, on_progress: OnProgress | None) -> None:
        self._database = database
        self._project = project
        self._total = total
        self._on_progress = on_progress
        self._paths: dict[str, str] = {}  # by ingestion
        self._beside: dict[str, str] = {}
        self._woken: SimpleQueue[str] = SimpleQueue()
        self._done = 0
        self._began = False
        self._rested_at = 0.0  # when all may be looked at again

    def __bool__(self) -> bool:
        return bool(self._paths)

    def expect(self, more: int) -> None:
        """So many more files than was known."""
        self._total += more

    def add(self, ingestion_id: str, path: str, *, beside: str = "") -> bool:
        """Wait for an ingestion too; True for the first one of all."""
        self._paths[ingestion_id] = path
        self._beside[ingestion_id] = beside
        first, self._began = not self._began, True
        return first

    def wake(self, news: str) -> None:
        """Called by the worker's threads: a stage begins, or an ingestion may be over."""
        self._woken.put(news)

    def rest(self, seconds: float) -> None:
        """Look at all that are waited for no sooner; what a worker says is over is told at once."""
        self._rested_at = time.monotonic() + seconds

    def told(self, report: IngestReport) -> IngestReport:
        self._done += 1
        return report

    def over(self, *, block: bool) -> Iterator[IngestReport]:
        """Reports of those that are over. With `block`, one is waited for, but not for long.

        What a worker says is over is looked at alone. All of them, which may be thousands, are looked at for what
        others did, but for no more than a part of the time.
        """
        news = self._news(block=block)
        if ended := [each for each in news if each in self._paths]:
            rows = self._database.run(ingestions_among, self._project, ended)
            yield from self._reported(rows)
        if self._paths and (news or block) and time.monotonic() >= self._rested_at:
            yield from self._look()

    def _look(self) -> Iterator[IngestReport]:
        began = time.monotonic()
        with self._database.connection() as connection:
            known = statuses_among(connection, self._project, list(self._paths))
            told = [each for each, status in known.items() if status != "queued"]
            rows = ingestions_among(connection, self._project, told)
        self.rest(max(LOOK_S, REST * (time.monotonic() - began)))
        yield from self._reported(rows)
        for ingestion_id in self._paths.keys() - known:
            yield self.told(cancelled(self._paths.pop(ingestion_id)))

    def _reported(self, rows: Sequence[Ingestion]) -> Iterator[IngestReport]:
        for row in rows:
            if row.is_over:
                self._paths.pop(row.ingestion_id)
                yield self.told(replace(reported(row), beside=self._beside.get(row.ingestion_id, "")))
            else:
                self._tell(row)

    def _news(self, *, block: bool) -> set[str]:
        """All that was told since: it is seen in one look."""
        news: set[str] = set()
        with suppress(Empty):
            news.add(self._woken.get(block=block, timeout=POLL_S))
            while True:
                news.add(self._woken.get_nowait())
        return news

    def _tell(self, row: Ingestion) -> None:
        if self._on_progress is not None and (row.stage or row.error):
            progress = IngestProgress(
                path=row.path,
                stage=row.stage,  # type: ignore[arg-type]
                done=row.done,
                total=row.total,
                files_done=self._done,
                files_total=self._total,
                error=row.error,
                retry_at=row.retry_at,
            )
            self._on_progress(progress)
