"""Tags around the words of a question are not words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.markup import strip_tags
from rag_system.query.plan import analyze

STRIPPED = [
    ("<b>teletrabajo</b>", "teletrabajo"),
    ("¿Qué es el <EM>tele</EM>trabajo?", "¿Qué es el teletrabajo?"),
    ("<script>alert('hola')</script> vacaciones", "alert('hola') vacaciones"),
    ("<p>¿Qué plazo hay?</p><p>¿Y para apelar?</p>", "¿Qué plazo hay? ¿Y para apelar?"),
    ("vacaciones<br/>del trabajador<br />", "vacaciones del trabajador"),
    ("<img src=x onerror=alert('hola')> licencia", "licencia"),
    ("<a href=\"https://ejemplo.pe/?a=1&b=2\" class = 'x y'>la norma</a>", "la norma"),
    ("<div\nid=uno>plazo</div\n>", "plazo"),
]
KEPT = [
    "si x < 5 y y > 3",
    "edad<18 o edad>65",
    "a<b y c>d",
    "¿qué dice la <ley> de <ana@ejemplo.pe>?",
    "<ley 29733>",
    "plazo <= 30 días\ny => 5",
    "<b",
    "<<>>",
    "",
]


@pytest.mark.parametrize(("typed", "asked"), STRIPPED)
def test_tags_go(typed: str, asked: str) -> None:
    assert strip_tags(typed) == asked
    assert analyze(typed).question == analyze(typed).standalone_question == asked


@pytest.mark.parametrize("question", KEPT)
def test_what_is_no_tag_stays(question: str) -> None:
    assert strip_tags(question) == question


@given(st.text(alphabet="<>/= abi\"'x\n"))
def test_only_tags_and_spaces_go(text: str) -> None:
    letters = iter(text)
    assert all(letter == " " or letter in letters for letter in strip_tags(text))


def test_the_limit_counts_what_is_left() -> None:
    assert analyze(f"<p>{'<b></b>' * 500}plazo para apelar</p>").notices == ()
    assert strip_tags("<b" + ' x="' * 20_000) == "<b" + ' x="' * 20_000
