"""Presentations, workbooks, tables and Word documents, built here with the libraries that read them."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.enum.text import WD_BREAK
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml as docx_xml
from openpyxl.styles import Font
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Cm

from rag_system.errors import UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders import SUPPORTED_EXTENSIONS, extract
from rag_system.ingestion.loaders.cell_format import shown
from rag_system.ingestion.loaders.counting import written_number
from rag_system.ingestion.loaders.delimited import find_delimiter
from tests.fakes.compound_file import compound_file

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


def _outline(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in document.blocks]


def _paged(document: ExtractedDocument) -> list[tuple[int | None, str, str]]:
    return [(block.page, block.kind.value, block.text) for block in document.blocks]


# ---------------------------------------------------------------- PPTX


def _presentation() -> Any:
    presentation = pptx.Presentation()
    layouts = presentation.slide_layouts
    cover = presentation.slides.add_slide(layouts[0])
    cover.shapes.title.text = "Inducción en seguridad"
    cover.placeholders[1].text = "Oficina de Recursos Humanos"
    body = presentation.slides.add_slide(layouts[1])
    body.shapes.title.text = "Qué hacer en un sismo"
    body.placeholders[1].text = "Agacharse y cubrirse\nSalir por la escalera"
    body.notes_slide.notes_text_frame.text = "Mostrar el plano.\nPreguntar por las salidas."
    return presentation


def test_pptx_slides_are_pages_and_titles_headings() -> None:
    presentation = _presentation()
    presentation.core_properties.title = "Inducción 2026"
    presentation.slides.add_slide(presentation.slide_layouts[6])  # a picture would stand here
    document = extract(_saved(presentation.save), name="a.pptx")
    assert (document.format, document.pages, document.empty_pages) == ("pptx", 3, (3,))
    assert document.title == "Inducción 2026"
    assert _paged(document) == [
        (1, "heading", "Inducción en seguridad"),
        (1, "text", "Oficina de Recursos Humanos"),
        (2, "heading", "Qué hacer en un sismo"),
        (2, "list_item", "Agacharse y cubrirse"),
        (2, "list_item", "Salir por la escalera"),
        (2, "text", "Notas: Mostrar el plano. Preguntar por las salidas."),
    ]
    assert [block.level for block in document.blocks if block.level] == [1, 2]


def test_pptx_tables_charts_groups_and_columns() -> None:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Horas"
    right = slide.shapes.add_textbox(Cm(14), Cm(5), Cm(8), Cm(2))
    right.text_frame.text = "Columna derecha"
    left = slide.shapes.add_textbox(Cm(2), Cm(5.2), Cm(8), Cm(2))
    left.text_frame.text = "Columna izquierda"
    table = slide.shapes.add_table(3, 2, Cm(2), Cm(8), Cm(10), Cm(3)).table
    for index, text in enumerate(["Área", "Horas", "Sistemas", "8", "", "4"]):
        table.cell(index // 2, index % 2).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(Cm(2), Cm(12), Cm(8), Cm(2)).text_frame.text = "Dentro de un grupo"
    data = CategoryChartData()
    data.categories = ["Enero", "Febrero"]
    data.add_series("Asistentes", (12, 15.5))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Cm(2), Cm(15), Cm(8), Cm(4), data)
    assert _outline(extract(_saved(presentation.save), name="a.pptx")) == [
        ("heading", "Horas"),
        ("text", "Columna izquierda"),
        ("text", "Columna derecha"),
        ("table", "Área | Horas\nSistemas | 8\nSistemas | 4"),
        ("text", "Dentro de un grupo"),
        ("table", "Categoría | Asistentes\nEnero | 12\nFebrero | 15.5"),
    ]


def test_a_slide_with_its_title_alone_keeps_it() -> None:
    presentation = pptx.Presentation()
    for title in ("Organigrama", "Sedes"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = title
    assert _paged(extract(_saved(presentation.save), name="a.pptx")) == [
        (1, "text", "Organigrama"),
        (2, "text", "Sedes"),
    ]


# ---------------------------------------------------------------- XLSX


def _workbook() -> Any:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Horas por área"
    sheet["A1"] = "Plan de capacitación 2026"
    rows = [
        ["Área", "Curso", None, "Fecha", "Avance", "Costo"],
        ["Sistemas", "Copias de respaldo", None, date(2026, 3, 31), 0.755, 1234.5],
        [None, "Gestión de incidentes", None, datetime(2026, 4, 1, 9, 30), 1, 20],
    ]
    for number, row in enumerate(rows, 3):
        for column, value in enumerate(row, 1):
            sheet.cell(number, column, value)
    for number in (4, 5):
        sheet.cell(number, 4).number_format = "dd/mm/yyyy"
        sheet.cell(number, 5).number_format = "0.0%"
        sheet.cell(number, 6).number_format = '"S/" #,##0.00'
    sheet.merge_cells("A4:A5")
    return workbook


def test_xlsx_shows_what_the_sheet_shows() -> None:
    workbook = _workbook()
    hidden = workbook.create_sheet("Listas")
    hidden.sheet_state = "hidden"
    hidden.append(["oculto", "x"])
    workbook.create_sheet("Sedes").append(["Sede", "Piso"])
    document = extract(_saved(workbook.save), name="a.xlsx")
    assert (document.format, document.pages) == ("xlsx", 2)
    expected = [
        (1, "heading", "Horas por área"),
        (1, "text", "Plan de capacitación 2026"),
        (
            1,
            "table",
            "Área | Curso | Fecha | Avance | Costo\n"
            "Sistemas | Copias de respaldo | 31/03/2026 | 75.5% | S/ 1,234.50\n"
            "Sistemas | Gestión de incidentes | 01/04/2026 09:30 | 100.0% | S/ 20.00",
        ),
        (2, "heading", "Sedes"),
        (2, "table", "Sede | Piso"),
    ]
    for _ in range(2):  # the blocks may be read again
        assert _paged(document) == expected


def test_xlsx_two_tables_on_a_sheet() -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    for row in (["Sede", "Piso"], ["Central", 3], [], ["Norte", 1], [], ["Turno", "Hora"], ["Mañana", "8:00"]):
        sheet.append(row)
    for cell in sheet[6]:
        cell.font = Font(bold=True)
    assert [text for kind, text in _outline(extract(_saved(workbook.save), name="a.xlsx")) if kind == "table"] == [
        "Sede | Piso\nCentral | 3\nNorte | 1",
        "Turno | Hora\nMañana | 8:00",
    ]


def test_a_long_sheet_is_cut_into_tables_that_repeat_their_header(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook(write_only=True)
    sheet = workbook.create_sheet("Datos")
    sheet.append(["Código", "Valor"])
    for number in range(1_000):
        sheet.append([f"C-{number}", number])
    path = tmp_path / "grande.xlsx"
    workbook.save(path)
    tables = [block.text.split("\n") for block in extract(path).blocks if block.kind is BlockKind.TABLE]
    assert len(tables) == 5  # 1,000 rows in batches of 200
    assert {table[0] for table in tables} == {"Código | Valor"}
    assert [row for table in tables for row in table[1:]] == [f"C-{number} | {number}" for number in range(1_000)]


@pytest.mark.parametrize(
    ("value", "number_format", "expected"),
    [
        (None, "General", ""),
        (12, "General", "12"),
        (12.0, "General", "12"),
        (0.1 + 0.2, "General", "0.3"),
        (1234567.891, "#,##0.00", "1,234,567.89"),
        (1234.5, "0", "1234"),
        (-5, "#,##0;(#,##0)", "(5)"),
        (-5, "0.00", "-5.00"),
        (0, '0.0;-0.0;"—"', "—"),
        (0.125, "0.0%", "12.5%"),
        (0.5, "0%", "50%"),
        (7, "000", "007"),
        (1500, "[$S/-280A]\\ #,##0.00", "S/ 1,500.00"),
        (1500, "#,##0 [$€-C0A]", "1,500 €"),
        (2_500_000, '0.0,,"M"', "2.5M"),
        (3.5, "0.##", "3.5"),
        (3, '0 "días"', "3 días"),
        (1500, "_-* #,##0.00_-", "1,500.00"),
        (5, "[Red]0", "5"),
        (True, "General", "VERDADERO"),
        (date(2026, 3, 5), "mm-dd-yy", "05/03/2026"),
        (datetime(2026, 3, 5), "dd/mm/yyyy", "05/03/2026"),
        (datetime(2026, 3, 5, 14, 30), "dd/mm/yyyy hh:mm", "05/03/2026 14:30"),
        (time(8, 5), "h:mm", "08:05"),
        (timedelta(hours=26, minutes=5), "[h]:mm", "26:05"),
        ("  Año\xa0fiscal\n2026 ", "@", "Año fiscal 2026"),
    ],
)
def test_a_cell_as_it_is_shown(value: object, number_format: str, expected: str) -> None:
    assert shown(value, number_format) == expected


# ---------------------------------------------------------------- CSV


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("Distrito;Promedio\nBreña;12,5\nAncón;8,2\n", ";"),
        ("Distrito,Promedio\nBreña,12.5\nAncón,8.2\n", ","),
        ("Distrito\tPromedio\nBreña\t1.234,50\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('Nombre,Nota\n"Núñez, Ana",15\n"Soto; Luis",14\n', ","),
        ("sep=;\na;b\n1,5;2,5\n", ";"),
        ("Plan anual\n\nMes;Horas\nEnero;4\nFebrero;8\n", ";"),
        ("Una línea sin columnas\nOtra línea\n", ""),
        ("La ley, en suma, no cambia.\nRige desde hoy.\n\nNadie, sin embargo, lo sabe.\n", ""),
    ],
)
def test_the_separator_is_found(text: str, delimiter: str) -> None:
    assert find_delimiter(text) == delimiter


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "cp850", "mac_roman", "utf-16", "utf-16-le"])
def test_csv_in_any_encoding(encoding: str) -> None:
    text = 'Distrito;Población;Promedio\r\nBreña;85.316;12,5\r\n"Jesús\r\nMaría";75.359;"9;1"\r\n;;\r\n'
    document = extract(text.encode(encoding), name="población.csv")
    assert (document.format, document.pages) == ("csv", None)
    assert _outline(document) == [
        ("table", "Distrito | Población | Promedio\nBreña | 85.316 | 12,5\nJesús María | 75.359 | 9;1")
    ]


def test_a_stray_quotation_mark_costs_no_row() -> None:
    rows = "".join(f"{number};valor {number}\n" for number in range(120_000))
    document = extract(f'código;nota\n1;"sin cerrar\n{rows}'.encode(), name="a.csv")
    tables = [block.text for block in document.blocks]
    assert tables[0].split("\n")[:3] == ["código | nota", '1 | "sin cerrar', "0 | valor 0"]
    assert tables[-1].endswith("119999 | valor 119999")


def test_a_csv_without_columns_is_text() -> None:
    assert extract("Un párrafo, nada más.".encode(), name="a.csv").format == "txt"


# ---------------------------------------------------------------- DOCX


def _docx(build: Callable[[Any], None]) -> bytes:
    document = docx.Document()
    build(document)
    return _saved(document.save)


def _append(document: Any, xml: str) -> None:
    document.element.body.insert(-1, docx_xml(xml))


def test_docx_reads_what_review_left() -> None:
    def build(document: Any) -> None:
        _append(
            document,
            f"""<w:p {_W}><w:r><w:t xml:space="preserve">El plazo es de </w:t></w:r>
