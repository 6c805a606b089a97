"""What a Word document does not show never reaches the index, and what only looks hidden does."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_COLOR_INDEX
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt, RGBColor
from docx.text.run import Run

from tests.hidden import SEEN, UNSEEN, read, text_of


def _word(make: Callable[[Document], None]) -> bytes:
    document = docx.Document()
    document.add_paragraph(SEEN)
    make(document)
    document.save(buffer := io.BytesIO())
    return buffer.getvalue()


def _run(document: Document, text: str = UNSEEN) -> Run:
    return document.add_paragraph("El plazo vence: ").add_run(text)


def _white_run(document: Document) -> None:
    _run(document).font.color.rgb = RGBColor(255, 255, 255)


def _nearly_white_run(document: Document) -> None:
    _run(document).font.color.rgb = RGBColor(250, 251, 249)


def _white_cell(document: Document) -> None:
    cell = document.add_table(rows=1, cols=2, style="Table Grid").cell(0, 0)
    cell.paragraphs[0].add_run(UNSEEN).font.color.rgb = RGBColor(255, 255, 255)
    document.tables[0].cell(0, 1).text = "Leve"


def _dusty_run(document: Document) -> None:
    _run(document).font.size = Pt(1)


def _vanished_run(document: Document) -> None:
    _run(document).font.hidden = True


def _vanished_by_its_style(document: Document) -> None:
    document.styles.add_style("Oculto", WD_STYLE_TYPE.PARAGRAPH).font.hidden = True
    based = document.styles.add_style("Interno", WD_STYLE_TYPE.PARAGRAPH)
    based.base_style = document.styles["Oculto"]
    document.add_paragraph(UNSEEN, style="Interno")


def _white_in_a_list(document: Document) -> None:
    document.add_paragraph(style="List Paragraph").add_run(UNSEEN).font.color.rgb = RGBColor(255, 255, 255)


def _white_on_a_white_row(document: Document) -> None:
    _white_in_a_row_of_its_own_colour(document, text=UNSEEN, fill="FFFFFF")


@pytest.mark.parametrize(
    "make",
    [
        _white_run,
        _nearly_white_run,
        _white_cell,
        _dusty_run,
        _vanished_run,
        _vanished_by_its_style,
        _white_in_a_list,
        _white_on_a_white_row,
    ],
)
def test_what_a_word_document_does_not_show_is_left_out_and_said(make: Callable[[Document], None]) -> None:
    document = read(_word(make), "a.docx")
    assert "multa" not in text_of(document)
    assert SEEN in text_of(document)
    assert tuple(document.hidden_pages) == (0,)


def _shade(properties: Any, fill: str) -> None:
    shading = OxmlElement("w:shd")
    shading.set(qn("w:val"), "clear")
    shading.set(qn("w:fill"), fill)
    properties.append(shading)


def _white_on_a_dark_cell(document: Document) -> None:
    cell = document.add_table(rows=1, cols=2).cell(0, 0)
    cell.paragraphs[0].add_run("Infracción y multa").font.color.rgb = RGBColor(255, 255, 255)
    _shade(cell._tc.get_or_add_tcPr(), "1F3864")
    document.tables[0].cell(0, 1).text = "Leve"


def _white_on_a_dark_paragraph(document: Document) -> None:
    run = _run(document, "Infracción y multa")
    run.font.color.rgb = RGBColor(255, 255, 255)
    _shade(run._r.getparent().get_or_add_pPr(), "1F3864")


def _white_in_a_coloured_table(document: Document) -> None:
    cell = document.add_table(rows=1, cols=2, style="Light Grid Accent 1").cell(0, 0)
    cell.paragraphs[0].add_run("Infracción y multa").font.color.rgb = RGBColor(255, 255, 255)
    document.tables[0].cell(0, 1).text = "Leve"


def _highlighted(document: Document) -> None:
    run = _run(document, "Infracción y multa")
    run.font.color.rgb, run.font.highlight_color = RGBColor(255, 255, 255), WD_COLOR_INDEX.DARK_BLUE


def _white_in_a_style_that_paints(document: Document) -> None:
    _shade(document.styles.add_style("Aviso", WD_STYLE_TYPE.PARAGRAPH).element.get_or_add_pPr(), "1F3864")
    based = document.styles.add_style("Aviso grave", WD_STYLE_TYPE.PARAGRAPH)
    based.base_style = document.styles["Aviso"]
    run = document.add_paragraph(style="Aviso grave").add_run("Infracción y multa")
    run.font.color.rgb = RGBColor(255, 255, 255)


def _white_in_letters_that_are_painted(document: Document) -> None:
    style = document.styles.add_style("Etiqueta", WD_STYLE_TYPE.CHARACTER)
    _shade(style.element.get_or_add_rPr(), "1F3864")
    run = document.add_paragraph(style="List Paragraph").add_run("Infracción y multa", style="Etiqueta")
    run.font.color.rgb = RGBColor(255, 255, 255)


def _white_by_a_style_of_its_name(document: Document) -> None:
    document.styles.add_style("Portada", WD_STYLE_TYPE.PARAGRAPH).font.color.rgb = RGBColor(255, 255, 255)
    document.add_paragraph("Infracción y multa", style="Portada")


def _white_in_a_row_of_its_own_colour(
    document: Document, *, text: str = "Infracción y multa", fill: str = "1F3864"
) -> None:
    row = document.add_table(rows=1, cols=2).rows[0]
    exceptions = OxmlElement("w:tblPrEx")
    _shade(exceptions, fill)
    row._tr.insert(0, exceptions)
    row.cells[0].paragraphs[0].add_run(text).font.color.rgb = RGBColor(255, 255, 255)
    row.cells[1].text = "Leve"


def _white_by_number_and_black_by_its_theme(document: Document) -> None:
    run = _run(document, "Infracción y multa")
    run.font.color.rgb = RGBColor(255, 255, 255)
    run.font.color._color.set(qn("w:themeColor"), "text1")


def _paper_in_the_shade(document: Document) -> None:
    run = _run(document, "Infracción y multa")
    run.font.color.rgb = RGBColor(255, 255, 255)
    run.font.color._color.set(qn("w:themeColor"), "background1")
    run.font.color._color.set(qn("w:themeShade"), "80")


def _white_on_a_pattern(document: Document) -> None:
    run = _run(document, "Infracción y multa")
    run.font.color.rgb = RGBColor(255, 255, 255)
    properties = run._r.getparent().get_or_add_pPr()
    _shade(properties, "auto")
    properties[-1].set(qn("w:val"), "solid")
    properties[-1].set(qn("w:color"), "1F3864")


def _white_where_plain_paragraphs_are_painted(document: Document) -> None:
    _shade(document.styles["Normal"].element.get_or_add_pPr(), "1F3864")
    _run(document, "Infracción y multa").font.color.rgb = RGBColor(255, 255, 255)


def _shown_in_spite_of_its_style(document: Document) -> None:
    document.styles.add_style("Oculto", WD_STYLE_TYPE.PARAGRAPH).font.hidden = True
    document.add_paragraph(style="Oculto").add_run("Infracción y multa").font.hidden = False


@pytest.mark.parametrize(
    "make",
    [
        _white_on_a_dark_cell,
        _white_on_a_dark_paragraph,
        _white_in_a_coloured_table,
        _highlighted,
        _white_in_a_style_that_paints,
        _white_in_letters_that_are_painted,
        _white_by_a_style_of_its_name,
        _white_in_a_row_of_its_own_colour,
        _white_by_number_and_black_by_its_theme,
        _paper_in_the_shade,
        _white_on_a_pattern,
        _white_where_plain_paragraphs_are_painted,
        _shown_in_spite_of_its_style,
    ],
)
def test_what_a_word_document_shows_stays(make: Callable[[Document], None]) -> None:
    document = read(_word(make), "a.docx")
    assert "multa" in text_of(document)
    assert tuple(document.hidden_pages) == ()
