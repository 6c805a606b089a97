"""A figure that a question takes for granted is told to be another only where the documents say so."""

from __future__ import annotations

import pytest

from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.grounding import ground
from rag_system.generation.supposing import read_supposed
from tests.builders import chunk, evidence, request

SUPPOSED = [
    ("¿Por qué dan 90 días para apelar?", "90 días", "dan cuántos días para apelar?"),
    ("¿Es cierto que el plazo es de noventa (90) días?", "noventa (90) días", "el plazo es de cuántos días?"),
    ("¿Por qué la sobretasa es del 50 %?", "50 %", "la sobretasa es del qué porcentaje?"),
    ("¿Por qué la multa es de S/ 500?", "S/ 500", "la multa es de cuánto se paga en soles?"),
]


@pytest.mark.parametrize(("question", "written", "asked"), SUPPOSED)
def test_reads_the_figure(question: str, written: str, asked: str) -> None:
    supposed = read_supposed(question)
    assert supposed is not None
    assert (supposed.written, supposed.asked) == (written, asked)


NOTHING = [
    "¿Cuántos días hay para apelar?",
    "¿Puedo apelar después de 90 días?",
    "¿Por qué el artículo 15 pide una foto?",
    "¿Por qué la Ley 27444 pide una copia?",
    "¿Por qué dan 10 días a unos y 15 días a otros?",
]


@pytest.mark.parametrize("question", NOTHING)
def test_other_questions_suppose_none(question: str) -> None:
    assert read_supposed(question) is None


RULES = (
    chunk(
        "El recurso de apelación se interpone en un plazo de quince (15) días hábiles.",
        headings=("Artículo 20.- Recurso de apelación",),
    ),
    chunk(
        "La lista de postulantes se publica por noventa (90) días. Después se archiva.",
        headings=("Artículo 31.- Publicidad de la lista",),
        chunk_id=2,
    ),
    chunk(
        "El descanso por maternidad es de noventa y ocho (98) días. Cuarenta y nueve (49) días del descanso por "
        "maternidad son anteriores al parto.",
        headings=("Artículo 40.- Descanso por maternidad",),
        chunk_id=3,
    ),
)


@pytest.mark.parametrize(
    ("question", "quoted", "another"),
    [
        ("¿Por qué dan 90 días para interponer apelación?", "quince (15) días hábiles", True),
        ("¿Es verdad que la apelación se interpone en 30 días?", "quince (15) días hábiles", True),
        ("¿Por qué dan 15 días para interponer apelación?", "quince (15) días hábiles", False),
        ("¿Por qué la lista se publica 90 días?", "noventa (90) días", False),
        ("¿Por qué hay 49 días de descanso por maternidad?", "maternidad", False),
    ],
)
def test_tells_of_another_figure_where_there_is_one(question: str, quoted: str, another: bool) -> None:
    text = "".join(ExtractiveAnswerer().stream(request(question, evidence(*RULES))))
    assert quoted in text.split("» [")[0]
    assert ("sino otra cifra:" in text) is another
    assert ground(text, evidence(*RULES)).unsupported == ()
