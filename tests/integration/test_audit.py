"""Who did what: written with what it tells, read by the owners of the project, and changed by nobody."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ForbiddenError, InputError
from rag_system.settings import Settings
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.types import Concept
from tests.indexing import project_of, upload


@pytest.fixture
def project(settings: Settings) -> Iterator[ProjectAssistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield project_of(opened)


def done(project: ProjectAssistant) -> list[tuple[str, str]]:
    """What is written down, the first first."""
    return [(each.action, each.object) for each in reversed(project.audit())]


def test_what_is_done_is_written_down(project: ProjectAssistant) -> None:
    upload(project, "ley.md", b"# Ley\n\nEl plazo es de quince dias.")
    upload(project, "ley.md", b"# Ley\n\nEl plazo es de quince dias.")  # unchanged: nothing is done
    project.change_project(recipe="default", instructions="Cite.")
    project.concepts.replace([Concept(name="Plazos")])
    project.feedback.rate(conversation := _asked(project), 1, up=True)
    project.feedback.export()
    project.export_conversation(conversation, format="md")
    project.conversations.share(conversation)
    project.conversations.unshare(conversation)
    project.conversations.delete(conversation)
    project.conversations.delete(conversation)  # gone already
    project.conversations.forget(conversation)
    (document,) = project.library.all()
    project.library.remove(document.document_id)
    project.library.remove(document.document_id)
    assert done(project) == [
        ("project.create", "general"),
        ("document.add", "cargados/ley.md"),
        ("project.change", "recipe, instructions"),
        ("concepts.change", "1"),
        ("feedback.export", "1"),
        ("conversation.export", conversation),
        ("conversation.share", conversation),
        ("conversation.unshare", conversation),
        ("conversation.delete", conversation),
        ("conversation.forget", conversation),
        ("document.remove", "cargados/ley.md"),
    ]
    assert {each.person for each in project.audit()} == {"local"}
    assert len(project.audit(limit=2)) == 2


def _asked(project: ProjectAssistant) -> str:
    conversation = project.conversations.create()
    list(project.stream("¿Cuál es el plazo?", conversation_id=conversation))
    return conversation


def test_what_fails_is_not_written_down(project: ProjectAssistant, database: Database) -> None:
    before = done(project)
    with database.connection() as lent:
        write_down(lent, "general", "document.add", "nada.md")
        lent.rollback()
    assert done(project) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET object = ''",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "INSERT INTO audit (project_id, person_id, action) VALUES ('general', 'ana', 'document.add')",
        "INSERT INTO audit (project_id, done_at, action) VALUES ('general', '2020-01-01', 'document.add')",
        "INSERT INTO audit (project_id, action) VALUES ('ajeno', 'document.add')",
    ],
)
def test_nobody_changes_it_or_writes_it_for_others(
    project: ProjectAssistant, database: Database, statement: str
) -> None:
    with database.as_login() as owner:
        owner.execute("INSERT INTO projects (project_id) VALUES ('ajeno')")
    before = done(project)
    with pytest.raises(ForbiddenError), database.connection() as lent:
        lent.execute(statement)  # type: ignore[call-overload]
    assert done(project) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE people_audit SET object = ''",
        "DELETE FROM people_audit",
        "TRUNCATE people_audit",
        "INSERT INTO people_audit (person_id, done_at, action, object) VALUES ('', '2020-01-01', 'people.add', '')",
    ],
)
def test_what_was_done_to_accounts_is_read_by_who_keeps_them_and_changed_by_nobody(
    settings: Settings, database: Database, statement: str
) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.accounts().add("ana", None)
        with pytest.raises(ForbiddenError), database.as_keeper().connection() as lent:
            lent.execute(statement)  # type: ignore[call-overload]
        with database.as_person("ana").connection() as lent:
            assert lent.execute("SELECT count(*) FROM people_audit").fetchone() == (0,)
        insert = "INSERT INTO people_audit (person_id, action, object) VALUES ('ana', 'people.add', 'ana')"
        with pytest.raises(ForbiddenError), database.as_person("ana").connection() as lent:
            lent.execute(insert)
        assert [each.object for each in assistant.accounts().audit()] == ["ana"]


def test_owners_say_in_the_project_who_may_use_it(project: ProjectAssistant, settings: Settings) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.accounts().add("ana", None)
        project.give_role("ana", "owner")
        assistant.as_person("ana").project("general").give_role("ana", None)
        with pytest.raises(InputError):
            project.give_role("local", None)  # nobody would be left
    assert done(project)[1:] == [("people.change", "ana: owner"), ("people.change", "ana: none")]


def test_a_role_that_an_administrator_gives_is_told_in_the_project_too(
    project: ProjectAssistant, settings: Settings, database: Database
) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.accounts().add("ana", None, administrator=True)
        assistant.accounts().add("beto", None)
        assistant.as_person("ana").administration().give_role("beto", "general", "reader")
    told = project.audit()[0]
    assert (told.person, told.action, told.object) == ("ana", "people.change", "beto: reader")
    insert = "INSERT INTO audit (project_id, person_id, action) VALUES ('general', 'ana', 'document.add')"
    with pytest.raises(ForbiddenError), database.as_keeper().connection() as lent:  # nor anything else
        lent.execute(insert)


def test_the_policies_hold_also_where_the_login_has_no_role_of_its_own(
    project: ProjectAssistant, database: Database
) -> None:
    """As where a login may make no role, and owns the table."""
    with database.as_login() as owner:
        owner.execute("CREATE ROLE dueña_de_prueba NOSUPERUSER")
        try:
            owner.execute("ALTER TABLE audit OWNER TO dueña_de_prueba")
            owner.execute("SET LOCAL ROLE dueña_de_prueba")
            assert owner.execute("DELETE FROM audit").rowcount == 0
            assert owner.execute("UPDATE audit SET object = ''").rowcount == 0
        finally:
            owner.rollback()
    assert done(project) == [("project.create", "general")]


@pytest.mark.parametrize("role", ["editor", "reader"])
def test_only_owners_read_it(project: ProjectAssistant, settings: Settings, database: Database, role: str) -> None:
    with database.as_login() as owner:
        owner.execute("INSERT INTO people (person_id) VALUES ('ana')")
        owner.execute("INSERT INTO memberships VALUES ('general', 'ana', %s)", [role])
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        ana = assistant.as_person("ana").project("general")
        ana.export_conversation(_asked(ana), format="md")
        with pytest.raises(ForbiddenError, match="dueño"):
            ana.audit()
    with database.as_person("ana").connection() as lent:
        assert lent.execute("SELECT count(*) FROM audit").fetchone() == (0,)
    assert [each.person for each in project.audit()][:1] == ["ana"]
