"""Whatever a front end can call, called by who may and by who may not: strangers, readers, editors, ended sessions.

The table is held against the classes themselves: a function that is added has to say here what others get of it. Out of
it comes docs/reference/permissions.md.
"""

from __future__ import annotations

import inspect
import runpy
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from psycopg import sql
from pydantic import SecretStr

from assistant.accounts import Role
from assistant.assistant import Assistant, PersonalAssistant
from assistant.concepts import Concepts
from assistant.conversations import Conversations
from assistant.copying import Copier
from assistant.facts import Facts
from assistant.feedback import Feedback
from assistant.folders import Folders
from assistant.keys import Keys
from assistant.library import Library
from assistant.metrics import AnswerMetrics
from assistant.notes import Notes
from assistant.originals import Original, Originals
from assistant.permissions import LEAST
from assistant.project_assistant import ProjectAssistant
from assistant.saved_questions import SavedQuestions
from assistant.shelf import Shelf
from assistant.tags import Tags
from assistant.view import ShownCitation, Turn
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ForbiddenError, IngestionError, InputError, NotFoundError, SessionEndedError
from rag_system.settings import Settings
from rag_system.storage.audit import Action
from rag_system.storage.connection import Database
from rag_system.types import Finished, Funnel, Survivor, Usage
from tests.indexing import project_of, upload

SCRIPT = Path(__file__).parents[2] / "scripts" / "permissions_table.py"
PASSWORD = "una contraseña larga"
LAW = b"# Ley 27444\n\n## Articulo 5\n\nEl plazo para apelar es de quince dias habiles."
WHY = ("No existe el proyecto", "Su sesión terminó", "No puede cambiar este proyecto")
THEIRS = "de ana y beto"  # a project
SECRET = "quince"  # stands in the document and in the answers of others


@dataclass(frozen=True, slots=True, kw_only=True)
class There:
    """What a call could name, of a project that holds one document and one conversation of its owner."""

    conversation: str
    document_id: str
    path: str
    original: Original
    folder: Path
    ingestion: str


Call = Callable[[Any, There], object]


def listed(events: Iterator[object]) -> list[object]:
    return [event.answer.text if isinstance(event, Finished) else "" for event in events]


def in_zip(content: bytes) -> list[str]:
    with ZipFile(BytesIO(content)) as archive:
        return archive.namelist()


def found_in(path: str) -> Turn:
    """An answer beside which a section of a document was found."""
    cited = ShownCitation(n=1, chunk_id=1, document="x", path="x", section="", page=None, quote="", passage="")
    survivor = Survivor(
        chunk_id=2,
        path=path,
        page=None,
        section="Plazos de apelar",
        score=1,
        level=1,
        scores={},
        levels={},
        proposed_by=(),
    )
    return Turn(role="assistant", citations=(cited,), funnel=Funnel(survivors=(survivor,)))


