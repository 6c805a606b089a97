"""A restore drill: what was copied while people worked is whole in another database, and as separated as before."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from assistant.assistant import Assistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import IncompatibleStoreError, InputError, NotFoundError, StorageError
from rag_system.settings import Settings
from rag_system.storage.backup import back_up, is_encrypted, restore
from rag_system.storage.migrate import shipped_migrations
from rag_system.storage.opening import migrate_database
from tests.indexing import project_of, upload

PASSPHRASE = "caballo correcto pila"
QUESTION = "¿Cuál es el plazo para apelar?"


@pytest.fixture
def empty(settings: Settings, empty_database_url: str) -> Settings:
    """Another database, with nothing in it."""
    return settings.model_copy(update={"database_url": SecretStr(empty_database_url)})


def fill(settings: Settings) -> str:
    """A document, a question and a project that is nobody else's; the conversation's id."""
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        project = project_of(assistant)
        upload(project, "ley.md", b"# Ley\n\nEl plazo para apelar es de quince dias.")
        talk = project.conversations.create()
        list(project.stream(QUESTION, conversation_id=talk))
        assistant.accounts().add("ana", "una contraseña larga")
        return talk


@contextmanager
def somebody_writes(settings: Settings) -> Iterator[None]:
    """Conversations begun one after the other, for as long as the block takes."""
    over = Event()

    def write() -> None:
        with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
            project = project_of(assistant)
            while not over.is_set():
                list(project.stream(QUESTION, conversation_id=project.conversations.create()))

    writer = Thread(target=write)
    writer.start()
    try:
        yield
    finally:
        over.set()
        writer.join()


@pytest.mark.parametrize("secret", ["", PASSPHRASE], ids=["plain", "encrypted"])
def test_a_copy_made_while_somebody_writes_is_whole_elsewhere(
    settings: Settings, empty: Settings, tmp_path: Path, secret: str
) -> None:
    talk, copy = fill(settings), tmp_path / "copia"
    with somebody_writes(settings):
        made = back_up(settings, copy, secret=secret)
    assert is_encrypted(copy) == bool(secret)
    assert (b"quince dias" in copy.read_bytes(), copy.stat().st_mode & 0o077) == (
        False,
        0,
    )  # pg_dump packs what it writes
    assert restore(empty, copy, secret=secret) == made
    with Assistant.open(empty, embeddings=HashEmbeddings()) as assistant:
        project = assistant.as_person(LOCAL_PERSON).project("general")
        assert [turn.role for turn in project.turns(talk)] == ["user", "assistant"]
        assert "quince dias" in project.ask(QUESTION).text
        with pytest.raises(NotFoundError):  # separated as before
            assistant.as_person("ana").project("general")


def test_who_lacks_the_passphrase_gets_nothing(settings: Settings, empty: Settings, tmp_path: Path) -> None:
    back_up(settings, copy := tmp_path / "copia", secret=PASSPHRASE)
    with pytest.raises(InputError, match="no abre esta copia"):
        restore(empty, copy, secret="otra frase muy larga")


def test_what_is_there_is_replaced_by_no_copy(settings: Settings, tmp_path: Path) -> None:
    fill(settings)
    back_up(settings, copy := tmp_path / "copia")
    with pytest.raises(InputError, match="ya existe"):
        back_up(settings, copy)
    with pytest.raises(InputError, match="reemplazaría"):
        restore(settings, copy)


def test_what_is_no_whole_copy_is_told_and_touches_nothing(settings: Settings, empty: Settings, tmp_path: Path) -> None:
    back_up(settings, copy := tmp_path / "copia")
    (tmp_path / "cortada").write_bytes(copy.read_bytes()[:-200])
    with zipfile.ZipFile(copy) as read, zipfile.ZipFile(tmp_path / "cambiada", "w") as written:
        written.writestr("manifest.json", read.read("manifest.json"))
        written.writestr("database.dump", read.read("database.dump")[:-1] + b"?")
    for name in ("cortada", "cambiada"):
        with pytest.raises(InputError, match="daña"):
            restore(empty, tmp_path / name)
    with psycopg.connect(empty.database_url.get_secret_value()) as connection:  # type: ignore[union-attr]
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


def test_an_older_copy_is_brought_up_to_date_and_a_newer_one_refused(
    settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    talk = fill(settings)
    made = back_up(settings, copy := tmp_path / "copia")
    newer = replace(made, migration=shipped_migrations()[-1].version + 1)
    with zipfile.ZipFile(copy) as read, zipfile.ZipFile(tmp_path / "nueva", "w") as written:
        old = read.read("manifest.json").decode()
        written.writestr(
            "manifest.json", old.replace(f'"migration": {made.migration}', f'"migration": {newer.migration}')
        )
        written.writestr("database.dump", read.read("database.dump"))
    with pytest.raises(IncompatibleStoreError, match="versión más nueva"):
        restore(empty, tmp_path / "nueva")
    restore(empty, copy)
    assert migrate_database(empty) == []
    with Assistant.open(empty, embeddings=HashEmbeddings()) as assistant:
        assert assistant.as_person(LOCAL_PERSON).project("general").turns(talk)


def test_who_may_not_read_all_rows_is_told_so(settings: Settings, tmp_path: Path) -> None:
    address = settings.database_url.get_secret_value()  # type: ignore[union-attr]
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("CREATE ROLE half_owner LOGIN PASSWORD 'x'")
        connection.execute("GRANT pg_read_all_data TO half_owner")
    try:
        limited = settings.model_copy(
            update={"database_migration_url": SecretStr(make_conninfo(address, user="half_owner", password="x"))}
        )
        with pytest.raises(StorageError, match="BYPASSRLS"):
            back_up(limited, tmp_path / "copia")
    finally:
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP OWNED BY half_owner; DROP ROLE half_owner")
