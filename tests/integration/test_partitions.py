"""How tables may be spread: all that grows is found by its project, and a database in partitions answers the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from assistant.assistant import Assistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from rag_system.storage.migrate import PARTITIONED
from rag_system.storage.opening import open_database
from rag_system.types import Finished
from tests.indexing import project_of, upload

# By whom or what a row is found instead of by its project. They are small: where tables are spread over servers, each
# server has them whole (docs/how-to/escalar.md).
REFERENCE = {
    "api_tokens": "of a person; found by its digest before anybody is known",
    "identities": "of a person",
    "invitations": "of a person",
    "login_attempts": "of nobody yet",
    "passwords": "of a person",
    "people": "people are in several projects",
    "people_audit": "what was done to accounts",
    "provider_keys": "of a person or of a project",
    "schema_migrations": "of the database",
    "sessions": "of a person; found by its digest before anybody is known",
}
# Of other tables, what is found without naming a project.
ELSEWHERE = {
    "conversations_link_key": "the secret of a shared conversation is all that its reader has",
    "feedback_person": "what a person takes along",
    "memberships_person": "the projects of a person",
}
INDEXES = """
    SELECT t.relname, i.relname, a.attname
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
         LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
    WHERE t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE 'procrastinate%'
"""
KEYS = """
    SELECT t.relname, f.relname, a.attname
    FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid JOIN pg_class f ON f.oid = o.confrelid
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = o.conkey[1]
    WHERE t.relnamespace = 'public'::regnamespace AND o.contype = 'f' AND t.relname NOT LIKE 'procrastinate%'
"""
# Of each foreign key whether it says on both sides, in the same place, which project.
REFERENCES = """
    SELECT t.relname, f.relname, EXISTS (
        SELECT FROM unnest(o.conkey, o.confkey) AS pair (here, there)
        JOIN pg_attribute h ON h.attrelid = t.oid AND h.attnum = pair.here AND h.attname = 'project_id'
        JOIN pg_attribute a ON a.attrelid = f.oid AND a.attnum = pair.there AND a.attname = 'project_id')
    FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid JOIN pg_class f ON f.oid = o.confrelid
    WHERE t.relnamespace = 'public'::regnamespace AND o.contype = 'f' AND t.relname NOT LIKE 'procrastinate%'
