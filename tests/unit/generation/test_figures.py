"""Figures in one form, however they are written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.generation.figures import is_among, read_figures
from rag_system.query.spelled_numbers import read_spelled

WRITTEN = [
    ("quince (15) días", [("15", "dia"), ("15", "dia")]),
    ("un plazo de **15** días", [("15", "dia")]),
    ("S/ 1,500.00, S/.500 y 500 soles", [("1500", "soles"), ("500", "soles"), ("500", "soles")]),
    ("US$ 20 o 20 dólares", [("20", "dolares"), ("20", "dolares")]),
    ("de 0,5 UIT a cinco UIT", [("0.5", "uit"), ("5", "uit")]),
    ("el 10 %, 10% o diez por ciento (10 %)", [("10", "%")] * 4),
    ("15 de marzo de 2021, 15/03/2021 y 2021-03-15", [("2021-03-15", "date")] * 3),
    ("quince de marzo; marzo del 2021", [("0000-03-15", "date"), ("2021-03-00", "date")]),
    ("1.º de enero de 2024", [("2024-01-01", "date")]),
    ("artículo 218.2 y arts. 5 y 7-A", [("218.2", "article"), ("5", "article"), ("7-a", "article")]),
    ("el formato F-OAC-009", [("f-oac-009", "code")]),
    ("de 8:00 a 16:30 horas", [("8:00", "hour"), ("16:30", "hour")]),
    ("Ley 29733, D.S. 003-2013-JUS", []),
    ("una vez y un año", [("1", "año")]),
    ("Título IV, la primera quincena", []),
    ("1. Tres requisitos\n2) Dos copias", [("3", ""), ("2", "")]),
    ("treinta y un días, dos mil veinticinco y mil quinientas", [("31", "dia"), ("2025", ""), ("1500", "")]),
    ("los días quince y treinta", [("15", ""), ("30", "")]),
    ("1 500 soles", [("1500", "soles")]),
    ("una población de 45 210.", [("45210", "")]),
    ("veinticuatro (24) horas", [("24", "hora"), ("24", "hora")]),
    ("entre 2019-2020", [("2019", ""), ("2020", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "figures"), WRITTEN)
def test_figures(text: str, figures: list[tuple[str, str]]) -> None:
    assert [(figure.value, figure.unit) for figure in read_figures(text)] == figures


SAME = [
    ("15 días", "quince (15) días hábiles", True),
    ("15 días", "15 meses", False),
    ("15", "quince días", True),
    ("S/ 500", "500 dólares", False),
    ("marzo de 2021", "15/03/2021", True),
    ("15/03/2021", "marzo de 2021", False),
    ("15 de marzo", "15/03/2021", True),
    ("15 de abril", "15/03/2021", False),
    ("en 2021", "15/03/2021", True),
    ("artículo 218", "218.2 El término", True),
    ("artículo 21", "218.2 El término", False),
    ("artículo 218", "218 páginas", True),
]


@pytest.mark.parametrize(("claimed", "stated", "same"), SAME)
def test_what_says_the_same(claimed: str, stated: str, same: bool) -> None:
    assert is_among(read_figures(claimed)[-1], read_figures(stated)) is same


ONES = "uno dos tres cuatro cinco seis siete ocho nueve".split()
TENS = {30: "treinta", 40: "cuarenta", 50: "cincuenta", 60: "sesenta", 70: "setenta", 80: "ochenta", 90: "noventa"}


@given(st.sampled_from(sorted(TENS)), st.integers(1, 9))
def test_tens_and_ones_are_one_number(tens: int, ones: int) -> None:
    words = f"{TENS[tens]} y {ONES[ones - 1]}"
    assert [value for value, _, _ in read_spelled(words)] == [tens + ones]


@settings(deadline=None)  # the machine may be busy
@given(st.text(alphabet="0123456789 .,/-%S$aequintcdosmilyñéÁ()\n°º", max_size=80))
def test_any_text_is_read_and_every_figure_has_its_place(text: str) -> None:
    for figure in read_figures(text):
        assert 0 <= figure.start < figure.end


@settings(deadline=None)  # the machine may be busy
@given(st.integers(0, 10_000_000))
def test_thousands_may_be_written_in_any_way(number: int) -> None:
    for written in (f"{number}", f"{number:,}", f"{number:,}".replace(",", "."), f"{number:,}.00"):
        assert [figure.value for figure in read_figures(f"cuesta S/ {written} en total")] == [str(number)]