<w:del w:id="1"><w:r><w:delText>diez</w:delText></w:r></w:del><w:ins w:id="2"><w:r><w:t>quince</w:t></w:r></w:ins>
<w:moveFrom w:id="3"><w:r><w:t xml:space="preserve"> meses</w:t></w:r></w:moveFrom>
<w:r><w:rPr><w:vanish/></w:rPr><w:t>oculto</w:t></w:r>
<w:fldSimple w:instr="PAGE"><w:r><w:t xml:space="preserve"> días</w:t></w:r></w:fldSimple>
<w:sdt><w:sdtContent><w:r><w:t xml:space="preserve"> hábiles.</w:t></w:r></w:sdtContent></w:sdt></w:p>""",
        )
        document.add_comment(document.paragraphs[0].runs, text="¿Seguro?", author="A")
        document.sections[0].header.paragraphs[0].text = "Encabezado repetido"
        document.sections[0].footer.paragraphs[0].text = "Página 1"

    assert _outline(extract(_docx(build), name="a.docx")) == [("text", "El plazo es de quince días hábiles.")]


def test_docx_controls_boxes_and_contents() -> None:
    def build(document: Any) -> None:
        _append(
            document,
            f"""<w:sdt {_W}><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>
</w:sdtPr><w:sdtContent><w:p><w:r><w:t>Alcance 3</w:t></w:r></w:p></w:sdtContent></w:sdt>""",
        )
        _append(document, f"<w:sdt {_W}><w:sdtContent><w:p><w:r><w:t>Dentro.</w:t></w:r></w:p></w:sdtContent></w:sdt>")
        _append(
            document,
            f"""<w:p {_W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:r><w:t>Ancla.</w:t></w:r>
<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><w:txbxContent><w:p><w:r><w:t>Recuadro.</w:t></w:r></w:p>
</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>Recuadro.</w:t></w:r></w:p>
</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>""",
        )

    assert [text for _, text in _outline(extract(_docx(build), name="a.docx"))] == ["Dentro.", "Ancla.", "Recuadro."]


def test_docx_numbers_that_word_counts() -> None:
    def build(document: Any) -> None:
        numbering = document.part.numbering_part.element
        numbering.insert(
            0,
            docx_xml(
                f"""<w:abstractNum {_W} w:abstractNumId="90">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Artículo %1.-"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl>
<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%3"/></w:lvl></w:abstractNum>"""
            ),
        )
        numbering.append(docx_xml(f'<w:num {_W} w:numId="91"><w:abstractNumId w:val="90"/></w:num>'))
        for level, text in [
            (0, "Rige para todos."),
            (1, "Las sedes."),
            (1, "Los talleres."),
            (0, "Se publica."),
            (1, "En la web."),
            (2, "Cada mes."),
        ]:
            paragraph = document.add_paragraph(text)
            paragraph._p.get_or_add_pPr().append(
                docx_xml(f'<w:numPr {_W}><w:ilvl w:val="{level}"/><w:numId w:val="91"/></w:numPr>')
            )

    assert [text for _, text in _outline(extract(_docx(build), name="a.docx"))] == [
        "Artículo 1.- Rige para todos",
        "a) Las sedes.",
        "b) Los talleres.",
        "Artículo 2.- Se publica",
        "a) En la web.",
        "2.1 Cada mes.",
    ]


