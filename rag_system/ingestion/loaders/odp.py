"""ODP: a slide is a page, its title a heading, its tables rows, its notes «Notas: …».

Hidden shapes, hidden text and comments are left out; white text is not, as slides have colours and pictures behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.archive import Archive
from rag_system.ingestion.loaders.odf import body, cell_text, odf_text, roots, table_rows, title
from rag_system.ingestion.loaders.odf_names import name
from rag_system.ingestion.loaders.odf_styles import OdfEye, read_styles
from rag_system.ingestion.loaders.rows import table_blocks
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.outline import slide_show
from rag_system.ingestion.text import clean_line

__all__ = ["load_odp"]

_MAX_DEPTH = 60
_PAGE, _FRAME, _TABLE, _ROW = name("draw:page"), name("draw:frame"), name("table:table"), name("table:table-row")
_PARAGRAPH, _ITEM, _NOTES = name("text:p"), name("text:list-item"), name("presentation:notes")
_COMMENT, _CLASS = name("office:annotation"), name("presentation:class")
_DISPLAY, _DISPLAY_TOO = name("draw:display"), name("drawooo:display")
_FURNITURE = frozenset(("date-time", "footer", "header", "page-number", "page"))


def load_odp(source: FileSource) -> ExtractedDocument:
    """A presentation of LibreOffice or another office; one slide without text counts among the empty pages."""
    with Archive(source) as archive:
        root, presentation = body(archive, "office:presentation")
        eye = OdfEye(replace(read_styles(roots(archive, root)), coloured=True))
        declared = title(archive)
    slides = [list(_slide_blocks(slide, number, eye)) for number, slide in enumerate(presentation.findall(_PAGE), 1)]
    return slide_show("odp", slides, title=declared, hidden=eye.missed)


def _slide_blocks(slide: Any, number: int, eye: OdfEye) -> Iterator[Block]:
    heading = next((frame for frame in slide.findall(_FRAME) if frame.get(_CLASS) == "title"), None)
    if heading is not None and (text := _text(heading, eye)):
        yield Block(kind=BlockKind.HEADING, text=text, page=number, level=1)
    for child in slide:
        if child is not heading and child.tag != _NOTES:
            yield from _blocks(child, number, eye, listed=False, depth=0)
    notes = slide.find(_NOTES)
    if notes is not None and (text := _text(notes, eye)):
        yield Block(kind=BlockKind.TEXT, text=f"Notas: {text}", page=number)


def _text(element: Any, eye: OdfEye) -> str:
    return clean_line(" ".join(block.text for block in _blocks(element, 1, eye, listed=False, depth=0)))


def _blocks(element: Any, number: int, eye: OdfEye, *, listed: bool, depth: int) -> Iterator[Block]:
    if not isinstance(element.tag, str) or element.get(_CLASS) in _FURNITURE or depth > _MAX_DEPTH:
        return
    if element.tag == _COMMENT or "none" in (element.get(_DISPLAY), element.get(_DISPLAY_TOO)):
        return
    if element.tag == _PARAGRAPH:
        if text := clean_line(odf_text(element, eye).text):
            yield Block(kind=BlockKind.LIST_ITEM if listed else BlockKind.TEXT, text=text, page=number)
    elif element.tag == _TABLE:
        yield from table_blocks(table_rows(element.iter(_ROW), lambda cell: cell_text(cell, eye)), page=number)
    else:
        for child in element:
            yield from _blocks(child, number, eye, listed=listed or element.tag == _ITEM, depth=depth + 1)
