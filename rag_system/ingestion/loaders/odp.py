"""ODP: a slide is a page, its title a heading, its tables rows, its notes «Notas: …».

Hidden shapes, hidden text and comments are left out; white text is not, as slides have colours and pictures behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.archive import Archive, declared_title
from rag_system.ingestion.loaders.html import page_lines
from rag_system.ingestion.loaders.odf import META, body, name, roots
from rag_system.ingestion.loaders.odf_page import OdfPage
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.outline import slide_show
from rag_system.ingestion.text import clean_line

__all__ = ["load_odp"]

_PAGE, _FRAME, _NOTES = name("draw:page"), name("draw:frame"), name("presentation:notes")
_CLASS = name("presentation:class")
_FURNITURE = frozenset(("date-time", "footer", "header", "page-number", "page"))


def load_odp(source: FileSource) -> ExtractedDocument:
    """A presentation of LibreOffice or another office; one slide without text counts among the empty pages."""
    with Archive(source) as archive:
        root, presentation = body(archive, "office:presentation")
        page, declared = OdfPage(roots(archive, root)), declared_title(archive, META)
    hidden: list[int] = []
    slides = [
        list(_slide_blocks(slide, number, page, hidden)) for number, slide in enumerate(presentation.findall(_PAGE), 1)
    ]
    return slide_show("odp", slides, title=declared, hidden=bool(hidden))


def _slide_blocks(slide: Any, number: int, page: OdfPage, hidden: list[int]) -> Iterator[Block]:
    """The title first, the notes last; a slide with text that nobody sees joins the `hidden` ones."""

    def blocks(element: Any) -> list[Block]:
        lines, unseen = page_lines(page.html(element))
        hidden.extend([number] if unseen else [])
        return [Block(kind=line.kind, text=line.text, page=number) for line in lines]

    for furniture in [each for each in slide.iter() if each.get(_CLASS) in _FURNITURE]:
        furniture.getparent().remove(furniture)
    heading = next((frame for frame in slide.findall(_FRAME) if frame.get(_CLASS) == "title"), None)
    if heading is not None and (text := _text(blocks(heading))):
        yield Block(kind=BlockKind.HEADING, text=text, page=number, level=1)
    for child in slide:
        if child is not heading and child.tag != _NOTES:
            yield from blocks(child)
    notes = slide.find(_NOTES)
    if notes is not None and (text := _text(blocks(notes))):
        yield Block(kind=BlockKind.TEXT, text=f"Notas: {text}", page=number)


def _text(blocks: list[Block]) -> str:
    return clean_line(" ".join(block.text for block in blocks))
