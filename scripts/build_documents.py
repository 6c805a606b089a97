"""Builds the sample documents that are PDF or DOCX from their Markdown sources in data/sources/.

The HTML, Markdown and plain-text samples are written by hand and are not touched. The result is the same on every run:
a DOCX takes its date from the source and its parts carry one fixed time; a PDF has a fixed date and plain streams.

Usage: python scripts/build_documents.py [OUTPUT_DIR]      (default: data/documents)
"""

from __future__ import annotations

import argparse
import io
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape

import docx
from docx.document import Document as DocxDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt
from docx.text.paragraph import Paragraph as DocxParagraph
from markdown_it import MarkdownIt
from markdown_it.token import Token
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    ListFlowable,
    ListItem,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

__all__ = ["Source", "build", "main", "read_source", "render_docx", "render_pdf"]

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "data" / "sources"
DOCUMENTS = ROOT / "data" / "documents"

ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest a ZIP can say
MARGIN = 2.5 * cm
TEXT_WIDTH = A4[0] - 2 * MARGIN
CELL_PADDING = 13.0  # points: six on each side, as the table draws them, and room to round


# ---------------------------------------------------------------- sources


@dataclass(frozen=True, slots=True)
class Run:
    """Words of one look."""

    text: str
    bold: bool = False
    italic: bool = False


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int  # 1 is the document's title
    runs: Runs


@dataclass(frozen=True, slots=True)
class Text:
    runs: Runs


@dataclass(frozen=True, slots=True)
class Bullets:
    items: tuple[Runs, ...]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Grid:
    rows: tuple[tuple[Runs, ...], ...]  # the first row is the header


@dataclass(frozen=True, slots=True)
class Break:
    """A new page."""


Element = Heading | Text | Bullets | Grid | Break


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A document before it has a format."""

    output: Path  # relative to the folder of documents; its suffix chooses the format
    title: str
    author: str
    subject: str
    header: str  # stands at the top of every page but the first
    date: datetime
    elements: tuple[Element, ...]


def read_source(path: Path) -> Source:
    """Reads a Markdown source that opens with a block of `key: value` lines between two `---`."""
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    return Source(
        output=Path(fields["output"]),
        title=fields["title"],
        author=fields["author"],
        subject=fields["subject"],
        header=fields["header"],
        date=datetime.fromisoformat(fields["date"]).replace(tzinfo=UTC),
        elements=tuple(_elements(MarkdownIt("commonmark").enable("table").parse(body))),
    )


def _elements(tokens: Sequence[Token]) -> Iterator[Element]:
    position = 0
    while position < len(tokens):
        token = tokens[position]
        end = _closing(tokens, position)
        inner = tokens[position + 1 : end]
        match token.type:
            case "heading_open":
                yield Heading(int(token.tag[1]), _runs(inner[0]))
            case "paragraph_open":
                yield Text(_runs(inner[0]))
            case "bullet_list_open" | "ordered_list_open":
                items = tuple(_runs(t) for t in inner if t.type == "inline")
                yield Bullets(items, token.type == "ordered_list_open")
            case "table_open":
                yield Grid(tuple(_rows(inner)))
            case "hr":
                yield Break()
            case other:
                raise ValueError(f"This Markdown is not supported in a sample document: {other}")
        position = end + 1


def _closing(tokens: Sequence[Token], start: int) -> int:
    """Where the element that starts at `start` ends."""
    depth = 0
    for position in range(start, len(tokens)):
        depth += tokens[position].nesting
        if depth == 0:
            return position
    raise ValueError("An element is not closed")


def _rows(tokens: Sequence[Token]) -> Iterator[tuple[Runs, ...]]:
    cells: list[Runs] = []
    for token in tokens:
        if token.type == "inline":
            cells.append(_runs(token))
        elif token.type == "tr_close":
            yield tuple(cells)
            cells = []


def _runs(inline: Token) -> Runs:
    runs: list[Run] = []
    bold = italic = False
    for token in inline.children or ():
        match token.type:
            case "text" | "code_inline":
                runs.append(Run(token.content, bold, italic))
            case "softbreak" | "hardbreak":
                runs.append(Run(" ", bold, italic))
            case "strong_open" | "strong_close":
                bold = token.nesting > 0
            case "em_open" | "em_close":
                italic = token.nesting > 0
            case other:
                raise ValueError(f"This inline Markdown is not supported in a sample document: {other}")
    return tuple(run for run in runs if run.text)


# ---------------------------------------------------------------- DOCX


def render_docx(source: Source) -> bytes:
    """The bytes of a Word file with real styles, a running header and page numbers."""
    document = docx.Document()
    _prepare_docx(document, source)
    for element in source.elements:
        _add_to_docx(document, element)
    buffer = io.BytesIO()
    document.save(buffer)
    return _with_fixed_times(buffer.getvalue())


def _prepare_docx(document: DocxDocument, source: Source) -> None:
    _drop_thumbnail(document)
    facts = document.core_properties
    facts.title, facts.author, facts.subject = source.title, source.author, source.subject
    facts.last_modified_by, facts.comments, facts.language = source.author, "", "es-PE"
    facts.created = facts.modified = source.date
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.different_first_page_header_footer = True
    section.header.paragraphs[0].text = source.header
    for footer in (section.footer, section.first_page_footer):
        footer.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.CENTER
        _add_page_number(footer.paragraphs[0])
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Calibri", Pt(11)
    language = OxmlElement("w:lang")
    language.set(qn("w:val"), "es-PE")
    normal.element.rPr.append(language)


def _drop_thumbnail(document: DocxDocument) -> None:
    """The library's template carries a picture of a first page that is not ours."""
    links = document.part.package.rels
    for key in [key for key, link in links.items() if link.reltype == RELATIONSHIP_TYPE.THUMBNAIL]:
        del links[key]


