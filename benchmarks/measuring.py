"""What is measured on a loaded collection: searches one by one and side by side, recall, whole questions, embedding."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from time import perf_counter

import numpy as np
from pgvector import HalfVector
from psycopg import Connection

from benchmarks.clocks import Clocks
from benchmarks.loading import MODEL, PROJECT
from benchmarks.questions import BenchmarkQuestion
from benchmarks.vectors import DIMENSION
from rag_system.embeddings.protocol import EmbeddingModel, Manifest
from rag_system.outcome import collect
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.query.text import query_terms
from rag_system.search.collection import Collection
from rag_system.search.recipes import get_recipe
from rag_system.search.request import SearchRequest
from rag_system.search.strategies import Semantic
from rag_system.storage.connection import Database
from rag_system.storage.projects import ProjectRow, get_project
from rag_system.storage.sql import queries
from rag_system.types import QueryPlan

__all__ = [
    "EMBEDDED_CHUNKS",
    "NEIGHBOURS",
    "PreparedVectors",
    "Sample",
    "measure_answers",
    "measure_concurrency",
    "measure_embedding",
    "measure_recall",
    "measure_searches",
    "percentile",
    "search_times",
    "sequential_scans",
]

NEIGHBOURS = 50  # that recall compares
SCANNED_TABLES = ["chunks", "documents", "document_terms", "embeddings", "postings"]
SCANNED_ROWS = 10_000  # of a smaller table a scan is the best plan
EMBEDDED_CHUNKS = 32
SYNTHETIC = Manifest(model_id=MODEL, dimension=DIMENSION, max_tokens=512)

_SQL = queries("benchmarks", "measuring.sql")


class PreparedVectors:
    """An embedding model that gives each thread the vector it was told of, so that a search is measured apart from it.

    With a real `model` that one computes too, for its time, and its vector is thrown away.
    """

    def __init__(self, *, model: EmbeddingModel | None = None, manifest: Manifest = SYNTHETIC) -> None:
        self._expected: ContextVar[list[float]] = ContextVar("expected")  # a thread that embeds has its caller's
        self._model = model
        self.manifest = manifest

    def expect(self, vector: list[float]) -> None:
        """The vector of this thread's next questions."""
        self._expected.set(vector)

    def embed_query(self, text: str) -> list[float]:
        if self._model is not None:
            self._model.embed_query(text)
        return self._expected.get()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def count_tokens(self, texts: list[str]) -> list[int]:
        return [len(text.split()) for text in texts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One search, in milliseconds."""

    wall: float
    python: float  # processor time of this process
    database: float | None  # processor time of PostgreSQL's, where it can be seen

    @property
    def cpu(self) -> float:
        return self.python + (self.database or 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` percent of the others stay below."""
    return float(np.percentile(values, share))


def search_times(samples: Sequence[Sample]) -> dict[str, float]:
    """Half and nineteen in twenty of the searches take no more milliseconds, by measure; of the database where seen."""
    series = {"wall": [s.wall for s in samples], "cpu_python": [s.python for s in samples]}
    seen = [s.database for s in samples if s.database is not None]
    if seen:
        series |= {"cpu_database": seen, "cpu": [s.cpu for s in samples]}
    return {
        f"search_{name}_p{share}": percentile(values, share)
        for name, values in sorted(series.items())
        for share in (50, 95)
    }


def measure_searches(
    pipeline: RAGPipeline,
    vectors: PreparedVectors,
    questions: Sequence[BenchmarkQuestion],
    clocks: Clocks,
    *,
    all_projects: bool = False,
) -> list[Sample]:
    """Every question once, one after the other. Call it twice: the first time fills the caches."""
    samples, scope = [], Scope(all_projects=all_projects)
    for question in questions:
        vectors.expect(question.vector)
        database, python, wall = clocks.database_ms(), clocks.python_ms(), perf_counter()
        pipeline.search(question.text, scope=scope)
        wall_ms, python_ms, after = (perf_counter() - wall) * 1e3, clocks.python_ms() - python, clocks.database_ms()
        database_ms = None if after is None or database is None else after - database
        samples.append(Sample(wall=wall_ms, python=python_ms, database=database_ms))
    return samples


def measure_concurrency(
    pipeline: RAGPipeline, vectors: PreparedVectors, questions: Sequence[BenchmarkQuestion], *, threads: int
) -> tuple[float, list[float]]:
    """Searches a second of all threads together, and the milliseconds that each search took.

    Every question is searched twice, and the second time counts: at first the pool opens its connections, one after the
    other, and each reads and plans for itself.
    """

    def search(question: BenchmarkQuestion) -> float:
        vectors.expect(question.vector)
        started = perf_counter()
        pipeline.search(question.text)
        return (perf_counter() - started) * 1e3

    with ThreadPoolExecutor(threads) as executor:
        list(executor.map(search, questions))
        started = perf_counter()
        times = list(executor.map(search, questions))
        return len(questions) / (perf_counter() - started), times


def measure_recall(
    database: Database, pipeline: RAGPipeline, questions: Sequence[BenchmarkQuestion], *, project: str = PROJECT
) -> float:
    """The share of the 50 nearest chunks, by an exact scan, that the semantic strategy finds."""
    with database.connection() as connection:
        row = get_project(connection, project)
        return fmean(_recall(connection, row, pipeline.plan(question.text), question.vector) for question in questions)


def _recall(connection: Connection, project: ProjectRow, plan: QueryPlan, vector: list[float]) -> float:
    plan = replace(plan, identifiers=())  # which would search named documents exactly
    recipe = get_recipe("default")
    request = SearchRequest(
        collection=Collection(projects=[project]),
        plan=plan,
        dense_query=plan.standalone_question,
        embedded=partial(list, vector),
        terms=query_terms(plan.standalone_question),
        recipe=replace(recipe, candidates=NEIGHBOURS),
        top_k=8,
    )
    semantic = Semantic(request)
    with connection.pipeline():
        semantic.send(connection)
    found = set(semantic.propose())
    key = {"project": project.project_id, "vector": HalfVector(vector), "limit": NEIGHBOURS}
    nearest = [row[0] for row in connection.execute(_SQL["exact"], key)]
    return len(found.intersection(nearest)) / len(nearest)


def sequential_scans(database: Database) -> int:
    """How often a table of more than 10,000 rows was read from end to end so far."""
    with database.as_owner() as connection:
        connection.execute(_SQL["flush_statistics"])
    with database.as_owner() as connection:
        row = connection.execute(_SQL["sequential_scans"], {"tables": SCANNED_TABLES, "rows": SCANNED_ROWS}).fetchone()
        return int(row[0]) if row else 0


def measure_answers(
    pipeline: RAGPipeline, vectors: PreparedVectors, questions: Sequence[BenchmarkQuestion]
) -> dict[str, list[float]]:
    """The phases of whole questions, in milliseconds, by name."""
    phases: dict[str, list[float]] = {}
    for question in questions:
        vectors.expect(question.vector)
        outcome = collect(pipeline.stream(question.text, scope=Scope(provider="extractive")))
        for name, value in outcome.answer.metrics.items():
            phases.setdefault(name, []).append(value)
    return phases


def measure_embedding(
    model: EmbeddingModel, texts: Sequence[str], questions: Sequence[BenchmarkQuestion]
) -> tuple[float, list[float]]:
    """Chunks a second, and the milliseconds of each question's vector."""
    model.embed_query("hola")  # loads it
    started = perf_counter()
    model.embed_documents(list(texts))
    rate = len(texts) / (perf_counter() - started)
    times = []
    for question in questions:
        started = perf_counter()
        model.embed_query(question.text)
        times.append((perf_counter() - started) * 1e3)
    return rate, times
