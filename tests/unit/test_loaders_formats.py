"""Each format from bytes to blocks, with the defects that real files carry."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Callable, Iterable

import docx
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from rag_system.errors import UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders import extract

# ---------------------------------------------------------------- helpers


def _outline(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for block in document.blocks]


def _pdf(*pages: Iterable[tuple[float, str]], size: float = 10, password: str = "", title: str = "") -> bytes:
    """Pages of (height, text) lines."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, encrypt=StandardEncryption(password) if password else None, invariant=True)
    canvas.setTitle(title or "Microsoft Word - doc1.docx")
    for page in pages:
        canvas.setFont("Helvetica", size)
        for height, text in page:
            canvas.drawString(60, height, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _docx(build: Callable[[docx.document.Document], None]) -> bytes:
    document = docx.Document()
    build(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


# ---------------------------------------------------------------- which format


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.txt", _pdf([(700, "Hola")]), "pdf"),
        ("a.pdf", b"<!DOCTYPE html><html><body><p>Hola a todos</p></body></html>", "html"),
        ("a.pdf", "Sólo texto.".encode(), "txt"),
        ("a.md", b"# Hola\n\nTexto", "md"),
        ("LEEME", b"Texto sin nombre", "txt"),
        ("a.TXT", b"Texto", "txt"),
        ("a.docx", b"Texto corriente", "txt"),
    ],
)
def test_content_decides_the_format(name: str, data: bytes, expected: str) -> None:
    assert extract(data, name=name).format == expected


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.json", b'{"a": 1}'),
        ("a.bin", bytes(range(256)) * 4),
    ],
)
def test_other_formats_are_refused(name: str, data: bytes) -> None:
    with pytest.raises(UnsupportedFormatError):
        extract(data, name=name)


def test_another_zip_is_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("hoja.xml", "<a/>")
    with pytest.raises(UnsupportedFormatError):
        extract(buffer.getvalue(), name="a.docx")


@pytest.mark.parametrize(
    ("name", "data", "word"),
    [
        ("a.txt", b"", "vacío"),
        ("a.pdf", b"%PDF-1.4\nnada", "dañado"),
        ("a.docx", b"PK\x03\x04" + bytes(40), "dañado"),
        ("a.pdf", bytes(500), "dañado"),
        ("a.pdf", _pdf([(700, "Secreto")], password="clave"), "contraseña"),
    ],
)
def test_unreadable_files_say_why_in_one_line(name: str, data: bytes, word: str) -> None:
    with pytest.raises(UnreadableFileError, match=word) as caught:
        extract(data, name=name)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- Markdown


def test_markdown() -> None:
    hard_break = "  "
    document = extract(
        f"""---
title: >-
  Ley de Protecci&amp;oacute;n
  de Datos
identifier: LEY-29733-2011
---
# Ley N&ordm; 29733

**CAPÍTULO I{hard_break}
**

**DISPOSICIONES GENERALES**

     **Artículo 1.-** **Objeto{hard_break}
**

     La ley regula los [datos](http://ejemplo.pe) en 2 * 3 y `nombre_de_campo`.

**Artículo 2.-** Rige en todo el país.

Artículo 3.- Plazos

1. Uno\\*
2. Dos

| Multa | Monto |
|---|---|
| Leve | 1 UIT |

```
# esto es código
```
""".encode(),
        name="a.md",
    )
    assert document.title == "Ley de Protección de Datos"
    assert document.identifier == "LEY-29733-2011"
    assert _outline(document) == [
        ("heading", "Ley Nº 29733"),
        ("heading", "CAPÍTULO I. DISPOSICIONES GENERALES"),
        ("heading", "Artículo 1.- Objeto"),
        ("text", "La ley regula los datos en 2 * 3 y nombre_de_campo."),
        ("heading", "Artículo 2"),
        ("text", "Rige en todo el país."),
        ("heading", "Artículo 3.- Plazos"),
        ("list_item", "1. Uno*"),
        ("list_item", "2. Dos"),
        ("table", "Multa | Monto\nLeve | 1 UIT"),
        ("code", "# esto es código"),
    ]


