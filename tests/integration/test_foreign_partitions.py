"""Two of four partitions on a second real server, as docs/how-to/escalar.md tells: the same answers, at a cost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ForbiddenError, StorageError
from rag_system.settings import Settings
from rag_system.storage.migrate import PARTITIONED
from rag_system.storage.opening import migrate_database, open_database
from rag_system.storage.segments import count_segments, merge_segments
from tests.indexing import project_of, upload
from tests.integration.test_partitions import ESCALAR, LEASE, QUESTIONS, answers
from tests.servers import Server

PROJECTS = ("general", "obras", "legal", "este")  # one of each partition: the second server has the last two
OTHER = "oeste"  # another of the second server, as are «almacen» and «planta»
VECTORS = """
    INSERT INTO embeddings (project_id, chunk_id, embedding)
    SELECT 'planta', chunk_id, (SELECT array_agg(sin(chunk_id * place)) FROM generate_series(1, 384) AS place)::halfvec
    FROM generate_series(1, 500) AS chunk_id
"""
NEAREST = """
    SELECT chunk_id FROM embeddings WHERE project_id = 'planta' AND vector_dims(embedding) = 384
    ORDER BY embedding::halfvec(384) <=> array_fill(1, ARRAY[384])::halfvec(384) LIMIT 10
"""


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A database in four partitions, of which the second server has two."""

    settings: Settings
    first: Server
    second: Server


@pytest.fixture(scope="module")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spread]:
    """What the page tells to do, done to two fresh servers, which the tests of this file share."""
    folder = tmp_path_factory.mktemp("spread")
    servers = first, second = Server(folder / "first"), Server(folder / "second")
    page = ESCALAR.read_text(encoding="utf-8")
    told = page[page.index("## Unas particiones en otro servidor") :]
    of_second, of_first, *_ = re.findall(r"^```sql\n(.*?)^```", told, re.MULTILINE | re.DOTALL)
    place = f"host '127.0.0.1', port '{second.port}', dbname 'postgres'"
    of_first = _instead(of_first, "host 'segundo', port '5432', dbname 'legajo'", place)
    of_first = _instead(of_first, "password 'cambie-esto'", "password_required 'false'")  # the server asks for none
    try:
        migrated = [_migrated(server, folder) for server in servers]
        _run(second, of_second)
        _run(first, of_first)
        yield Spread(settings=migrated[0], first=first, second=second)
    finally:
        for server in servers:
            server.stop()


def _instead(text: str, shown: str, meant: str) -> str:
    assert shown in text
    return text.replace(shown, meant)


def _migrated(server: Server, home: Path) -> Settings:
    server.make()
    server.start()
    settings = Settings(home=home, database_url=SecretStr(server.url), database_partitions=4, model_titles=False)
    migrate_database(settings)
    return settings


def _run(server: Server, statements: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(server.url, autocommit=True) as connection:
        done = connection.execute(statements)  # type: ignore[call-overload]
        return list(done) if done.description else []


def _count(server: Server, table: str, project: str) -> int:
    return int(_run(server, f"SELECT count(*) FROM {table} WHERE project_id = '{project}'")[0][0])  # noqa: S608


def _found(project: ProjectAssistant) -> list[str]:
    _, found = project.pipeline.search(QUESTIONS[0])
    return [each.chunk.text for each in found.candidates]


def test_two_servers_answer_as_one(spread: Spread, settings: Settings) -> None:
    assert answers(spread.settings, PROJECTS) == answers(settings, PROJECTS)
    assert {project: _count(spread.second, "chunks", project) for project in PROJECTS} == {
        "general": 0,
        "obras": 0,
        "legal": 3,
        "este": 0,  # which was removed, …
    }
    assert [table for table in PARTITIONED if _count(spread.second, table, "este")] == []  # … with all that it held


def test_who_may_see_what_is_the_same_of_another_server(spread: Spread) -> None:
    with Assistant.open(spread.settings, embeddings=HashEmbeddings()) as assistant:
        upload(project_of(assistant, OTHER), "alquiler.txt", LEASE.encode())
    assert _count(spread.second, "chunks", OTHER) == 1
    with open_database(spread.settings) as opened:
        for person, shown in ((LOCAL_PERSON, 1), ("beto", 0)):
            with opened.as_person(person).connection() as connection:
                assert connection.execute("SELECT FROM chunks WHERE project_id = %s", [OTHER]).rowcount == shown
        with pytest.raises(ForbiddenError), opened.as_person(LOCAL_PERSON).connection() as connection:
            connection.execute("SELECT FROM chunks_3")  # by its own name no policy holds


def test_segments_of_another_server_are_merged(spread: Spread) -> None:
    with Assistant.open(spread.settings, embeddings=HashEmbeddings()) as assistant:
        project = project_of(assistant, "almacen")
        for number in range(2):
            text = " ".join(f"norma{number}x{place}" for place in range(200))  # more terms than are read at once
            upload(project, f"norma {number}.txt", f"{LEASE} {text}".encode())
        expected = _found(project)
    with open_database(spread.settings) as opened, opened.as_job("almacen").connection() as connection:
        terms = "SELECT sum(document_frequency), count(DISTINCT term) FROM postings WHERE project_id = 'almacen'"
        before = connection.execute(terms).fetchone()
        assert merge_segments(connection, "almacen", more_than=1)
        assert connection.execute(terms).fetchone() == before
        assert count_segments(connection, "almacen") == 1
    with Assistant.open(spread.settings, embeddings=HashEmbeddings()) as assistant:
        assert _found(project_of(assistant, "almacen")) == expected


def test_the_nearest_are_found_by_the_index_of_the_other_server(spread: Spread) -> None:
    _run(spread.first, VECTORS)
    _run(spread.second, "ANALYZE embeddings_3")
    plan = "\n".join(line for (line,) in _run(spread.first, f"EXPLAIN (VERBOSE) {NEAREST}"))
    (sent,) = re.findall(r"Remote SQL: (.*)", plan)
    assert "ORDER BY (embedding" in sent
    assert "embeddings_3_embedding_idx" in str(_run(spread.second, f"EXPLAIN {sent}"))


def test_a_server_that_is_down_takes_its_own_projects_alone(spread: Spread) -> None:
    with Assistant.open(spread.settings, embeddings=HashEmbeddings()) as assistant:
        here, there = (project_of(assistant, name) for name in ("general", OTHER))
        for project in (here, there):
            upload(project, "alquiler.txt", LEASE.encode())
        expected = [_found(here), _found(there)]
        assert LEASE in expected[0]
        spread.second.kill()
        try:
            assert _found(here) == expected[0]
            with pytest.raises(StorageError):
                _found(there)
        finally:
            spread.second.start()
        assert [_found(here), _found(there)] == expected
