"""A figure that a question takes for granted is told to be another only where the documents say so."""

from __future__ import annotations

import unicodedata

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
    ("¿Por qué la Ley 27444 señala un plazo de 60 días?", "60 días", "la Ley 27444 señala un plazo de cuántos días?"),
    ("¿Es cierto que son veinticuatro horas?", "veinticuatro horas", "son cuántas horas?"),
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
    "¿Por qué mi hijo de 16 años no puede trabajar de noche?",
    "¿Por qué no me pagan el bono si solo trabajé 3 meses?",
    "¿Por qué no dan vacaciones si ya trabajé 8 meses?",
    "¿Por qué llevo 2 años pidiendo la pensión?",
    "¿Es cierto que me pueden despedir con 3 meses de embarazo?",
    "¿Es cierto que un niño de 12 años puede viajar solo?",
    "¿Es cierto que la niña es de 12 años?",
    "¿Por qué la demora es de 3 meses?",
    "¿Por qué después de 10 años dicen que prescribió?",
    "¿Por qué debo pagar S/ 500 de multa?",
    "¿Por qué se demoran 3 meses en contestar?",
    "¿Es verdad que la multa es de media UIT?",
    "¿Es verdad que la multa es de 1/2 UIT?",
    "¿Es verdad que la multa es de 0.5 UIT?",
    "¿Es verdad que la multa es de 50 % de una UIT?",
]


def test_reads_a_question_whose_accents_stand_apart() -> None:
    question = "¿Por qué la apelación y la reclamación dan 90 días?"
    assert read_supposed(unicodedata.normalize("NFD", question)) == read_supposed(question)
    assert read_supposed(question) is not None


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
        ("¿Por qué dan 30 días para interponer apelación?", "quince (15) días hábiles", True),
        ("¿Por qué dan 90 días para interponer apelación?", "quince (15) días hábiles", False),
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


@pytest.mark.parametrize(
    ("question", "first", "elsewhere", "denied"),
    [
        ("¿Por qué la sobretasa es de 40%?", "La sobretasa es de veinticinco por ciento (25%).", "", True),
        (
            "¿Por qué la sobretasa es de 35%?",
            "La sobretasa es de veinticinco por ciento (25%).",
            "Para las horas restantes, treinta y cinco por ciento.",
            False,
        ),
        ("¿Es cierto que la posesión dura 120 meses?", "La prisión preventiva dura nueve meses.", "", False),
        ("¿Por qué la licencia por maternidad dura 98 días?", "La licencia por paternidad dura 10 días.", "", False),
        ("¿Por qué el mandato es de 12 meses?", "El mandato es de tres meses.", "El mandato es de un año.", False),
        ("¿Por qué el descanso es de 24 horas?", "El descanso es de dos horas.", "El descanso es de un día.", False),
        ("¿Por qué la multa es de 3 UIT?", "La multa es de media UIT o 2 UIT.", "", False),
        ("¿Por qué la multa es de 3 UIT?", "La multa es del cincuenta por ciento (50%) de una UIT.", "", False),
        ("¿Por qué la multa es de 3 UIT?", "La multa es de 2 UIT.", "El numeral 8.1.2 UIT rige.", True),
    ],
)
def test_denies_only_what_no_passage_says(question: str, first: str, elsewhere: str, denied: bool) -> None:
    supposed = read_supposed(question)
    assert supposed is not None
    passages = evidence(chunk(first), chunk(elsewhere or "El local abre temprano.", chunk_id=2))
    assert supposed.is_denied(first, passages) is denied
    decomposed = unicodedata.normalize("NFD", first)
    assert supposed.is_denied(decomposed, passages) is denied
