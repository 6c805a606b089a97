"""PPTX with python-pptx: a slide is a page, its title a heading, its tables and charts rows, its notes «Notas: …».

Slides are numbered as PowerPoint counts them. Hidden slides are kept: who opens the file sees them beside the others.
Hidden shapes are left out: nobody sees them anywhere.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED, Archive, parse_xml
from rag_system.ingestion.loaders.rows import Row, table_blocks
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.outline import slide_show
from rag_system.ingestion.text import clean_line

__all__ = ["load_pptx"]

_MAX_GROUPS = 50  # nested in each other
_ROWS_OF_A_SLIDE = 20  # shapes whose tops are within a twentieth of the slide stand in one row
_TITLE_LAYOUTS = frozenset({"title", "secHead"})  # ST_SlideLayoutType: the cover, and the head of a section
_DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_PRESENTATION = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_READ_ERRORS = (KeyError, ValueError, TypeError, AttributeError, IndexError, zipfile.BadZipFile)


def load_pptx(source: FileSource) -> ExtractedDocument:
    """A presentation, slide by slide; one without text (a picture) counts among the empty pages."""
    from pptx.exc import PythonPptxError

    with Archive(source) as archive:
        archive.must_be_whole()
        presentation = _open(source)
    try:
        title = clean_line(presentation.core_properties.title or "")
        band = max(1, (presentation.slide_height or 1) // _ROWS_OF_A_SLIDE)
        slides = [list(_slide_blocks(slide, number, band)) for number, slide in enumerate(presentation.slides, 1)]
    except (*_READ_ERRORS, PythonPptxError):
        raise UnreadableFileError(DAMAGED) from None
    return slide_show("pptx", slides, title=title)


def _open(source: FileSource) -> Any:
    """`pptx.Presentation` refuses slide shows and templates, which hold the same."""
    from lxml.etree import LxmlError
    from pptx.exc import PythonPptxError
    from pptx.package import Package

    try:
        with source.open() as stream:
            return Package.open(stream).presentation_part.presentation
    except (*_READ_ERRORS, LxmlError, PythonPptxError, NotImplementedError):
        raise UnreadableFileError(DAMAGED) from None


def _choose_shapes(tree: Any) -> None:
    """A shape with an equation or the like stands there twice, for new programs and for old; python-pptx sees neither.

    The first takes its place (ECMA-376 part 3, 10.2).
    """
    for both in list(tree.iter(f"{_COMPATIBILITY}AlternateContent")):
        parent = both.getparent()
        if parent is not None and parent.tag in (f"{_PRESENTATION}spTree", f"{_PRESENTATION}grpSp"):
            for shape in list(both[0]) if len(both) else ():
                both.addprevious(shape)
            parent.remove(both)


def _slide_blocks(slide: Any, number: int, band: int) -> Iterator[Block]:
    """band: height of what counts as one row of shapes, in the slide's units."""
    _choose_shapes(slide.shapes._spTree)
    title = slide.shapes.title
    if title is not None and (text := clean_line(title.text_frame.text)):
        level = 1 if slide.slide_layout._element.get("type") in _TITLE_LAYOUTS else 2
        yield Block(kind=BlockKind.HEADING, text=text, page=number, level=level)
    skipped = title.shape_id if title is not None else None
    yield from _shape_blocks((shape for shape in slide.shapes if shape.shape_id != skipped), number, band, depth=0)
    if slide.has_notes_slide and (frame := slide.notes_slide.notes_text_frame) is not None:
        notes = " ".join(clean_line(paragraph.text) for paragraph in frame.paragraphs)
        if notes.strip():
            yield Block(kind=BlockKind.TEXT, text=f"Notas: {clean_line(notes)}", page=number)


