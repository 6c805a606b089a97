"""What a message asks: without the courtesy around it, and by itself in the middle of a conversation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rag_system.query.courtesy import strip_courtesy
from rag_system.query.plan import analyze
from rag_system.query.text import query_terms
from rag_system.types import Message, Route

EVALUATION = Path(__file__).resolve().parents[3] / "evaluation"
COURTEOUS = (
    0.9  # of the messages with courtesy, the share whose words to search are those of their question; 2026-11: 0.91
)
FRESH = 0.66  # the same, of those by someone who had not seen the rules; 2026-11: 0.71
LOST = 0.005  # of questions without courtesy, those that may lose a word; 2026-11: 0 of 1,252
MERGED = 0.02  # of questions on a new topic, the share that may lean on the old one; 2026-11: 0.009, before 0.09

CONVERSATION = [
    Message("user", "¿Qué plazo hay para apelar una multa de tránsito?"),
    Message("assistant", "El plazo es de 15 días hábiles [1]."),
]


def read(name: str) -> list[dict[str, str]]:
    """The rows of an evaluation set."""
    return [json.loads(line) for line in (EVALUATION / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("by", "least"), [("", COURTEOUS), ("fresh", FRESH)])
def test_courtesy_around_a_question_is_not_searched(by: str, least: float) -> None:
    rows = [row for row in read("cortesia") if row.get("by", "") == by]
    right = [row for row in rows if query_terms(strip_courtesy(row["message"])) == query_terms(row["question"])]
    assert len(right) >= least * len(rows), [row["id"] for row in rows if row not in right]


@pytest.mark.parametrize("name", ["manuales", "tesis", "statutes", "reglamento", "ingles", "portada", "vigencia"])
def test_a_question_without_courtesy_loses_nothing(name: str) -> None:
    questions = [row["question"] for row in read(name)]
    lost = [each for each in questions if query_terms(strip_courtesy(each)) != query_terms(each)]
    assert len(lost) <= LOST * len(questions), lost


@pytest.mark.parametrize("name", ["manuales", "tesis", "statutes"])
def test_a_new_topic_is_not_merged_with_the_old_one(name: str) -> None:
    rows = read(name)
    merged = [row["question"] for row in rows if analyze(row["question"], CONVERSATION).reformulated]
    assert len(merged) <= MERGED * len(rows), merged


@pytest.mark.parametrize(
    ("message", "route"),
    [("2+2", Route.TRIVIAL), ("12", Route.TRIVIAL), ("29733", Route.RETRIEVE), ("asdfgh", Route.TRIVIAL)],
)
def test_noise_does_not_lean_on_the_last_topic(message: str, route: Route) -> None:
    plan = analyze(message, CONVERSATION)
    assert (plan.route, plan.reformulated) == (route, False)
