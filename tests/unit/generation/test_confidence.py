"""When nothing that was found is about the question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_system.generation.confidence import (
    Doubt,
    first_quote_probability,
    read_doubt,
    read_signals,
)
from rag_system.query.plan import analyze
from rag_system.types import SearchResult
from tests.builders import candidates, chunk, evidence

PRICES = [
    chunk("La copia certificada se paga en caja, con tarjeta.", chunk_id=1, headings=("Copias",)),
    chunk("La sala de lectura tiene mesas y lámparas.", chunk_id=2, headings=("Salas",)),
]


@pytest.mark.parametrize(
    ("question", "figure", "time"),
    [
        ("¿Cuánto cuesta la copia certificada?", 0.0, 1.0),
        ("¿Cuánto tiempo tarda la copia certificada?", 0.0, 0.0),
        ("¿Dónde se paga la copia certificada?", 1.0, 1.0),
    ],
)
def test_whether_the_best_sentence_states_what_is_asked_for(question: str, figure: float, time: float) -> None:
    signals = read_signals(question, candidates((0.9, PRICES[0]), (0.5, PRICES[1])), evidence(*PRICES))
    assert (signals.states_figure, signals.states_time) == (figure, time)
    stated = replace(signals, states_figure=1.0, states_time=1.0)
    assert (first_quote_probability(signals) < first_quote_probability(stated)) is (figure == 0)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Cuántas mesas tiene la sala de lectura?", True),
        ("¿Cuántas lámparas tiene la sala de lectura?", False),  # its mesas are counted, not these
        ("¿Cuántas son las mesas de la sala de lectura?", True),
        ("¿Cuántas son las lámparas de la sala de lectura?", False),
        ("¿Cuántas horas abre la sala de lectura?", True),  # a time is another figure's
        ("¿Qué tiene la sala de lectura?", True),
    ],
)
def test_whether_the_best_sentence_counts_what_is_asked_for(question: str, *, expected: bool) -> None:
    room = chunk("La sala de lectura tiene 12 mesas, y lámparas.")
    assert read_signals(question, candidates((0.9, room)), evidence(room)).counts_asked is expected


def test_what_a_part_of_a_thing_is_makes_nothing_surer() -> None:
    bylaws = [
        chunk("Presidente: conduce las sesiones y firma las actas.", chunk_id=1, headings=("Cargos",)),
        chunk("Las sesiones son los martes y las actas se guardan.", chunk_id=2, headings=("Sesiones",)),
    ]
    found = candidates((0.9, bylaws[0]), (0.8, bylaws[1])), evidence(*bylaws)
    of_whom = [
        read_signals(question, *found)
        for question in ("¿Quién es el presidente?", "¿Quién es el presidente de Francia?")
    ]
    asked = [read_signals(question, *found) for question in ("¿Y el presidente?", "¿Y el presidente de Francia?")]
    assert of_whom[0].sentence_lead > asked[0].sentence_lead
    assert of_whom[1].sentence_lead == pytest.approx(asked[1].sentence_lead)


def test_without_a_sentence_nothing_speaks_for_an_answer() -> None:
    signals = read_signals("¿Dónde se paga la copia?", [], [])
    assert (signals.sentence_lead, signals.passage_lead) == (0, 0)
    assert first_quote_probability(signals) < 0.5


@pytest.mark.parametrize(
    ("question", "doubt"),
    [
        ("¿Qué horario pide la ISO 9001?", Doubt(nearest=True)),  # that the norm is there says nothing of its hours
        ("¿Qué horario hay?", Doubt(off_topic=True, nearest=True)),
        ("¿Qué dice el artículo 4 de la Ley 29733?", Doubt()),
        ("¿Cuánto cuesta según la cláusula 8.5 de la ISO 9001?", Doubt(nearest=True)),  # the clause need not say it
    ],
)
def test_a_norm_that_is_there_is_the_topic_and_an_article_of_it_the_answer(question: str, doubt: Doubt) -> None:
    passages = [PRICES[0], chunk(PRICES[1].text, chunk_id=2, headings=("8. Operación", "8.5 Producción"))]
    found = SearchResult(candidates=tuple(candidates((0.2, passages[0]), (0.2, passages[1]))))
    assert read_doubt(analyze(question), found, evidence(*passages), words_tell=True) == doubt


@pytest.mark.parametrize("words_tell", [True, False])
def test_what_has_no_word_of_the_question_is_off_topic_but_in_another_language(*, words_tell: bool) -> None:
    found = SearchResult(candidates=(replace(candidates((0.9, PRICES[0]))[0], scores={"semantic": 0.9}),))
    doubt = read_doubt(analyze("kdkdkd skskks"), found, evidence(*PRICES), words_tell=words_tell)
    assert doubt == Doubt(off_topic=words_tell, nearest=True)
