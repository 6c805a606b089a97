"""What people think of answers: once a person and answer, their own to read and the owners', and taken along."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.evaluation import evaluate_files
from assistant.feedback import LONGEST_COMMENT, REASONS, Rating, csv_text, evaluation_line
from assistant.project_assistant import ProjectAssistant
from rag_system import DEFAULT_PROJECT
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ForbiddenError, InputError, NotFoundError
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.indexing import filled, project_of

LAW = "# Ley 27444\n\n## Artículo 207\n\nEl término para apelar es de quince días.\n"
QUESTION = "¿Cuál es el término para apelar según la ley 27444?"


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    return filled(own_database_url, server_home, {DEFAULT_PROJECT: {"ley.md": LAW}})


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def project(assistant: Assistant) -> ProjectAssistant:
    return project_of(assistant)


@pytest.fixture
def ana(assistant: Assistant, database: Database) -> ProjectAssistant:
    """The same project for a reader."""
    with database.as_login() as owner:
        owner.execute("INSERT INTO people (person_id) VALUES ('ana')")
        owner.execute("INSERT INTO memberships VALUES ('general', 'ana', 'reader')")
    return assistant.as_person("ana").project("general")


def asked(project: ProjectAssistant, question: str = QUESTION) -> str:
    """A conversation with one answer, of ordinal 1."""
    conversation = project.conversations.create()
    list(project.stream(question, conversation_id=conversation))
    assert [turn.ordinal for turn in project.turns(conversation)] == [0, 1]
    return conversation


def test_a_second_thumb_takes_the_place_of_the_first(project: ProjectAssistant) -> None:
    conversation = asked(project)
    project.feedback.rate(conversation, 1, up=True)
    (first,) = project.feedback.all(limit=9)
    project.feedback.rate(
        conversation, 1, up=False, reasons=("outdated", "other", "outdated"), comment=" Hay otra ley.\x00 "
    )
    (second,) = project.feedback.all(limit=9)
    assert (first.up, second.up) == (True, False)
    assert first.feedback_id == second.feedback_id
    told = Rating(up=False, reasons=("outdated", "other"), comment="Hay otra ley.")
    assert project.feedback.of_conversation(conversation) == {1: told}
    project.feedback.unrate(conversation, 1)
    assert project.feedback.all(limit=9) == []


def test_beside_it_stands_what_was_rated(project: ProjectAssistant) -> None:
    project.feedback.rate(asked(project), 1, up=True)
    (entry,) = project.feedback.all(limit=9)
    assert entry.question == QUESTION
    assert "quince días" in entry.answer
    assert entry.paths == ["cargados/ley.md"]
    assert "quince días" in entry.quote


@pytest.mark.parametrize("reason", REASONS)
def test_the_database_knows_every_reason(project: ProjectAssistant, reason: str) -> None:
    project.feedback.rate(asked(project), 1, up=False, reasons=(reason,))  # type: ignore[arg-type]
    assert [each.reasons for each in project.feedback.all(limit=9)] == [[reason]]


def test_what_cannot_be_rated_is_told(project: ProjectAssistant) -> None:
    conversation = asked(project)
    with pytest.raises(InputError, match="motivo"):
        project.feedback.rate(conversation, 1, up=False, reasons=("feo",))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=str(LONGEST_COMMENT)):
        project.feedback.rate(conversation, 1, up=False, comment="x" * (LONGEST_COMMENT + 1))
    for other, ordinal in ((conversation, 0), (conversation, 7), (project.conversations.create(), 1), ("nada", 1)):
        with pytest.raises(NotFoundError, match="ya no está"):
            project.feedback.rate(other, ordinal, up=True)
    assert project.feedback.all(limit=9) == []


def test_owners_read_what_all_think_and_others_their_own(project: ProjectAssistant, ana: ProjectAssistant) -> None:
    mine, hers = asked(project), asked(ana)
    project.feedback.rate(mine, 1, up=True)
    ana.feedback.rate(hers, 1, up=False, reasons=("incomplete",))
    assert {each.person for each in project.feedback.export()} == {"local", "ana"}
    assert [each.person for each in ana.feedback.all(limit=9)] == ["ana"]
    with pytest.raises(ForbiddenError, match="dueño"):
        ana.feedback.export()
    for thief, conversation in ((ana, mine), (project, hers)):
        with pytest.raises(NotFoundError):
            thief.feedback.rate(conversation, 1, up=True)
        thief.feedback.unrate(conversation, 1)
    assert [each.up for each in project.feedback.all(limit=9)] == [False, True]


def test_nobody_speaks_in_the_name_of_others(
    database: Database, project: ProjectAssistant, ana: ProjectAssistant
) -> None:
    row = "INSERT INTO feedback (project_id, conversation_id, ordinal, person_id, up, question, answer, paths, quote)"
    conversation = asked(project)
    for person, name in (("local", "ana"), ("ana", "ana")):  # as another, and under what one cannot read
        with pytest.raises(ForbiddenError), database.as_person(person).connection() as lent:
            lent.execute(row + " VALUES ('general', %s, 1, %s, true, '', '', '{}', '')", [conversation, name])  # type: ignore[arg-type]


def test_it_goes_with_its_conversation(project: ProjectAssistant) -> None:
    conversation = asked(project)
    project.feedback.rate(conversation, 1, up=True)
    project.conversations.delete(conversation)
    project.conversations.forget(conversation)
    assert project.feedback.all(limit=9) == []


@pytest.mark.parametrize("comment", ["=1+1", "+1", "-1", "@SUMA(A1)", "\t=1", "\r=1"])
def test_a_spreadsheet_computes_nothing_of_it(project: ProjectAssistant, comment: str) -> None:
    project.feedback.rate(asked(project), 1, up=False)
    (entry,) = project.feedback.export()
    (row,) = csv.DictReader(StringIO(csv_text([replace(entry, comment=comment)]), newline=""))
    assert row["comment"] == f"'{comment}"
    assert (row["up"], row["paths"]) == ("0", "cargados/ley.md")


def test_a_table_holds_what_people_write(project: ProjectAssistant) -> None:
    project.feedback.rate(
        asked(project), 1, up=False, reasons=("outdated", "other"), comment='Dice "quince",\ny son treinta'
    )
    (row,) = csv.DictReader(StringIO(csv_text(project.feedback.export()), newline=""))
    assert (row["comment"], row["reasons"]) == ('Dice "quince",\ny son treinta', "outdated\nother")


# ---------------------------------------------------------------- a question to measure


def test_a_liked_answer_is_a_question_to_measure(project: ProjectAssistant, tmp_path: Path) -> None:
    project.feedback.rate(asked(project), 1, up=True)
    (entry,) = project.feedback.all(limit=9)
    assert project.feedback.named(entry.feedback_id[:8]) == entry
    line = evaluation_line(entry)
    assert json.loads(line)["gold_files"] == ["cargados/ley.md"]
    (file := tmp_path / "preguntas.jsonl").write_text(line + "\n", encoding="utf-8")
    (row,) = evaluate_files(project.pipeline, [file], recipes=["default"])
    assert (row["questions"], row["file@1"], row["phrase@1"], row["answered"]) == (1, 1.0, 1.0, 1.0)


def test_of_an_answer_that_was_not_liked_somebody_says_the_right_one(project: ProjectAssistant) -> None:
    project.feedback.rate(asked(project), 1, up=False, reasons=("wrong_passage",))
    (entry,) = project.feedback.all(limit=9)
    with pytest.raises(InputError, match="--document"):
        evaluation_line(entry)
    named = json.loads(evaluation_line(entry, documents=["otra.md"], phrase="treinta días"))
    assert (named["gold_files"], named["answer_phrase"]) == (["otra.md"], "treinta días")
    assert set(json.loads(evaluation_line(entry, unanswerable=True))) == {"id", "question"}
    with pytest.raises(InputError, match="no indique"):
        evaluation_line(entry, unanswerable=True, phrase="x")


def test_a_follow_up_stands_on_its_own(project: ProjectAssistant) -> None:
    conversation = asked(project)
    list(project.stream("¿y cuántos días son?", conversation_id=conversation))
    project.feedback.rate(conversation, 3, up=True)
    (entry,) = project.feedback.all(limit=9)
    assert "27444" in entry.question


def test_an_id_that_is_none_is_told(project: ProjectAssistant) -> None:
    with pytest.raises(NotFoundError, match="feedback list"):
        project.feedback.named("zzz\0")
