"""What a PDF does not show never reaches the index, and what only looks hidden does. The files are made here."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from rag_system.ingestion.loaders.covers import Box, Covers
from rag_system.ingestion.loaders.visibility import Colour, is_near
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


def _on_its_own_colour(canvas: Canvas) -> None:
    canvas.setFillColorRGB(0.1, 0.2, 0.4)
    canvas.rect(60, 640, 400, 30, stroke=0, fill=1)
    canvas.setFillColorRGB(0.12, 0.2, 0.42)
    canvas.drawString(70, 650, UNSEEN)


def _on_a_white_picture(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (40, 8), 255)), 60, 630, 400, 60)
    canvas.setFillGray(1)
    canvas.drawString(70, 650, UNSEEN)


def _over_written_words(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (40, 8), 255)), 60, 640, 40, 5)  # so that the page is painted
    canvas.setFillGray(1)
    canvas.drawString(70, 703, UNSEEN)


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


def _struck_out(canvas: Canvas, *, grey: float = 0.0) -> None:
    canvas.drawString(70, 650, UNSEEN)
    canvas.setFillGray(grey)
    canvas.rect(60, 640, 400, 30, stroke=0, fill=1)


def _under_a_white_box(canvas: Canvas) -> None:
    _struck_out(canvas, grey=1)


def _under_a_box_with_a_stamp_beside(canvas: Canvas) -> None:
    _struck_out(canvas, grey=0.9)
    canvas.setFillGray(0)
    canvas.drawString(70, 600, "Documento revisado")


def _struck_out_in_a_form(canvas: Canvas) -> None:
    canvas.beginForm("sello")
    canvas.setFont("Helvetica", 11)
    canvas.drawString(10, 10, UNSEEN)
    canvas.rect(0, 0, 400, 30, stroke=0, fill=1)
    canvas.endForm()
    canvas.translate(60, 640)
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
        _struck_out,
        _under_a_white_box,
        _under_a_box_with_a_stamp_beside,
        _struck_out_in_a_form,
        _white,
        _nearly_white,
        _white_between_words,
        _on_its_own_colour,
        _on_a_white_picture,
        _over_written_words,
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


def _marked(canvas: Canvas) -> None:
    canvas.drawString(70, 650, "Infracción y multa")
    canvas.setFillColorRGB(1, 1, 0)
    canvas.setBlendMode("Multiply")
    canvas.rect(60, 640, 400, 30, stroke=0, fill=1)


def _under_glass(canvas: Canvas) -> None:
    canvas.drawString(70, 650, "Infracción y multa")
    canvas.setFillAlpha(0.4)
    canvas.rect(60, 640, 400, 30, stroke=0, fill=1)


def _crossed_out(canvas: Canvas) -> None:
    canvas.drawString(70, 650, "Infracción y multa")
    canvas.rect(60, 653, 400, 1, stroke=0, fill=1)


def _beside_a_box_that_is_clipped(canvas: Canvas) -> None:
    canvas.drawString(70, 650, "Infracción y multa")
    clip = canvas.beginPath()
    clip.rect(60, 700, 400, 30)
    canvas.clipPath(clip, stroke=0)
    canvas.setFillGray(1)
    canvas.rect(0, 0, 500, 695, stroke=0, fill=1)


def _written_again_over_a_box(canvas: Canvas) -> None:
    canvas.drawString(70, 650, "Infracción y multa")
    canvas.setFillGray(0.2)
    canvas.rect(60, 640, 400, 30, stroke=0, fill=1)
    canvas.setFillGray(1)
    canvas.drawString(70, 650, "Infracción y multa")


@pytest.mark.parametrize(
    "draw",
    [
        _marked,
        _under_glass,
        _crossed_out,
        _beside_a_box_that_is_clipped,
        _written_again_over_a_box,
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


def _on_a_layer(*, off: bool) -> bytes:
    """A page whose second line stands on a layer, with a word of another in the same row."""
    layered = f"/OC /capa BDC BT /F 11 Tf 70 650 Td ({UNSEEN}) Tj ET EMC".encode()
    seen = SEEN.encode("cp1252").replace(b"(", b"")
    content = b"/P <</MCID 0>> BDC BT /F 11 Tf 70 700 Td (" + seen + b") Tj ET EMC " + layered
    state = b"/OFF [7 0 R]" if off else b"/ON [7 0 R]"
    bodies = (
        b"<</Type /Catalog /Pages 2 0 R /OCProperties <</OCGs [7 0 R] /D <<" + state + b">>>>>>",
        b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
        b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources <</Font <</F 5 0 R>> /Properties <</capa 7 0 R>>>>>>",
        b"<</Length %d>> stream\n" % len(content) + content + b"\nendstream",
        b"<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>",
        b"null",
        b"<</Type /OCG /Name (Borrador)>>",
    )
    objects = b"".join(b"%d 0 obj %b endobj\n" % (number, body) for number, body in enumerate(bodies, 1))
    return b"%PDF-1.5\n" + objects + b"trailer <</Root 1 0 R /Size 8>>\n%%EOF"


@pytest.mark.parametrize("off", [True, False])
def test_a_layer_is_read_while_it_is_on(off: bool) -> None:
    document = read(_on_a_layer(off=off))
    assert SEEN in text_of(document)
    assert ("multa" in text_of(document)) is not off
    assert tuple(document.hidden_pages) == ((1,) if off else ())


@pytest.mark.parametrize("before", [0, 1, 5, 300])
def test_the_topmost_box_is_found_as_by_looking_at_all(before: int) -> None:
    random = Random(before)
    page = (0.0, 0.0, 600.0, 800.0)
    boxes = []
    for number in range(300):
        x, y = random.uniform(-50, 600), random.uniform(-50, 800)
        width, height = random.choice([(8, 8), (500, 4), (4, 700), (900, 900)]) if number % 40 else (900, 900)
        boxes.append(((x, y, x + width, y + height), (number % 256, 0, 0)))
    covers = Covers(page)
    for box, colour in boxes:
        covers.add(box, colour)
    for _ in range(200):
        x, y = random.uniform(-20, 620), random.uniform(-20, 820)
        under = [colour for (x1, y1, x2, y2), colour in boxes[:before] if x1 <= x <= x2 and y1 <= y <= y2]
        assert covers.topmost(x, y, before=before, paper=(255, 255, 255)) == (under or [(255, 255, 255)])[-1]


@pytest.mark.parametrize(
    "box", [(0.0, 0.0, math.inf, 800.0), (math.nan, 0.0, 600.0, 800.0), (-3.4e38, -3.4e38, 3.4e38, 3.4e38)]
)
def test_a_box_of_any_size_is_taken(box: Box) -> None:
    covers = Covers((0.0, 0.0, 600.0, 800.0))
    covers.add(box, None)
    assert covers.topmost(300.0, 400.0, before=1, paper=(255, 255, 255)) in (None, (255, 255, 255))


def test_a_page_of_thousands_of_strips_is_left_to_its_pixels() -> None:
    covers = Covers((0.0, 0.0, 600.0, 800.0))
    for _ in range(4_000):
        covers.add((0.0, 0.0, 300.0, 800.0), (0, 0, 0))
    found = [covers.topmost(500.0, 400.0, before=4_000, paper=(255, 255, 255)) for _ in range(100)]
    assert (found[0], found[-1]) == ((255, 255, 255), None)


@given(st.tuples(*[st.integers(0, 255)] * 3), st.tuples(*[st.integers(0, 255)] * 3))
def test_a_palette_passes_over_no_colour(one: Colour, other: Colour) -> None:
    covers = Covers((0.0, 0.0, 600.0, 800.0))
    covers.add((0.0, 0.0, 1.0, 1.0), one)
    assert covers.palette().has_near(other) or not is_near(one, other)
