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
    list(project.stream("¿Cuál es el plazo para apelar?", conversation_id=project.new_conversation()))
    return project


@pytest.fixture
def join(database: Database) -> Join:
    def member(person: str, role: str) -> None:
        with database.as_login() as owner:
            owner.execute("INSERT INTO people (person_id) VALUES (%s)", [person])
            if role:
                owner.execute("INSERT INTO memberships VALUES ('general', %s, %s)", [person, role])

    return member


def as_member(settings: Settings, assistant: Assistant, database: Database, person: str) -> ProjectAssistant:
    """The project in a person's hands, got by without asking whether it is theirs: what the database alone allows."""
    return ProjectAssistant(
        database=database.as_person(person),
        settings=settings,
        project="general",
        embeddings=assistant.embeddings,
        reranker=assistant.reranker,
    )


FORBIDDEN = [
    "ALTER TABLE chunks DISABLE ROW LEVEL SECURITY",
    "DELETE FROM schema_migrations",
    "DROP TABLE chunks",
    "INSERT INTO memberships VALUES ('general', 'local', 'owner')",
]


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
    (conversation,) = general.conversations()
    project = assistant.as_person("ana").project("general")
    *_, last = project.stream("¿Cuál es el plazo para apelar?", conversation_id=project.new_conversation())
    assert isinstance(last, Finished)
    assert "quince" in last.answer.text
    assert conversation.conversation_id not in {each.conversation_id for each in project.conversations()}
    assert project.turns(conversation.conversation_id) == []
    with pytest.raises(NotFoundError):
        list(project.stream("hola", conversation_id=conversation.conversation_id))
    project.delete_conversation(conversation.conversation_id)
    project.rename_conversation(conversation.conversation_id, "Mía")
    assert [each.title for each in general.conversations()] == [conversation.title]


def test_a_reader_changes_nothing_of_the_project(
    settings: Settings, assistant: Assistant, general: ProjectAssistant, database: Database, join: Join
) -> None:
    join("ana", "reader")
    project = assistant.as_person("ana").project("general")
    (document,) = general.documents()
    before = rows(database)
    for change in (
        lambda: project.remove_document(document.document_id),
        lambda: list(project.ingest_files([(Path(__file__), "prueba.txt")])),
        lambda: project.concepts.replace([]),
        lambda: project.change_project(instructions="Obedezca."),
    ):
        with pytest.raises(ForbiddenError, match="No puede cambiar este proyecto"):
            change()
    assert general.project_settings().instructions == ""
    assert rows(database) == before


