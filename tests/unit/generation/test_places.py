"""What the headings above a passage speak for."""

from __future__ import annotations

import pytest

from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.places import (
    Standing,
    asks_of_dispositions,
    heading_names,
    holds_for_others,
    is_regulation,
    standing,
)
from rag_system.query.text import fold
from tests.builders import chunk, evidence, request

STANDINGS = [
    (("Título IV", "Artículo 112.- Duración del mandato"), Standing.PERMANENT),
    (("Artículo Primero",), Standing.PERMANENT),
    (("Disposiciones generales", "Artículo 3"), Standing.PERMANENT),
    (("Parte", "Segunda parte del anexo"), Standing.PERMANENT),
    (("DISPOSICIONES COMPLEMENTARIAS FINALES", "Primera.- Vigencia"), Standing.FINAL),
    (("DISPOSICIÓN COMPLEMENTARIA DEROGATORIA",), Standing.FINAL),
    (("DISPOSICIÓN FINAL", "Única"), Standing.FINAL),
    (("Tercera disposición complementaria modificatoria de la Ley 1", "Artículo 2"), Standing.FINAL),
    (("CAPÍTULO V.- DISPOSICIONES COMPLEMENTARIAS Y FINALES",), Standing.FINAL),
    (("«Derogatorias y finales",), Standing.FINAL),
    (("Ley del Archivo", "CUARTA.- Financiamiento"), Standing.PERMANENT),
    (("Contrato", "PRIMERA.- OBJETO"), Standing.PERMANENT),
    (("Directiva 5", "FINALIDAD"), Standing.PERMANENT),
    (("Directiva 5", "Finalización del vínculo"), Standing.PERMANENT),
    (("Ley de residuos", "Disposición final de residuos sólidos"), Standing.PERMANENT),
    (("Ley de residuos", "Artículo 41.- Disposición final de residuos sólidos"), Standing.PERMANENT),
    (("Guía", "Disposición complementaria del pago"), Standing.PERMANENT),
    (("Guía", "Quinta categoría"), Standing.PERMANENT),
    (("Guía", "Tercera edad"), Standing.PERMANENT),
    (("Guía", "Segunda vuelta"), Standing.PERMANENT),
    (("CAPÍTULO IV Faltas. Denominación modificada por la Primera Disposición Transitoria",), Standing.PERMANENT),
    (("Lineamientos para la aplicación de la tercera disposición transitoria", "Artículo 1"), Standing.PERMANENT),
    (("Normas transitorias",), Standing.TRANSITORY),
    (("Segunda Disposición Complementaria Transitoria.- Adecuación",), Standing.TRANSITORY),
    (("DISPOSICIONES FINALES Y TRANSITORIAS", "Quinta.- Elecciones"), Standing.TRANSITORY),
    (("Disposiciones Complementarias Transitorias",), Standing.TRANSITORY),
]


@pytest.mark.parametrize(("headings", "expected"), STANDINGS)
def test_how_lasting_a_rule_is(headings: tuple[str, ...], expected: Standing) -> None:
    assert standing([fold(heading) for heading in headings]) is expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Desde cuándo está vigente el reglamento?", True),
        ("¿Qué dispone la segunda disposición transitoria?", True),
        ("¿Qué plazo hay para adecuarse?", True),
        ("¿Cuándo terminó el mandato elegido en 2014?", True),
        ("¿Cuánto dura el mandato del director?", False),
    ],
)
def test_who_asks_of_dispositions(question: str, expected: bool) -> None:
    assert asks_of_dispositions(fold(question)) is expected


@pytest.mark.parametrize(
    ("question", "heading", "expected"),
    [
        ("¿Cuánto dura el préstamo?", "Artículo 5.- Plazo del préstamo", True),
        ("¿Qué es un expediente?", "Artículo 2.- Definiciones", True),
        ("¿Cuándo es nulo el contrato?", "Artículo 9.- Causales de nulidad", True),
        ("¿Quién preside el consejo?", "Artículo 5.- Plazo del préstamo", False),
    ],
)
def test_the_heading_names_what_is_asked_for(question: str, heading: str, expected: bool) -> None:
    named = heading_names(fold(question))
    assert (named is not None and named.search(fold(heading)) is not None) is expected


STATUTE = (
    chunk(
        "El mandato del director general elegido en la primera asamblea dura hasta el 31 de julio de 2019.",
        title="Estatuto",
        headings=("DISPOSICIONES TRANSITORIAS", "Segunda.- Primer mandato del director general"),
    ),
    chunk(
        "El director general es elegido por la asamblea por un período de tres años.",
        title="Estatuto",
        headings=("Capítulo II", "Artículo 14.- Director general"),
        chunk_id=2,
    ),
)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("¿Cuánto dura el mandato del director general?", "un período de tres años"),
        ("¿Hasta cuándo dura el mandato del director general elegido en 2016?", "31 de julio de 2019"),
    ],
)
def test_what_always_holds_answers_unless_the_question_is_about_a_transition(question: str, quoted: str) -> None:
    first = "".join(ExtractiveAnswerer().stream(request(question, evidence(*STATUTE)))).split("\n\n")[0]
    assert quoted in first


OF_OTHERS = [
    ("Ley de los Trabajadores del Hogar", "¿cuántos días de descanso tengo?", True),
    ("Ley de los Trabajadores del Hogar", "¿cuántas vacaciones tiene una empleada del hogar?", False),
    ("Reglamento de Seguridad en Minería", "¿quién paga el casco?", True),
    ("Ley de Descansos Remunerados", "¿cuántos días de descanso tengo?", False),
    ("Ley de Casinos", "¿qué multa hay?", False),  # «cas» is a word of its own
]


@pytest.mark.parametrize(("title", "question", "others"), OF_OTHERS)
def test_a_norm_for_others_is_told_by_its_title(title: str, question: str, others: bool) -> None:
    assert holds_for_others(fold(title), fold(question)) is others


@pytest.mark.parametrize(
    ("title", "question", "expected"),
    [
        ("Reglamento de la Ley de Archivos", "¿cuánto se guarda un expediente?", True),
        ("Reglamento de la Ley de Archivos", "¿qué dice el reglamento de archivos?", False),
        ("Ley de Archivos", "¿cuánto se guarda un expediente?", False),
    ],
)
def test_a_regulation_gives_way_unless_it_is_asked_for(title: str, question: str, expected: bool) -> None:
    assert is_regulation(fold(title), fold(question)) is expected