"""
UNIQUE = """
    SELECT t.relname, i.relname, EXISTS (
        SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'project_id' AND a.attnum = ANY(x.indkey))
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE 'procrastinate%'
"""
ESCALAR = Path(__file__).parents[2] / "docs" / "how-to" / "escalar.md"
LEASE = "La garantía del local se devuelve en treinta días."
RULES = (
    "# Reglamento\n\n## Artículo 1\n\nEl almacén atiende de 8:00 a 16:30.\n\n## Artículo 2\n\nSe cierra en feriados."
)
QUESTIONS = ("¿En cuántos días se devuelve la garantía?", "¿A qué hora atiende el almacén?", "Artículo 2")


def test_all_that_grows_is_found_by_its_project(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        indexes = {tuple(row) for row in connection.execute(INDEXES)}
        keys = {tuple(row) for row in connection.execute(KEYS)}
    vectors = {index for table, index, _ in indexes if table == "embeddings" and "hnsw" in index}  # of a partition each
    others = {(table, index) for table, index, first in indexes if first != "project_id" and index not in vectors}
    assert {table for table, index in others if index not in ELSEWHERE} == set(REFERENCE)
    assert {index for table, index in others if table not in REFERENCE} == set(ELSEWHERE)
    assert {other for table, other, first in keys if first != "project_id"} == {"people"}


def test_what_is_spread_refers_to_its_own_project_or_to_what_every_server_has(database_url: str) -> None:
    """What Citus asks of tables that are spread by a column, and of those that it keeps whole."""
    with psycopg.connect(database_url) as connection:
        pairs = connection.execute(REFERENCES).fetchall()
        unique = connection.execute(UNIQUE).fetchall()
    whole = {"projects", *REFERENCE}
    assert {other for table, other, _ in pairs if table in whole} <= whole
    spread = [(table, other, same) for table, other, same in pairs if table not in whole and other not in whole]
    assert spread
    assert [(table, other) for table, other, same in spread if not same] == []
    assert {index for table, index, has in unique if table not in whole and not has} == {"conversations_link_key"}


def test_the_page_tells_which_tables_every_server_has_whole() -> None:
    page = ESCALAR.read_text(encoding="utf-8")
    (named,) = re.findall(r"Las tablas de personas \((.*?)\)", page, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", named)) == set(REFERENCE) - {"schema_migrations"}
    spread = re.findall(r"create_distributed_table\('(\w+)'", page)
    assert spread[0] == "documents"  # with which the others are put together
    assert not {"projects", *REFERENCE} & set(spread)


def answers(settings: Settings, projects: tuple[str, ...] = ("general", "obras")) -> list[object]:
    """What a program gets of projects, the last of which has lost a document, and is removed then."""
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        person, told = assistant.as_person(LOCAL_PERSON), list[object]()
        for project in projects:
            person.create_project(project)
            opened = person.project(project)
            upload(opened, "alquiler.txt", LEASE.encode())
            upload(opened, "reglamento.md", RULES.encode())
        last = person.project(projects[-1])
        gone = next(each for each in last.library.all() if each.path.endswith("alquiler.txt"))
        last.library.remove(gone.document_id)
        for project in projects:
            opened = person.project(project)
            told.append([(each.path, each.chunks) for each in opened.library.all()])
            for question in QUESTIONS:
                _, found = opened.pipeline.search(question)
                told.append([(each.chunk.path, each.chunk.text, round(each.score, 6)) for each in found.candidates])
                told += [event.answer.text for event in opened.stream(question) if isinstance(event, Finished)]
        person.delete_project(projects[-1])
        told.append([each.project for each in person.projects()])
        return told


@pytest.fixture
def partitioned(empty_database_url: str, tmp_path: Path) -> Settings:
    """Settings for a database that is made in four partitions."""
    return Settings(home=tmp_path, database_url=SecretStr(empty_database_url), database_partitions=4)


@pytest.fixture
def opened(partitioned: Settings) -> Iterator[psycopg.Connection]:
    """A connection of the owner of a database in partitions."""
    Assistant.open(partitioned, embeddings=HashEmbeddings()).close()
    assert partitioned.database_url is not None
    with psycopg.connect(partitioned.database_url.get_secret_value(), autocommit=True) as connection:
        yield connection


def test_a_database_in_partitions_answers_the_same(settings: Settings, partitioned: Settings) -> None:
    assert answers(partitioned) == answers(settings)


def test_a_search_reads_the_partition_of_its_project_alone(opened: psycopg.Connection) -> None:
    parents = "SELECT inhparent::regclass::text, count(*) FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid"
    made = dict(opened.execute(f"{parents} WHERE c.relkind = 'r' GROUP BY 1").fetchall())  # type: ignore[call-overload]
    assert made == dict.fromkeys(PARTITIONED, 4)
    plan = opened.execute("EXPLAIN SELECT embedding FROM embeddings WHERE project_id = 'general'").fetchall()
    assert len(set(re.findall(r"embeddings_\d", str(plan)))) == 1


def test_a_partition_by_its_own_name_shows_no_more_than_its_table(partitioned: Settings) -> None:
    with Assistant.open(partitioned, embeddings=HashEmbeddings()) as assistant:
        upload(project_of(assistant), "alquiler.txt", LEASE.encode())
    with open_database(partitioned) as opened:
        for person, shown in ((LOCAL_PERSON, 1), ("beto", 0)):
            with opened.as_person(person).connection() as connection:
                counts = [connection.execute(f"SELECT FROM chunks_{part}").rowcount for part in range(4)]  # type: ignore[call-overload]
            assert sum(counts) == shown


def test_a_partition_moves_to_another_disk_and_is_cleaned_by_itself(partitioned: Settings) -> None:
    assert partitioned.database_url is not None
    with Assistant.open(partitioned, embeddings=HashEmbeddings()) as assistant:
        upload(project := project_of(assistant), "alquiler.txt", LEASE.encode())
        with psycopg.connect(partitioned.database_url.get_secret_value(), autocommit=True) as owner:
            owner.execute("SET allow_in_place_tablespaces = on")  # in the place of a disk
            owner.execute("CREATE TABLESPACE other_disk LOCATION ''")
            try:
                for part in range(4):
                    owner.execute(f"ALTER TABLE embeddings_{part} SET TABLESPACE other_disk")  # type: ignore[call-overload]
                    owner.execute(f"VACUUM embeddings_{part}")  # type: ignore[call-overload]
                _, found = project.pipeline.search(QUESTIONS[0])
                assert [each.chunk.text for each in found.candidates] == [LEASE]
            finally:
                for part in range(4):
                    owner.execute(f"ALTER TABLE embeddings_{part} SET TABLESPACE pg_default")  # type: ignore[call-overload]
                owner.execute("DROP TABLESPACE other_disk")


def test_a_partition_cannot_stand_on_another_server_by_itself(opened: psycopg.Connection) -> None:
    """Why docs/how-to/escalar.md takes the keys off first (`test_foreign_partitions`)."""
    opened.execute("CREATE EXTENSION postgres_fdw")
    opened.execute("CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw")
    opened.execute("DROP TABLE embeddings_3")
    part = "CREATE FOREIGN TABLE embeddings_3 PARTITION OF embeddings FOR VALUES WITH (MODULUS 4, REMAINDER 3)"
    with pytest.raises(psycopg.Error, match="foreign partition"):
        opened.execute(f"{part} SERVER other")  # type: ignore[call-overload]
