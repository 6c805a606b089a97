"""A question read again in the light of the documents' words."""

from __future__ import annotations

import pytest

from rag_system.query.spelling import usual_spelling
from rag_system.query.text import stem

TEXTS = [
    "Los prometidos declaran ante el alcalde.",
    "Las vacaciones duran treinta días; las vacaciones truncas, menos.",
]


@pytest.mark.parametrize(
    ("typed", "meant", "found"),
    [
        ("vacasiones", "vacaciones", "vacaciones"),
        ("vacasion", "vacaciones", "vacaciones"),
        ("prompt", "prometidos", ""),
    ],
)
def test_a_word_is_replaced_by_one_that_looks_like_it(typed: str, meant: str, found: str) -> None:
    assert usual_spelling(stem(meant), TEXTS, instead_of=typed) == found
