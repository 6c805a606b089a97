"""Which terms of a question a text holds, under whatever name."""

from __future__ import annotations

import pytest

from rag_system.generation.terms import TermReader, topic_terms
from rag_system.query.text import stem

HELD = [
    # the word itself, a relative, a synonym
    ("¿cuántas vacaciones me tocan?", "vacaciones", "El descanso vacacional es de treinta días."),
    # the noun of a verb with another root
    ("¿cuándo devuelven el dinero?", "devuelven", "La devolución se hace en quince días."),
    # everyday words, one or several
    ("¿me quitan el brevete?", "brevete", "Se suspende la licencia de conducir."),
    ("¿puedo vender mi carro?", "carro", "La transferencia del vehículo se inscribe."),
    ("¿cuánto dura el bullying denunciado?", "bullying", "Casos de violencia escolar."),
    # a word whose stem loses more than an ending
    ("¿se vende kerosen?", "kerosen", "Queda prohibida la venta de kerosene."),
    # a noun whose stem is that of a word that is no topic
    ("¿dónde se publica el informe?", "informe", "El informe se publica."),
]


@pytest.mark.parametrize(("question", "word", "text"), HELD)
def test_a_term_is_held_under_whatever_name(question: str, word: str, text: str) -> None:
    assert stem(word) in TermReader(question, topic_terms(question))(text)


@pytest.mark.parametrize(
    ("question", "word", "text"),
    [
        ("¿qué licencia de conducir piden?", "conducir", "Quien entregue el brevete."),  # one way: as people say it
        ("¿me quitan el brevete?", "brevete", "La licencia de funcionamiento se cancela."),
    ],
)
def test_a_part_of_another_name_is_not_enough(question: str, word: str, text: str) -> None:
    assert stem(word) not in TermReader(question, topic_terms(question))(text)


def test_when_is_no_topic() -> None:
    assert topic_terms("¿todavía se puede vender hoy pirotécnicos?") == topic_terms("vender pirotécnicos")
