"""What one person may see and change, held to by the database itself, whatever a statement asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ForbiddenError, InputError, NotFoundError
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.migrate import migrate, shipped_migrations
from rag_system.storage.opening import open_database
from rag_system.storage.principal import APP_ROLE
from rag_system.types import Finished
from tests.indexing import project_of, upload

LAW = b"# Ley 27444\n\n## Articulo 5\n\nEl plazo para apelar es de quince dias habiles."
ROLES = ("owner", "editor", "reader")
# Theirs alone reads all of them, in functions: `migrations/0003_people.sql`.
NOT_FORCED = {"people", "memberships"}
# Of Procrastinate, and of the migrations: neither a project nor a person stands in them.
OF_NOBODY = {"schema_migrations"}


Join = Callable[[str, str], None]


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def general(assistant: Assistant) -> ProjectAssistant:
    project = project_of(assistant)
    assert upload(project, "ley.md", LAW).status == "indexed"
    list(project.stream("¿Cuál es el plazo para apelar?", conversation_id=project.conversations.create()))
    return project


@pytest.fixture
def join(database: Database) -> Join:
    def member(person: str, role: str) -> None:
        with database.as_login() as owner:
            owner.execute("INSERT INTO people (person_id) VALUES (%s)", [person])
            if role:
                owner.execute("INSERT INTO memberships VALUES ('general', %s, %s)", [person, role])

    return member


# ---------------------------------------------------------------- the catalogue


def test_every_table_has_policies_that_hold_also_for_its_owner(database: Database) -> None:
    with database.as_login() as owner:
        tables = owner.execute(
            "SELECT relname, relrowsecurity, relforcerowsecurity, EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid)"
            " FROM pg_class c WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace"
        ).fetchall()
    held = {name: (secured, forced or name in NOT_FORCED, has) for name, secured, forced, has in tables}
    ours = {name for name in held if not name.startswith("procrastinate_")} - OF_NOBODY
    assert {name: held[name] for name in ours if held[name] != (True, True, True)} == {}
    assert {"projects", "chunks", "conversations", "memberships"} <= ours


def test_no_table_outside_of_the_policies_names_a_project_or_a_person(database: Database) -> None:
    with database.as_login() as owner:
        named = owner.execute(
            "SELECT c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " WHERE a.attname IN ('project_id', 'person_id') AND c.relkind IN ('r', 'p') AND NOT c.relrowsecurity"
            " AND c.relnamespace = current_schema()::regnamespace"
        ).fetchall()
    assert named == []


def test_the_role_of_the_application_owns_nothing_and_bypasses_nothing(database: Database) -> None:
    with database.connection() as lent:
        assert lent.execute("SELECT current_user").fetchone() == (APP_ROLE,)
        role = lent.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = %s", [APP_ROLE]
        )
        assert role.fetchone() == (False, False, False, False)
        assert lent.execute("SELECT count(*) FROM pg_class WHERE relowner = %s::regrole", [APP_ROLE]).fetchone() == (0,)
    for statement in (
        "ALTER TABLE chunks DISABLE ROW LEVEL SECURITY",
        "DELETE FROM schema_migrations",
        "DROP TABLE chunks",
    ):
        with pytest.raises(ForbiddenError), database.connection() as lent:
            lent.execute(statement)


# ---------------------------------------------------------------- who sees what


def rows(database: Database) -> dict[str, int]:
    """Of each table with a project, those that are seen."""
    with database.as_login() as owner:
        tables = owner.execute("SELECT table_name FROM information_schema.columns WHERE column_name = 'project_id'"
                               " AND table_schema = current_schema()").fetchall()  # fmt: skip
    with database.connection() as lent:
        counted = {
            name: lent.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))) for (name,) in tables
        }
        return {name: number for name, cursor in counted.items() if (number := (cursor.fetchone() or (0,))[0])}


@pytest.mark.usefixtures("general")
def test_who_is_nobody_or_nobody_s_member_sees_nothing(database: Database, join: Join) -> None:
    join("ana", "")
    seen = rows(database.as_person(LOCAL_PERSON))
    assert {"projects", "documents", "chunks", "embeddings", "postings", "messages", "citations"} <= seen.keys()
    for stranger in ("ana", "nadie", "", "local' OR true --"):
        assert rows(database.as_person(stranger)) == {}
    assert rows(database.as_job("otro")) == {}


@pytest.mark.usefixtures("general")
def test_a_worker_sees_what_is_to_be_done_and_nothing_else(database: Database) -> None:
    assert rows(database.as_worker()).keys() == {"ingestions"}


@pytest.mark.parametrize("role", ["editor", "reader"])
def test_a_member_sees_the_documents_and_not_the_conversations_of_others(
    settings: Settings, assistant: Assistant, general: ProjectAssistant, database: Database, join: Join, role: str
) -> None:
    join("ana", role)
    (conversation,) = general.conversations.recent()
    project = assistant.as_person("ana").project("general")
    *_, last = project.stream("¿Cuál es el plazo para apelar?", conversation_id=project.conversations.create())
    assert isinstance(last, Finished)
    assert "quince" in last.answer.text
    assert conversation.conversation_id not in {each.conversation_id for each in project.conversations.recent()}
    assert project.turns(conversation.conversation_id) == []
    with pytest.raises(NotFoundError):
        list(project.stream("hola", conversation_id=conversation.conversation_id))
    project.conversations.delete(conversation.conversation_id)
    project.conversations.rename(conversation.conversation_id, "Mía")
    assert [each.title for each in general.conversations.recent()] == [conversation.title]


def test_a_reader_changes_nothing_of_the_project(
    settings: Settings, assistant: Assistant, general: ProjectAssistant, database: Database, join: Join
) -> None:
    join("ana", "reader")
    project = assistant.as_person("ana").project("general")
    (document,) = general.library.all()
    before = rows(database)
    for change in (
        lambda: project.library.remove(document.document_id),
        lambda: list(project.library.add_files([(Path(__file__), "prueba.txt")])),
        lambda: project.concepts.replace([]),
        lambda: project.change_project(instructions="Obedezca."),
    ):
        with pytest.raises(ForbiddenError, match="No puede cambiar este proyecto"):
            change()
    assert general.project_settings().instructions == ""
    assert rows(database) == before


@pytest.mark.usefixtures("general")
def test_a_project_of_others_is_told_like_one_that_is_not(assistant: Assistant) -> None:
    with pytest.raises(NotFoundError) as there:
        assistant.as_person("extraño").project("general")
    with pytest.raises(NotFoundError) as nowhere:
        assistant.as_person("extraño").project("ninguno")
    assert str(there.value).replace("general", "ninguno") == str(nowhere.value)


@pytest.mark.usefixtures("general")
def test_of_a_project_of_others_only_its_name_is_told_to_who_wants_it(assistant: Assistant, join: Join) -> None:
    join("ana", "")
    ana = assistant.as_person("ana")
    with pytest.raises(InputError, match=r"^Ya hay un proyecto que se llama «general»\. Elija otro nombre\.$"):
        ana.create_project("general")
    assert ana.projects() == []
    assert ana.create_project("suyo")
    assert not ana.create_project("suyo")
    assert [each.project for each in ana.projects()] == ["suyo"]


def test_a_deleted_conversation_stays_deleted(general: ProjectAssistant) -> None:
    (conversation,) = general.conversations.recent()
    general.conversations.delete(conversation.conversation_id)
    with pytest.raises(NotFoundError, match="ya no está"):
        list(general.stream("¿Y si es feriado?", conversation_id=conversation.conversation_id))
    assert general.conversations.recent() == []


def test_who_acts_is_told_to_one_transaction_alone(database: Database) -> None:
    with database.connection() as lent:
        assert lent.execute("SELECT acting_person()").fetchone() == (LOCAL_PERSON,)
    with database.as_login() as session:  # of the same pool
        assert session.execute("SELECT acting_person(), current_user <> %s", [APP_ROLE]).fetchone() == (None, True)


# What a migration took away or wrote otherwise: it says why.
CHANGED = {("projects", "facts"), ("projects", "hide_model")}
# A value of each type; what the checks of a column ask for instead.
OF_TYPE = {
    **{"text": "'{name}'", "_text": "'{{x,y}}'", "uuid": "'00000000-0000-4000-8000-000000000001'", "jsonb": "'{{}}'"},
    **{"int4": "0", "int8": "9", "_int4": "'{{4,7}}'", "float4": "0.5", "_float8": "'{{0.5,2}}'", "bool": "true"},
    **{"bytea": "'\\x0100'", "halfvec": "'[0.5,0.25]'", "timestamptz": "'2026-03-04 05:06:07+00'"},
}
CHECKED = {"status": "'done'", "stage": "'publish'", "role": "'user'", "documents.status": "'indexed'"}


def test_a_database_of_the_baseline_keeps_everything(empty_database_url: str, server_home: Path) -> None:
    """A row in every table that there was, with every column."""
    with psycopg.connect(empty_database_url, autocommit=True) as old:
        migrate(old, tuple(each for each in shipped_migrations() if each.version < 3))
        tables = old.execute(
            "SELECT table_name, array_agg(column_name::text), array_agg(udt_name::text)"
            " FROM information_schema.columns WHERE table_schema = 'public' AND table_name IN (SELECT table_name FROM"
            " information_schema.columns WHERE column_name = 'project_id') GROUP BY table_name"
        ).fetchall()
        old.execute("SET session_replication_role = replica")  # whatever refers to what
        for table, names, types in tables:
            values = (
                CHECKED.get(f"{table}.{name}") or CHECKED.get(name) or OF_TYPE[kind].format(name=name)
                for name, kind in zip(names, types, strict=True)
            )
            old.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(values)})")  # noqa: S608
        before = {table: whole(old, table) for table, *_ in tables}
    assert len(tables) > 20
    settings = Settings(home=server_home, database_url=SecretStr(empty_database_url))
    with open_database(settings) as database, database.as_person(LOCAL_PERSON).connection() as lent:
        after = {table: whole(lent, table) for table, *_ in tables}
        assert lent.execute("SELECT person_id FROM conversations").fetchall() == [(LOCAL_PERSON,)]
    lost = {
        (table, name) for table, row in before.items() for name, value in row.items() if after[table].get(name) != value
    }
    assert lost <= CHANGED


def whole(connection: psycopg.Connection, table: str) -> dict[str, object]:
    """The one row of a table."""
    (row,) = connection.execute(f"SELECT to_jsonb(t) FROM {table} t").fetchall()  # noqa: S608
    return dict(row[0])
