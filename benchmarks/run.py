"""`legajo benchmark`: what a search costs on collections of several sizes, what taking a folder in costs, and what many
conversations and many projects cost; and what a search costs in a project that is there.

Each size of a synthetic collection gets a database of its own, which is filled and removed at the end. Searches go the
way that real ones go; only the vectors of questions are known beforehand, so that embedding is measured apart. A folder
is taken in as `legajo ingest` does it, into such a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.clocks import Clocks, backend_memory_mb, own_memory_mb
from benchmarks.collection import Collection
from benchmarks.conversations import measure_conversations
from benchmarks.ingestion import measure_ingestion
from benchmarks.loading import PROJECT, Loaded, load
from benchmarks.measuring import (
    EMBEDDED_CHUNKS,
    NEIGHBOURS,
    PreparedVectors,
    measure_answers,
    measure_concurrency,
    measure_embedding,
    measure_recall,
    measure_searches,
    percentile,
    search_times,
    sequential_scans,
)
from benchmarks.project import measure_project
from benchmarks.projects import measure_projects
from benchmarks.questions import BenchmarkQuestion, Questioner
from benchmarks.rehearsal import Moment, Rehearsal, RehearsedAnswer, measure_rehearsal
from benchmarks.report import Measure, benchmark_table
from benchmarks.scratch import scratch_settings
from benchmarks.surroundings import measure_surroundings
from rag_system import LOCAL_PERSON
from rag_system.embeddings import load_embeddings
from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import InputError
from rag_system.generation.protocol import Answerer
from rag_system.generation.providers import build_answerer
from rag_system.pipeline import RAGPipeline
from rag_system.settings import ProviderName, Settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database

__all__ = [
    "benchmark_table",
    "parse_sizes",
    "run_benchmark",
    "run_conversations_benchmark",
    "run_ingestion_benchmark",
    "run_project_benchmark",
    "run_projects_benchmark",
]

SMALLEST, LARGEST = 100, 10_000_000  # chunks
THREADS = (1, 2, 4, 8)
RECALL_QUESTIONS = 50  # each is a scan of everything
ANSWERS, REHEARSED, SURROUNDED = 20, 200, 20
TOLD_EVERY = 50_000  # chunks loaded
EMPTY_INDEX_BYTES = 1 << 16  # at most: those of other dimensions

Tell = Callable[[str], None]
Answerers = Callable[[Settings, ProviderName | None], Answerer]


def parse_sizes(text: str) -> list[int]:
    """Sizes as a person writes them, in chunks: «1000,10000» or «1.000, 10.000» with spaces."""
    parts = [part.strip().replace(".", "").replace("_", "") for part in text.split(",")]
    if not all(part.isdecimal() and SMALLEST <= int(part) <= LARGEST for part in parts):
        raise InputError(f"--chunks «{text}» no sirve: escriba números de {SMALLEST} a {LARGEST}, separados por comas.")
    return [int(part) for part in parts]


def run_benchmark(
    settings: Settings,
    sizes: Sequence[int],
    *,
    queries: int,
    keep: bool,
    tell: Tell,
    model: EmbeddingModel | None = None,
) -> Iterator[Measure]:
    """The figures of each size, as they are known. `tell` hears Spanish sentences about what is being done.

    `model` is the one whose speed is measured; by default that of the settings.
    """
    model = model or load_embeddings(settings)
    texts, questions = _samples()
    tell("Midiendo el modelo de embeddings…")
    rate, times = measure_embedding(model, texts, questions)
    yield Measure(chunks=0, measure="embedding_rate", value=rate, unit="1/s")
    yield Measure(chunks=0, measure="embedding_query_p50", value=percentile(times, 50), unit="ms")
    for chunks in sizes:
        with scratch_settings(settings, keep=keep) as scratch, open_database(scratch) as database:
            yield from _Run(database, scratch, model, chunks=chunks, queries=queries, tell=tell).measures()


def run_ingestion_benchmark(
    settings: Settings, folder: Path, *, keep: bool, tell: Tell, model: EmbeddingModel | None = None
) -> Iterator[Measure]:
    """The figures of taking in `folder`, as they are known; `tell` and `model` as above."""
    model = model or load_embeddings(settings)
    with scratch_settings(settings, keep=keep) as scratch, open_database(scratch) as database:
        yield from measure_ingestion(database, scratch, model, folder, tell=tell)


def run_conversations_benchmark(settings: Settings, conversations: int, *, keep: bool, tell: Tell) -> Iterator[Measure]:
    """The figures of listing and searching so many conversations; `tell` as above."""
    with scratch_settings(settings, keep=keep) as scratch, open_database(scratch) as database:
        embedded = settings.database_url is None
        yield from measure_conversations(database, conversations, embedded=embedded, tell=tell)


def run_projects_benchmark(
    settings: Settings, projects: int, *, queries: int, keep: bool, tell: Tell
) -> Iterator[Measure]:
    """The figures of asking so many projects at once, and of copying between two; `tell` as above."""
    with scratch_settings(settings, keep=keep) as scratch, open_database(scratch) as database:
        embedded = settings.database_url is None
        yield from measure_projects(database, scratch, projects, queries=queries, embedded=embedded, tell=tell)


def run_project_benchmark(
    settings: Settings, project: str, questions: Sequence[str], *, tell: Tell, model: EmbeddingModel | None = None
) -> Iterator[Measure]:
    """The figures of searching a project of these settings, which is only read; `tell` and `model` as above."""
    model = model or load_embeddings(settings)
    with open_database(settings) as database:
        yield from measure_project(database, settings, model, project, questions, tell=tell)


def _samples() -> tuple[list[str], list[BenchmarkQuestion]]:
    """Texts and questions to embed."""
    collection = Collection(chunks=EMBEDDED_CHUNKS)
    questioner = Questioner(collection=collection, count=EMBEDDED_CHUNKS)
    texts = [chunk.text for document in questioner.watch(collection.documents()) for chunk in document.chunks]
    return texts, questioner.questions


class _Run:
    """One size."""

    def __init__(
        self, database: Database, settings: Settings, model: EmbeddingModel, *, chunks: int, queries: int, tell: Tell
    ) -> None:
        self._database = database
        self._settings = settings
        self._model = model
        self._chunks = chunks
        self._queries = queries
        self._tell = tell
        self._told = 0

    def measures(self) -> Iterator[Measure]:
        collection = Collection(chunks=self._chunks)
        questioner = Questioner(collection=collection, count=self._queries)
        documents = questioner.watch(collection.documents())
        loaded = load(self._database, documents, chunks=self._chunks, on_progress=self._progress)
        yield from self._storage(loaded)
        questions = questioner.questions
        yield from self._searches(questions)
        self._tell(f"{self._chunks} fragmentos: comparando con la búsqueda exacta…")
        pipeline, _ = self._pipeline()
        person = self._database.as_person(LOCAL_PERSON).unhurried()
        recall = measure_recall(person, pipeline, questions[:RECALL_QUESTIONS])
        yield self._measure(f"recall_at_{NEIGHBOURS}", recall, "")
        yield from self._concurrency(questions)
        yield from self._rehearsals(questions[:REHEARSED])
        yield from self._answers(questions[:ANSWERS])
        yield from self._surroundings(questions[:SURROUNDED])

    def _storage(self, loaded: Loaded) -> Iterator[Measure]:
        yield self._measure("load", loaded.rows_s, "s")
        yield self._measure("vector_index_build", loaded.index_s, "s")
        for relation, size in sorted(loaded.sizes.items()):
            if size > EMPTY_INDEX_BYTES:
                yield self._measure(f"size_{relation}", size / 2**20, "MB")

    def _searches(self, questions: Sequence[BenchmarkQuestion]) -> Iterator[Measure]:
        self._tell(f"{self._chunks} fragmentos: buscando {len(questions)} preguntas…")
        pipeline, vectors = self._pipeline()
        embedded, clocks = self._settings.database_url is None, self._clocks()
        measure_searches(pipeline, vectors, questions, clocks)
        scans = sequential_scans(self._database)
        samples = measure_searches(pipeline, vectors, questions, clocks)
        scans = sequential_scans(self._database) - scans
        for name, value in search_times(samples).items():
            yield self._measure(name, value, "ms")
        yield self._measure("sequential_scans", scans, "")
        with self._database.as_login() as connection:
            memory = {"memory_python": own_memory_mb()}
            memory["memory_database"] = backend_memory_mb(connection, embedded=embedded)
        for name, megabytes in memory.items():
            if megabytes is not None:
                yield self._measure(name, megabytes, "MB")

    def _concurrency(self, questions: Sequence[BenchmarkQuestion]) -> Iterator[Measure]:
        pipeline, vectors = self._pipeline()
        for threads in THREADS:
            self._tell(f"{self._chunks} fragmentos: buscando desde {threads} hilos a la vez…")
            rate, times = measure_concurrency(pipeline, vectors, questions, threads=threads)
            yield self._measure(f"threads_rate_{threads}", rate, "1/s")
            yield self._measure(f"threads_p95_{threads}", percentile(times, 95), "ms")

    def _answers(self, questions: Sequence[BenchmarkQuestion]) -> Iterator[Measure]:
        self._tell(f"{self._chunks} fragmentos: respondiendo {len(questions)} preguntas…")
        pipeline, vectors = self._pipeline(self._model)
        for name, values in measure_answers(pipeline, vectors, questions).items():
            yield self._measure(f"answer_{name}_p50", percentile(values, 50), "ms")

    def _rehearsals(self, questions: Sequence[BenchmarkQuestion]) -> Iterator[Measure]:
        """What surrounds the words of a model: of answers that cite, and of others that never do."""
        self._tell(f"{self._chunks} fragmentos: ensayando {len(questions)} respuestas de un modelo…")
        half = len(questions) // 2
        cited = self._rehearse(questions[:half], cites=True)
        uncited = self._rehearse(questions[half:], cites=False)
        yield from self._moments("first_token", [each.first_token for each in (*cited, *uncited)])
        yield from self._moments("check_cited", [each.check for each in cited])
        yield from self._moments("check_uncited", [each.check for each in uncited])

    def _rehearse(self, questions: Sequence[BenchmarkQuestion], *, cites: bool) -> list[Rehearsal]:
        answerer = RehearsedAnswer(cites=cites, prompt_tokens=self._settings.prompt_tokens)
        pipeline, vectors = self._pipeline(self._model, lambda *_: answerer)
        return measure_rehearsal(pipeline, vectors, questions, self._clocks())

    def _surroundings(self, questions: Sequence[BenchmarkQuestion]) -> Iterator[Measure]:
        self._tell(f"{self._chunks} fragmentos: preguntando con claves, sesiones y métricas…")
        for name, cpu in measure_surroundings(self._database, self._settings, questions, self._clocks()):
            yield self._measure(f"asked_{name}_cpu_p50", cpu, "ms")

    def _clocks(self) -> Clocks:
        with self._database.as_login() as connection:
            return Clocks(connection, embedded=self._settings.database_url is None)

    def _moments(self, name: str, moments: Sequence[Moment]) -> Iterator[Measure]:
        clocks = {"wall": [each.wall for each in moments], "cpu": [each.cpu for each in moments]}
        for clock, values in clocks.items():
            for share in (50, 95) if values else ():
                yield self._measure(f"{name}_{clock}_p{share}", percentile(values, share), "ms")

    def _pipeline(
        self, model: EmbeddingModel | None = None, answerer: Answerers | None = None
    ) -> tuple[RAGPipeline, PreparedVectors]:
        vectors = PreparedVectors(model=model)
        made = RAGPipeline(
            database=self._database.as_person(LOCAL_PERSON),
            settings=self._settings,
            embeddings=lambda: vectors,
            answerer=answerer or build_answerer,
            project=PROJECT,
        )
        return made, vectors

    def _measure(self, name: str, value: float, unit: str) -> Measure:
        return Measure(chunks=self._chunks, measure=name, value=value, unit=unit)

    def _progress(self, stage: str, done: int) -> None:
        if stage == "index":
            self._tell(f"{self._chunks} fragmentos: construyendo el índice de vectores…")
        elif done // TOLD_EVERY != self._told // TOLD_EVERY:
            self._tell(f"{self._chunks} fragmentos: cargados {done}…")
        self._told = done
