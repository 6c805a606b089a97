"""What kind of request a message is, on messages that nothing was taught on (`evaluation/README.md`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.measure import CONVERSATION, kind_of
from rag_system.query.kinds import KINDS, masked_words, read_kind
from rag_system.query.plan import analyze
from rag_system.query.routing import route
from rag_system.types import Route

EVALUATION = Path(__file__).resolve().parents[3] / "evaluation"
FACTUAL = ("statutes", "manuales", "tesis", "preguntas", "reglamento")
MISTAKEN = 2  # of 1,220 questions to the documents, those read as something else
TASKS = 72  # of 76 messages whose kind of task is read
FRESH = 0.7  # of messages by their author's ear, used once: 0.75 when they were written
LEANING = 34  # of 38 messages in a conversation


def rows(name: str) -> list[dict[str, str]]:
    """The lines of an evaluation set."""
    return [json.loads(line) for line in (EVALUATION / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def kind(message: str) -> str:
    """The kind that the product acts upon."""
    return kind_of(analyze(message))


def test_a_question_to_the_documents_is_nothing_else() -> None:
    questions = [row["question"] for name in FACTUAL for row in rows(name)]
    mistaken = [(each, kind(each)) for each in questions if route(each) is not Route.RETRIEVE]
    assert len(mistaken) <= MISTAKEN, mistaken


def test_courtesy_around_a_question_leaves_it_a_question() -> None:
    messages = [row["message"] for row in rows("cortesia")]
    mistaken = [each for each in messages if route(each) is not Route.RETRIEVE]
    assert len(mistaken) <= 1, mistaken


def test_the_kind_of_a_task_is_read() -> None:
    missed = [row["question"] for row in rows("tareas") if kind(row["question"]) != _kind(row["kind"])]
    assert len(rows("tareas")) - len(missed) >= TASKS, missed


def _kind(written: str) -> str:
    return "question" if written == "passages" else written


def test_fresh_wordings_are_read() -> None:
    messages = rows("clases")
    missed = [(row["message"], row["kind"], kind(row["message"])) for row in messages]
    missed = [each for each in missed if each[1] != each[2]]
    assert 1 - len(missed) / len(messages) >= FRESH, missed


def test_what_leans_on_the_conversation_is_told() -> None:
    said = [row for row in rows("clases") if "follows" in row]
    right = [row for row in said if analyze(row["message"], CONVERSATION).reformulated == row["follows"]]
    assert len(right) >= LEANING, [row["message"] for row in said if row not in right]


def test_follow_ups_lean() -> None:
    questions = [row["question"] for row in rows("seguimiento")]
    assert [each for each in questions if not analyze(each, CONVERSATION).reformulated] == []


def without_accents(text: str) -> str:
    """As many people type."""
    return text.translate(str.maketrans("áéíóúüÁÉÍÓÚÜ", "aeiouuAEIOUU"))


def test_accents_case_marks_and_spaces_never_change_the_kind() -> None:
    for message in (row["message"] for row in rows("clases")):
        variants = (
            message.upper(),
            without_accents(message),
            message.replace(" ", "  "),
            f"{message}!!!",
            f" {message} 🙂",
        )
        assert {read_kind(each) for each in variants} == {read_kind(message)}


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Resume la Ley N.º 29733", "resume la @"),
        ("resume «Acta 14» y manual-v3.pdf", "resume $ y $"),
        ("¿Qué dice el artículo 15?", "que dice el articulo #"),
        ("¿me das 2 @ y 3 $?", "me das # y #"),
    ],
)
def test_names_and_numbers_are_masked(message: str, words: str) -> None:
    assert " ".join(masked_words(message)) == words


@given(st.text(max_size=200))
def test_any_text_has_a_kind(text: str) -> None:
    read = read_kind(text)
    assert read.kind in KINDS
    assert 0 <= read.probability <= 1
    assert 0 <= read.follows <= 1