# The least role that may. Readers read, ask, and keep conversations of their own. None: it holds nothing of a project.
READS: Role = "reader"
EDITS: Role = "editor"
OWNS: Role = "owner"
PROJECT: dict[str, tuple[Call | None, Role]] = {
    "answer_again": (lambda p, t: listed(p.answer_again(t.conversation, 1)), READS),
    "ask": (lambda p, _: p.ask("¿Cuál es el plazo para apelar?").text, READS),
    "audit": (lambda p, _: p.audit(), OWNS),
    "change_project": (lambda p, _: p.change_project(instructions="Obedezca."), OWNS),
    "explained": (lambda p, _: p.explained(Funnel()).near_words, READS),
    "export_conversation": (lambda p, t: p.export_conversation(t.conversation, format="json"), READS),
    "export_conversations": (lambda p, _: in_zip(p.export_conversations(format="md")), READS),
    "follow_ups": (lambda p, t: p.follow_ups(found_in(t.path)), READS),
    "give_role": (lambda p, _: p.give_role("beto", "owner"), OWNS),
    "may": (lambda p, _: p.may("audit"), READS),
    "members": (lambda p, _: p.members(), READS),
    "project_names": (lambda p, _: {*p.project_names()} - {THEIRS}, READS),
    "passage": (lambda p, _: p.passage(0), READS),
    "project_settings": (lambda p, _: p.project_settings(), READS),
    "provider_status": (lambda p, _: p.provider_status(), READS),
    "save_conversation": (lambda p, t: p.save_conversation(t.conversation), EDITS),
    "settings_in_force": (lambda p, _: p.settings_in_force().recipe, READS),
    "shared_conversation": (lambda p, _: p.shared_conversation("x" * 43), READS),
    "stream": (lambda p, _: listed(p.stream("¿Cuál es el plazo para apelar?")), READS),
    "suggestions": (lambda p, _: p.suggestions(), READS),
    "transcribe": (lambda p, _: p.transcribe(b"RIFF"), READS),
    "turns": (lambda p, t: p.turns(t.conversation), READS),
}
CONVERSATIONS: dict[str, tuple[Call | None, Role]] = {
    "archive": (lambda p, t: p.conversations.archive(t.conversation, archived=True), READS),
    "call_otherwise": (lambda p, t: p.conversations.call_otherwise(t.conversation, "x", made="y"), READS),
    "choose": (lambda p, t: p.conversations.choose(t.conversation, 0), READS),
    "create": (lambda p, _: p.conversations.create(), READS),
    "delete": (lambda p, t: p.conversations.delete(t.conversation), READS),
    "forget": (lambda p, t: p.conversations.forget(t.conversation), READS),
    "last": (lambda p, _: p.conversations.last(), READS),
    "mark_saved": (lambda p, t: p.conversations.mark_saved(t.conversation, "x"), READS),
    "named": (lambda p, t: p.conversations.named(t.conversation), READS),
    "newest": (lambda p, t: p.conversations.newest(t.conversation), READS),
    "pin": (lambda p, t: p.conversations.pin(t.conversation, pinned=True), READS),
    "recent": (lambda p, _: p.conversations.recent(), READS),
    "rename": (lambda p, t: p.conversations.rename(t.conversation, "x"), READS),
    "restore": (lambda p, t: p.conversations.restore(t.conversation), READS),
    "search": (lambda p, _: p.conversations.search("apelar"), READS),
    "share": (lambda p, t: p.conversations.share(t.conversation), READS),
    "unredacted_turns": (lambda p, t: p.conversations.unredacted_turns(t.conversation), READS),
    "unshare": (lambda p, t: p.conversations.unshare(t.conversation), READS),
}
LIBRARY: dict[str, tuple[Call | None, Role]] = {
    "accept_stream": (lambda p, _: p.library.accept_stream("otro.md", BytesIO(b"# Otro\n\nTexto.")), EDITS),
    "accept_text": (lambda p, _: p.library.accept_text("suyo.md", "Texto."), EDITS),
    "accept_url": (lambda p, _: p.library.accept_url("http://127.0.0.1:1/x"), EDITS),
    "add": (lambda p, t: list(p.library.add([t.folder])), EDITS),
    "add_files": (lambda p, t: list(p.library.add_files([(t.folder / "otro.md", "otro.md")])), EDITS),
    "add_url": (lambda p, _: list(p.library.add_url("http://127.0.0.1:1/x")), EDITS),
    "all": (lambda p, _: p.library.all(), READS),
    "beside": (lambda p, t: p.library.beside(found_in(t.path)), READS),
    "cancel": (lambda p, t: p.library.cancel(t.ingestion), EDITS),
    "count": (lambda p, _: p.library.count(), READS),
    "headings": (lambda p, _: p.library.headings(), READS),
    "holds": (lambda p, t: p.library.holds(t.path), READS),
    "ingestion": (lambda p, t: p.library.ingestion(t.ingestion), READS),
    "ingestions": (lambda p, _: p.library.ingestions(), READS),
    "must_hold": (lambda p, t: p.library.must_hold([t.path]), READS),
    "reindex": (lambda p, _: list(p.library.reindex()), EDITS),
    "remove": (lambda p, t: p.library.remove(t.document_id), EDITS),
    "retry": (lambda p, t: p.library.retry(t.ingestion), EDITS),
    "see_through": (lambda p, _: list(p.library.see_through({})), READS),
    "worker_is_alive": (None, READS),
}
PERSON: dict[str, Call] = {
    "administration": lambda p, _: p.administration(),
    "create_project": lambda p, _: p.create_project("suyo"),
    "delete_project": lambda p, _: p.delete_project("general"),
    "project": lambda p, _: p.project("general"),
    "projects": lambda p, _: p.projects(),
}
CONCEPTS: dict[str, tuple[Call | None, Role]] = {
    "documents": (lambda p, _: p.concepts.documents("plazos"), READS),
    "must_exist": (lambda p, _: p.concepts.must_exist("plazos"), READS),
    "overview": (lambda p, _: p.concepts.overview(), READS),
    "replace": (lambda p, _: p.concepts.replace([]), EDITS),
    "tree": (lambda p, _: p.concepts.tree(), READS),
}
ORIGINALS: dict[str, tuple[Call | None, Role]] = {
    "content": (lambda p, t: p.originals.content(t.original), READS),
    "find": (lambda p, t: p.originals.find(t.path), READS),
    "page": (lambda p, t: p.originals.page(t.original, 1), READS),
    "passages": (lambda p, t: p.originals.passages(t.original, first=0, limit=9), READS),
    "passages_of_page": (lambda p, t: p.originals.passages_of_page(t.original, 1), READS),
    "place_of": (lambda p, t: p.originals.place_of(t.original, 0), READS),
    "read": (lambda p, t: p.originals.read(t.path), READS),
}
FACTS: dict[str, tuple[Call | None, Role]] = {
    "add": (lambda p, _: p.facts.add("Algo que no es suyo"), EDITS),
    "all": (lambda p, _: p.facts.all(), READS),
    "forget": (lambda p, _: p.facts.forget(1), EDITS),
}
FEEDBACK: dict[str, tuple[Call | None, Role]] = {
    "all": (lambda p, _: p.feedback.all(limit=9), READS),
    "export": (lambda p, _: p.feedback.export(), OWNS),
    "named": (lambda p, _: p.feedback.named("0000"), READS),
    "of_conversation": (lambda p, t: p.feedback.of_conversation(t.conversation), READS),
    "rate": (lambda p, t: p.feedback.rate(t.conversation, 1, up=True), READS),
    "unrate": (lambda p, t: p.feedback.unrate(t.conversation, 1), READS),
}
FOLDERS: dict[str, tuple[Call | None, Role]] = {
    "move": (lambda p, t: p.folders.move(t.conversation, "Recursos"), READS),
    "remove": (lambda p, _: p.folders.remove("Recursos"), READS),
    "rename": (lambda p, _: p.folders.rename("Recursos", "Apelaciones"), READS),
}
KEYS: dict[str, tuple[Call | None, Role]] = {
    "add": (lambda p, _: p.keys.add("groq", "gsk-0", owner="project"), OWNS),
    "all": (lambda p, _: p.keys.all(), READS),
    "credentials": (lambda p, _: p.keys.credentials() and None, READS),
    "models": (lambda p, _: p.keys.models("openrouter"), READS),
    "remove": (lambda p, _: p.keys.remove("google", owner="project"), OWNS),
    "test": (lambda p, _: p.keys.test("openrouter", owner="project"), READS),
}
METRICS: dict[str, tuple[Call | None, Role]] = {
    "beside": (None, READS),  # what somebody else's transaction then does
    "cited_documents": (lambda p, _: p.metrics.cited_documents(), READS),
    "days": (lambda p, _: p.metrics.days(), READS),
    "phases": (lambda p, _: p.metrics.phases(), READS),
    "record": (lambda p, _: p.metrics.record(Turn(role="assistant")), READS),
    "record_title": (lambda p, _: p.metrics.record_title("openrouter", Usage(tokens_in=321)), READS),
    "unanswered": (lambda p, _: p.metrics.unanswered(), READS),
}
COPIER: dict[str, tuple[Call | None, Role]] = {
    "copy": (lambda p, t: list(p.copier.copy([t.path], to=THEIRS)), READS),
    "targets": (lambda p, _: {*p.copier.targets()} - {THEIRS}, READS),
}
SAVED_QUESTIONS: dict[str, tuple[Call | None, Role]] = {
    "all": (lambda p, _: p.saved_questions.all(), READS),
    "remove": (lambda p, _: p.saved_questions.remove("0"), READS),
    "rename": (lambda p, _: p.saved_questions.rename("0", "Plazos"), READS),
    "save": (lambda p, _: p.saved_questions.save("¿Qué plazo hay para apelar?"), READS),
}
SHELF: dict[str, tuple[Call | None, Role]] = {
    "rename": (lambda p, t: p.shelf.rename(t.document_id, "Otro título"), EDITS),
    "reread": (lambda p, t: p.shelf.reread(t.document_id), EDITS),
    "restore": (lambda p, t: p.shelf.restore(t.path), EDITS),
}
NOTES: dict[str, tuple[Call | None, Role]] = {
    "read": (lambda p, _: p.notes.read("notas/plazos.md"), READS),
    "save": (lambda p, _: p.notes.save("Plazos", "Son varios."), EDITS),
}
TAGS: dict[str, tuple[Call | None, Role]] = {
    "add": (lambda p, t: p.tags.add("Recursos", [t.path]), EDITS),
    "all": (lambda p, _: p.tags.all(), READS),
    "take": (lambda p, t: p.tags.take("Recursos", [t.path]), EDITS),
}
ROWS = {
    **PROJECT,
    **{f"conversations.{n}": r for n, r in CONVERSATIONS.items()},
    **{f"copier.{n}": r for n, r in COPIER.items()},
    **{f"facts.{n}": r for n, r in FACTS.items()},
    **{f"feedback.{n}": r for n, r in FEEDBACK.items()},
    **{f"folders.{n}": r for n, r in FOLDERS.items()},
    **{f"keys.{n}": r for n, r in KEYS.items()},
    **{f"library.{n}": r for n, r in LIBRARY.items()},
    **{f"metrics.{n}": r for n, r in METRICS.items()},
    **{f"concepts.{n}": r for n, r in CONCEPTS.items()},
    **{f"notes.{n}": r for n, r in NOTES.items()},
    **{f"originals.{n}": r for n, r in ORIGINALS.items()},
    **{f"saved_questions.{n}": r for n, r in SAVED_QUESTIONS.items()},
    **{f"shelf.{n}": r for n, r in SHELF.items()},
    **{f"tags.{n}": r for n, r in TAGS.items()},
}
MISSING = {
    "concepts.documents",
    "concepts.must_exist",
    "notes.read",
    "originals.page",
    "transcribe",
    "keys.models",
    "saved_questions.remove",
    "saved_questions.rename",
    "keys.test",
}  # no such concept, no note, no PDF, no transcriber, no such key
# What each writes down when it changes something. Those that take something in end in the same function of ours.
WRITES: dict[str, Action] = {
    "library.accept_stream": "document.add",
    "library.accept_url": "document.add",
    "change_project": "project.change",
    "concepts.replace": "concepts.change",
    "copier.copy": "document.copy",
    "conversations.delete": "conversation.delete",
    "export_conversation": "conversation.export",
    "export_conversations": "conversation.export",
    "facts.add": "fact.add",
    "facts.forget": "fact.forget",
    "feedback.export": "feedback.export",
    "conversations.forget": "conversation.forget",
    "give_role": "people.change",
    "library.accept_text": "document.add",
    "library.add": "document.add",
    "library.add_files": "document.add",
    "library.add_url": "document.add",
    "keys.add": "key.add",
    "keys.remove": "key.remove",
    "notes.save": "document.add",
    "library.remove": "document.remove",
    "conversations.restore": "conversation.restore",
    "save_conversation": "document.add",
    "conversations.share": "conversation.share",
    "shelf.rename": "document.rename",
    "shelf.reread": "document.reread",
    "shelf.restore": "document.restore",
    "tags.add": "document.tag",
    "tags.take": "document.tag",
    "conversations.unshare": "conversation.unshare",
}
# What is said in a conversation, what one thinks of it, and how it is shown; work on what was written down as added.
OF_NO_ACCOUNT = {
    "answer_again", "ask", "library.cancel", "conversations.choose", "feedback.rate", "feedback.unrate", "metrics.days",
    "metrics.phases", "metrics.record", "metrics.record_title", "conversations.create", "conversations.pin",
    "library.reindex",
    "conversations.call_otherwise", "conversations.mark_saved", "conversations.rename", "library.retry",
    "saved_questions.save", "stream",
}  # fmt: skip
# A word about all workers; what was handed in; what a link shows to whoever has it.
HOLDS_NOTHING = {"library.worker_is_alive", "library.see_through", "explained", "shared_conversation"}


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        (ProjectAssistant, PROJECT),
        (PersonalAssistant, PERSON),
        (Concepts, CONCEPTS),
        (Originals, ORIGINALS),
        (Notes, NOTES),
        (Facts, FACTS),
        (Feedback, FEEDBACK),
        (Folders, FOLDERS),
        (AnswerMetrics, METRICS),
        (Keys, KEYS),
        (Library, LIBRARY),
        (Conversations, CONVERSATIONS),
        (Copier, COPIER),
        (SavedQuestions, SAVED_QUESTIONS),
        (Shelf, SHELF),
        (Tags, TAGS),
    ],
)
def test_every_public_function_has_its_row(kind: type, table: dict[str, object]) -> None:
    assert public(kind) == set(table)