def _add_page_number(paragraph: DocxParagraph) -> None:
    """A PAGE field: Word writes the number when it lays the page out."""
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    paragraph._p.append(field)


def _add_to_docx(document: DocxDocument, element: Element) -> None:
    match element:
        case Heading(level, runs):
            _add_runs(document.add_paragraph(style="Title" if level == 1 else f"Heading {level - 1}"), runs)
        case Text(runs):
            _add_runs(document.add_paragraph(), runs)
        case Bullets(items, ordered):
            for number, item in enumerate(items, start=1):
                _add_docx_item(document, item, number if ordered else None)
        case Grid(rows):
            _add_docx_table(document, rows)
        case Break():
            document.add_page_break()


def _add_docx_item(document: DocxDocument, runs: Runs, number: int | None) -> None:
    """Numbers are written out: a Word list style would go on counting through the next list."""
    if number is None:
        _add_runs(document.add_paragraph(style="List Bullet"), runs)
        return
    paragraph = document.add_paragraph(style="List Continue")
    paragraph.paragraph_format.first_line_indent = Cm(-0.6)
    _add_runs(paragraph, (Run(f"{number}. "), *runs))


def _add_runs(paragraph: DocxParagraph, runs: Runs) -> None:
    for run in runs:
        added = paragraph.add_run(run.text)
        added.bold, added.italic = run.bold or None, run.italic or None


