"""Opening, checking, migrating and lending a database, on a real server."""

from __future__ import annotations

import os
import re
import signal
import socket
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from assistant.assistant import Assistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError, ForbiddenError, IncompatibleStoreError, StorageError
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.migrate import Migration, migrate, shipped_migrations
from rag_system.storage.opening import check_compatible, migrate_database, open_database
from rag_system.storage.principal import APP_ROLE
from tests.indexing import project_of, upload

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "base-de-datos.md"
FIRST = Migration(version=1, name="people", sql="CREATE TABLE people (name text); INSERT INTO people VALUES ('José');")
SECOND = Migration(version=2, name="ages", sql="ALTER TABLE people ADD COLUMN age integer;")
BROKEN = Migration(version=2, name="broken", sql="CREATE TABLE half (id integer); SELECT no_such_function();")


def _settings(home: Path, url: str | None = None) -> Settings:
    return Settings(home=home, database_url=None if url is None else SecretStr(url))


# ---------------------------------------------------------------- lending


def test_commits_what_ends_well_and_rolls_back_what_does_not(database: Database) -> None:
    with database.as_login() as conn:
        conn.execute("CREATE TABLE notes (text text)")
    with pytest.raises(ValueError, match="cambio de idea"), database.as_login() as conn:  # noqa: PT012
        conn.execute("INSERT INTO notes VALUES ('a')")
        raise ValueError("cambio de idea")
    with database.as_login() as conn:
        assert conn.execute("SELECT count(*) FROM notes").fetchone() == (0,)


def test_a_search_that_fails_midway_costs_the_next_ones_nothing(database: Database) -> None:
    def ask(divisor: int) -> int:
        with database.snapshot() as connection, connection.pipeline():
            connection.execute("SELECT 1 / %(n)s::int", {"n": divisor})
            found = connection.execute("SELECT %(n)s::int + 41", {"n": 1}).fetchone()
        assert found is not None
        return int(found[0])

    assert [ask(1) for _ in range(5)] == [42] * 5  # from the sixth time on psycopg prepares it
    with pytest.raises(StorageError):
        ask(0)
    assert [ask(1) for _ in range(8)] == [42] * 8


def test_vectors_are_python_values(database: Database) -> None:
    with database.as_login() as conn:
        row = conn.execute("SELECT '[1,2.5]'::halfvec").fetchone()
    assert row is not None
    assert row[0].to_list() == [1.0, 2.5]