def test_docx_numbers_in_cells_and_before_nothing_are_counted() -> None:
    def numbered(paragraph: Any) -> Any:
        properties = paragraph._p.get_or_add_pPr()
        properties.append(docx_xml(f'<w:numPr {_W}><w:ilvl w:val="0"/><w:numId w:val="91"/></w:numPr>'))
        return properties

    def build(document: Any) -> None:
        numbering = document.part.numbering_part.element
        level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        numbering.insert(0, docx_xml(f'<w:abstractNum {_W} w:abstractNumId="90">{level}</w:abstractNum>'))
        numbering.append(docx_xml(f'<w:num {_W} w:numId="91"><w:abstractNumId w:val="90"/></w:num>'))
        numbered(document.add_paragraph())
        for mark in ("vanish", "del"):
            numbered(document.add_paragraph()).append(docx_xml(f"<w:rPr {_W}><w:{mark}/></w:rPr>"))
        numbered(document.add_paragraph("Pida la hoja de ruta."))
        for mark in ('<w:vanish w:val="0"/>', "<w:vanish/><w:specVanish/>"):
            numbered(document.add_paragraph("Pague.")).append(docx_xml(f"<w:rPr {_W}>{mark}</w:rPr>"))
        table = document.add_table(rows=3, cols=2)
        for row, text in zip(table.rows, ("Lima", "Cusco", "Puno"), strict=True):
            numbered(row.cells[0].paragraphs[0])
            row.cells[1].text = text
        table.rows[2].cells[0].paragraphs[0].add_run("Sede")
        numbered(document.add_paragraph("Firme la hoja."))

    assert [text for _, text in _outline(extract(_docx(build), name="a.docx"))] == [
        "2. Pida la hoja de ruta.",
        "3. Pague.",
        "4. Pague.",
        "5. | Lima\n6. | Cusco\n7. Sede | Puno",
        "8. Firme la hoja.",
    ]


