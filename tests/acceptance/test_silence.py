"""Questions that the sample documents do not answer are left unanswered, and the others are not."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.conftest import Legajo

QUESTIONS = Path(__file__).with_name("silence.jsonl")
ROWS = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="session")
def silent(legajo: Legajo) -> Callable[[bool], list[str]]:
    """The questions of a kind that were left unanswered."""

    @cache
    def ask() -> list[dict[str, Any]]:
        done = legajo("ask", "--questions", QUESTIONS, "--json")
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def left(answerable: bool) -> list[str]:
        rows = zip(ROWS, ask(), strict=True)
        return [row["question"] for row, answer in rows if row["answerable"] is answerable and answer["abstained"]]

    return left


def test_there_are_enough_questions_of_both_kinds() -> None:
    assert sum(row["answerable"] for row in ROWS) >= 40
    assert sum(not row["answerable"] for row in ROWS) >= 40


def test_what_the_documents_do_not_answer_is_left_unanswered(silent: Callable[[bool], list[str]]) -> None:
    unanswerable = [row["question"] for row in ROWS if not row["answerable"]]
    answered = set(unanswerable) - set(silent(False))
    assert len(answered) / len(unanswerable) <= 0.1, answered


def test_what_they_answer_is_answered(silent: Callable[[bool], list[str]]) -> None:
    assert len(silent(True)) / sum(row["answerable"] for row in ROWS) <= 0.05, silent(True)
