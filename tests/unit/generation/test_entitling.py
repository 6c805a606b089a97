"""Titles that a model writes: which are taken, and what it is told."""

from __future__ import annotations

import pytest

from rag_system.generation.entitling import accept_title, build_title_messages

QUESTION = "¿Qué plazo da la ley 27444 para apelar?"
ANSWER = "La apelación se presenta en 15 días hábiles [1]."


@pytest.mark.parametrize(
    ("reply", "title"),
    [
        ("Plazo de apelación según la ley 27444", "Plazo de apelación según la ley 27444"),
        ("«plazo de apelación».", "Plazo de apelación"),
        ("**Plazo para apelar**\n", "Plazo para apelar"),
        ("# Plazo para apelar", "Plazo para apelar"),
        ("Plazo para apelar según la Ley 29060", None),  # another norm
        ("Lo siento, no puedo ayudar con eso", None),
        ("Claro, aquí tiene:\nPlazo para apelar", None),
        ("", None),
        ("El plazo para apelar es de quince días hábiles " * 4, None),
    ],
)
def test_a_title_speaks_of_what_was_said(reply: str, title: str | None) -> None:
    assert accept_title(reply, said=f"{QUESTION}\n{ANSWER}") == title


def test_a_model_is_told_question_and_answer_without_marks() -> None:
    (_, system), (role, told) = build_title_messages(QUESTION, ANSWER)
    assert "título" in system
    assert (role, told) == ("user", f"Pregunta: {QUESTION}\n\nRespuesta: La apelación se presenta en 15 días hábiles.")