def test_docx_numbers_by_tens_and_none_before_a_page_break_alone() -> None:
    def build(document: Any) -> None:
        numbering = document.part.numbering_part.element
        level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%10."/></w:lvl>'
        numbering.insert(0, docx_xml(f'<w:abstractNum {_W} w:abstractNumId="90">{level}</w:abstractNum>'))
        numbering.append(docx_xml(f'<w:num {_W} w:numId="91"><w:abstractNumId w:val="90"/></w:num>'))
        for text in ("Pida la hoja.", "", "Firme la hoja."):
            paragraph = document.add_paragraph(text)
            number = docx_xml(f'<w:numPr {_W}><w:ilvl w:val="0"/><w:numId w:val="91"/></w:numPr>')
            paragraph._p.get_or_add_pPr().append(number)
            if not text:
                paragraph.add_run().add_break(WD_BREAK.PAGE)

    assert [text for _, text in _outline(extract(_docx(build), name="a.docx"))] == [
        "10. Pida la hoja.",
        "30. Firme la hoja.",
    ]


def test_a_docx_that_was_saved_as_strict_is_read() -> None:
    usual, strict = "schemas.openxmlformats.org/wordprocessingml/2006/main", "purl.oclc.org/ooxml/wordprocessingml/main"

    def build(document: Any) -> None:
        document.add_heading("Vacaciones", level=1)
        document.add_paragraph("Son treinta días.")

    assert _outline(extract(_retyped(_docx(build), usual, strict), name="a.docx")) == [
        ("heading", "Vacaciones"),
        ("text", "Son treinta días."),
    ]