def test_the_mark_of_a_note_is_no_mark_of_markdown() -> None:
    text = "El plazo es de **diez** días. (*)\n(*) Artículo modificado por la *Ley* 9 (**véase**). (**)"
    (block,) = extract(text.encode(), name="a.md").blocks
    assert block.text.split() == (
        "El plazo es de diez días. (*) (*) Artículo modificado por la Ley 9 (véase). (**)".split()
    )


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("3. Tercero\n4. Cuarto\n6. Sexto", ["3. Tercero", "4. Cuarto", "6. Sexto"]),
        ("1. Uno\n1. Dos\n1. Tres", ["1. Uno", "2. Dos", "3. Tres"]),
        ("1.\n\nPárrafo que no es de la lista.", ["Párrafo que no es de la lista."]),
        ("1. | a | b |\n   |---|---|\n   | c | d |\n\nPárrafo aparte.\n", ["a | b\nc | d", "Párrafo aparte."]),
        ("1) Uno\n   - sin número\n   1. dentro\n2) Dos", ["1) Uno", "sin número", "1. dentro", "2) Dos"]),
        ("12. **Plazo.** Diez días\nhábiles", ["12. Plazo. Diez días hábiles"]),
    ],
)
def test_the_numbers_of_markdown_lists_are_text(text: str, items: list[str]) -> None:
    assert [block.text for block in extract(text.encode(), name="a.md").blocks] == items


def test_markdown_headings_of_an_ordinary_document() -> None:
    document = extract(b"# Manual\n\nIntro.\n\n## Uso\n\nAsi se usa.\n\n### Detalle\n\nFin.", name="a.md")
    assert [(b.level, b.text) for b in document.blocks if b.level] == [(1, "Manual"), (2, "Uso"), (3, "Detalle")]


# ---------------------------------------------------------------- HTML


def test_html_keeps_the_main_content() -> None:
    document = extract(
        """<html><head><title>Guía de uso</title><style>p{}</style></head><body>
<nav><a href="/">Inicio</a></nav><div class="menu principal">Menú</div>
<main><h1>Guía</h1><p>El <b>plazo</b> es&nbsp;de diez d&iacute;as y &amp;eacute;ste no se amplía.
Ninguna prórroga cabe, salvo que la ley lo diga y la autoridad lo apruebe por escrito, con motivo bastante.</p>
<ul><li>Uno</li><li>Dos <p>con párrafo</p></li></ul>
<table><tr><th>Falta</th><th>Multa</th></tr><tr><td>Leve</td><td>1 UIT</td></tr></table>
<pre>$ legajo
  ask</pre><script>alert(1)</script><!-- nota --></main><footer>Pie</footer></body></html>""".encode(),
        name="a.html",
    )
    assert document.title == "Guía de uso"
    assert _outline(document) == [
        ("heading", "Guía"),
        (
            "text",
            "El plazo es de diez días y éste no se amplía. Ninguna prórroga cabe, salvo que la ley lo diga y la "
            "autoridad lo apruebe por escrito, con motivo bastante.",
        ),
        ("list_item", "Uno"),
        ("list_item", "Dos"),
        ("text", "con párrafo"),
        ("table", "Falta | Multa\nLeve | 1 UIT"),
        ("code", "$ legajo\n  ask"),
    ]


def test_html_nested_without_end_is_read_as_text() -> None:
    page = b"<html><body>" + b"<div>" * 2_000 + b"hola" + b"</div>" * 2_000 + b"<p>fin</p>"
    assert [text for _, text in _outline(extract(page, name="a.html"))][:1] == ["hola"]


