"""What the figures of a sentence say that the words it shares with the question do not."""

from __future__ import annotations

import pytest

from rag_system.generation.sentence_ranking import FIGURES, figures_of, sentence_rows
from tests.builders import chunk, evidence


def figures(question: str, text: str) -> dict[str, float]:
    """Of the last sentence that may be quoted."""
    table = figures_of(question, sentence_rows(question, evidence(chunk(text))))
    return dict(zip(FIGURES, table[-1].tolist(), strict=True))


@pytest.mark.parametrize(
    ("question", "sentence", "figure", "time"),
    [
        ("¿Cuántos días hay para apelar?", "El recurso se presenta dentro de los doce días hábiles.", 1, 1),
        ("¿Qué plazo hay para apelar?", "Contra la multa cabe recurso dentro de un mes.", 1, 1),
        ("¿Qué plazo hay para apelar?", "Basta un escrito firmado por una persona.", 0, 0),  # an article, no number
        ("¿Qué plazo hay para apelar?", "El recurso se rige por el artículo 218.", 0, 0),
        ("¿Qué plazo hay para apelar?", "Apelar cuesta 410 coronas.", 1, 0),
        ("¿Cuándo abren la feria?", "La feria se abre cada domingo.", 1, 1),
        ("¿Cuánto cuesta apelar?", "El recurso se presenta dentro de los doce días hábiles.", 1, 0),
        ("¿Quién resuelve el recurso?", "La sala resuelve en doce días.", 0, 0),
    ],
)
def test_a_number_and_a_time_where_they_are_asked_for(question: str, sentence: str, figure: int, time: int) -> None:
    found = figures(question, f"Del recurso.\n{sentence}")
    assert (found["figure"], found["time"]) == (figure, time)
