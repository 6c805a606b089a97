"""Conversations as trees: asked again, asked otherwise, broken off, deleted and brought back, pinned, found."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import psycopg
import pytest
from psycopg import sql
from pydantic import SecretStr

from assistant.conversation_rows import conversation_key
from assistant.conversations import KEPT, SAVED, Conversations
from assistant.passwords import digest
from assistant.project_assistant import ProjectAssistant
from assistant.sharing import read_shared
from assistant.view import Turn
from rag_system import DEFAULT_PROJECT
from rag_system.errors import InputError, NotFoundError
from rag_system.ingestion.report import IngestReport
from rag_system.scope import Scope
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.migrate import migrate, shipped_migrations
from rag_system.types import Event, Funnel, Planned, Token, Usage
from tests.fakes.provider_server import FakeProviderServer, running
from tests.faults.processes import until
from tests.indexing import filled, opened_project

ROOT = Path(__file__).parents[2]
LAW = """# Ley 27444

## Artículo 207

El término para apelar es de quince días hábiles.

## Artículo 208

Si el último día es feriado, el plazo se prorroga al día siguiente.
"""
QUESTION = "¿Cuál es el término para apelar según la ley 27444?"
OTHER = "¿Qué dice el artículo 208 de la ley 27444?"
FOLLOW_UP = "¿y si el último día es feriado?"
TITLE, OTHER_TITLE = "Término para apelar según la ley 27444", "Artículo 208 de la ley 27444"  # as they are listed


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    return filled(own_database_url, server_home, {DEFAULT_PROJECT: {"LEY-27444.md": LAW}})


@pytest.fixture
def assistant(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings) as project:
        yield project


@pytest.fixture
def talk(assistant: ProjectAssistant) -> str:
    """A conversation of one question: messages 0 and 1."""
    return begun(assistant, QUESTION)


def begun(assistant: ProjectAssistant, *questions: str) -> str:
    conversation = assistant.conversations.create()
    for question in questions:
        list(assistant.stream(question, conversation_id=conversation))
    return conversation


def shown(assistant: ProjectAssistant, conversation: str) -> list[tuple[int | None, int | None, tuple[int, ...]]]:
    return [(turn.ordinal, turn.parent, turn.versions) for turn in assistant.turns(conversation)]


def plan_of(events: Iterator[Event]) -> Planned:
    (planned,) = (event for event in events if isinstance(event, Planned))
    return planned


# ---------------------------------------------------------------- versions


def test_an_answer_that_is_given_again_stands_beside_the_former_one(assistant: ProjectAssistant, talk: str) -> None:
    list(assistant.stream(FOLLOW_UP, conversation_id=talk))
    first = assistant.turns(talk)[1]
    list(assistant.answer_again(talk, 1))
    assert shown(assistant, talk) == [(0, None, (0,)), (4, 0, (1, 4))]
    assert assistant.turns(talk)[1].content == first.content
    assert assistant.turns(talk)[1].citations == first.citations
    assistant.conversations.choose(talk, 1)
    assert shown(assistant, talk) == [(0, None, (0,)), (1, 0, (1, 4)), (2, 1, (2,)), (3, 2, (3,))]


def test_a_question_that_is_asked_otherwise_keeps_the_earlier_branch(assistant: ProjectAssistant, talk: str) -> None:
    list(assistant.stream(OTHER, conversation_id=talk, instead_of=0))
    assert shown(assistant, talk) == [(2, None, (0, 2)), (3, 2, (3,))]
    assistant.conversations.choose(talk, 0)
    assert shown(assistant, talk) == [(0, None, (0, 2)), (1, 0, (1,))]
    list(assistant.stream(FOLLOW_UP, conversation_id=talk))
    assert [turn.ordinal for turn in assistant.turns(talk)] == [0, 1, 4, 5]
    (listed,) = assistant.conversations.recent()
    assert listed.title == TITLE


def test_the_history_of_a_question_is_that_of_its_branch(assistant: ProjectAssistant) -> None:
    conversation = begun(assistant, QUESTION, "hola")
    assert plan_of(assistant.stream(FOLLOW_UP, conversation_id=conversation)).plan.identifiers == ("ley:27444",)
    events = assistant.stream(FOLLOW_UP, conversation_id=conversation, instead_of=0)
    assert plan_of(events).plan.identifiers == ()


def test_a_follow_up_that_is_answered_again_leans_on_what_came_before_it(assistant: ProjectAssistant) -> None:
    conversation = begun(assistant, QUESTION, FOLLOW_UP)
    assert plan_of(assistant.answer_again(conversation, 3)).plan.identifiers == ("ley:27444",)


@pytest.mark.parametrize(("method", "ordinal"), [("answer", 0), ("answer", 9), ("question", 1), ("choose", 9)])
def test_what_is_no_such_message_has_no_versions(
    assistant: ProjectAssistant, talk: str, method: str, ordinal: int
) -> None:
    calls = {
        "answer": lambda: list(assistant.answer_again(talk, ordinal)),
        "question": lambda: list(assistant.stream(OTHER, conversation_id=talk, instead_of=ordinal)),
        "choose": lambda: assistant.conversations.choose(talk, ordinal),
    }
    with pytest.raises(NotFoundError):
        calls[method]()
    assert shown(assistant, talk) == [(0, None, (0,)), (1, 0, (1,))]


def test_the_new_version_of_an_answer_that_is_broken_off_leaves_the_old_one(
    assistant: ProjectAssistant, talk: str
) -> None:
    whole = assistant.turns(talk)[1]
    events = assistant.answer_again(talk, 1)
    next(event for event in events if isinstance(event, Token))
    events.close()  # type: ignore[attr-defined]
    assert assistant.turns(talk)[1].state == "stopped"
    assistant.conversations.choose(talk, 1)
    assert assistant.turns(talk)[1].content == whole.content


# ---------------------------------------------------------------- drafts


def age_drafts(database: Database, by: timedelta) -> None:
    with database.connection() as connection:
        connection.execute("UPDATE messages SET written_at = written_at - %s WHERE state = 'writing'", [by])


WRITER = """
import sys
from rag_system.settings import load_settings
from tests.indexing import opened_project

