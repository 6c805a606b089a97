"""What the sample documents promise to a person who asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.relevance import as_read
from tests.acceptance.conftest import Legajo

QUESTIONS = Path(__file__).with_name("questions.jsonl")
ROWS = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
ANSWERABLE = [row for row in ROWS if row["answer_phrase"]]


@pytest.fixture(scope="session")
def answers(legajo: Legajo) -> Callable[[], dict[str, Any]]:
    @cache
    def ask() -> dict[str, Any]:
        done = legajo("ask", "--questions", QUESTIONS, "--json")
        assert done.returncode == 0, done.stderr
        return {row["id"]: row for row in map(json.loads, done.stdout.splitlines())}

    return ask


def test_the_passage_is_among_the_results(answers: Callable[[], dict[str, Any]]) -> None:
    missed = [row["id"] for row in ANSWERABLE if not _finds_passage(answers()[row["id"]]["results"], row)]
    assert len(missed) / len(ANSWERABLE) <= 0.04, missed


def _finds_passage(results: list[dict[str, Any]], row: dict[str, Any]) -> bool:
    phrase = as_read(row["answer_phrase"])
    return any(r["path"] == row["gold_file"] and phrase in as_read(r["text"]) for r in results)


@pytest.mark.parametrize("row", [row for row in ROWS if row["type"] == "inventario"], ids=lambda row: row["id"])
def test_questions_about_the_collection_list_it(answers: Callable[[], dict[str, Any]], row: dict[str, Any]) -> None:
    answer = answers()[row["id"]]
    assert (answer["route"], answer["results"]) == ("inventory", [])
    assert "documento" in answer["answer"]


@pytest.mark.parametrize("row", [row for row in ROWS if row["type"] == "trivial"], ids=lambda row: row["id"])
def test_courtesy_is_returned(answers: Callable[[], dict[str, Any]], row: dict[str, Any]) -> None:
    answer = answers()[row["id"]]
    assert (answer["route"], answer["citations"]) == ("trivial", [])


def test_answers_cite_the_right_document(answers: Callable[[], dict[str, Any]]) -> None:
    cited = [any(c["path"] == row["gold_file"] for c in answers()[row["id"]]["citations"]) for row in ANSWERABLE]
    assert sum(cited) / len(cited) >= 0.9


def test_every_quote_stands_in_its_passage(answers: Callable[[], dict[str, Any]]) -> None:
    for answer in answers().values():
        texts = {result["chunk_id"]: result["text"] for result in answer["results"]}
        assert all(c["quote"] and c["quote"] in texts[c["chunk_id"]] for c in answer["citations"])
