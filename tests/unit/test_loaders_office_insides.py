"""What stands inside office documents where the libraries that read them do not look: nothing glued, nothing twice."""

from __future__ import annotations

import io
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml as docx_xml
from pptx.oxml import parse_xml as pptx_xml
from pptx.util import Cm

from rag_system.ingestion.loaders import extract

_OFFICE = "http://schemas.openxmlformats.org"
_MC = f"{_OFFICE}/markup-compatibility/2006"
_NAMES = " ".join(
    (
        f'xmlns:w="{_OFFICE}/wordprocessingml/2006/main"',
        f'xmlns:m="{_OFFICE}/officeDocument/2006/math"',
        f'xmlns:mc="{_MC}"',
    )
)


def _texts(document: Any, name: str) -> list[str]:
    document.save(buffer := io.BytesIO())
    return [block.text for block in extract(buffer.getvalue(), name=name).blocks]


def _word(*bodies: str) -> Any:
    document = docx.Document()
    for element in docx_xml(f"<w:body {_NAMES}>{''.join(bodies)}</w:body>"):
        document.element.body.insert(-1, element)
    return document


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def _part(name: str, text: str) -> str:
    return f"<m:{name}><m:r><m:t>{text}</m:t></m:r></m:{name}>"


def _symbol(font: str, code: str) -> str:
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (_run("Monto ") + _symbol("Symbol", "F0B3") + _run(" 8 UIT"), "Monto ≥ 8 UIT"),
        (_run("A 25 ") + _symbol("Symbol", "B0") + _run("C"), "A 25 °C"),
        (_symbol("Symbol", "F061") + _run(" = 0,05"), "α = 0,05"),
        (_symbol("Wingdings", "F0FC") + _run(" Cumple"), "✓ Cumple"),
        (_symbol("Wingdings", "F0FE") + _run(" Sí"), "☑ Sí"),
        (_symbol("Wingdings", "F04A") + _run("Gracias"), "Gracias"),  # an ornament
        (_symbol("Arial", "00BD") + _run(" cuota"), "½ cuota"),
        (_symbol("Symbol", "F022") + _run("x, 3 ") + _symbol("Symbol", "F02D") + _run(" x"), "∀x, 3 − x"),
        (_symbol("Logotipos", "F041") + _run("Cuota"), "Cuota"),
        (_symbol("Arial", "roto") + _run("Cuota"), "Cuota"),
        (f"<m:oMath><m:f>{_part('num', 'S + C')}{_part('den', '2')}</m:f></m:oMath>", "(S + C)/2"),
        (f"<m:oMath><m:sSup>{_part('e', 'x')}{_part('sup', '2')}</m:sSup></m:oMath>", "x^2"),
        ("<w:r><w:t>resolu</w:t><w:softHyphen/><w:t>ción</w:t></w:r>", "resolución"),
        ("<w:r><w:t>Ley 27</w:t><w:noBreakHyphen/><w:t>A</w:t><w:tab/><w:t>vigente</w:t></w:r>", "Ley 27-A vigente"),
    ],
)
def test_what_a_paragraph_of_word_shows(inside: str, text: str) -> None:
    assert _texts(_word(f"<w:p>{inside}</w:p>"), "a.docx") == [text]


@pytest.mark.parametrize("number", ["", "x", "²", "-1", "9" * 5_000])
@pytest.mark.parametrize("place", ["<w:pPr><w:outlineLvl{}/></w:pPr>", "<w:r><w:rPr><w:sz{}/></w:rPr></w:r>"])
def test_a_number_that_is_none_costs_no_word_of_the_document(place: str, number: str) -> None:
    value = f' w:val="{number}"'
    assert _texts(_word(f"<w:p>{place.format(value)}{_run('Cuota')}</w:p>"), "a.docx") == ["Cuota"]


