"""Which questions ask for what is not in force any more."""

from __future__ import annotations

import pytest

from rag_system.query.past import asks_for_the_past
from rag_system.query.plan import analyze
from rag_system.types import Message

PAST = [
    "¿Qué decía antes el artículo 5?", "texto anterior del articulo 43", "cual era el plazo antes de la reforma",
    "¿cuántos días daban en 2015?", "qué decía el artículo derogado", "y antes?", "cuanto era antes la multa",
    "la redacción original del art. 7", "que cambió con la ley 30807", "versión de 2004 del reglamento",
    "el plazo vigente en 2016", "antes cuantos dias eran", "según el texto de 2013",
    "¿cómo era la licencia de paternidad antes de 2018?", "cuanto pagaban antiguamente",
    "qué artículos están derogados", "¿Qué establecía originalmente la norma?", "la ley anterior que exigia",
    "hasta la modificación de 2021 que plazo habia", "¿Qué ha cambiado en el reglamento?",
    "antes de la Ley 30807 cuántos días eran", "el antiguo texto del artículo 9", "¿qué plazo regía hasta 2019?",
]  # fmt: skip
PRESENT = [
    "¿qué hago antes de viajar?", "plazo de apelación", "¿cuántos días de licencia por paternidad?",
    "que dice el articulo anterior al 5", "¿Cuánto tiempo antes debo avisar al empleador?", "ley 29733 de 2011",
    "¿Qué establece la ISO 27001:2013?", "¿quién deroga la ley 27444?", "documentos de 2015",
    "¿Qué debe hacer la policía antes de detener?", "qué pasa si pago antes del vencimiento",
    "hay garantía antes de la compra", "la ley de 1997 sobre residuos sólidos", "cuál es la multa vigente",
    "¿En qué año se publicó la ley?", "que ley modifica el articulo 5", "¿Hasta cuándo puedo apelar?",
    "Qué requisitos debo cumplir antes de la inscripción", "experiencia anterior del postulante",
    "¿el trabajador que trabajaba de noche cobra más?", "párrafo anterior",
]  # fmt: skip


@pytest.mark.parametrize("question", PAST)
def test_what_was_is_asked_for(question: str) -> None:
    assert asks_for_the_past(question)


@pytest.mark.parametrize("question", PRESENT)
def test_what_is_in_force_is_asked_for(question: str) -> None:
    assert not asks_for_the_past(question)


def test_the_plan_says_so_also_of_a_follow_up() -> None:
    said = (Message("user", "¿Cuántos días de licencia por paternidad hay?"), Message("assistant", "Diez días [1]."))
    assert analyze("¿y antes?", said).past
    assert not analyze("¿Cuántos días de licencia por paternidad hay?").past
    assert not analyze("hola").past