with opened_project(load_settings()) as project:
    conversation, stored = project.conversations.create(), project._turns
    place = stored.record_question(conversation, "¿Cuál es el término?")
    with stored.drafted(conversation, place, lambda: "El término es <\u2060b>"):
        print(conversation, flush=True)
        sys.stdin.read()
"""


def test_what_was_written_of_an_answer_outlives_the_program_that_was_killed(
    assistant: ProjectAssistant, database: Database, database_url: str, server_home: Path
) -> None:
    environment = {**os.environ, "DATABASE_URL": database_url, "LEGAJO_HOME": str(server_home)}
    with Popen([sys.executable, "-c", WRITER], stdin=PIPE, stdout=PIPE, env=environment, cwd=ROOT, text=True) as writer:
        assert writer.stdout is not None
        conversation = writer.stdout.readline().strip()
        until(lambda: assistant.turns(conversation)[1].content != "", "a draft")
        writer.kill()
    assert assistant.turns(conversation)[1].state == "writing"
    age_drafts(database, timedelta(seconds=11))
    answer = assistant.turns(conversation)[1]
    disarmed = "El término es <\u2060b>"  # as it was shown
    assert (answer.content, answer.state, answer.incomplete) == (disarmed, "interrupted", True)
    (hit,) = assistant.conversations.search("terminos es")
    assert (hit.role, hit.excerpt) == ("assistant", disarmed)
    list(assistant.answer_again(conversation, 1))
    assert assistant.turns(conversation)[1].versions == (1, 2)


class _Once:
    """Lets one draft be written."""

    def __init__(self) -> None:
        self._asked = 0

    def wait(self, _seconds: float) -> bool:
        self._asked += 1
        return self._asked > 1


def test_an_answer_is_drafted_while_it_is_written_and_no_longer(assistant: ProjectAssistant) -> None:
    conversation = assistant.conversations.create()
    events = assistant.stream(QUESTION, conversation_id=conversation)
    next(events)
    assert [turn.state for turn in assistant.turns(conversation)] == ["complete", "writing"]
    list(events)
    whole = assistant.turns(conversation)[1]
    assert (whole.state, whole.incomplete) == ("complete", False)
    key = conversation_key(assistant.project, conversation)
    assistant._turns._draft({**key, "ordinal": 1}, lambda: "tarde", _Once())  # type: ignore[arg-type]
    assert assistant.turns(conversation)[1] == whole


# ---------------------------------------------------------------- the list


def titles(assistant: ProjectAssistant, *, deleted: bool = False) -> list[str]:
    return [each.title for each in assistant.conversations.recent(deleted=deleted)]


def test_a_deleted_conversation_can_be_restored_with_all_of_it(assistant: ProjectAssistant, talk: str) -> None:
    before = assistant.turns(talk)
    assistant.conversations.delete(talk)
    assert (titles(assistant), titles(assistant, deleted=True), assistant.turns(talk)) == ([], [TITLE], [])
    assert assistant.conversations.search("apelar") == []
    with pytest.raises(NotFoundError):
        list(assistant.stream(FOLLOW_UP, conversation_id=talk))
    assistant.conversations.restore(talk)
    assert (titles(assistant), assistant.turns(talk)) == ([TITLE], before)


def test_what_was_deleted_too_long_ago_is_gone(assistant: ProjectAssistant, talk: str, database: Database) -> None:
    assistant.conversations.delete(talk)
    with database.connection() as connection:
        connection.execute("UPDATE conversations SET deleted_at = deleted_at - %s", [KEPT])
    with pytest.raises(NotFoundError):
        assistant.conversations.restore(talk)
    assistant.conversations.delete(begun(assistant, OTHER))
    assert titles(assistant, deleted=True) == [OTHER_TITLE]


def test_a_conversation_that_is_forgotten_leaves_nothing(
    assistant: ProjectAssistant, talk: str, database: Database
) -> None:
    assistant.conversations.forget(talk)
    with database.connection() as connection:
        for table in ("conversations", "messages", "citations", "conversation_terms"):
            assert connection.execute(sql.SQL("SELECT FROM {}").format(sql.Identifier(table))).rowcount == 0


def test_an_archived_conversation_is_listed_apart_until_something_is_asked_in_it(assistant: ProjectAssistant) -> None:
    kept, archived = (assistant.conversations.create() for _ in range(2))
    for conversation in (kept, archived):
        list(assistant.stream("¿Qué plazo hay para apelar?", conversation_id=conversation))
    assistant.conversations.archive(archived, archived=True)
    assert [each.conversation_id for each in assistant.conversations.recent()] == [kept]
    assert [(each.conversation_id, each.archived) for each in assistant.conversations.recent(archived=True)] == [
        (archived, True)
    ]
    assert {each.conversation_id for each in assistant.conversations.search("apelar")} == {kept, archived}
    list(assistant.stream("¿Y para reclamar?", conversation_id=archived))
    assert [each.conversation_id for each in assistant.conversations.recent()] == [archived, kept]
    assert assistant.conversations.recent(archived=True) == []


def test_folders_are_made_renamed_joined_and_removed_by_what_is_in_them(assistant: ProjectAssistant) -> None:
    first, second = begun(assistant, QUESTION), begun(assistant, OTHER)

    def filed() -> dict[str, str]:
        return {each.conversation_id: each.folder for each in assistant.conversations.recent(filed=True)}

    assistant.folders.move(first, "  Recursos \n")
    assistant.folders.move(second, "Otros")
    assert filed() == {first: "Recursos", second: "Otros"}
    assert assistant.conversations.recent(filed=False) == []
    assistant.folders.rename("Otros", "Recursos")
    assert filed() == {first: "Recursos", second: "Recursos"}
    assistant.conversations.archive(first, archived=True)
    assert filed() == {second: "Recursos"}
    assistant.conversations.archive(first, archived=False)
    assistant.conversations.delete(second)
    assistant.folders.remove("Recursos")
    assistant.conversations.restore(second)
    assert {each.conversation_id for each in assistant.conversations.recent(filed=False)} == {first, second}


def test_what_can_be_no_folder_is_refused(assistant: ProjectAssistant) -> None:
    conversation = begun(assistant, QUESTION)
    with pytest.raises(InputError, match="60 caracteres"):
        assistant.folders.move(conversation, "x" * 61)
    with pytest.raises(InputError, match="vacío"):
        assistant.folders.rename("Recursos", "  ")
    with pytest.raises(NotFoundError):
        assistant.folders.move(str(uuid4()), "Recursos")


def test_pinned_conversations_are_listed_first_and_the_last_one_is_still_the_last(assistant: ProjectAssistant) -> None:
    first, second = begun(assistant, QUESTION), begun(assistant, OTHER)
    assert titles(assistant) == [OTHER_TITLE, TITLE]
    assistant.conversations.pin(first, pinned=True)
    assert [(each.title, each.pinned) for each in assistant.conversations.recent()] == [
        (TITLE, True),
        (OTHER_TITLE, False),
    ]
    last = assistant.conversations.last()
    assert last is not None
    assert last.conversation_id == second
    assistant.conversations.pin(first, pinned=False)
    assert titles(assistant) == [OTHER_TITLE, TITLE]


def test_the_beginning_of_an_id_names_a_conversation(assistant: ProjectAssistant, talk: str) -> None:
    assert assistant.conversations.named(talk[:4].upper()).conversation_id == talk
    for wrong in (talk[:3], "zzzz", "%%%%", f"{talk}0"):
        with pytest.raises(InputError):
            assistant.conversations.named(wrong)


# ---------------------------------------------------------------- search


SEARCHES = [("terminos APELAR", 1), ("prorrogan", 1), ("feriados ley", 1), ("vacaciones", 0)]


@pytest.mark.parametrize(("words", "found"), SEARCHES)
def test_conversations_are_found_by_what_was_said_in_any_form(
    assistant: ProjectAssistant, words: str, found: int
) -> None:
    conversation = begun(assistant, QUESTION, FOLLOW_UP)
    begun(assistant, "hola")
    hits = assistant.conversations.search(words)
    assert [hit.conversation_id for hit in hits] == [conversation] * found


def test_a_hit_tells_the_sentence_where_it_stands_and_when_it_was_said(assistant: ProjectAssistant) -> None:
    conversation = begun(assistant, QUESTION, FOLLOW_UP)
    (hit,) = assistant.conversations.search("prorrogas")
    answer = assistant.turns(conversation)[3]
    assert (hit.title, hit.ordinal, hit.role, hit.said_at) == (TITLE, 3, "assistant", answer.said_at)
    assert "prorroga" in hit.excerpt
    assert "apelar" not in hit.excerpt


def test_a_conversation_is_found_by_the_name_that_it_was_given_and_no_longer_by_a_former_one(
    assistant: ProjectAssistant, talk: str
) -> None:
    assistant.conversations.rename(talk, "Recursos impugnatorios")
    assert [hit.excerpt for hit in assistant.conversations.search("recurso impugnatorio")] == [""]
    assistant.conversations.rename(talk, "Plazos")
    assert assistant.conversations.search("impugnatorio") == []
    assert [hit.title for hit in assistant.conversations.search("plazo apelar")] == ["Plazos"]


def test_an_empty_search_is_told(assistant: ProjectAssistant) -> None:
    with pytest.raises(InputError):
        assistant.conversations.search(" ¿? ")


# ---------------------------------------------------------------- what it is called


@pytest.fixture
def by_model(settings: Settings) -> Iterator[tuple[ProjectAssistant, FakeProviderServer]]:
    """Answers by a model, which is asked for titles too."""
    with running() as (server, url):
        server.play("scripted")
        of_model = {"llm_provider": "openrouter", "llm_base_url": f"{url}/openrouter/v1", "model_titles": True}
        key = {"openrouter_api_key": SecretStr("played-key")}
        with opened_project(settings.model_copy(update=of_model | key)) as project:
            yield project, server


def asks_for_title(body: dict[str, Any]) -> bool:
    return "título" in body["messages"][0]["content"]


def replies(title: str) -> Callable[[dict[str, Any]], str]:
    said = "El término para apelar es de quince días hábiles [1]."
    return lambda body: title if asks_for_title(body) else said


def test_a_model_names_a_conversation_after_its_first_answer(
    by_model: tuple[ProjectAssistant, FakeProviderServer],
) -> None:
    assistant, server = by_model
    server.script = replies("Término de la apelación")
    begun(assistant, "hola", QUESTION, OTHER)
    until(lambda: titles(assistant) == ["Término de la apelación"], "the conversation has its title")
    assert sum(map(asks_for_title, server.bodies)) == 1
    (hit,) = assistant.conversations.search("término de la apelación")
    assert hit.title == "Término de la apelación"


@pytest.mark.parametrize("reply", ["Término de la apelación", "Lo siento, no puedo ayudar con eso"])
def test_what_it_took_to_ask_for_a_name_is_counted_with_what_answers_take(
    by_model: tuple[ProjectAssistant, FakeProviderServer], reply: str
) -> None:
    assistant, server = by_model
    server.script = replies(reply)
    _, answer = assistant.turns(begun(assistant, QUESTION))
    (tokens_in, tokens_out) = (answer.usage.tokens_in or 0, answer.usage.tokens_out or 0)
    assert tokens_in > 0
    until(lambda: assistant.metrics.days()[0].tokens_in == 2 * tokens_in, "the request for a title is counted")
    (day,) = assistant.metrics.days()
    assert (day.answers, day.tokens_out) == (1, 2 * tokens_out)
    assert day.proposed == sum(answer.funnel.generated.values())


def test_a_name_that_was_asked_for_in_vain_leaves_no_empty_row(
    by_model: tuple[ProjectAssistant, FakeProviderServer], database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    assistant, server = by_model
    caplog.set_level(logging.INFO)

    def answers_once(body: dict[str, Any]) -> str:
        server.play("bad")
        return replies("")(body)

    server.script = answers_once
    begun(assistant, QUESTION)
    until(lambda: "title" in [each.message for each in caplog.records], "a title was asked for")
    with psycopg.connect(database_url) as owner:
        assert owner.execute("SELECT purpose FROM answer_metrics").fetchall() == [("answer",)]


def test_a_model_that_fails_to_name_it_changes_nothing(by_model: tuple[ProjectAssistant, FakeProviderServer]) -> None:
    assistant, server = by_model
    server.script = replies("Lo siento, no puedo ayudar con eso")
    _, answer = assistant.turns(begun(assistant, QUESTION))
    assert assistant._title(QUESTION, answer, Scope())[0] is None
    assert any(map(asks_for_title, server.bodies))
    assert titles(assistant) == [TITLE]


def test_no_title_is_asked_for_of_who_did_not_answer_or_where_none_is_wanted(
    by_model: tuple[ProjectAssistant, FakeProviderServer],
) -> None:
    assistant, server = by_model
    server.script = replies("Término de la apelación")
    quoted = Turn(role="assistant", content="Son quince días.", provider="extractive")
    assert assistant._title(QUESTION, quoted, Scope()) == (None, Usage())
    with opened_project(assistant.settings.model_copy(update={"model_titles": False})) as other:
        assert other._title(QUESTION, replace(quoted, provider="openrouter"), Scope()) == (None, Usage())
    assert not any(map(asks_for_title, server.bodies))


def test_a_name_by_hand_stays(assistant: ProjectAssistant, talk: str, database: Database) -> None:
    conversations = Conversations(database, assistant.project)
    conversations.call_otherwise(talk, "Término de la apelación", made=TITLE)
    assert titles(assistant) == ["Término de la apelación"]
    assistant.conversations.rename(talk, "Lo de Marta")
    conversations.call_otherwise(talk, "Otro término", made=TITLE)
    assert titles(assistant) == ["Lo de Marta"]


# ---------------------------------------------------------------- as a document


def saved(assistant: ProjectAssistant, conversation: str) -> tuple[str, str]:
    """Status and path."""
    accepted = assistant.save_conversation(conversation)
    reports = [accepted] if isinstance(accepted, IngestReport) else list(assistant.library.see_through(accepted))
    ((status, path),) = ((report.status, report.path) for report in reports)
    return status, path


def test_a_conversation_that_is_saved_is_a_document_and_a_later_save_replaces_it(
    assistant: ProjectAssistant, talk: str
) -> None:
    path = f"{SAVED}/{TITLE}.md"
    assert saved(assistant, talk) == ("indexed", path)
    assert saved(assistant, talk) == ("unchanged", path)
    assistant.conversations.rename(talk, "Zumbidos del panal")
    assert saved(assistant, talk) == ("updated", path)
    _, found = assistant.pipeline.search("zumbidos del panal")
    assert path in {candidate.chunk.path for candidate in found.candidates}
    assert [each.saved_as for each in assistant.conversations.recent()] == [path]


def test_the_references_of_a_saved_conversation_are_no_passage(assistant: ProjectAssistant, talk: str) -> None:
    """They would be quoted as a source that says what another one says."""
    _, path = saved(assistant, talk)
    original = assistant.originals.find(path)
    assert original is not None
    kept = "".join(each.text for each in assistant.originals.passages(original, first=0, limit=99))
    assert assistant.turns(talk)[1].citations
    assert "Fuentes:" not in kept
    assert "[1]" not in kept


def test_two_conversations_of_one_name_are_two_documents(assistant: ProjectAssistant, talk: str) -> None:
    second = begun(assistant, OTHER)
    for conversation in (talk, second):
        assistant.conversations.rename(conversation, "Plazos: ¿cuáles?/¿cuándo?")
    first_path, second_path = saved(assistant, talk)[1], saved(assistant, second)[1]
    assert first_path == f"{SAVED}/Plazos cuáles cuándo.md"
    assert second_path == f"{SAVED}/Plazos cuáles cuándo ({second[:8]}).md"


# ---------------------------------------------------------------- by a link


def test_a_link_shows_what_was_said_until_it_was_shared_to_whoever_has_it(
    assistant: ProjectAssistant, talk: str, database: Database
) -> None:
    list(assistant.answer_again(talk, 1))
    secret = assistant.conversations.share(talk)
    list(assistant.stream(FOLLOW_UP, conversation_id=talk))
    stranger = read_shared(database.as_person("nadie"), secret)
    asked, answer = stranger.turns
    assert (stranger.title, asked.content, answer.ordinal) == (TITLE, QUESTION, 2)
    own = assistant.turns(talk)[1].citations
    assert {each.title for each in own} == {each.title for each in assistant.library.all() if each.path == own[0].path}
    assert answer.citations == tuple(replace(each, title="") for each in own) != ()  # who may not see the library
    assert (answer.provider, answer.funnel, answer.metrics) == ("", Funnel(), {})
    assert [each.shared for each in assistant.conversations.recent()] == [True]


def test_a_link_that_was_revoked_replaced_or_whose_conversation_was_deleted_shows_nothing(
    assistant: ProjectAssistant, talk: str
) -> None:
    first, second = assistant.conversations.share(talk), assistant.conversations.share(talk)
    for secret in (first, "", "\udcff", "x" * 9_999):
        with pytest.raises(NotFoundError):
            assistant.shared_conversation(secret)
    assistant.conversations.delete(talk)
    with pytest.raises(NotFoundError):
        assistant.shared_conversation(second)
    assistant.conversations.restore(talk)
    assert assistant.shared_conversation(second).title == TITLE
    assistant.conversations.unshare(talk)
    with pytest.raises(NotFoundError):
        assistant.shared_conversation(second)


def test_whoever_has_a_link_sees_one_conversation_and_changes_nothing(
    assistant: ProjectAssistant, talk: str, database: Database
) -> None:
    begun(assistant, OTHER)
    list(assistant.answer_again(talk, 1))
    reader = database.as_reader_of(digest(assistant.conversations.share(talk)))
    with database.as_login() as owner:
        tables = [name for (name,) in owner.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'project_id'"
            " AND table_schema = current_schema()")]  # fmt: skip
    with reader.connection() as lent:
        counted = {
            name: lent.execute(sql.SQL("SELECT FROM {}").format(sql.Identifier(name))).rowcount for name in tables
        }
        seen = lent.execute("SELECT ordinal FROM messages ORDER BY ordinal").fetchall()
        for table, column in (("conversations", "title"), ("messages", "content"), ("citations", "quote")):
            names = {"table": sql.Identifier(table), "column": sql.Identifier(column)}
            for change in ("UPDATE {table} SET {column} = ''", "DELETE FROM {table}"):
                assert lent.execute(sql.SQL(change).format(**names)).rowcount == 0  # type: ignore[arg-type]
    assert seen == [(0,), (2,)]  # not the former answer, 1
    assert {name for name, number in counted.items() if number} == {"conversations", "messages", "citations"}
    assert counted["conversations"] == 1


def test_all_conversations_are_taken_along_but_the_deleted_ones(assistant: ProjectAssistant, talk: str) -> None:
    assistant.folders.move(talk, "Recursos")
    archived, deleted = begun(assistant, OTHER), begun(assistant, QUESTION)
    assistant.conversations.archive(archived, archived=True)
    assistant.conversations.delete(deleted)
    with ZipFile(BytesIO(assistant.export_conversations(format="md"))) as taken:
        assert taken.namelist() == [f"Recursos/{TITLE}.md", f"{OTHER_TITLE}.md"]
        assert taken.read(taken.namelist()[0]) == assistant.export_conversation(talk, format="md")


# ---------------------------------------------------------------- of an older version


def test_conversations_of_a_database_before_branches_are_one_branch_and_found(
    empty_database_url: str, server_home: Path
) -> None:
    with psycopg.connect(empty_database_url, autocommit=True) as old:
        migrate(old, tuple(each for each in shipped_migrations() if each.version < 4))
        old.execute("INSERT INTO projects (project_id) VALUES ('general')")
        old.execute("INSERT INTO memberships VALUES ('general', 'local', 'owner')")
        key = ("general", "00000000-0000-4000-8000-000000000001")
        old.execute("INSERT INTO conversations VALUES (%s, %s, 'Plazos', now(), now(), 'local')", key)
        said = [("user", "¿Plazo?", False), ("assistant", "Quince", True), ("user", "¿Y si es feriado?", False)]
        for ordinal, (role, content, incomplete) in enumerate(said):
            old.execute(
                "INSERT INTO messages (project_id, conversation_id, ordinal, role, content, incomplete)"
                " VALUES (%s, %s, %s, %s, %s, %s)",
                (*key, ordinal, role, content, incomplete),
            )
    with opened_project(Settings(home=server_home, database_url=SecretStr(empty_database_url))) as project:
        turns = project.turns(key[1])
        assert [(turn.content, turn.parent, turn.state) for turn in turns] == [
            ("¿Plazo?", None, "complete"),
            ("Quince", 0, "stopped"),
            ("¿Y si es feriado?", 1, "complete"),
        ]
        assert [hit.excerpt for hit in project.conversations.search("feriados")] == ["¿Y si es feriado?"]
