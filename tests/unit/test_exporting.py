"""What leaves the chat as plain text stands on its own: references, quotes, and what is to be known of an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.exporting import answer_text, conversation_text, source_text
from assistant.view import CitedSource, ShownCitation, Turn

CITED = ShownCitation(
    n=1,
    chunk_id=1,
    document="ley.pdf",
    path="leyes/ley.pdf",
    title="Ley de consultas",
    section="Título II › Artículo 5",
    page=3,
    quote="es de\ndiez días.",
    passage="El plazo es de\ndiez días.",
)
ANSWER = Turn(role="assistant", content="Diez días [1].\n", citations=(CITED,))
(SOURCE,) = ANSWER.sources
(FIRST,) = SOURCE.excerpts

SOURCES = [
    (SOURCE, "Ley de consultas (ley.pdf), página 3, Artículo 5: «es de diez días.»"),
    (replace(SOURCE, title=""), "ley.pdf, página 3, Artículo 5: «es de diez días.»"),
    (
        replace(SOURCE, title="", excerpts=(FIRST, replace(FIRST, page=None, section="", quotes=("Uno.", "Dos.")))),
        "ley.pdf, página 3, Artículo 5: «es de diez días.»; ley.pdf: «Uno.» «Dos.»",
    ),
    (replace(SOURCE, excerpts=(replace(FIRST, quotes=()),)), "Ley de consultas (ley.pdf)"),
]


@pytest.mark.parametrize(("source", "copied"), SOURCES)
def test_a_source_is_copied_with_its_place(source: CitedSource, copied: str) -> None:
    assert source_text(source) == copied


REFERENCE = "Fuentes:\n[1] Ley de consultas (ley.pdf), página 3, Artículo 5: «es de diez días.»"
ANSWERS = [
    (ANSWER, f"Diez días [1].\n\n{REFERENCE}"),
    (replace(ANSWER, citations=()), "Diez días [1]."),
    (replace(ANSWER, state="stopped"), f"Diez días [1].\n\nRespuesta detenida\n\n{REFERENCE}"),
    (
        replace(ANSWER, incomplete=True, unsupported=("Siempre. ",)),
        f"Diez días [1].\n\nRespuesta incompleta\n\nSin respaldo en la fuente citada:\n- Siempre.\n\n{REFERENCE}",
    ),
]


@pytest.mark.parametrize(("turn", "copied"), ANSWERS)
def test_an_answer_is_copied_with_its_references_and_its_doubts(turn: Turn, copied: str) -> None:
    assert answer_text(turn) == copied


def test_a_conversation_is_told_from_its_first_question_on() -> None:
    turns = [Turn(role="user", content="¿Qué\nplazo hay?"), ANSWER]
    assert conversation_text(turns, title="Plazos") == (
        f"# Plazos\n\n## ¿Qué plazo hay?\n\nDiez días [1].\n\n{REFERENCE}\n"
    )