def test_what_is_offered_is_what_is_allowed() -> None:
    assert {name: least for name, (_, least) in ROWS.items() if least != READS} == LEAST


def test_the_page_about_permissions_is_made_of_it() -> None:
    script = runpy.run_path(str(SCRIPT))
    written = script["PAGE"].read_text(encoding="utf-8")
    assert written == script["page"](written), "run scripts/permissions_table.py"


@pytest.fixture(scope="module")
def ground(
    own_database_url: str, server_home: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Assistant, There]]:
    settings = Settings(home=server_home, database_url=SecretStr(own_database_url))
    with grounded(settings, tmp_path_factory.mktemp("suyo")) as made:
        yield made


@contextmanager
def grounded(settings: Settings, folder: Path) -> Iterator[tuple[Assistant, There]]:
    """A project of who sits here; Ana reads it, Carla edits it and Beto knows nothing of it."""
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        project = project_of(assistant)
        assert upload(project, "ley.md", LAW).status == "indexed"
        conversation = project.conversations.create()
        list(project.stream("¿Cuál es el plazo para apelar?", conversation_id=conversation))
        (waiting,) = project.library.accept_stream("espera.md", BytesIO(b"# Espera\n\nTexto."))
        for name in ("ana", "beto", "carla"):
            assistant.accounts().add(name, PASSWORD)
        project.give_role("ana", "reader")
        project.give_role("carla", "editor")
        for name in ("ana", "beto"):
            project_of(assistant, THEIRS).give_role(name, "editor")
        folder.joinpath("otro.md").write_text("# Otro\n\nTexto.")
        (document,) = project.library.all()
        original = project.originals.find(document.path)
        assert original is not None
        assert waiting.ingestion_id
        project.keys.add("google", "AIza-secreta", owner="project")
        project.facts.add("El plazo interno es de quince días, según el jefe")
        yield assistant, There(conversation=conversation, document_id=document.document_id, path=document.path,
                               original=original, folder=folder, ingestion=waiting.ingestion_id)  # fmt: skip


