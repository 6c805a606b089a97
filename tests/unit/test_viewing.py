"""A page of a PDF as a picture, and where the words of a quote stand on it."""

from __future__ import annotations

import io

import pytest
from reportlab.pdfgen.canvas import Canvas

from rag_system.errors import UnreadableFileError
from rag_system.viewing import draw_page
from rag_system.viewing.marking import found_in, letters

LETTERS = [
    ("artícu-\nlo  5.º", "artículo5o"),
    ("Oficina | 30 días", "oficina30días"),
    ("eﬁciente­mente", "eficientemente"),  # a ligature, a soft hyphen
    (" – ", ""),
]


@pytest.mark.parametrize(("text", "left"), LETTERS)
def test_letters_and_digits_alone(text: str, left: str) -> None:
    assert letters(text) == left


PAGE = "elplazoesdequincediashabilescontados"
FOUND = [
    ("quincedias", (11, 21)),
    ("diashabilescontadosdesdelanotificacion", (17, 36)),  # goes over to the next page
    ("contadosdesde", None),  # eight letters at the end may be chance
    ("treintadias", None),
    ("", None),
]


@pytest.mark.parametrize(("quote", "span"), FOUND)
def test_where_a_quote_stands(quote: str, span: tuple[int, int] | None) -> None:
    assert found_in(PAGE, quote) == span


def _pdf(*, rotation: int = 0) -> bytes:
    """A page of 400 × 800 points with two lines that begin at a quarter of its width, and an empty one."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(400, 800), invariant=True)
    canvas.setPageRotation(rotation)
    canvas.drawString(100, 600, "El plazo es de quince")
    canvas.drawString(100, 580, "días hábiles.")
    canvas.showPage()
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def test_a_quote_is_marked_line_by_line() -> None:
    picture = draw_page([_pdf()], 1, quotes=["de quince días hábiles", "no está"])
    assert picture.png.startswith(b"\x89PNG")
    assert (picture.page, picture.pages, len(picture.marks)) == (1, 2, 2)
    first, second = picture.marks
    assert first.left > second.left == pytest.approx(0.25, abs=0.01)  # 100 of 400
    assert first.top == pytest.approx(0.24, abs=0.02)  # (800 − 600 − height of a letter) of 800
    assert second.top > first.top


def test_a_page_that_is_turned_is_marked_as_it_is_shown() -> None:
    (mark,) = draw_page([_pdf(rotation=90)], 1, quotes=["hábiles"]).marks
    assert mark.height > mark.width / 2  # the words run down a page that is wider than high
    assert mark.left > 0.5


def test_the_value_of_a_field_is_marked() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(400, 800), invariant=True)
    canvas.drawString(100, 600, "Solicitante:")
    canvas.acroForm.textfield(name="s", value="Rosa Quispe", x=200, y=595, width=150, height=20)
    canvas.save()
    (mark,) = draw_page([buffer.getvalue()], 1, quotes=["Rosa Quispe"]).marks
    assert mark.left == pytest.approx(0.5, abs=0.02)  # 200 of 400


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (2, 2), (99, 2)])
def test_the_nearest_page_is_drawn(asked: int, given: int) -> None:
    assert draw_page([_pdf()], asked).page == given


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 nada"])
def test_what_cannot_be_drawn_is_said(content: bytes) -> None:
    with pytest.raises(UnreadableFileError, match="No se pudo dibujar la página"):
        draw_page([content], 1)
