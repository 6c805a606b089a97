"""Questions that the sample documents do not answer are left unanswered, or what is quoted is called the nearest."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from rag_system.generation.extractive import NEAREST
from tests.acceptance.conftest import ROOT, Legajo

QUESTIONS = ROOT / "evaluation" / "muestras-silencio.jsonl"
ROWS = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


Asked = Callable[[], list[tuple[dict[str, Any], dict[str, Any]]]]

LEAST_HONEST = 0.85  # 51 of 57


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


def _is_honest(answer: dict[str, Any]) -> bool:
    return bool(answer["abstained"]) or answer["answer"].startswith(NEAREST)
