"""A question typed without accents is read like the same question with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.accents import restore_accents
from rag_system.query.text import fold

MENDED = [
    (
        "cuantos dias habiles tengo para pedir informacion publica",
        "cuántos días hábiles tengo para pedir información pública",
    ),
    (
        "¿que es el regimen juridico de los organos electronicos?",
        "¿qué es el régimen jurídico de los órganos electrónicos?",
    ),
    ("y en que casos procede la prorroga", "y en qué casos procede la prórroga"),
    ("hasta cuando dura el prestamo", "hasta cuándo dura el préstamo"),
    ("QUE DICE EL ARTICULO 5", "QUÉ DICE EL ARTÍCULO 5"),
    ("Como se pide la revision medica, segun el codigo", "Cómo se pide la revisión médica, según el código"),
    ("telefonia movil y tramites farmaceuticos", "telefonía móvil y trámites farmacéuticos"),
    ("año de la niñez y la gestion", "año de la niñez y la gestión"),
    ("que dicen los terms of use de la devolucion", "qué dicen los terms of use de la devolución"),
    ("cuando se publica la cuenta publica", "cuándo se publica la cuenta pública"),
]
LEFT_ALONE = [
    "creo que el jefe indica como se aplica la ley",  # «que» and «como» in the middle, verbs in -ica
    "el empleador notifica y certifica",
    "¿Cuándo vence la garantia del deposito?",  # whoever types one accent means the others
    "un chico rico",
    "la entidad se medica, se practica y se critica",
    "What is the version of the permission for the extension?",
    "Ley 29783, articulos modificados en 2016 según el anexo",
    "",
]


@pytest.mark.parametrize(("typed", "meant"), MENDED)
def test_accents_come_back(typed: str, meant: str) -> None:
    assert restore_accents(typed) == meant


@pytest.mark.parametrize("question", LEFT_ALONE)
def test_other_questions_stay_as_they_are(question: str) -> None:
    assert restore_accents(question) == question


@given(st.text())
def test_only_accents_are_added(question: str) -> None:
    assert fold(restore_accents(question)) == fold(question)


@pytest.mark.parametrize(("typed", "meant"), MENDED)
def test_what_is_mended_stays(typed: str, meant: str) -> None:
    assert restore_accents(restore_accents(typed)) == meant