def test_a_stranger_gets_nothing_from_any_call(
    settings: Settings, assistant: Assistant, general: ProjectAssistant, database: Database, tmp_path: Path
) -> None:
    with pytest.raises(NotFoundError) as there:
        assistant.as_person("extraño").project("general")
    with pytest.raises(NotFoundError) as nowhere:
        assistant.as_person("extraño").project("ninguno")
    assert str(there.value).replace("general", "ninguno") == str(nowhere.value)
    project = as_member(settings, assistant, database, "extraño")
    (conversation,), (document,) = general.conversations(), general.documents()
    (tmp_path / "otro.md").write_bytes(LAW)
    original = general.originals.find(document.path)
    assert original is not None
    key = conversation.conversation_id
    calls = {
        "stream": lambda: [e.answer.text for e in project.stream("¿plazo para apelar?") if isinstance(e, Finished)],
        "stream in": lambda: list(project.stream("hola", conversation_id=key)),
        "ask": lambda: project.ask("¿plazo para apelar?").text,
        "project_settings": project.project_settings,
        "change_project": lambda: project.change_project(instructions="x"),
        "provider_status": project.provider_status,
        "new_conversation": project.new_conversation,
        "conversations": project.conversations,
        "turns": lambda: project.turns(key),
        "rename_conversation": lambda: project.rename_conversation(key, "x"),
        "delete_conversation": lambda: project.delete_conversation(key),
        "restore_conversation": lambda: project.restore_conversation(key),
        "forget_conversation": lambda: project.forget_conversation(key),
        "pin_conversation": lambda: project.pin_conversation(key, pinned=True),
        "choose_version": lambda: project.choose_version(key, 0),
        "answer_again": lambda: list(project.answer_again(key, 1)),
        "last_conversation": project.last_conversation,
        "conversation": lambda: project.conversation(key),
        "search_conversations": lambda: project.search_conversations("plazo"),
        "share_conversation": lambda: project.share_conversation(key),
        "unshare_conversation": lambda: project.unshare_conversation(key),
        "save_conversation": lambda: project.save_conversation(key),
        "documents": project.documents,
        "document_count": project.document_count,
        "must_hold": lambda: project.must_hold([document.path]),
        "ingest": lambda: list(project.ingest([tmp_path])),
        "ingest_files": lambda: list(project.ingest_files([(tmp_path / "otro.md", "otro.md")])),
        "ingestions": project.ingestions,
        "remove_document": lambda: project.remove_document(document.document_id),
        "passage": lambda: project.passage(0),
        "suggestions": project.suggestions,
        "rate": lambda: project.rate(key, 1, up=True),
        "feedback.all": lambda: project.feedback.all(limit=9),
        "feedback.export": project.feedback.export,
        "feedback.of_conversation": lambda: project.feedback.of_conversation(key),
        "metrics.days": project.metrics.days,
        "metrics.phases": project.metrics.phases,
        "audit": project.audit,
        "reindex": lambda: list(project.reindex()),
        "concepts.tree": project.concepts.tree,
        "concepts.overview": project.concepts.overview,
        "concepts.replace": lambda: project.concepts.replace([]),
        "originals.find": lambda: project.originals.find(document.path),
        "originals.content": lambda: project.originals.content(original),
        "originals.passages": lambda: project.originals.passages(original, first=0, limit=9),
        "originals.place_of": lambda: project.originals.place_of(original, 0),
        "keys.all": project.keys.all,
        "keys.add": lambda: project.keys.add("groq", "gsk-ajena", owner="project"),
        "keys.remove": lambda: project.keys.remove("groq", owner="project"),
    }
    before = rows(database)
    for name, call in calls.items():
        try:
            got = call()
        except InputError:
            continue
        assert "quince" not in repr(got), name
        assert not got or "No existe el proyecto" in repr(got), (name, got)
    assert rows(database) == before


def test_a_deleted_conversation_stays_deleted(general: ProjectAssistant) -> None:
    (conversation,) = general.conversations()
    general.delete_conversation(conversation.conversation_id)
    with pytest.raises(NotFoundError, match="ya no está"):
        list(general.stream("¿Y si es feriado?", conversation_id=conversation.conversation_id))
    assert general.conversations() == []


def test_who_acts_is_told_to_one_transaction_alone(database: Database) -> None:
    with database.connection() as lent:
        assert lent.execute("SELECT acting_person()").fetchone() == (LOCAL_PERSON,)
    with database.as_login() as session:  # of the same pool
        assert session.execute("SELECT acting_person(), current_user <> %s", [APP_ROLE]).fetchone() == (None, True)


def test_a_database_of_the_baseline_keeps_everything(empty_database_url: str, server_home: Path) -> None:
    with psycopg.connect(empty_database_url, autocommit=True) as old:
        migrate(old, tuple(each for each in shipped_migrations() if each.version < 3))
        old.execute("INSERT INTO projects (project_id, instructions) VALUES ('leyes', 'Cite.')")
        row = ("leyes", "00000000-0000-4000-8000-000000000001", "Plazos")
        old.execute("INSERT INTO conversations (project_id, conversation_id, title) VALUES (%s, %s, %s)", row)
    settings = Settings(home=server_home, database_url=SecretStr(empty_database_url))
    with open_database(settings) as database, database.as_person(LOCAL_PERSON).connection() as lent:
        assert lent.execute("SELECT project_id, instructions FROM projects").fetchall() == [("leyes", "Cite.")]
        assert lent.execute("SELECT title, person_id FROM conversations").fetchall() == [("Plazos", LOCAL_PERSON)]
