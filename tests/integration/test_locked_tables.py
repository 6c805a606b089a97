"""What a person waits for ends with a sentence though somebody holds a table; what a worker does is not cut."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import psycopg
import pytest
from psycopg import sql

from assistant.library import Library
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import BusyStoreError
from rag_system.generation.providers import build_answerer
from rag_system.pipeline import RAGPipeline
from rag_system.settings import Settings
from rag_system.storage import connection as limits
from rag_system.storage import migrate as migrating
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from rag_system.types import Finished
from tests.indexing import library_of, upload

PROJECT = "pruebas"
SHORT_S = 0.2
WELL_OVER = 4  # times

pytestmark = pytest.mark.timeout(60)  # a limit that does not hold hangs


@pytest.fixture
def database(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """One with little patience."""
    monkeypatch.setattr(limits, "LOCK_S", SHORT_S)
    monkeypatch.setattr(limits, "STATEMENT_S", 2 * SHORT_S)
    with open_database(settings) as opened:
        yield opened.as_person(LOCAL_PERSON)


@pytest.fixture
def library(database: Database, settings: Settings) -> Library:
    """Of one note."""
    library = library_of(database=database, settings=settings, embeddings=HashEmbeddings, project=PROJECT)
    note = "# Nota\n\nEl plazo de apelación es de diez días."
    assert upload(library, "nota.md", note.encode()).status == "indexed"
    return library


@contextmanager
def locked(url: str, table: str) -> Iterator[None]:
    """Another program holds the table."""
    with psycopg.connect(url) as other:
        other.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.Identifier(table)))
        yield


@pytest.mark.parametrize("table", ["projects", "documents", "chunks"])
def test_a_question_to_a_locked_table_ends_with_a_sentence(
    library: Library, database: Database, settings: Settings, database_url: str, table: str
) -> None:
    pipeline = RAGPipeline(
        database=database,
        settings=settings,
        embeddings=HashEmbeddings,
        answerer=build_answerer,
        project=PROJECT,
    )
    with locked(database_url, table):
        *_, last = pipeline.stream("¿Qué plazo de apelación hay?")
    assert isinstance(last, Finished)
    assert "Otra operación retiene la base de datos" in last.answer.error
    assert "/" not in last.answer.error  # where it is helps nobody who waits
    *_, last = pipeline.stream("¿Qué plazo de apelación hay?")
    assert isinstance(last, Finished)
    assert "diez días" in last.answer.text


def test_a_change_of_a_locked_table_ends_with_a_sentence(library: Library, database_url: str) -> None:
    (document,) = library.all()
    with locked(database_url, "documents"), pytest.raises(BusyStoreError, match="Espere un momento"):
        library.remove(document.document_id)
    assert library.all() == [document]


def test_a_program_that_finds_the_schema_locked_says_so(
    database: Database, settings: Settings, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrating, "LONGEST_WAIT_S", SHORT_S)
    with locked(database_url, "schema_migrations"), pytest.raises(BusyStoreError):
        open_database(settings).close()


def lent(database: Database, way: str) -> AbstractContextManager[psycopg.Connection]:
    return getattr(database, way)()  # type: ignore[no-any-return]


@pytest.mark.parametrize("way", ["connection", "snapshot"])
def test_a_statement_that_takes_too_long_is_given_up(database: Database, way: str) -> None:
    with pytest.raises(BusyStoreError, match="se canceló"), lent(database, way) as connection:
        connection.execute("SELECT pg_sleep(30)")
    with lent(database, way) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


@pytest.mark.parametrize("way", ["connection", "snapshot"])
def test_what_nobody_waits_for_is_not_cut(database: Database, way: str) -> None:
    with lent(database.unhurried(), way) as connection:
        connection.execute("SELECT pg_sleep(%s)", (WELL_OVER * SHORT_S,))
    with lent(database, way) as connection:
        assert connection.execute("SHOW lock_timeout").fetchone() == ("200ms",)


def test_a_worker_waits_for_a_table_as_long_as_it_takes(
    database: Database, library: Library, database_url: str
) -> None:
    with ExitStack() as holding:
        holding.enter_context(locked(database_url, "chunks"))
        threading.Timer(WELL_OVER * SHORT_S, holding.pop_all().close).start()
        assert upload(library, "otra.md", b"# Otra\n\nLa tasa es de diez soles.").status == "indexed"
    with database.as_worker().connection() as connection:
        assert connection.execute("SELECT max(tries) FROM ingestions").fetchone() == (0,)  # at the first attempt
