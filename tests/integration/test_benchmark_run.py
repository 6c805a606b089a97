"""The benchmark runs from end to end on a database of its own and leaves nothing behind."""

from __future__ import annotations

import psycopg
import pytest

from assistant.benchmark import run_benchmark
from assistant.benchmarking.report import Measure, benchmark_table
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings

SIZE = 300


@pytest.fixture
def measures(settings: Settings) -> list[Measure]:
    told: list[str] = []
    found = list(run_benchmark(settings, [SIZE], queries=10, keep=False, tell=told.append, model=HashEmbeddings()))
    assert any("buscando" in sentence for sentence in told)
    return found


def test_every_figure_of_a_size_is_measured(measures: list[Measure], settings: Settings, database_url: str) -> None:
    figures = {measure.measure: measure.value for measure in measures if measure.chunks == SIZE}
    assert figures["recall_at_50"] == 1  # a project of this size is compared exactly
    assert figures["sequential_scans"] == 0
    assert 0 < figures["search_wall_p50"] <= figures["search_wall_p95"]
    assert figures["search_cpu_python_p50"] > 0
    assert "search_cpu_database_p50" not in figures  # the server of DATABASE_URL may be another machine's
    assert {f"threads_rate_{threads}" for threads in (1, 2, 4, 8)} <= figures.keys()
    assert {"answer_ttft_p50", "answer_embedding_p50", "answer_retrieval_p50", "answer_total_p50"} <= figures.keys()
    assert figures["size_postings"] > 0
    table = benchmark_table(measures)
    assert "Exhaustividad@50 del índice aproximado" in table
    assert "Embeddings de fragmentos (por s)" in table

    with psycopg.connect(database_url) as connection:
        names = [row[0] for row in connection.execute("SELECT datname FROM pg_database")]
    assert "legajo_benchmark" not in names
