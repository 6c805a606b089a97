"""What conversations are called: the matter of their first question, never courtesy, never half a word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.titles import LONGEST, title_of

TITLES = {
    "Buenos días, ¿me podría decir qué plazo da la ley 27444 para apelar? Gracias": (
        "Qué plazo da la ley 27444 para apelar"
    ),
    "¿Cuál es el plazo para interponer un recurso de apelación?": "Plazo para interponer un recurso de apelación",
    "q es el silencio administrativo positivo?": "Silencio administrativo positivo",
    "¿Qué dice la ley 29733 sobre el consentimiento de menores?": "Ley 29733 sobre el consentimiento de menores",
    "Explícame el principio de legalidad": "Principio de legalidad",
    "dame la tabla de sanciones": "Tabla de sanciones",
    "hola, quisiera saber cuántos días de vacaciones me tocan": "Cuántos días de vacaciones me tocan",
    "¿Cómo se instala Samba?": "Cómo se instala Samba",
    "¿De qué trata el capítulo III?": "De qué trata el capítulo III",
    "¿me pueden despedir estando embarazada?": "¿Me pueden despedir estando embarazada?",  # not said, asked
    "¿la 45001 es obligatoria?": "¿La 45001 es obligatoria?",
    "Resume la ley 27444": "Resume la ley 27444",
    "Estimados, soy Ana Ruiz, del área de compras. ¿Qué monto máximo puedo aprobar sin licitación? Saludos cordiales": (
        "Qué monto máximo puedo aprobar sin licitación"
    ),
    "Mi jefe no me pagó la gratificación. ¿Qué hago?": "Mi jefe no me pagó la gratificación",
    "Cuáles son los requisitos para inscribir una asociación civil en los registros públicos del Perú": (
        "Requisitos para inscribir una asociación civil…"  # «en los» says nothing at the end
    ),
    "1. ¿Qué plazo hay para apelar?\n2. ¿Quién resuelve la apelación?": "Qué plazo hay para apelar",
    "hola": "",
    "muchas gracias, muy amable": "",
    "¿": "",
}


@pytest.mark.parametrize(("message", "title"), TITLES.items(), ids=[each[:40] for each in TITLES])
def test_a_title_tells_the_matter(message: str, title: str) -> None:
    assert title_of(message) == title


WORDS = "¿Qué plazo da la ley 27444 para apelar, según el artículo 218 del Texto Único Ordenado?".split()


@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_a_title_fits_and_ends_with_a_word(words: list[str]) -> None:
    title = title_of(" ".join(words))
    assert len(title) <= LONGEST
    assert {each.strip("¿?,.…").lower() for each in title.split()} <= {each.strip("¿?,.…").lower() for each in words}


def test_a_word_that_is_too_long_for_a_title_is_cut() -> None:
    assert len(title_of(f"¿Qué es {'otorrino' * 20}?")) == LONGEST
