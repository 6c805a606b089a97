"""Markers tied to literal quotes."""

from __future__ import annotations

import pytest

from rag_system.generation.abstention import ABSTENTION, is_abstention
from rag_system.generation.grounding import cite
from tests.builders import chunk, evidence

LAW = chunk(
    "La inscripción es gratuita. El plazo para apelar es de quince (15) días hábiles. "
    "La autoridad resuelve en treinta (30) días. No procede recurso alguno.",
    chunk_id=11,
    page=4,
)
OTHER = chunk("El silencio es positivo en los demás casos.", chunk_id=22, document="otra", page=None)

ANSWERS = [
    ("Puede apelar dentro de 15 días hábiles [1].", [(1, "El plazo para apelar es de quince (15) días hábiles.")]),
    ("La autoridad tiene 30 días para resolver. [1]", [(1, "La autoridad resuelve en treinta (30) días.")]),
    ("La inscripción no cuesta: es gratuita [1][2].", [(1, "La inscripción es gratuita."), (2, OTHER.text)]),
    ("Según la Ley: «No procede recurso alguno.» [1]", [(1, "No procede recurso alguno.")]),
    (
        "Hay silencio positivo [2]. La inscripción es gratuita [1].",
        [(2, OTHER.text), (1, "La inscripción es gratuita.")],
    ),
    ("Sin marcadores no hay citas.", []),
]


@pytest.mark.parametrize(("answer", "expected"), ANSWERS)
def test_quotes(answer: str, expected: list[tuple[int, str]]) -> None:
    assert [(citation.n, citation.quote) for citation in cite(answer, evidence(LAW, OTHER))] == expected


def test_where_it_stands() -> None:
    (citation,) = cite("Es gratuita [1].", evidence(LAW))
    assert (citation.chunk_id, citation.document, citation.path, citation.page) == (11, "ley.md", "leyes/ley.md", 4)


def test_a_number_cited_twice_gives_its_best_quote() -> None:
    answer = "Hay reglas [1]. El plazo para apelar es de 15 días hábiles [1]."
    assert [citation.quote for citation in cite(answer, evidence(LAW))] == [
        "El plazo para apelar es de quince (15) días hábiles."
    ]


def test_a_long_quote_is_cut_and_still_literal() -> None:
    long = chunk("El plazo " + "muy largo " * 60 + "vence.")
    (citation,) = cite("El plazo vence [1].", evidence(long))
    assert len(citation.quote) <= 300
    assert citation.quote in long.text


def test_words_that_share_nothing_still_get_a_place() -> None:
    (citation,) = cite("Otra cosa distinta [1].", evidence(LAW))
    assert citation.quote in LAW.text


ABSTENTIONS = [
    (ABSTENTION, True),
    ("no encontre informacion sobre eso en sus documentos", True),
    (f"«{ABSTENTION}»", True),
    (f"{ABSTENTION} [1]", True),
    (f"Lo siento. {ABSTENTION}", True),
    (f"{ABSTENTION} Sin embargo, la Ley 29733 señala que el plazo para apelar es de quince días hábiles [1].", False),
    ("El plazo es de 15 días [1].", False),
    ("", False),
]


@pytest.mark.parametrize(("text", "expected"), ABSTENTIONS)
def test_abstention(text: str, expected: bool) -> None:
    assert is_abstention(text) is expected
