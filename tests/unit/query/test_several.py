"""A message that asks more than one thing, taken apart."""

from __future__ import annotations

import pytest

from rag_system.query.several import several_questions


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("¿Quién responde los reclamos y en cuántos días?", ["Quién responde los reclamos", "en cuántos días"]),
        (
            "¿Cuántos miembros tiene el comité? ¿Quién lo preside?",
            ["Cuántos miembros tiene el comité", "Quién lo preside"],
        ),
        ("cuanto vale el carné y donde lo saco", ["cuanto vale el carné", "donde lo saco"]),
        ("¿Qué plazo hay para apelar?", []),
        ("¿Qué derechos y deberes tiene el socio?", []),
        ("Necesito la constancia y la copia, ¿cuánto cuestan?", []),
        ("¿Es verdad que el plazo vence hoy y que no se amplía?", []),
    ],
)
def test_the_questions_of_a_message(message: str, asked: list[str]) -> None:
    assert [each for each, _ in several_questions(message)] == asked


def test_what_a_question_leaves_out_is_taken_from_the_others() -> None:
    (_, first), (_, second) = several_questions("¿Quién responde los reclamos y en cuántos días?")
    assert first == "Quién responde los reclamos"
    assert second == "en cuántos días responde los reclamos"
