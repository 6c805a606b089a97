"""Words and forms that are Spanish whatever the documents have, and slips that are not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.common_words import is_common
from rag_system.query.spelling import corrections, suspects
from rag_system.query.text import fold

FORMS = """
    salí salió saldré salgo obligado obligada obligaron estoy estuve juntarme juntarnos botaron sacarme
    renuncié renunciar prescribió caducó vendría hicieron hizo hecho intervino tradujo
    contuvo sepa quepa oyó cayó construyo construyeron siga sigo vence venció despidieron despiden pueda pudo
    puse propuso compuesta descrito cubierto abierta muerto vuelto resuelta impreso exija exijo proteja recoja empiece
    empezó almuerzo duerma durmió pidió pidan mintió juegue jugamos averigüe pague publique busqué toqué alcance
    durmiendo leyendo diciéndome llevárselo firmaste cobrarían tuviéramos
    chambear celular celulares bullying jefe jefa patrona casita platita ratito
    arnés arneses andamios extintores barandas ergonomía
    rápidamente urgentemente peruanos españolas vecinas veces luces meses autoras doctoras inquilinos
    carísimo buenísima poquísimo pagador cobranza vencimiento devolución contratación aprendizaje jubilada
""".split()
SLIPS = """
    vacasiones bacaciones gratificasion gratificacionn despdio teletarbjo planiya liquidasion rremuneracion trabjo
    contratto indemnisacion horaz ekstras sueldoz resivo jornda desanso licensia feriao plaso apelasion reclmo
    notificasion adminstrativo procedimento sancionn denunsia documeto reglameto articuo constitusion municipalida
    inpuesto facturra desclaracion rentta atension protescion vicitas codijo abojado obligaos publiciad biens
""".split()


@pytest.mark.parametrize("word", FORMS)
def test_forms_of_common_words_are_no_slips(word: str) -> None:
    assert is_common(word)
    assert is_common(fold(word))
    assert is_common(word.upper())


@pytest.mark.parametrize("word", SLIPS)
def test_slips_are_still_slips(word: str) -> None:
    assert not is_common(word)


@given(st.text(max_size=40))
def test_any_text_may_be_asked_about(text: str) -> None:
    assert is_common(text) in (True, False)


@pytest.mark.parametrize(
    "question",
    [
        "Pasó más de un año y nunca salí de vacaciones",
        "¿Estoy obligado a quedarme después de mi turno?",
        "estoy obligado a firmar la renuncia",
        "ME BOTARON Y NO ME PAGARON, ¿QUÉ HAGO?",
        "¿puedo sacar plata de mi afp si me mudo?",
        "mi vecino hace bulla y ensucia mi vereda",
    ],
)
def test_a_question_in_everyday_words_has_nothing_to_put_right(question: str) -> None:
    assert suspects(question) == []


def test_what_is_mistyped_beside_them_is_put_right() -> None:
    assert suspects("nunca salí de vacasiones y no me pagaron la liquidasion") == ["vacasiones", "liquidasion"]


@pytest.mark.parametrize("slip", ["caracterasticas", "diagnestico", "promoci", "informeticos"])
def test_what_a_broken_file_made_of_a_word_is_no_word(slip: str) -> None:
    assert not is_common(slip)


def test_a_question_in_common_words_asks_no_project() -> None:
    class NeverAsked:
        def frequencies(self, words: Collection[str]) -> Mapping[str, int]:
            raise AssertionError(words)

        def beginning(self, beginnings: Sequence[str], *, shortest: int, longest: int) -> Mapping[str, int]:
            raise AssertionError((beginnings, shortest, longest))

    assert corrections("nunca salí de vacaciones", NeverAsked()) == {}
