"""Which words are of one family: what a person asks with a verb, a norm says with a noun."""

from __future__ import annotations

import pytest

from rag_system.generation.kinship import are_kin
from rag_system.generation.terms import TermReader, topic_terms
from rag_system.query.text import stem

KIN = [
    ("reelegirse", "reelección"),
    ("votar", "votación"),
    ("durar", "duración"),
    ("presidente", "presidencial"),
    ("nulo", "nulidad"),
    ("adoptar", "adopción"),
    ("prescribe", "prescripción"),
    ("suspender", "suspensión"),
    ("construye", "construcción"),
    ("vencido", "vencimiento"),
    ("vacaciones", "vacacional"),
    ("grati", "gratificación"),
    ("embarazada", "embarazo"),
    ("vigente", "vigencia"),
    ("vacante", "vacancia"),
    ("perito", "pericial"),
    ("pierde", "perderá"),
    ("aprueban", "aprobación"),
    ("cierran", "cerrar"),
    ("devuelvo", "devolver"),
    ("cuesta", "costos"),
    ("piden", "pedir"),
    ("invierte", "inversión"),
    ("rige", "regirá"),
    ("advirtiendo", "advertir"),
]
STRANGERS = [
    ("contrato", "contrario"),
    ("caso", "casación"),
    ("deben", "debidamente"),
    ("medios", "mediante"),
    ("región", "registro"),
    ("normas", "normal"),
    ("jurada", "jurídicos"),
    ("15", "150"),
    ("política", "policía"),
    ("política", "policial"),
    ("presentar", "presencia"),
    ("presente", "presencial"),
    ("ciento", "ciencia"),
    ("agente", "agencia"),
    ("calidad", "cal"),
    ("poseer", "posición"),
    ("forma", "formación"),
    ("formación", "formato"),
    ("varios", "variación"),
    ("marco", "marcadores"),
    ("comisión", "comité"),
    ("relación", "relativas"),
    ("disposición", "dispositivos"),
    ("línea", "lineamientos"),
    ("definitiva", "definición"),
    ("cuenta", "contar"),
    ("suelo", "soler"),
    ("tienda", "tender"),
    ("vista", "vestir"),
    ("puerto", "porte"),
    ("legado", "elegir"),
    ("ilegible", "elegido"),
    ("rige", "riego"),
    ("miedo", "medida"),
    ("gobernador", "gobierno"),
    ("quiebra", "quebrada"),
    ("muere", "mora"),
    ("pueblo", "poblado"),
    ("suena", "son"),
    ("cuece", "coca"),
    ("cuesta", "costera"),
    ("suelta", "soltero"),
]


@pytest.mark.parametrize(("one", "other"), KIN)
def test_derived_words_are_kin(one: str, other: str) -> None:
    assert are_kin(stem(one), stem(other))
    assert are_kin(stem(other), stem(one))


@pytest.mark.parametrize(("one", "other"), STRANGERS)
def test_words_that_only_begin_alike_are_not(one: str, other: str) -> None:
    assert not are_kin(stem(one), stem(other))


def test_reads_the_noun_of_a_verb() -> None:
    question = "¿Puede el alcalde reelegirse?"
    assert TermReader(question, topic_terms(question))("No hay reelección inmediata para los alcaldes.") == {
        "alcald",
        "reeleg",
    }
