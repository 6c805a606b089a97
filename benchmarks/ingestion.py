"""What taking a folder in costs, part by part, beside what the embedding model alone would need for the same texts."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from time import perf_counter, process_time, thread_time

from assistant.library import Library
from benchmarks.clocks import (
    children,
    foreign_threads_s,
    own_memory_mb,
    parent,
    peak_memory_mb,
    processor_s,
    tree_s,
)
from benchmarks.report import Measure
from rag_system import LOCAL_PERSON
from rag_system.embeddings.protocol import EmbeddingModel, Manifest
from rag_system.errors import IngestionError, InputError
from rag_system.ingestion.accepting import find_files
from rag_system.ingestion.chunking import embedding_text
from rag_system.ingestion.extraction import extract_safely
from rag_system.ingestion.indexing import EMBED_BATCH
from rag_system.ingestion.report import IngestReport
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import create_project
from rag_system.storage.sql import queries

__all__ = ["TimedEmbeddings", "measure_ingestion"]

PROJECT = "benchmark"
CHILD = "rag_system.ingestion.extraction_worker"
SAMPLE = 16 * EMBED_BATCH  # texts that the model embeds once more, alone
TOLD_EVERY = 25  # files

_SQL = queries("benchmarks", "measuring.sql")

Tell = Callable[[str], None]


class TimedEmbeddings:
    """A model that counts what it embeds, and the processor time of those who call it. Any thread may call."""

    def __init__(self, model: EmbeddingModel) -> None:
        self._model = model
        self._counting = threading.Lock()
        self.texts = 0
        self.callers_s = 0.0

    @property
    def manifest(self) -> Manifest:
        return self._model.manifest

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        started = thread_time()
        vectors = self._model.embed_documents(texts)
        with self._counting:
            self.texts += len(texts)
            self.callers_s += thread_time() - started
        return vectors

    def embed_query(self, text: str) -> list[float]:
        return self._model.embed_query(text)

    def count_tokens(self, texts: list[str]) -> list[int]:
        return self._model.count_tokens(texts)

    @property
    def processor_s(self) -> float:
        """Of its callers, and of the threads that it has of its own."""
        return self.callers_s + foreign_threads_s()


def measure_ingestion(
    database: Database, settings: Settings, model: EmbeddingModel, folder: Path, *, tell: Tell
) -> Iterator[Measure]:
    """Take a folder in with an empty database, as `legajo ingest` does, and then its parts alone."""
    files = find_files([folder]) if folder.is_dir() else []
    if not files:
        raise InputError(f"«{folder}» no es una carpeta con archivos. Revise la ruta.")
    timed = TimedEmbeddings(model)
    tell("Cargando el modelo de embeddings…")
    timed.embed_documents(["hola"])
    timed.texts = 0
    watch = _Watch(database, timed, embedded=settings.database_url is None)
    database = database.as_person(LOCAL_PERSON)
    with database.connection() as connection:
        create_project(connection, PROJECT)
    library = Library(database=database, settings=settings, embeddings=lambda: timed, project=PROJECT)
    reports = list(_told(library.add([folder]), len(files), watch, tell))
    spent = watch.spent()
    chunks = sum(report.chunks for report in reports if not report.copy_of)
    for name, value, unit in (*_counts(reports, timed), *_pace(reports, spent), *spent.figures()):
        yield Measure(chunks=chunks, measure=name, value=value, unit=unit)
    tell("Midiendo el modelo de embeddings solo…")
    rate = _engine_rate(model, _sample(database))
    yield Measure(chunks=chunks, measure="ingest_engine_rate", value=rate, unit="1/s")
    yield Measure(chunks=chunks, measure="ingest_share", value=timed.texts / spent.wall_s / rate, unit="")
    tell("Midiendo la lectura sola…")
    for name, value, unit in _reading(files):
        yield Measure(chunks=chunks, measure=name, value=value, unit=unit)


def _told(reports: Iterable[IngestReport], total: int, watch: _Watch, tell: Tell) -> Iterator[IngestReport]:
    for done, report in enumerate(reports, 1):
        watch.look()
        if done % TOLD_EVERY == 0:
            tell(f"Incorporando: {done} de {total} archivos…")
        yield report


# ---------------------------------------------------------------- what it took


Figure = tuple[str, float, str]  # name, value, unit


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spent:
    """Processor time by part, in seconds, and memory, in MiB; what cannot be seen on this system is None."""

    wall_s: float
    child_s: float
    embedding_s: float
    python_s: float  # this process without the embedding
    database_s: float | None  # None where the server may be another machine's
    model_mb: float | None  # this process, the model loaded and nothing else done
    worker_mb: float | None  # the most that it grew to
    child_mb: float | None

    def figures(self) -> Iterator[Figure]:
        seconds = ("child_s", "embedding_s", "python_s", "database_s")
        for names, unit in ((seconds, "s"), (("model_mb", "worker_mb", "child_mb"), "MB")):
            for name in names:
                value: float | None = getattr(self, name)
                if value is not None:
                    yield f"ingest_{'cpu' if unit == 's' else 'memory'}_{name.rpartition('_')[0]}", value, unit


class _Watch:
    """Looks at the processes that take part, from its making on."""

    def __init__(self, database: Database, timed: TimedEmbeddings, *, embedded: bool) -> None:
        with database.as_owner() as connection:
            self._server = parent(connection.info.backend_pid) if embedded else 0
        self._timed = timed
        self._model_mb = own_memory_mb()
        self._children: dict[int, tuple[float, float]] = {}  # processor time and memory that each was last seen with
        self._before = self._clocks()
        self._started = perf_counter()

    def look(self) -> None:
        """See how far the children are: one that has ended cannot be asked any more."""
        for pid in children(os.getpid(), running=CHILD):
            self._children[pid] = (processor_s(pid), peak_memory_mb(pid) or 0.0)

    def spent(self) -> _Spent:
        """Since the beginning."""
        wall_s = perf_counter() - self._started
        self.look()
        own, embedding, server = (now - then for now, then in zip(self._clocks(), self._before, strict=True))
        return _Spent(
            wall_s=wall_s,
            child_s=sum(seconds for seconds, _ in self._children.values()),
            embedding_s=embedding,
            python_s=own - embedding,
            database_s=server if self._server else None,
            model_mb=self._model_mb,
            worker_mb=peak_memory_mb(os.getpid()),
            child_mb=max((megabytes for _, megabytes in self._children.values()), default=None),
        )

    def _clocks(self) -> tuple[float, float, float]:
        return process_time(), self._timed.processor_s, tree_s(self._server) if self._server else 0.0


def _counts(reports: Sequence[IngestReport], timed: TimedEmbeddings) -> Iterator[Figure]:
    yield "ingest_files", len(reports), ""
    yield "ingest_failed", sum(report.status == "failed" for report in reports), ""
    yield "ingest_pages", sum(report.pages or 0 for report in reports), ""
    yield "ingest_embedded", timed.texts, ""


def _pace(reports: Sequence[IngestReport], spent: _Spent) -> Iterator[Figure]:
    yield "ingest_time", spent.wall_s, "s"
    yield "ingest_rate", sum(report.chunks for report in reports if not report.copy_of) / spent.wall_s, "1/s"


# ---------------------------------------------------------------- the parts alone


def _sample(database: Database) -> list[str]:
    """Texts as they were embedded, whole batches from all over the project."""
    with database.as_owner() as connection:
        (count,) = connection.execute(_SQL["count_chunks"], {"project": PROJECT}).fetchone() or (0,)
        place = {"project": PROJECT, "batch": EMBED_BATCH, "step": max(1, count // SAMPLE), "limit": SAMPLE}
        return [embedding_text(*row) for row in connection.execute(_SQL["sample_texts"], place)]


def _engine_rate(model: EmbeddingModel, texts: Sequence[str]) -> float:
    """Texts a second, in batches as large as those of an ingestion."""
    started = perf_counter()
    for first in range(0, len(texts), EMBED_BATCH):
        model.embed_documents(list(texts[first : first + EMBED_BATCH]))
    return len(texts) / (perf_counter() - started)


def _reading(files: Sequence[tuple[Path, str]]) -> Iterator[Figure]:
    """How fast each format is read, in pages and in megabytes of the files, by the processor time of the child."""
    for suffix, group in groupby(sorted(files, key=_suffix), key=_suffix):
        amounts: dict[str, float] = defaultdict(float)
        before = _child_s()
        for file, path in group:
            try:
                with extract_safely(file, name=path) as read:
                    amounts["pages"] += read.pages or 0
                    amounts["mb"] += file.stat().st_size / 2**20
            except IngestionError:
                continue  # told as failed already
        spent = _child_s() - before
        for what, amount in amounts.items():
            if amount and spent > 0:
                yield f"read_{what}_{suffix}", amount / spent, "1/s" if what == "pages" else "MB/s"


def _suffix(file: tuple[Path, str]) -> str:
    return file[0].suffix.lower().lstrip(".") or "—"


def _child_s() -> float:
    return sum(map(processor_s, children(os.getpid(), running=CHILD)))