def _add_docx_table(document: DocxDocument, rows: Sequence[Sequence[Runs]]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Light Grid Accent 1")
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, runs in zip(row.cells, cells, strict=True):
            _add_runs(cell.paragraphs[0], runs)
    repeat = OxmlElement("w:tblHeader")
    table.rows[0]._tr.get_or_add_trPr().append(repeat)
    document.add_paragraph()


def _with_fixed_times(package: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name, ZIP_TIME), old.read(name), zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


# ---------------------------------------------------------------- PDF


def _styles() -> dict[str, ParagraphStyle]:
    body = ParagraphStyle("body", fontName="Times-Roman", fontSize=11, leading=16, spaceAfter=8, alignment=TA_JUSTIFY)

    def heading(name: str, size: float, **more: object) -> ParagraphStyle:
        look = {"fontName": "Helvetica-Bold", "spaceBefore": 10, "spaceAfter": 5, "keepWithNext": 1, "alignment": 0}
        return ParagraphStyle(name, parent=body, fontSize=size, leading=size * 1.25, **{**look, **more})

    return {
        "body": body,
        "item": ParagraphStyle("item", parent=body, spaceAfter=3),
        "h1": heading("h1", 18, alignment=TA_CENTER, spaceAfter=14),
        "h2": heading("h2", 13.5),
        "h3": heading("h3", 11.5),
        "h4": heading("h4", 11, fontName="Helvetica-BoldOblique"),
        "cell": ParagraphStyle("cell", parent=body, fontSize=9.5, leading=12, spaceAfter=0, alignment=0),
        "head": ParagraphStyle("head", parent=body, fontName="Times-Bold", fontSize=9.5, leading=12, alignment=0),
    }


def render_pdf(source: Source) -> bytes:
    """The bytes of an A4 file with running header, page numbers and an outline, in the fonts every reader has."""
    buffer = io.BytesIO()
    template = _PdfTemplate(buffer, source)
    styles = _styles()
    template.build([flowable for element in source.elements for flowable in _to_pdf(element, styles)])
    return buffer.getvalue()


class _PdfTemplate(BaseDocTemplate):
    """Draws the running header and footer and writes each heading into the outline."""

    def __init__(self, buffer: io.BytesIO, source: Source) -> None:
        super().__init__(
            buffer,
            pagesize=A4,
            title=source.title,
            author=source.author,
            subject=source.subject,
            lang="es-PE",
            pageCompression=0,  # compressed bytes differ between zlib versions
            invariant=1,
        )
        self._header = source.header
        self._headings = 0
        frame = Frame(MARGIN, MARGIN, TEXT_WIDTH, A4[1] - 2 * MARGIN, id="text", leftPadding=0, rightPadding=0)
        self.addPageTemplates([PageTemplate(id="page", frames=[frame], onPage=self._decorate)])

    def _decorate(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica", 8.5)
        canvas.drawCentredString(A4[0] / 2, 1.4 * cm, str(canvas.getPageNumber()))
        if canvas.getPageNumber() > 1:
            canvas.drawString(MARGIN, A4[1] - 1.6 * cm, self._header)
            canvas.line(MARGIN, A4[1] - 1.8 * cm, A4[0] - MARGIN, A4[1] - 1.8 * cm)

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 (reportlab's name)
        name = getattr(getattr(flowable, "style", None), "name", "")
        if name in {"h1", "h2", "h3", "h4"}:
            self._headings += 1
            key = f"heading-{self._headings}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(flowable.getPlainText(), key, level=int(name[1]) - 1)


def _to_pdf(element: Element, styles: dict[str, ParagraphStyle]) -> Iterator[Flowable]:
    match element:
        case Heading(level, runs):
            yield Paragraph(_markup(runs), styles[f"h{level}"])
        case Text(runs):
            yield Paragraph(_markup(runs), styles["body"])
        case Bullets(items, ordered):
            entries = [ListItem(Paragraph(_markup(item), styles["item"])) for item in items]
            kind = {"bulletType": "1", "bulletFormat": "%s."} if ordered else {"bulletType": "bullet", "start": "•"}
            yield ListFlowable(entries, leftIndent=18, bulletFontSize=11, **kind)
            yield Spacer(0, 5)
        case Grid(rows):
            yield _pdf_table(rows, styles)
            yield Spacer(0, 10)
        case Break():
            yield PageBreak()


def _pdf_table(rows: Sequence[Sequence[Runs]], styles: dict[str, ParagraphStyle]) -> Table:
    cells = [
        [Paragraph(_markup(runs), styles["head" if number == 0 else "cell"]) for runs in row]
        for number, row in enumerate(rows)
    ]
    look = TableStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ]
    )
    return Table(cells, colWidths=_column_widths(rows), repeatRows=1, style=look, spaceBefore=4)


def _column_widths(rows: Sequence[Sequence[Runs]]) -> list[float]:
    """Every column holds its longest word; the rest goes to the columns with more text, in less than proportion."""
    texts = [["".join(run.text for run in row[column]) for row in rows] for column in range(len(rows[0]))]
    least = [max(_word_width(word) for text in column for word in text.split()) for column in texts]
    weights = [max(len(text) for text in column) ** 0.6 for column in texts]
    spare = TEXT_WIDTH - sum(least)
    return [width + spare * weight / sum(weights) for width, weight in zip(least, weights, strict=True)]


def _word_width(word: str) -> float:
    return stringWidth(word, "Times-Bold", 9.5) + CELL_PADDING


def _markup(runs: Runs) -> str:
    return "".join(_marked(run) for run in runs)


def _marked(run: Run) -> str:
    run.text.encode("cp1252")  # the standard fonts hold no other characters: fail here rather than print a box
    text = escape(run.text)
    text = f"<b>{text}</b>" if run.bold else text
    return f"<i>{text}</i>" if run.italic else text


# ---------------------------------------------------------------- all of them

RENDERERS: dict[str, Callable[[Source], bytes]] = {".docx": render_docx, ".pdf": render_pdf}


def build(output: Path = DOCUMENTS, sources: Path = SOURCES) -> list[Path]:
    """Writes every document that has a source below `output` and returns their paths, relative to it."""
    written = []
    for path in sorted(sources.glob("*.md")):
        source = read_source(path)
        target = output / source.output
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(RENDERERS[target.suffix](source))
        written.append(source.output)
    return written


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the PDF and DOCX sample documents.")
    parser.add_argument("output", nargs="?", type=Path, default=DOCUMENTS, help="folder to write below")
    for path in build(parser.parse_args().output):
        print(path)


if __name__ == "__main__":
    main()