def test_recovers_when_the_server_cuts_every_connection(database: Database, database_url: str) -> None:
    with database.as_login() as conn:
        lent = conn.info.backend_pid
    with psycopg.connect(database_url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with database.as_login() as conn:
        assert conn.info.backend_pid != lent


def test_a_connection_lost_in_the_middle_is_a_storage_error(database: Database, database_url: str) -> None:
    with pytest.raises(StorageError) as caught, database.as_login() as conn:  # noqa: PT012
        with psycopg.connect(database_url, autocommit=True) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", (conn.info.backend_pid,))
        conn.execute("SELECT 1")
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- the embedded server under it


def test_a_killed_embedded_server_comes_back_with_the_data(tmp_path: Path) -> None:
    with open_database(_settings(tmp_path)) as database:
        with database.as_owner() as conn:
            conn.execute("CREATE TABLE notes AS SELECT 'guardado' AS text")
            conn.execute("GRANT SELECT ON notes TO PUBLIC")
        for number in (signal.SIGKILL, signal.SIGQUIT, signal.SIGINT):
            _end_server(tmp_path, number)
            with database.as_login() as conn:
                assert conn.execute("SELECT text FROM notes").fetchone() == ("guardado",)


def test_the_application_logs_in_as_one_who_owns_nothing(tmp_path: Path) -> None:
    with open_database(_settings(tmp_path)) as database:
        _assert_owns_nothing(database)


@pytest.mark.parametrize("harm", ["DROP ROLE legajo_login", "ALTER ROLE legajo_login PASSWORD 'otra' NOLOGIN"])
def test_its_login_is_made_again_where_it_does_not_get_in(tmp_path: Path, harm: str) -> None:
    with open_database(_settings(tmp_path)) as database, database.as_owner() as owner:
        owner.execute(harm)
    with open_database(_settings(tmp_path)) as database:
        _assert_owns_nothing(database)


def _assert_owns_nothing(database: Database) -> None:
    with database.as_login() as conn:
        role = conn.execute("SELECT rolsuper, rolbypassrls, rolcreaterole FROM pg_roles WHERE rolname = session_user")
        assert role.fetchone() == (False, False, False)
        owned = conn.execute("SELECT count(*) FROM pg_class WHERE pg_has_role(session_user, relowner, 'MEMBER')")
        assert owned.fetchone() == (0,)
    with pytest.raises(ForbiddenError), database.as_login() as conn:
        conn.execute("ALTER TABLE chunks DISABLE ROW LEVEL SECURITY")


def test_an_incompatible_store_leaves_no_server_running(tmp_path: Path) -> None:
    with open_database(_settings(tmp_path)) as database, database.as_owner() as conn:
        conn.execute("INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, 'futuro', '')")
    with pytest.raises(IncompatibleStoreError, match="más nueva"):
        open_database(_settings(tmp_path))
    assert not (tmp_path / "postgresql" / "data" / "postmaster.pid").exists()


def _end_server(home: Path, number: signal.Signals) -> None:
    pid = int((home / "postgresql" / "data" / "postmaster.pid").read_bytes().split()[0])
    descriptor = os.pidfd_open(pid)
    os.kill(pid, number)
    os.waitid(os.P_PIDFD, descriptor, os.WEXITED | os.WNOWAIT)
    os.close(descriptor)


# ---------------------------------------------------------------- what does not fit


@pytest.mark.parametrize(
    ("server", "available", "installed", "advice"),
    [
        (14, "0.8.6", None, "PostgreSQL 15"),
        (16, None, None, "no tiene pgvector"),
        (16, "0.7.4", None, "pgvector 0.7.4"),
        (16, "0.8.3", "0.8.3", "pgvector 0.8.3"),
        (16, "0.8.6", "0.8.0", "ALTER EXTENSION vector UPDATE"),
    ],
)
def test_an_old_server_is_refused_with_a_way_out(
    server: int, available: str | None, installed: str | None, advice: str
) -> None:
    with pytest.raises(IncompatibleStoreError, match=advice):
        check_compatible(server=server, available=available, installed=installed)


@pytest.mark.parametrize(
    ("server", "available", "installed"),
    [(15, "0.8.4", None), (18, "0.8.6", "0.8.6"), (19, "0.10.0", "0.9.1"), (17, None, "1.0")],
)
def test_a_recent_server_is_accepted(server: int, available: str | None, installed: str | None) -> None:
    check_compatible(server=server, available=available, installed=installed)


def test_an_old_pgvector_in_the_database_is_found(database_url: str, tmp_path: Path) -> None:
    with psycopg.connect(database_url) as conn:
        conn.execute("UPDATE pg_extension SET extversion = '0.7.0' WHERE extname = 'vector'")
    with pytest.raises(IncompatibleStoreError, match="ALTER EXTENSION"):
        open_database(_settings(tmp_path, database_url))


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_does_not_hold_every_letter_is_refused_with_a_way_out(
    server: str, encoding: str, tmp_path: Path
) -> None:
    name = encoding.lower()
    url = make_conninfo(server, dbname=name)
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
        try:
            with pytest.raises(IncompatibleStoreError, match=f"en {encoding} y") as caught:
                open_database(_settings(tmp_path, url))
            advice = re.findall("«(.*)»", str(caught.value))[0]
            conn.execute(advice.replace(" legajo ", f" {name}_anew "))
            open_database(_settings(tmp_path, make_conninfo(server, dbname=f"{name}_anew"))).close()
        finally:
            for each in (name, f"{name}_anew"):
                conn.execute(f"DROP DATABASE IF EXISTS {each} WITH (FORCE)")


# ---------------------------------------------------------------- addresses and secrets

SECRET = "clave-secreta-1234"


@pytest.mark.parametrize("password", [SECRET, f"%40{SECRET}%2F"])
def test_an_unreachable_server_is_one_line_without_the_secret(password: str, tmp_path: Path) -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))  # bound and never listening: refused at once
        port = listening.getsockname()[1]
        with pytest.raises(StorageError) as caught:
            open_database(_settings(tmp_path, f"postgresql://ana:{password}@127.0.0.1:{port}/legajo"))
    assert f"127.0.0.1:{port}/legajo" in str(caught.value)
    _assert_presentable(caught.value)