def test_docx_numbers_in_words_and_of_a_linked_style() -> None:
    def build(document: Any) -> None:
        numbering = document.part.numbering_part.element
        for number, definition in (
            (
                92,
                """<w:styleLink w:val="Ley"/><w:lvl w:ilvl="0"><w:start w:val="9"/><w:numFmt w:val="ordinalText"/>
<w:lvlText w:val="Artículo %1.-"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:isLgl/>
<w:lvlText w:val="%1.%2"/></w:lvl>""",
            ),
            (93, '<w:numStyleLink w:val="Ley"/>'),
        ):
            abstract = f'<w:abstractNum {_W} w:abstractNumId="{number}">{definition}</w:abstractNum>'
            numbering.insert(0, docx_xml(abstract))
            numbering.append(docx_xml(f'<w:num {_W} w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>'))
        for number, level, text in (
            (92, 0, "Rige para todos."),
            (93, 0, "Se publica."),
            (93, 1, "En la web."),
            (92, 0, "Se archiva."),
        ):
            document.add_paragraph(text)._p.get_or_add_pPr().append(
                docx_xml(f'<w:numPr {_W}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')
            )

    assert [text for _, text in _outline(extract(_docx(build), name="a.docx"))] == [
        "Artículo Noveno.- Rige para todos",
        "Artículo Décimo.- Se publica",
        "10.1 En la web.",
        "Artículo Décimo primero.- Se archiva",
    ]


@pytest.mark.parametrize(
    ("number", "ordinal"),
    [
        (1, "Primero"),
        (10, "Décimo"),
        (20, "Vigésimo"),
        (22, "Vigésimo segundo"),
        (30, "Trigésimo"),
        (99, "Nonagésimo noveno"),
        (100, "100"),
        (0, "0"),
    ],
)
def test_numbers_in_words(number: int, ordinal: str) -> None:
    assert written_number(number, "primero") == ordinal


def test_docx_tables_merged_nested_and_as_frames() -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=3, cols=3)
        texts = ["Falta", "Sanción", "", "Leve", "Multa", "1 UIT", "", "Aviso", ""]
        for cell, text in zip(table._cells, texts, strict=True):
            cell.text = text
        table.cell(0, 1).merge(table.cell(0, 2))
        table.cell(1, 0).merge(table.cell(2, 0))
        inner = table.cell(2, 2).add_table(rows=1, cols=2)
        inner.cell(0, 0).text, inner.cell(0, 1).text = "uno", "dos"
        frame = document.add_table(rows=1, cols=1)
        frame.cell(0, 0).text = "Nota importante en un recuadro."

    assert _outline(extract(_docx(build), name="a.docx")) == [
        ("table", "Falta | Sanción\nLeve | Multa | 1 UIT\nLeve | Aviso | uno | dos"),
        ("text", "Nota importante en un recuadro."),
    ]


# ---------------------------------------------------------------- which format, whatever the name


@pytest.mark.parametrize("name", ["a.pdf", "a.zip", "a.csv", "a.docm", "a", "../../a.txt"])
def test_a_docx_under_another_name(name: str) -> None:
    assert extract(_docx(lambda document: document.add_paragraph("Hola")), name=name).format == "docx"


@pytest.mark.parametrize("name", ["a.csv", "a.xls", "a.docx", "a.xlsm"])
def test_an_xlsx_under_another_name(name: str) -> None:
    assert extract(_saved(_workbook().save), name=name).format == "xlsx"