def test_a_paragraph_that_stands_there_twice_is_read_once() -> None:
    paragraph = f"<w:p>{_run('El plazo vence el viernes.')}</w:p>"
    both = (
        f'<mc:AlternateContent><mc:Choice Requires="w14">{paragraph}</mc:Choice>'
        f"<mc:Fallback>{paragraph}</mc:Fallback></mc:AlternateContent>"
    )
    assert _texts(_word(both), "a.docx") == ["El plazo vence el viernes."]


def _cell(inside: str) -> str:
    return f"<w:tc><w:p>{inside}</w:p></w:tc>"


def test_boxes_and_notes_of_a_cell_are_read() -> None:
    box = f"<w:r><w:pict><w:txbxContent><w:p>{_run('Dentro de un recuadro')}</w:p></w:txbxContent></w:pict></w:r>"
    called = '<w:r><w:footnoteReference w:id="7"/></w:r>'
    gone = '<w:del w:id="1"><w:r><w:footnoteReference w:id="8"/></w:r></w:del>'
    document = _word(f"<w:tbl><w:tr>{_cell(_run('Aporte') + called + gone)}{_cell(box)}</w:tr></w:tbl>")
    notes = f"""<w:footnotes {_NAMES}><w:footnote w:id="7"><w:p>{_run("Salvo en diciembre.")}</w:p></w:footnote>
<w:footnote w:id="8"><w:p>{_run("Retirada.")}</w:p></w:footnote></w:footnotes>"""
    content = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = Part(PackURI("/word/footnotes.xml"), content, notes.encode(), document.part.package)
    document.part.relate_to(part, f"{_OFFICE}/officeDocument/2006/relationships/footnotes")
    assert _texts(document, "a.docx") == ["Aporte | Dentro de un recuadro", "Nota 1: Salvo en diciembre."]


def test_a_line_break_of_a_slide_parts_words() -> None:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Plan de\vcapacitación"
    table = slide.shapes.add_table(1, 2, Cm(2), Cm(8), Cm(10), Cm(3)).table
    table.cell(0, 0).text, table.cell(0, 1).text = "Área\vusuaria", "Horas"
    slide.notes_slide.notes_text_frame.text = "Mostrar\vel plano."
    assert _texts(presentation, "a.pptx") == [
        "Plan de capacitación",
        "Área usuaria | Horas",
        "Notas: Mostrar el plano.",
    ]


def test_a_group_is_read_from_its_top() -> None:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    for top, text in ((12, "Después."), (4, "Antes.")):
        group.shapes.add_textbox(Cm(2), Cm(top), Cm(8), Cm(2)).text_frame.text = text
    assert _texts(presentation, "a.pptx") == ["Antes.", "Después."]


def test_a_shape_with_an_equation_is_read_once() -> None:
    shape = """<p:sp><p:nvSpPr><p:cNvPr id="9" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody>
<a:bodyPr/><a:p><a:r><a:t>La multa es de 2 UIT.</a:t></a:r></a:p></p:txBody></p:sp>"""
    names = f'xmlns:p="{_OFFICE}/presentationml/2006/main" xmlns:a="{_OFFICE}/drawingml/2006/main" xmlns:mc="{_MC}"'
    both = f"""<mc:AlternateContent {names}><mc:Choice Requires="a14">{shape}</mc:Choice>
<mc:Fallback>{shape}</mc:Fallback></mc:AlternateContent>"""
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    slide.shapes._spTree.append(pptx_xml(both))
    assert _texts(presentation, "a.pptx") == ["La multa es de 2 UIT."]


def test_a_label_over_several_rows_of_the_last_column() -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in (["Requisito", "Pago", "Plazo"], ["Solicitud", "S/ 12", "5 días"], ["Copia", "S/ 3"]):
        sheet.append(row)
    sheet.merge_cells("C2:C3")
    assert (
        _texts(workbook, "a.xlsx")[1] == "Requisito | Pago | Plazo\nSolicitud | S/ 12 | 5 días\nCopia | S/ 3 | 5 días"
    )
