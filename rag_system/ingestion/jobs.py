"""The queue of accepted files and the worker that empties it: Procrastinate on the same PostgreSQL.

A job only says which ingestion is due; what is true of it stands in `ingestions`. A job that is lost, doubled or
restarted therefore does no harm. Workers may run in any number, on any machine that reaches the database.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Self

import psycopg
from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision, SyncPsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException, UniqueViolation
from procrastinate.jobs import Job, Status

from rag_system.background import begin
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import EmbeddingServiceError, LegajoError, StorageError
from rag_system.ingestion.indexing import MERGE_AT_END, MERGE_EVERY, Indexer, InterruptedIndexingError, OnStage
from rag_system.ingestion.temporary import remove_leftovers
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.ingestions import Unattended, anything_due, forget_removed, removed_long_ago, unattended

__all__ = ["EndedWorkerError", "Jobs", "OnFinished", "Worker", "WorkerThread"]

QUEUE, TASK = "ingestion", "legajo.index"
STALLED_S = 10.0  # a worker that was not heard of for so long is dead, and its jobs are due again
HEARTBEATS = 5  # of a worker, in that time
SWEEP_S = 2.0
RETRY_S = (2.0, 8.0, 30.0, 120.0, 300.0)  # waits before a job is tried again; after the last, always that one
MOST_PATIENT_S = 30.0  # between two attempts to reach the database
DEFERRED = 500  # jobs written at once
THREADS = 3  # so that there is always something to embed, while others read and publish

OnFinished = Callable[[str], None]

_log = logging.getLogger(__name__)
# Whatever fails is told by us, in a sentence; Procrastinate would write the traceback of every failed attempt.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


class EndedWorkerError(LegajoError):
    """Se dejó de atender la cola. Lo aceptado sigue en ella: repita la orden."""


class Jobs:
    """Puts ingestions into the queue."""

    def __init__(self, database: Database) -> None:
        self._app = App(connector=SyncPsycopgConnector())
        database.lend_pool(self._app.open)

    def defer(self, project: str, ingestion_id: str, *, size_bytes: int) -> None:
        """Have an ingestion worked on, small files first. One that is queued already is not queued twice."""
        with suppress(AlreadyEnqueued):
            self._put([Unattended(project_id=project, ingestion_id=ingestion_id, size_bytes=size_bytes)])

    def defer_all(self, found: Sequence[Unattended]) -> None:
        """The same of many at once, which have no job; where another worker is giving them theirs, it is left to it."""
        for batch in (found[at : at + DEFERRED] for at in range(0, len(found), DEFERRED)):
            with suppress(AlreadyEnqueued):  # none of the batch: what is still without a job then is found again
                self._put(batch)

    def _put(self, due: Sequence[Unattended]) -> None:
        try:
            self._app.job_manager.batch_defer_jobs([self._job(each) for each in due])
        except ConnectorException as error:
            raise StorageError("La base de datos no aceptó el trabajo. Vuelva a intentar.") from error

    def _job(self, due: Unattended) -> Job:
        task = self._app.configure_task(
            TASK,
            queue=QUEUE,
            queueing_lock=due.ingestion_id,  # not queued twice
            lock=due.ingestion_id,  # and not worked on twice at a time
            priority=-due.size_bytes.bit_length(),
        )
        return task.make_new_job(project=due.project_id, ingestion_id=due.ingestion_id)


class Worker:
    """Works on the queue until it is stopped. Outlives the database: it waits for it to come back.

    `on_finished` hears, from another thread, of each ingestion that may be over. After `stalled_s` seconds without a
    word from a worker, others take its work over; all workers of a database should agree on it. `retry_s` are the waits
    before what may pass by itself is tried again.
    """

    def __init__(
        self,
        *,
        database: Database,
        embeddings: Callable[[], EmbeddingModel],
        settings: Settings,
        on_stage: OnStage | None = None,
        on_finished: OnFinished | None = None,
        stalled_s: float = STALLED_S,
        retry_s: Sequence[float] = RETRY_S,
    ) -> None:
        self._database = database.unhurried()
        self._stalled_s = stalled_s
        self._retry_s = retry_s
        self._stopping = Event()
        self._on_finished = on_finished or (lambda _: None)
        self._indexer = Indexer(
            database=database, embeddings=embeddings, settings=settings, stopping=self._stopping, on_stage=on_stage
        )
        self._touched: set[str] = set()  # projects whose postings are not merged yet
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None
        self._unwritten = asyncio.Event()

    def run(self) -> None:
        """Work until `stop` is called from another thread or a signal handler."""
        remove_leftovers()
        asyncio.run(self._serve())
        try:
            self._tidy()
        except LegajoError as error:  # the next worker merges
            _log.warning("the worker left segments to merge: %s", error)

    def stop(self) -> None:
        """End soon: what is being worked on goes back to the queue at its next commit."""
        self._stopping.set()
        if self._loop is not None and self._wake is not None:
            with suppress(RuntimeError):  # the loop has ended by itself
                self._loop.call_soon_threadsafe(self._wake.set)

    # ------------------------------------------------------------ the loop

    async def _serve(self) -> None:
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_exception_handler(self._hear)
        if self._stopping.is_set():
            return
        patience = 1.0
        while not self._stopping.is_set():
            try:
                await self._attend()
                patience = 1.0
            except (LegajoError, ConnectorException, psycopg.Error) as error:
                _log.warning("the worker lost the database: %s", error)
                await self._rest(patience)
                patience = min(2 * patience, MOST_PATIENT_S)

    async def _attend(self) -> None:
        """Work until the database is lost or `stop` is called."""
        self._unwritten.clear()
        address = await asyncio.to_thread(self._database.address)
        unprepared = {"prepare_threshold": None}  # a pooler in between would give the next statement to another session
        app = App(connector=PsycopgConnector(conninfo=address, kwargs=unprepared, min_size=1, max_size=THREADS + 3))
        app.task(name=TASK, queue=QUEUE, retry=_Retry(self._retry_s))(self._index)
        async with app.open_async():
            working = asyncio.create_task(
                app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=THREADS,
                    fetch_job_polling_interval=min(SWEEP_S, *self._retry_s),
                    install_signal_handlers=False,
                    update_heartbeat_interval=self._stalled_s / HEARTBEATS,
                    stalled_worker_timeout=self._stalled_s,
                    delete_jobs="always",
                )
            )
            helping = [asyncio.create_task(task) for task in (self._sweep(app), self._stopped(), self._lost())]
            try:
                done, _ = await asyncio.wait([working, *helping], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (working, *helping):
                    task.cancel()
                await asyncio.gather(working, *helping, return_exceptions=True)
            for task in done:
                task.result()  # raises what ended it

    def _index(self, project: str, ingestion_id: str) -> None:
        try:
            self._indexer.run(project, ingestion_id)
        finally:
            self._on_finished(ingestion_id)
        self._touched.add(project)
        self._indexer.merge(project, more_than=MERGE_EVERY)

    async def _sweep(self, app: App) -> None:
        """Bring back what a dead worker or a crash between two steps has left; then merge what was written."""
        while True:
            for job in await app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=self._stalled_s):
                await _bring_back(app, job)
            await asyncio.to_thread(self._adopt)
            await asyncio.to_thread(self._forget)
            if bool(self._touched) and await asyncio.to_thread(self._is_idle):
                await asyncio.to_thread(self._tidy)
            await asyncio.sleep(SWEEP_S)

    def _is_idle(self) -> bool:
        with self._database.as_worker().connection() as connection:
            return not anything_due(connection)

    def _tidy(self) -> None:
        """Nothing waits: leave few segments to search."""
        while self._touched:
            self._indexer.merge(self._touched.pop(), more_than=MERGE_AT_END)

    def _adopt(self) -> None:
        found = self._database.as_worker().run(unattended)
        if found:
            Jobs(self._database).defer_all(found)

    def _forget(self) -> None:
        """What was removed can be brought back for a while, and not after."""
        projects = self._database.as_worker().run(removed_long_ago)
        for project in projects:
            self._database.as_job(project).run(forget_removed, project)

    def _hear(self, _: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """Procrastinate could not write down how a job ended: it would count as under way for as long as this worker
        lives. Another one in its place takes it up again.
        """
        _log.info("in the worker's loop: %s", context.get("message"))
        self._unwritten.set()

    async def _lost(self) -> None:
        await self._unwritten.wait()
        raise StorageError("No se pudo anotar cómo terminó un trabajo.")

    async def _stopped(self) -> None:
        assert self._wake is not None  # noqa: S101  (made by `_serve`)
        await self._wake.wait()

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopped(), seconds)


async def _bring_back(app: App, job: Job) -> None:
    """Make a dead worker's job due again. Where its file was offered again meanwhile, the job that waits does it."""
    try:
        await app.job_manager.retry_job(job, retry_at=datetime.now(UTC))
    except UniqueViolation:
        await app.job_manager.finish_job(job, status=Status.ABORTED, delete_job=True)


class _Retry(BaseRetryStrategy):
    """What may pass by itself is tried again; what was interrupted, at once."""

    def __init__(self, waits_s: Sequence[float]) -> None:
        self._waits_s = waits_s

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if isinstance(exception, InterruptedIndexingError):
            return RetryDecision(retry_in={"seconds": 0})
        if isinstance(exception, (StorageError, EmbeddingServiceError)):
            wait_s = self._waits_s[min(job.attempts, len(self._waits_s) - 1)]
            return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=wait_s))
        return None


class WorkerThread:
    """A worker beside whatever else this process does."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._running: Future[None] = Future()

    def __enter__(self) -> Self:
        self._running = begin(self._worker.run)
        return self

    def check(self, *, within_s: float | None = 0.0) -> None:
        """Raise `EndedWorkerError` if it ends by itself in that time, or ever (None), which only a defect of ours
        brings about.
        """
        wait([self._running], within_s)
        if self._running.done():
            error = self._running.exception()
            raise EndedWorkerError(
                f"Se dejó de atender la cola por un error propio ({type(error).__name__}). Lo aceptado sigue en ella: "
                "repita la orden."
            ) from error

    def __exit__(self, *_: object) -> None:
        self._worker.stop()
        wait([self._running])