def _retyped(data: bytes, before: str, after: str) -> bytes:
    import zipfile

    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(before.encode(), after.encode()))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "before", "after", "name"),
    [
        (
            _docx(lambda document: document.add_paragraph("Hola")),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
            "application/vnd.ms-word.document.macroEnabled.main+xml",
            "a.docm",
        ),
        (
            _docx(lambda document: document.add_paragraph("Hola")),
            "wordprocessingml.document.main+xml",
            "wordprocessingml.template.main+xml",
            "a.dotx",
        ),
        (
            _saved(_presentation().save),
            "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
            "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
            "a.pptm",
        ),
        (
            _saved(_presentation().save),
            "presentationml.presentation.main+xml",
            "presentationml.slideshow.main+xml",
            "a.ppsx",
        ),
        (
            _saved(_workbook().save),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
            "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
            "a.xlsm",
        ),
    ],
)
def test_macros_templates_and_shows_are_read_as_what_they_hold(data: bytes, before: str, after: str, name: str) -> None:
    assert list(extract(_retyped(data, before, after), name=name).blocks)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("a.zip", b"PK\x05\x06" + bytes(18), "comprimido"),
        ("a.rar", b"Rar!\x1a\x07" + bytes(40), "comprimido"),
    ],
)
def test_what_is_not_read_says_what_to_do_in_one_line(name: str, data: bytes, words: str) -> None:
    with pytest.raises((UnreadableFileError, UnsupportedFormatError), match=words) as caught:
        extract(data, name=name)
    assert "\n" not in str(caught.value)


_OPENINGS = ("", "<meta charset=utf-8>\n", "<style>td { color: red }</style>", "<!-- r -->", f"<!--{'r' * 900}-->")
_XML_OPENINGS = ('<?xml version="1.0"?>\n', "<xml><x:ExcelWorkbook></x:ExcelWorkbook></xml>", "<title></title><br>")


@pytest.mark.parametrize("opening", [*_OPENINGS, *_XML_OPENINGS])
def test_a_web_table_that_calls_itself_a_sheet_is_read(opening: str) -> None:
    rows = "<tr><th>Trámite<th>Plazo</tr><tr><td>Queja<td>3 días</tr>"
    document = extract(f"{opening}<table border=1>{rows}</table>".encode(), name="reporte.xls")
    assert [block.text for block in document.blocks] == ["Trámite | Plazo\nQueja | 3 días"]


def test_a_huge_old_office_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "enorme.doc"
    with path.open("wb") as file:
        file.write(compound_file({"WordDocument": b"x"}))
        file.truncate(2 * 2**30)  # sparse
    with pytest.raises(UnsupportedFormatError, match="documento de Word"):
        extract(path)


@pytest.mark.parametrize("extension", [".xls", ".xlsx"])
def test_a_text_table_called_a_workbook_is_read_as_a_table(extension: str) -> None:
    assert extract(b"Sede\tPiso\nCentral\t3\n", name=f"a{extension}").format == "csv"


def test_every_format_is_offered() -> None:
    assert {".pdf", ".docx", ".pptx", ".xlsx", ".csv", ".html", ".md", ".txt", ".epub", ".odt"} <= set(
        SUPPORTED_EXTENSIONS
    )


def test_docx_notes_follow_the_paragraph_that_calls_them() -> None:
    def build(document: Any) -> None:
        _append(
            document,
            f"""<w:p {_W}><w:r><w:t>El aporte es mensual.</w:t></w:r>
<w:r><w:footnoteReference w:id="7"/></w:r></w:p>""",
        )
        document.add_paragraph("Se paga por planilla.")
        notes = f"""<w:footnotes {_W}><w:footnote w:id="-1" w:type="separator"><w:p/></w:footnote>
<w:footnote w:id="7"><w:p><w:r><w:t>Salvo en diciembre.</w:t></w:r></w:p></w:footnote></w:footnotes>"""
        kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
        content = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
        part = Part(PackURI("/word/footnotes.xml"), content, notes.encode(), document.part.package)
        document.part.relate_to(part, kind)

    assert [text for _, text in _outline(extract(_docx(build), name="a.docx"))] == [
        "El aporte es mensual.",
        "Nota 1: Salvo en diciembre.",
        "Se paga por planilla.",
    ]