def _shape_blocks(shapes: Iterable[Any], number: int, band: int, *, depth: int) -> Iterator[Block]:
    for shape in sorted(shapes, key=lambda shape: ((shape.top or 0) // band, shape.left or 0)):
        if _is_furniture(shape) or _is_hidden(shape):
            continue
        if hasattr(shape, "shapes"):
            if depth < _MAX_GROUPS:
                yield from _shape_blocks(shape.shapes, number, band, depth=depth + 1)
        elif getattr(shape, "has_table", False):
            yield from table_blocks(_table_rows(shape.table), page=number)
        elif getattr(shape, "has_chart", False):
            yield from _chart_blocks(shape.chart, number)
        elif shape.has_text_frame:
            yield from _text_blocks(shape, number)
        else:
            yield from _diagram_blocks(shape, number)


def _is_hidden(shape: Any) -> bool:
    """Switched off in the list of what stands on the slide."""
    properties = next(iter(shape._element.iter(f"{_PRESENTATION}cNvPr")), None)
    return properties is not None and properties.get("hidden") in ("1", "true")


def _is_furniture(shape: Any) -> bool:
    """The date, footer and number that stand on every slide."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    return shape.is_placeholder and shape.placeholder_format.type in (
        PP_PLACEHOLDER.DATE,
        PP_PLACEHOLDER.FOOTER,
        PP_PLACEHOLDER.HEADER,
        PP_PLACEHOLDER.SLIDE_NUMBER,
    )


def _text_blocks(shape: Any, number: int) -> Iterator[Block]:
    """The body of a slide is a list; a text box holds plain text, unless a paragraph has a bullet of its own."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    body = shape.is_placeholder and shape.placeholder_format.type in (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT)
    frame = shape.text_frame
    listed = body and sum(bool(paragraph.text.strip()) for paragraph in frame.paragraphs) > 1
    for paragraph in frame.paragraphs:
        if text := clean_line(paragraph.text):
            kind = BlockKind.LIST_ITEM if listed or paragraph.level or _has_bullet(paragraph) else BlockKind.TEXT
            yield Block(kind=kind, text=text, page=number)


def _has_bullet(paragraph: Any) -> bool:
    properties = paragraph._p.pPr
    return properties is not None and any(
        properties.find(f"{_DRAWING}{name}") is not None for name in ("buChar", "buAutoNum")
    )


def _table_rows(table: Any) -> Iterator[Row]:
    """A cell merged over several rows is said in each; over several columns, once."""
    above: dict[int, str] = {}
    for row in table.rows:
        cells = []
        for column, cell in enumerate(row.cells):
            if not cell.is_spanned:
                above[column] = clean_line(cell.text_frame.text)
                cells.append(above[column])
            else:
                vertical = cell._tc.get("vMerge") in ("1", "true") and cell._tc.get("hMerge") not in ("1", "true")
                cells.append(above.get(column, "") if vertical else "")
        yield Row(cells)


def _chart_blocks(chart: Any, number: int) -> Iterator[Block]:
    """The figures of a chart, as the table they were drawn from."""
    if chart.has_title and chart.chart_title.has_text_frame:
        title = clean_line(chart.chart_title.text_frame.text)
        if title:
            yield Block(kind=BlockKind.TEXT, text=title, page=number)
    for plot in chart.plots:
        names = [clean_line(series.name or "") for series in plot.series]
        columns = [list(series.values) for series in plot.series]
        rows = [Row(["Categoría", *names])]
        for index, category in enumerate(plot.categories):
            values = [_figure(column[index]) if index < len(column) else "" for column in columns]
            rows.append(Row([clean_line(str(category)), *values]))
        if len(rows) > 1:
            yield from table_blocks(rows, page=number)


def _figure(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, (int, float)) else ""


def _diagram_blocks(shape: Any, number: int) -> Iterator[Block]:
    """The words of a SmartArt diagram stand in a part of their own."""
    relations = next(iter(shape._element.iter(f"{{{_DIAGRAM}}}relIds")), None)
    identifier = relations.get(f"{_RELATION}dm") if relations is not None else None
    if identifier is None:
        return
    root = parse_xml(shape.part.related_part(identifier).blob)
    for point in root.iter(f"{{{_DIAGRAM}}}t"):
        if text := clean_line("".join(run.text or "" for run in point.iter(f"{_DRAWING}t"))):
            yield Block(kind=BlockKind.LIST_ITEM, text=text, page=number)