def test_a_refused_password_is_not_shown(database_url: str, tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        open_database(_settings(tmp_path, make_conninfo(database_url, password=SECRET)))
    _assert_presentable(caught.value)


@pytest.mark.parametrize("url", [f"postgres//ana:{SECRET}@servidor", f"postgresql://ana:{SECRET}@servidor/base?x=1"])
def test_an_address_that_cannot_be_read_is_not_shown(url: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="DATABASE_URL") as caught:
        open_database(_settings(tmp_path, url))
    _assert_presentable(caught.value)


@pytest.mark.parametrize("password", [f"a@{SECRET}", f"{SECRET}@b", f"{SECRET}/a", f"a/{SECRET}", f"a@b/{SECRET}"])
def test_a_password_that_cuts_the_address_is_refused_and_not_shown(password: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="%40") as caught:
        open_database(_settings(tmp_path, f"postgresql://ana:{password}@db.invalid/base"))
    _assert_presentable(caught.value)


def test_the_representation_holds_no_secret(database_url: str) -> None:
    with Database(conninfo=make_conninfo(database_url, user="legajo", application_name=SECRET)) as database:
        assert SECRET not in repr(database)


def _assert_presentable(error: BaseException) -> None:
    chain: BaseException | None = error
    while chain is not None:
        assert SECRET not in str(chain)
        chain = chain.__cause__
    assert "\n" not in str(error)


# ---------------------------------------------------------------- migrations


def test_migrations_are_applied_once_in_order(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        assert migrate(conn, (FIRST,)) == ["0001_people"]
        assert migrate(conn, (FIRST, SECOND)) == ["0002_ages"]
        assert migrate(conn, (FIRST, SECOND)) == []
        assert conn.execute("SELECT name, age FROM people").fetchall() == [("José", None)]


def test_a_migration_that_fails_leaves_nothing_behind(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        with pytest.raises(psycopg.errors.UndefinedFunction):
            migrate(conn, (FIRST, BROKEN))
        assert conn.execute("SELECT to_regclass('half'), to_regclass('people')").fetchone() == (None, "people")
        assert migrate(conn, (FIRST, SECOND)) == ["0002_ages"]


def test_an_edited_migration_is_refused(empty_database_url: str) -> None:
    edited = Migration(version=1, name="people", sql=FIRST.sql + " ")
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        migrate(conn, (FIRST,))
        with pytest.raises(IncompatibleStoreError, match="0001"):
            migrate(conn, (edited,))


def test_a_database_of_a_newer_program_is_refused(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        migrate(conn, (FIRST, SECOND))
        with pytest.raises(IncompatibleStoreError, match="más nueva"):
            migrate(conn, (FIRST,))


def test_what_the_policies_of_a_new_table_speak_of_is_granted(database: Database, database_url: str) -> None:
    """The file of a migration need not say so."""
    sql = "CREATE TABLE log (t text); CREATE POLICY a ON log FOR SELECT USING (true); CREATE TABLE all_of_it (t text);"
    sql += " CREATE POLICY b ON log FOR INSERT WITH CHECK (true); CREATE POLICY c ON all_of_it USING (true);"
    sql += " CREATE TABLE without (t text);"
    last = shipped_migrations()[-1].version
    with psycopg.connect(database_url, autocommit=True) as conn:
        migrate(conn, (*shipped_migrations(), Migration(version=last + 1, name="log", sql=sql)))
    with database.as_login() as conn:
        granted = conn.execute(
            "SELECT table_name, array_agg(privilege_type::text ORDER BY privilege_type) FROM"
            " information_schema.role_table_grants WHERE grantee = %s GROUP BY table_name", [APP_ROLE]
        )  # fmt: skip
        found = dict(granted.fetchall())
    assert found["log"] == found["audit"] == ["INSERT", "SELECT"]
    assert found["all_of_it"] == found["chunks"] == ["DELETE", "INSERT", "SELECT", "UPDATE"]
    assert found["schema_migrations"] == ["SELECT"]
    assert "without" not in found


def test_the_shipped_migrations_are_numbered_without_gaps() -> None:
    versions = [each.version for each in shipped_migrations()]
    assert versions == list(range(1, len(versions) + 1))


def test_who_owns_the_tables_may_be_another_than_who_uses_them(empty_database_url: str, server_home: Path) -> None:
    """As the guide says."""
    (statements,) = re.findall(r"```sql\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    with psycopg.connect(empty_database_url, autocommit=True) as conn:
        for statement in statements.replace("…", SECRET).strip().split("\n"):
            if statement != f"CREATE ROLE {APP_ROLE} NOLOGIN;":  # of the other databases of this server
                conn.execute(statement)
    settings = Settings(
        home=server_home,
        database_url=SecretStr(make_conninfo(empty_database_url, user="legajo_chat", password=SECRET)),
        database_migration_url=SecretStr(make_conninfo(empty_database_url, user="legajo_tablas", password=SECRET)),
    )
    with pytest.raises(IncompatibleStoreError, match="«legajo migrate»") as caught:
        open_database(settings)
    assert caught.value.code == "unmigrated_store"
    assert len(migrate_database(settings)) == len(shipped_migrations())
    assert migrate_database(settings) == []
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant, open_database(settings) as database:
        project = project_of(assistant)
        assert upload(project, "ley.md", b"# Ley\n\nEl plazo para apelar es de quince dias.").status == "indexed"
        assert project.ask("¿Cuál es el plazo para apelar?").citations
        _assert_owns_nothing(database)


def test_a_user_without_rights_gets_one_line(empty_database_url: str, server: str, tmp_path: Path) -> None:
    with psycopg.connect(server, autocommit=True) as conn:
        conn.execute(f"CREATE ROLE lectora LOGIN PASSWORD '{SECRET}'")
    url = make_conninfo(empty_database_url, user="lectora", password=SECRET)
    with pytest.raises(StorageError, match="No se pudo preparar") as caught:
        open_database(_settings(tmp_path, url))
    _assert_presentable(caught.value)
