"""What is read page by page, whatever its pages are made of: text where they have it, else what their picture shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Any, Protocol

from rag_system.ingestion.document import PAGE_NOTES, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.edges import Edges, without_contents
from rag_system.ingestion.loaders.layout import Layout
from rag_system.ingestion.loaders.ocr import Picture, Recogniser
from rag_system.ingestion.loaders.page import Page
from rag_system.ingestion.loaders.pdf_catalog import Catalog, folded
from rag_system.ingestion.loaders.scans import is_scan, letters
from rag_system.ingestion.structure import Line, stream_blocks

__all__ = ["Pages", "read_pages"]

_PAGES_AT_ONCE = 200  # held in memory as lines; running headers and the usual type are learnt from them


class Pages(Protocol):
    """The pages of a file, numbered physically from 1."""

    def __len__(self) -> int: ...

    def read(self, number: int) -> Page:
        """What is written on a page."""

    def picture(self, number: int) -> Picture | None:
        """A page as it looks; None of one that cannot be drawn."""


def read_pages(pages: Pages, recogniser: Recogniser, *, format_name: str, catalog: Catalog) -> ExtractedDocument:
    """The document that the pages are. The recogniser is asked for those without text of their own."""
    parser = _Parser(pages, recogniser, catalog)
    blocks = tuple(stream_blocks(parser.lines()))
    notes: dict[str, Any] = {name: tuple(getattr(parser, name)) for name in PAGE_NOTES}
    return ExtractedDocument(
        format=format_name,
        blocks=() if len(parser.empty_pages) == len(pages) else blocks,
        pages=len(pages),
        title=catalog.title,
        author=catalog.author,
        file_date=catalog.created,
        **notes,
    )


@dataclass(slots=True)
class _Parser:
    """Goes through a document once, some pages at a time; notes the pages without text and those recognised."""

    document: Pages
    recogniser: Recogniser
    catalog: Catalog
    empty_pages: list[int] = field(default_factory=list)
    ocr_pages: list[int] = field(default_factory=list)
    blank_pages: list[int] = field(default_factory=list)
    hidden_pages: list[int] = field(default_factory=list)
    _edges: Edges = field(default_factory=Edges)
    _layout: Layout = field(default_factory=Layout)

    def lines(self) -> Iterator[Line]:
        """The lines of the whole document."""
        numbers = iter(range(1, len(self.document) + 1))
        while pages := [self.document.read(number) for number in islice(numbers, _PAGES_AT_ONCE)]:
            yield from self._lines_of(pages)
        if names := ", ".join(self.catalog.attachments):
            yield Line(text=f"Archivos adjuntos a este PDF, que no se leen: {names}.", page=len(self.document))

    def _lines_of(self, pages: Sequence[Page]) -> Iterator[Line]:
        self.hidden_pages += [page.number for page in pages if page.hidden]
        self._edges.learn(pages)
        texts = [self._recognised(page) if is_scan(page, self._edges.body) else page for page in pages]
        self._edges.learn(text for page, text in zip(pages, texts, strict=True) if page is not text)
        texts = [self._edges.without(page) for page in texts]
        bodies = [replace(page, lines=without_contents(page.lines)) for page in texts]
        self._layout.learn(bodies)
        for page in bodies:
            yield from map(self._outlined, self._layout.lines(page))

    def _outlined(self, line: Line) -> Line:
        """A line that the outline names is a heading, of the level that it has there unless its type tells it."""
        titles = self.catalog.outline.get(line.page or 0)
        level = titles.get(folded(line.text), 0) if titles and line.kind is BlockKind.TEXT else 0
        return replace(line, hint=level, measured=True) if level and line.start and not line.hint else line

    def _recognised(self, page: Page) -> Page:
        """A page without text of its own, with the text that its picture shows, if that can be had."""
        read = None if page.blank else self.recogniser.lines(partial(self.document.picture, page.number))
        lines = read or []
        if letters(lines) > (0 if page.garbled else letters(page.lines)):
            self.ocr_pages.append(page.number)
            return replace(page, lines=lines)
        self.empty_pages.append(page.number)
        if page.blank or read is not None:
            self.blank_pages.append(page.number)
        return replace(page, lines=()) if page.garbled or not letters(page.lines) else page