def held(assistant: Assistant) -> dict[str, list[Any]]:
    """All that stands in the tables of projects, but for what a worker's look leaves there."""
    with assistant._database.as_login() as owner:
        tables = owner.execute(
            "SELECT DISTINCT table_name FROM information_schema.columns"
            " WHERE column_name = 'project_id' AND table_schema = current_schema()"
        ).fetchall()
        query = sql.SQL("SELECT to_jsonb(t) FROM {} t ORDER BY t::text")
        return {name: owner.execute(query.format(sql.Identifier(name))).fetchall() for (name,) in tables}


def in_hands_of(assistant: Assistant, database: Database) -> ProjectAssistant:
    """The project, got by without asking whose it is: what the database alone allows."""
    return ProjectAssistant(
        database=database,
        settings=assistant.settings,
        project="general",
        embeddings=assistant.embeddings,
        reranker=assistant.reranker,
    )


def is_nothing(got: object) -> bool:
    """Whether it tells no more than why: an answer and a report say it instead of raising it."""
    last = got[-1] if isinstance(got, list) and got else got
    return SECRET not in repr(got) and (not last or any(why in repr(last) for why in WHY))


@pytest.mark.parametrize("name", [name for name, (call, _) in ROWS.items() if call])
@pytest.mark.parametrize("person", ["beto", "nadie", ""])
def test_a_stranger_gets_nothing(ground: tuple[Assistant, There], name: str, person: str) -> None:
    assistant, there = ground
    before, (call, _) = held(assistant), ROWS[name]
    assert call is not None
    try:
        got = call(in_hands_of(assistant, assistant._database.as_person(person)), there)
    except (InputError, IngestionError):
        got = None
    assert is_nothing(got)
    assert held(assistant) == before


