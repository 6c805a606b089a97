"""Questions that the sample documents do not answer are left unanswered, or what is quoted is called the nearest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rag_system.generation.extractive import NEAREST
from tests.acceptance.conftest import ROOT, Legajo

QUESTIONS = ROOT / "evaluation" / "muestras-silencio.jsonl"
ROWS = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


Asked = Callable[[], list[tuple[dict[str, Any], dict[str, Any]]]]

LEAST_HONEST = 0.85  # 51 of 57
SECOND_DOUBTED = re.compile(r"^De la pregunta 2\b.* encontré", re.MULTILINE)
ASKED_TOGETHER, LEAST_TOLD_APART = 20, 11  # 13 as measured; none where the doubt was of the whole message


@pytest.fixture(scope="session")
def asked(legajo: Legajo) -> Asked:
    """Each question with its answer."""

    @cache
    def ask() -> list[tuple[dict[str, Any], dict[str, Any]]]:
        done = legajo("ask", "--questions", QUESTIONS, "--json")
        assert done.returncode == 0, done.stderr
        return list(zip(ROWS, map(json.loads, done.stdout.splitlines()), strict=True))

    return ask


def test_there_are_enough_questions_of_both_kinds() -> None:
    assert sum(row["answerable"] for row in ROWS) >= 40
    assert sum(not row["answerable"] for row in ROWS) >= 40


def test_what_the_documents_do_not_answer_is_not_answered_as_if_sure(asked: Asked) -> None:
    unsure = [row for row, answer in asked() if not row["answerable"] and _is_honest(answer)]
    assert len(unsure) / sum(not row["answerable"] for row in ROWS) >= LEAST_HONEST, len(unsure)


def test_what_they_answer_is_answered(asked: Asked) -> None:
    silent = [row["question"] for row, answer in asked() if row["answerable"] and answer["abstained"]]
    assert len(silent) / sum(row["answerable"] for row in ROWS) <= 0.05, silent


def test_a_question_that_is_not_answered_leaves_the_other_of_its_message_sure(
    asked: Asked, legajo: Legajo, tmp_path: Path
) -> None:
    answered = [row["question"] for row, answer in asked() if row["answerable"] and not _is_honest(answer)]
    near = [row["question"] for row, answer in asked() if not row["answerable"] and _is_nearest(answer)]
    messages = [f"{_closed(first)} {_closed(second)}" for first, second in zip(answered, near, strict=False)]
    questions = tmp_path / "two.jsonl"
    questions.write_text("\n".join(json.dumps({"question": each}) for each in messages[:ASKED_TOGETHER]))
    done = legajo("ask", "--questions", questions, "--json")
    assert done.returncode == 0, done.stderr
    told = [json.loads(line)["answer"] for line in done.stdout.splitlines()]
    assert len(told) == ASKED_TOGETHER
    assert sum(SECOND_DOUBTED.search(each) is not None for each in told) >= LEAST_TOLD_APART, told


def _closed(question: str) -> str:
    return f"¿{question.strip('¿?')}?"


def _is_honest(answer: dict[str, Any]) -> bool:
    return bool(answer["abstained"]) or _is_nearest(answer)


def _is_nearest(answer: dict[str, Any]) -> bool:
    return bool(answer["answer"].startswith(NEAREST))
