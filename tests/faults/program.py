"""The product in a process of its own, for tests that stop and kill it."""

from __future__ import annotations

import logging
import signal
import threading
from collections import Counter
from io import BytesIO
from pathlib import Path

from pydantic import SecretStr

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion import indexing
from rag_system.ingestion.jobs import Worker
from rag_system.settings import Settings
from rag_system.storage import staging
from rag_system.storage.ingestions import Stage
from rag_system.storage.opening import open_database
from tests.indexing import library_of

PROJECT = "pruebas"
EMBEDDED_AT_ONCE = 50  # chunks: here a short guide takes long to be embedded and published, as a library of laws would
PUBLISHED_AT_ONCE = 24
BETWEEN_BATCHES = "publish 3"  # of a publication: it comes there before all of it, and before each batch


class Stop:
    """Stops this process once, at the given point."""

    def __init__(self, point: str) -> None:
        self._point = point

    def at(self, point: str) -> None:
        if point == self._point:
            self._point = ""
            # to this thread: sent to the process, another one takes it, and this one runs on for a while
            signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)


class JournalEmbeddings(HashEmbeddings):
    """Writes down how many chunks each batch has, before it is embedded."""

    def __init__(self, journal: Path, stop: Stop) -> None:
        super().__init__()
        self._journal = journal
        self._stop = stop
        self._calls = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self._calls += 1
        with self._journal.open("a", encoding="ascii") as stream:
            stream.write(f"{len(texts)}\n")
        if self._calls == 2:
            self._stop.at("batch")
        return super().embed_documents(texts)


def work(url: str, home: Path, stalled_s: float, point: str) -> None:
    """Work on the queue until SIGTERM, and stop all threads (SIGSTOP) at the first coming to `point`.

    That is a step, before it begins; a step and the number of the coming to it; or "batch": the first vectors are
    stored, and the second batch is asked for. How many chunks it is asked to embed stands in the file `journal`, a line
    a batch.
    """
    settings = _settings(url, home)
    stop = Stop(point)
    embeddings = JournalEmbeddings(home / "journal", stop)

    comings: Counter[Stage] = Counter()

    def on_stage(stage: Stage) -> None:
        comings[stage] += 1
        stop.at(stage)
        stop.at(f"{stage} {comings[stage]}")

    with open_database(settings) as database:
        worker = Worker(
            database=database,
            embeddings=lambda: embeddings,
            settings=settings,
            on_stage=on_stage,
            stalled_s=stalled_s,
        )
        signal.signal(signal.SIGTERM, lambda *_: worker.stop())
        worker.run()


def ingest(url: str, home: Path, folder: Path, point: str) -> None:
    """Take a folder in and see it through, as `legajo ingest` does; stop as `work` does."""
    settings = _settings(url, home)
    stop = Stop(point)
    embeddings = JournalEmbeddings(home / "journal", stop)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open_database(settings) as database:
        library = library_of(database=database, settings=settings, embeddings=lambda: embeddings, project=PROJECT)
        for report in library.add([folder]):
            logging.info("%s", report)


def accept(url: str, home: Path, name: str, data: bytes) -> None:
    """Take a file into the queue."""
    settings = _settings(url, home)
    with open_database(settings) as database:
        library = library_of(database=database, settings=settings, embeddings=HashEmbeddings, project=PROJECT)
        library.accept_stream(name, BytesIO(data), same_name="replace")


def _settings(url: str, home: Path) -> Settings:
    logging.basicConfig(level=logging.INFO)
    indexing.EMBED_BATCH = EMBEDDED_AT_ONCE
    staging.BATCH = PUBLISHED_AT_ONCE
    return Settings(home=home, database_url=SecretStr(url))