TOO_MUCH = [
    (person, name)
    for person, roles in (("ana", (EDITS, OWNS)), ("carla", (OWNS,)))
    for name, (call, least) in ROWS.items()
    if call and least in roles
]


@pytest.mark.parametrize(("person", "name"), TOO_MUCH)
def test_who_may_less_changes_nothing(ground: tuple[Assistant, There], person: str, name: str) -> None:
    """Ana reads and Carla edits."""
    assistant, there = ground
    before, (call, _) = held(assistant), ROWS[name]
    assert call is not None
    try:
        got = call(assistant.as_person(person).project("general"), there)
    except InputError:
        got = None
    assert is_nothing(got)
    assert held(assistant) == before


@pytest.mark.parametrize("name", [name for name, (call, least) in ROWS.items() if call and least == READS])
def test_a_reader_reads_and_leaves_what_is_of_others(ground: tuple[Assistant, There], name: str) -> None:
    assistant, there = ground
    owner = assistant.as_person("local").project("general")
    said, (call, _) = owner.turns(there.conversation), ROWS[name]
    assert call is not None
    if name in MISSING:
        return
    try:
        got = call(assistant.as_person("ana").project("general"), there)
    except NotFoundError:  # a conversation of somebody else
        got = None
    assert name not in ("turns", "conversations.search", "conversations.last") or not got
    assert owner.turns(there.conversation) == said
    assert [each.title for each in owner.conversations.recent()] == ["Plazo para apelar"]