def test_html_in_another_encoding() -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Año de la información</p></body></html>'
    assert _outline(extract(page.encode("latin-1"), name="a.htm")) == [("text", "Año de la información")]


# ---------------------------------------------------------------- DOCX


def test_docx_in_document_order() -> None:
    def build(document: docx.document.Document) -> None:
        document.core_properties.title = "Manual interno"
        document.add_heading("Compras", level=1)
        document.add_paragraph("Toda compra se registra.")
        document.add_paragraph("Pedir tres cotizaciones", style="List Bullet")
        table = document.add_table(rows=2, cols=3)
        for cell, text in zip(table._cells, ["Monto", "Firma", "Plazo", "100", "Jefe", "2 días"], strict=True):
            cell.text = text
        table.cell(1, 0).merge(table.cell(1, 1))
        document.add_heading("Pagos", level=2)
        bold = document.add_paragraph()
        bold.add_run("Artículo 4.- Pago. ").bold = True
        bold.add_run("Se paga a 30 días.")

    document = extract(_docx(build), name="a.docx")
    assert document.title == "Manual interno"
    assert _outline(document) == [
        ("heading", "Compras"),
        ("text", "Toda compra se registra."),
        ("list_item", "Pedir tres cotizaciones"),
        ("table", "Monto | Firma | Plazo\n100 Jefe | 2 días"),
        ("heading", "Pagos"),
        ("heading", "Artículo 4.- Pago"),
        ("text", "Se paga a 30 días."),
    ]


def test_docx_heading_styles_in_spanish() -> None:
    def build(document: docx.document.Document) -> None:
        style = document.styles.add_style("Título 2", 1)
        document.add_paragraph("Alcance", style=style)
        document.add_paragraph("Rige para todos.")

    assert [(b.level, b.text) for b in extract(_docx(build), name="a.docx").blocks] == [
        (2, "Alcance"),
        (0, "Rige para todos."),
    ]


# ---------------------------------------------------------------- plain text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_in_any_encoding(encoding: str) -> None:
    text = "La administración pública señala el año y la niñez: ¿cuándo vence el plazo? Mañana, según la resolución."
    assert _outline(extract(text.encode(encoding), name="a.txt")) == [("text", text)]


def test_utf8_with_a_damaged_byte_stays_utf8() -> None:
    data = "La administración señala el año de la información pública.".encode() + b" Fi\xffn."
    assert _outline(extract(data, name="a.txt")) == [
        ("text", "La administración señala el año de la información pública. Fin.")
    ]


def test_text_lines_join_into_paragraphs() -> None:
    text = (
        "REGLAMENTO INTERNO\n\n"
        "El presente reglamento rige para todas las personas que tra-\n"
        "bajan en la institución, cualquiera sea su contrato o su lugar.\n"
        "Nadie queda fuera.\n"
        "a) Las personas contratadas.\n"
        "b) Las practicantes.\n"
    )
    assert _outline(extract(text.encode(), name="a.txt")) == [
        ("heading", "REGLAMENTO INTERNO"),
        (
            "text",
            "El presente reglamento rige para todas las personas que trabajan en la institución, cualquiera sea su "
            "contrato o su lugar. Nadie queda fuera.",
        ),
        ("list_item", "a) Las personas contratadas."),
        ("list_item", "b) Las practicantes."),
    ]


# ---------------------------------------------------------------- PDF


def _page(number: int, *lines: str) -> list[tuple[float, str]]:
    body = [(740 - 14 * index, line) for index, line in enumerate(lines)]
    return [(810, "Manual de procedimientos"), *body, (30, f"Página {number} de 4")]


