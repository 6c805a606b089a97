"""The benchmark runs from end to end on a database of its own and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from benchmarks.clocks import Clocks
from benchmarks.report import Measure, benchmark_table
from benchmarks.run import (
    run_benchmark,
    run_conversations_benchmark,
    run_ingestion_benchmark,
    run_project_benchmark,
    run_projects_benchmark,
)
from benchmarks.scratch import scratch_settings
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.indexing import opened_project, upload

SIZE = 300


@pytest.fixture
def measures(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[Measure]:
    monkeypatch.setattr("benchmarks.surroundings.ROUNDS", 1)
    told: list[str] = []
    found = list(run_benchmark(settings, [SIZE], queries=4, keep=False, tell=told.append, model=HashEmbeddings()))
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
    for name in ("first_token", "check_cited", "check_uncited"):
        assert 0 < figures[f"{name}_wall_p50"] <= figures[f"{name}_wall_p95"]
        assert 0 < figures[f"{name}_cpu_p50"] <= figures[f"{name}_cpu_p95"]
    assert figures["asked_pipeline_cpu_p50"] > 0
    assert {
        f"asked_{name}_cpu_p50" for name in ("project", "keys", "metrics", "recorded_metrics", "session")
    } <= figures.keys()
    assert figures["size_postings"] > 0
    table = benchmark_table(measures)
    assert "Exhaustividad@50 del índice aproximado" in table
    assert "Embeddings de fragmentos (por s)" in table

    assert not _is_left(database_url)


def test_two_at_once_are_refused(settings: Settings) -> None:
    with (
        scratch_settings(settings, keep=False),
        pytest.raises(InputError, match="Ya hay un «legajo benchmark» en marcha"),
        scratch_settings(settings, keep=False),
    ):
        pytest.fail("both measured in one database")


def test_a_folder_is_taken_in_and_each_part_is_told(settings: Settings, database_url: str, tmp_path: Path) -> None:
    article = "El titular de la entidad aprueba el plan anual dentro de los treinta días hábiles. " * 30
    (tmp_path / "plan.md").write_text(f"# Plan\n\n## Artículo 1\n\n{article}\n\n## Artículo 2\n\n{article[50:]}")
    (tmp_path / "copia.md").write_bytes((tmp_path / "plan.md").read_bytes())
    (tmp_path / "pedido.txt").write_text("Se solicita la compra de diez sillas para el archivo central.")
    (tmp_path / "roto.pdf").write_bytes(b"%PDF-1.7 nada")
    told: list[str] = []
    model = HashEmbeddings()
    measures = list(run_ingestion_benchmark(settings, tmp_path, keep=False, tell=told.append, model=model))
    assert told
    figures = {measure.measure: measure.value for measure in measures}
    (chunks,) = {measure.chunks for measure in measures}
    assert (figures["ingest_files"], figures["ingest_failed"]) == (4, 1)
    assert figures["ingest_embedded"] >= chunks > 2  # copies that are worked on at the same time share them in the end
    assert figures["ingest_rate"] == pytest.approx(chunks / figures["ingest_time"])
    assert min(figures[f"ingest_{name}"] for name in ("engine_rate", "share", "cpu_python", "memory_worker")) > 0
    assert "ingest_cpu_database" not in figures  # the server of DATABASE_URL may be another machine's
    read = {name for name in figures if name.startswith("read_")}
    assert read <= {"read_mb_md", "read_mb_txt"}  # each may be too little to be seen by the kernel's clock
    assert "Fragmentos incorporados (por s)" in benchmark_table(measures)
    assert not _is_left(database_url)


def test_all_of_several_projects_are_asked_and_a_document_is_copied(
    settings: Settings, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.projects.CHUNKS", SIZE)
    measures = list(run_projects_benchmark(settings, 2, queries=4, keep=False, tell=print))
    figures = {measure.measure: measure.value for measure in measures}
    for name in ("one", "all"):
        assert 0 < figures[f"projects_{name}_wall_p50"] <= figures[f"projects_{name}_wall_p95"]
    assert figures["projects_copy_time"] > 0
    assert benchmark_table(measures).startswith("proyectos")
    assert not _is_left(database_url)


def test_questions_to_a_project_of_ones_own_are_measured(settings: Settings) -> None:
    text = "# Plazos\n\nEl recurso de apelación se presenta en quince días hábiles."
    with opened_project(settings) as assistant:
        upload(assistant, "plazos.md", text.encode())
    asked = ["¿En cuántos días se apela?", "¿Qué recursos hay?"]
    measures = list(run_project_benchmark(settings, "general", asked, tell=print, model=HashEmbeddings()))
    figures = {measure.measure: measure.value for measure in measures}
    assert {measure.chunks for measure in measures} == {1}
    assert figures["recall_at_50"] == 1
    assert 0 < figures["search_wall_p50"] <= figures["search_wall_p95"]
    with pytest.raises(InputError, match="ninguna pregunta"):
        list(run_project_benchmark(settings, "general", ["gracias"], tell=print, model=HashEmbeddings()))
    with opened_project(settings, project="vacío"), pytest.raises(InputError, match="no tiene documentos"):
        list(run_project_benchmark(settings, "vacío", asked, tell=print, model=HashEmbeddings()))


def test_conversations_are_listed_and_searched(settings: Settings, database_url: str) -> None:
    measures = list(run_conversations_benchmark(settings, 2, keep=False, tell=print))
    figures = {measure.measure: measure.value for measure in measures}
    for name in ("list", "search"):
        assert 0 < figures[f"talks_{name}_wall_p50"] <= figures[f"talks_{name}_wall_p95"]
    assert benchmark_table(measures).startswith("conversaciones")
    assert not _is_left(database_url)


def test_a_folder_without_files_is_refused(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no es una carpeta con archivos"):
        list(run_ingestion_benchmark(settings, tmp_path, keep=False, tell=print, model=HashEmbeddings()))


def _is_left(database_url: str) -> bool:
    with psycopg.connect(database_url) as connection:
        return ("legajo_benchmark",) in connection.execute("SELECT datname FROM pg_database").fetchall()


@pytest.mark.skipif(not any(Path("/proc/self/task").glob("*/children")), reason="this kernel does not tell")
def test_every_backend_that_worked_is_counted(database: Database) -> None:
    """A search may use two connections, the second made while it lasts."""
    with database.connection() as first:
        clocks = Clocks(first, embedded=True)
        before = clocks.database_ms()
        with database.connection() as second:
            for connection in (first, second):
                connection.execute("SELECT sum(i) FROM generate_series(1, 300000) i")
            own = [_backend_ms(connection) for connection in (first, second)]
            after = clocks.database_ms()
    assert before is not None
    assert after is not None
    assert min(own) > 5
    assert after - before >= own[1] + own[0] / 2  # of the first, what it had done before is not counted


def _backend_ms(connection: psycopg.Connection) -> float:
    return int(Path(f"/proc/{connection.info.backend_pid}/schedstat").read_text().split()[0]) / 1e6