def test_who_may_is_not_refused(settings: Settings, tmp_path: Path) -> None:
    """Each of what a role may, one after the other."""
    with grounded(settings, tmp_path) as (assistant, there):
        for person, role in (("ana", READS), ("carla", EDITS), ("local", OWNS)):
            project = assistant.as_person(person).project("general")
            for name, call in ((name, call) for name, (call, least) in ROWS.items() if call and least == role):
                try:
                    assert WHY[2] not in repr(call(project, there)), name
                except ForbiddenError as error:
                    raise AssertionError(name) from error
                except (InputError, IngestionError):  # a conversation of somebody else, or no such thing
                    pass


CHANGES_FIRST = (  # what the others would take away from these
    "library.add", "copier.copy", "save_conversation", "export_conversation", "export_conversations",
    "conversations.share", "conversations.unshare", "conversations.delete", "conversations.restore",
    "conversations.forget", "facts.add", "facts.forget", "keys.add", "keys.remove", "shelf.rename", "shelf.reread",
    "tags.add", "tags.take", "library.remove", "shelf.restore",
)  # fmt: skip


def test_what_changes_something_is_written_down(settings: Settings, tmp_path: Path) -> None:
    """Whatever an owner calls leaves the line that the table says, and what leaves none has changed no table."""
    from_the_web = {"library.accept_url", "library.add_url"}  # and of this machine nothing is read
    with grounded(settings, tmp_path) as (assistant, there):
        tmp_path.joinpath("otro.md").write_text("# Otro, de nuevo\n\nTexto.")
        project = assistant.as_person("local").project("general")
        for name in (*CHANGES_FIRST, *(each for each in ROWS if each not in CHANGES_FIRST)):
            call, before, known = ROWS[name][0], held(assistant), len(project.audit())
            if call is None or name in from_the_web:
                continue
            if name == "library.add_files":
                tmp_path.joinpath("otro.md").write_text("# Otro, otra vez\n\nTexto.")
            with suppress(InputError, IngestionError):
                call(project, there)
            written = {each.action for each in project.audit()[: len(project.audit()) - known]}
            assert written == ({WRITES[name]} if name in WRITES else set()), name
            if name not in OF_NO_ACCOUNT | set(WRITES):
                assert held(assistant) == before, name


@pytest.mark.parametrize("name", sorted({*ROWS, *PERSON}))
def test_an_ended_session_gets_nothing(ground: tuple[Assistant, There], name: str) -> None:
    assistant, there = ground
    secret = assistant.accounts().sign_in("ana", PASSWORD, address="192.0.2.7")
    person = assistant.as_session(secret)
    project = person.project("general")
    assistant.accounts().end_session(secret)
    before = held(assistant)
    call = PERSON.get(name) or ROWS[name][0]
    if call is None or name in HOLDS_NOTHING:
        return
    try:
        got = call(person if name in PERSON else project, there)
    except SessionEndedError:
        got = None
    assert is_nothing(got)
    assert held(assistant) == before