def test_pdf_pages_paragraphs_and_running_lines() -> None:
    long = "El plazo para presentar el recurso es de quince días contados desde la notifi-"
    data = _pdf(
        _page(1, "CAPÍTULO I", "DISPOSICIONES GENERALES", "Artículo 1.- Plazos", long, "cación del acto."),
        _page(2, "Artículo 2.- Silencio", "Vencido el plazo, la solicitud se entiende aprobada en todos"),
        _page(3, "sus extremos."),
        [],
    )
    document = extract(data, name="a.pdf")
    assert (document.pages, document.empty_pages) == (4, (4,))
    assert [(block.page, block.text) for block in document.blocks] == [
        (1, "CAPÍTULO I. DISPOSICIONES GENERALES"),
        (1, "Artículo 1.- Plazos"),
        (1, "El plazo para presentar el recurso es de quince días contados desde la notificación del acto."),
        (2, "Artículo 2.- Silencio"),
        (2, "Vencido el plazo, la solicitud se entiende aprobada en todos"),
        (3, "sus extremos."),
    ]


def test_pdf_pages_that_hold_nothing_but_the_same_line_keep_it() -> None:
    document = extract(_pdf(*[[(700, f"Original page {n}")] for n in range(1, 5)]), name="a.pdf")
    assert [block.page for block in document.blocks] == [1, 2, 3, 4]


def test_pdf_bigger_type_is_a_heading_and_fixed_pitch_is_code() -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for font, size, height, text in [
        ("Helvetica-Bold", 18, 780, "Guía de instalación"),
        ("Helvetica", 10, 740, "Para instalar el programa se ejecuta la orden siguiente en una consola del sistema."),
        ("Courier", 10, 720, "$ scripts/start"),
        ("Courier", 10, 708, "$ scripts/test"),
        ("Helvetica", 10, 680, "Después se abre la dirección que el programa muestra y se hace la primera pregunta."),
    ]:
        canvas.setFont(font, size)
        canvas.drawString(60, height, text)
    canvas.save()
    kinds = [(block.kind, block.text) for block in extract(buffer.getvalue(), name="a.pdf").blocks]
    assert kinds[0] == (BlockKind.HEADING, "Guía de instalación")
    assert (BlockKind.CODE, "$ scripts/start\n$ scripts/test") in kinds


def test_pdf_table_of_contents_is_dropped() -> None:
    contents = [(700 - 14 * n, f"{n}. Tema número {n} {'.' * 40} {n}") for n in range(1, 6)]
    document = extract(_pdf([*contents, (500, "Este manual explica los cinco temas.")]), name="a.pdf")
    assert _outline(document) == [("text", "Este manual explica los cinco temas.")]


def test_a_damaged_pdf_is_not_told_to_be_locked_because_the_one_before_was() -> None:
    """pdfium opens a file whose list of pages is lost, and still has its word on the last one that it refused."""
    lost = _pdf([(700, "Acta")]).replace(b"/Pages", b"/Pagez")
    for data, reason in ((_pdf([(700, "Secreto")], password="clave"), "contraseña"), (lost, "dañado")):
        with pytest.raises(UnreadableFileError, match=reason):
            extract(data, name="acta.pdf")


def test_a_pdf_without_text_has_no_blocks() -> None:
    document = extract(_pdf([], []), name="a.pdf")
    assert (document.blocks, document.pages, document.empty_pages) == ((), 2, (1, 2))


# ---------------------------------------------------------------- what a format needs and is not installed


@pytest.mark.parametrize(
    ("name", "module"), [("acta.pdf", "pypdfium2"), ("acta.html", "bs4"), ("acta.md", "markdown_it")]
)
def test_a_package_that_is_missing_is_named_and_not_the_file_blamed(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "acta.pdf": _pdf([(700, "Acta de la reunión")]),
        "acta.html": "<p>Acta de la reunión</p>".encode(),
        "acta.md": "# Acta de la reunión".encode(),
    }
    for loaded in [loaded for loaded in sys.modules if loaded.startswith(("rag_system.ingestion.loaders.", module))]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UnreadableFileError, match=rf"falta «{module}».*«scripts/setup»") as caught:
        extract(files[name], name=name)
    assert "dañado" not in str(caught.value)
