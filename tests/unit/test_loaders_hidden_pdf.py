"""What a PDF does not show never reaches the index, and what only looks hidden does. The files are made here."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.hidden import SEEN, UNSEEN, read, text_of


def _drawn(draw: Callable[[Canvas], None]) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    canvas.setFont("Helvetica", 11)
    canvas.drawString(70, 700, SEEN)
    draw(canvas)
    canvas.save()
    return buffer.getvalue()


def _white(canvas: Canvas) -> None:
    canvas.setFillGray(1)
    canvas.drawString(70, 650, UNSEEN)


def _nearly_white(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.97, 0.98, 0.96)
    canvas.drawString(70, 650, UNSEEN)


def _white_between_words(canvas: Canvas) -> None:
    canvas.drawString(70, 650, "El plazo vence")
    canvas.setFillGray(1)
    canvas.drawString(150, 650, UNSEEN)
    canvas.setFillGray(0)
    canvas.drawString(420, 650, "en marzo.")


def _dust(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 1)
    canvas.drawString(70, 650, UNSEEN)


def _scaled_to_dust(canvas: Canvas) -> None:
    canvas.saveState()
    canvas.translate(70, 650)
    canvas.scale(0.05, 0.05)
    canvas.drawString(0, 0, UNSEEN)
    canvas.restoreState()


def _beside_the_page(canvas: Canvas) -> None:
    canvas.drawString(A4[0] + 20, 700, UNSEEN)


def _above_the_page(canvas: Canvas) -> None:
    canvas.drawString(70, A4[1] + 30, UNSEEN)


def _without_ink(canvas: Canvas) -> None:
    text = canvas.beginText(70, 650)
    text.setTextRenderMode(3)
    text.textLine(UNSEEN)
    canvas.drawText(text)


def _transparent(canvas: Canvas) -> None:
    canvas.setFillAlpha(0.0)
    canvas.drawString(70, 650, UNSEEN)


def _white_in_a_form(canvas: Canvas) -> None:
    canvas.beginForm("sello")
    canvas.setFillGray(1)
    canvas.setFont("Helvetica", 11)
    canvas.drawString(0, 0, UNSEEN)
    canvas.endForm()
    canvas.translate(70, 650)
    canvas.doForm("sello")


def _outlined_in_white(canvas: Canvas) -> None:
    text = canvas.beginText(70, 650)
    text.setTextRenderMode(1)
    canvas.setStrokeGray(1)
    text.textLine(UNSEEN)
    canvas.drawText(text)


@pytest.mark.parametrize(
    "draw",
    [
        _outlined_in_white,
        _white,
        _nearly_white,
        _white_between_words,
        _dust,
        _scaled_to_dust,
        _beside_the_page,
        _above_the_page,
        _without_ink,
        _transparent,
        _white_in_a_form,
    ],
)
def test_what_a_page_does_not_show_is_left_out_and_said(draw: Callable[[Canvas], None]) -> None:
    document = read(_drawn(draw))
    assert "multa" not in text_of(document)
    assert SEEN in text_of(document)
    assert tuple(document.hidden_pages) == (1,)


def _on_a_dark_head(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.1, 0.2, 0.4)
    canvas.rect(60, 640, 400, 30, stroke=0, fill=1)
    canvas.setFillGray(1)
    canvas.drawString(70, 650, "Infracción y multa")


def _on_a_dark_head_of_a_form(canvas: Canvas) -> None:
    canvas.beginForm("cabecera")
    canvas.setFillGray(0.2)
    canvas.rect(0, 0, 400, 30, stroke=0, fill=1)
    canvas.setFillGray(1)
    canvas.setFont("Helvetica-Bold", 11)
    canvas.drawString(10, 10, "Infracción y multa")
    canvas.endForm()
    canvas.translate(60, 640)
    canvas.doForm("cabecera")


def _on_a_dark_picture(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (40, 8), 40)), 60, 630, 400, 60)
    canvas.setFillGray(1)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(70, 650, "INFRACCIÓN Y multa")


def _on_a_dark_disc(canvas: Canvas) -> None:
    canvas.setFillGray(0.2)
    canvas.circle(150, 600, 100, stroke=0, fill=1)
    canvas.setFillGray(1)
    canvas.drawString(100, 600, "Infracción y multa")


def _outlined(canvas: Canvas) -> None:
    text = canvas.beginText(70, 650)
    text.setTextRenderMode(1)
    text.setFillGray(1)
    text.textLine("Infracción y multa")
    canvas.drawText(text)


def _small_but_legible(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 4)
    canvas.drawString(70, 650, "Infracción y multa")


def _line_over_the_edge(canvas: Canvas) -> None:
    canvas.drawString(300, 650, "La ruta del registro es " + "carpeta/" * 6 + "infracciones con su multa")


def _light_grey(canvas: Canvas) -> None:
    canvas.setFillGray(0.75)
    canvas.drawString(70, 650, "Infracción y multa")


@pytest.mark.parametrize(
    "draw",
    [
        _on_a_dark_head,
        _on_a_dark_head_of_a_form,
        _on_a_dark_picture,
        _on_a_dark_disc,
        _outlined,
        _small_but_legible,
        _line_over_the_edge,
        _light_grey,
    ],
)
def test_what_a_page_shows_stays(draw: Callable[[Canvas], None]) -> None:
    document = read(_drawn(draw))
    assert "multa" in text_of(document)
    assert tuple(document.hidden_pages) == ()
