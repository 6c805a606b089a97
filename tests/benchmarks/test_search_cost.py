"""What a search reads does not grow with the collection, and a small project is found beside a big one.

On synthetic collections in real PostgreSQL, big enough that the planner has a choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from benchmarks.collection import Collection
from benchmarks.loading import load_all
from benchmarks.measuring import PreparedVectors, measure_recall
from benchmarks.questions import BenchmarkQuestion, Questioner
from rag_system import LOCAL_PERSON
from rag_system.generation.providers import build_answerer
from rag_system.pipeline import RAGPipeline
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database

SIZES = {"tiny": 200, "small": 6_000, "big": 12_000}  # chunks; from 5,001 on the approximate index is searched
READ = """
    SELECT relname, seq_scan, seq_tup_read + coalesce(idx_tup_fetch, 0)
    FROM pg_stat_user_tables WHERE relname IN ('chunks', 'documents', 'document_terms', 'embeddings', 'postings')
"""

Questions = dict[str, list[BenchmarkQuestion]]


@pytest.fixture(scope="module")
def stocked(server: str, server_home: Path) -> Iterator[tuple[Settings, Questions]]:
    """A database with three projects, and questions to each."""
    name = sql.Identifier("test_search_cost")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        url = make_conninfo(server, dbname="test_search_cost")
        settings = Settings(home=server_home, database_url=SecretStr(url))
        yield settings, _fill(settings)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def _fill(settings: Settings) -> Questions:
    """All at once: the index is built over them one time."""
    collections = {project: Collection(chunks=size, seed=seed) for seed, (project, size) in enumerate(SIZES.items())}
    asking = {project: Questioner(collection=each, count=20) for project, each in collections.items()}
    documents = {project: asking[project].watch(each.documents()) for project, each in collections.items()}
    with open_database(settings) as database:
        load_all(database, documents, chunks=sum(SIZES.values()), on_progress=lambda *_: None)
    return {project: each.questions for project, each in asking.items()}


@pytest.fixture(scope="module")
def database(stocked: tuple[Settings, Questions]) -> Iterator[Database]:
    with open_database(stocked[0]) as opened:
        yield opened.as_person(LOCAL_PERSON)


@pytest.fixture(scope="module")
def questions(stocked: tuple[Settings, Questions]) -> Questions:
    return stocked[1]


@pytest.fixture(scope="module")
def vectors() -> PreparedVectors:
    return PreparedVectors()


@pytest.fixture(scope="module")
def pipelines(
    database: Database, stocked: tuple[Settings, Questions], vectors: PreparedVectors
) -> Mapping[str, RAGPipeline]:
    return {
        project: RAGPipeline(
            database=database, settings=stocked[0], embeddings=lambda: vectors, answerer=build_answerer, project=project
        )
        for project in SIZES
    }


@pytest.mark.parametrize("project", ["small", "big"])
def test_a_search_reads_no_table_from_end_to_end(
    pipelines: Mapping[str, RAGPipeline],
    vectors: PreparedVectors,
    database: Database,
    questions: Questions,
    project: str,
) -> None:
    before = _read(database)
    for question in questions[project]:
        vectors.expect(question.vector)
        _, found = pipelines[project].search(question.text)
        assert found.candidates
    read = {
        table: (scans - before[table][0], rows - before[table][1]) for table, (scans, rows) in _read(database).items()
    }
    assert {table: scans for table, (scans, _) in read.items() if scans} == {}
    for table in ("chunks", "embeddings"):
        assert read[table][1] / len(questions[project]) < SIZES[project] / 3, f"rows of {table} read for each question"


def _read(database: Database) -> dict[str, tuple[int, int]]:
    """Scans and rows read of each table so far."""
    with database.connection() as connection:
        connection.execute("SELECT pg_stat_force_next_flush()")
    with database.connection() as connection:
        return {name: (scans, rows) for name, scans, rows in connection.execute(READ)}


@pytest.mark.parametrize("project", list(SIZES))
def test_a_project_finds_its_nearest_on_the_shared_index(
    pipelines: Mapping[str, RAGPipeline], database: Database, questions: Questions, project: str
) -> None:
    assert measure_recall(database, pipelines[project], questions[project], project=project) >= 0.97


def test_also_where_another_project_is_nearer(
    pipelines: Mapping[str, RAGPipeline], database: Database, questions: Questions
) -> None:
    """What a question that nothing of the project answers is nearest to hardly matters: a little less will do."""
    assert measure_recall(database, pipelines["small"], questions["big"], project="small") >= 0.95
