"""A question in English is neither corrected nor accented as if it were Spanish."""

from __future__ import annotations

import pytest

from rag_system.query.accents import restore_accents
from rag_system.query.english import in_english
from rag_system.query.spelling import suspects

ENGLISH = [
    "Illegal access to computer systems",
    "What is the penalty for illegal access?",
    "illegal interception: the definition and the sanction",
    "Which version must be used?",
]
SPANISH = [
    "que dicen los terms of use de la devolucion",
    "principio in dubio pro reo",
    "¿has visto el plazo?",
    "curso on line de seguridad",
    "Ley 29783",
    "teletrabajo",
    "",
]


@pytest.mark.parametrize("question", ENGLISH)
def test_english_is_left_as_it_is(question: str) -> None:
    assert in_english(question)
    assert suspects(question) == []
    assert restore_accents(question) == question


@pytest.mark.parametrize("question", SPANISH)
def test_spanish_is_not_taken_for_english(question: str) -> None:
    assert not in_english(question)
