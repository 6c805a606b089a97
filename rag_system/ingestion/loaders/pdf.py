"""PDF: page by page with pdfium, from what is drawn and written to lines of text.

`drawing` and `measuring` ask pdfium; `tables`, `edges`, `scans` and `layout` make sense of what they measured.

Pages are numbered physically, from 1, as viewers open them (docs/decisions/0005).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.aligned import with_aligned_tables
from rag_system.ingestion.loaders.annotations import Written, draw_fields, in_rows, written_on
from rag_system.ingestion.loaders.columns import in_reading_order
from rag_system.ingestion.loaders.drawing import Turn, drawing
from rag_system.ingestion.loaders.edges import Edges, without_contents, without_repeats
from rag_system.ingestion.loaders.hidden import without_unseen
from rag_system.ingestion.loaders.layout import Layout
from rag_system.ingestion.loaders.measuring import measured_lines, page_text
from rag_system.ingestion.loaders.ocr import Picture, Recogniser, picture_of
from rag_system.ingestion.loaders.page import Page, PageLine
from rag_system.ingestion.loaders.pdf_catalog import Catalog, folded, mended_copy, read_catalog
from rag_system.ingestion.loaders.scans import is_garbled, is_scan, letters
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.tables import find_grids, with_ruled_tables
from rag_system.ingestion.proportions import check_pages
from rag_system.ingestion.structure import Line, stream_blocks
from rag_system.ingestion.text import clean_line

__all__ = ["load_pdf"]

_MAX_PAGES = 20_000
_PAGES_AT_ONCE = 200  # held in memory as lines; running headers and the usual type are learnt from them
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_PROTECTED = "El PDF está protegido con contraseña. Quítesela y vuelva a incorporarlo."
_DAMAGED = "El PDF está dañado: no se puede abrir. Consiga otra copia o guárdelo de nuevo desde su programa."


def load_pdf(source: FileSource) -> ExtractedDocument:
    """A PDF, page by page, numbered physically from 1, whatever the pages say of themselves."""
    document = _open(source)
    try:
        count = len(document)
        if count > _MAX_PAGES:
            raise UnreadableFileError(f"El PDF tiene {count} páginas; el máximo es {_MAX_PAGES}. Divídalo en partes.")
        check_pages(count, size_bytes=source.size)
        catalog = read_catalog(source)
        title = clean_line(document.get_metadata_value("Title"))
        parser = _PdfParser(document, Recogniser(source.ocr, more_time=source.more_time), catalog)
        blocks = tuple(stream_blocks(parser.lines()))
    finally:
        document.close()
    if len(parser.empty_pages) == count:
        blocks = ()
    return ExtractedDocument(
        format="pdf",
        blocks=blocks,
        pages=count,
        title=catalog.title or title,
        empty_pages=tuple(parser.empty_pages),
        ocr_pages=tuple(parser.ocr_pages),
        blank_pages=tuple(parser.blank_pages),
        hidden_pages=tuple(parser.hidden_pages),
    )


def _open(source: FileSource) -> Any:
    """With pdfium; what it refuses, once more as pypdf writes it."""
    import pypdfium2

    try:
        return _loaded(source.path or source.data or source.open())
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", 0) == _PASSWORD_ERROR:
            raise UnreadableFileError(_PROTECTED) from None
    try:
        return _loaded(mended_copy(source))
    except pypdfium2.PdfiumError:
        raise UnreadableFileError(_DAMAGED) from None


def _loaded(file: Path | bytes | IO[bytes]) -> Any:
    """A document with pages, which closes a stream with itself."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file, autoclose=True)
    if len(document) == 0:
        document.close()
        raise pypdfium2.PdfiumError(_DAMAGED)
    return document


@dataclass(slots=True)
class _PdfParser:
    """Goes through a document once, some pages at a time; notes the pages without text and those recognised."""

    document: Any
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
        while pages := [_read_page(self.document, number) for number in islice(numbers, _PAGES_AT_ONCE)]:
            yield from self._lines_of(pages)
        if names := ", ".join(self.catalog.attachments):
            yield Line(text=f"Archivos adjuntos a este PDF, que no se leen: {names}.", page=len(self.document))

    def _lines_of(self, pages: Sequence[Page]) -> Iterator[Line]:
        self.hidden_pages += [page.number for page in pages if page.hidden]
        self._edges.learn(pages)
        texts = [self._recognised(page) if is_scan(page, self._edges.body) else page for page in pages]
        self._edges.learn(text for page, text in zip(pages, texts, strict=True) if page is not text)
        texts = [self._edges.without(page) for page in texts]
        if len(self.document) == len(texts):
            texts = without_repeats(texts)
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
        read = None if page.blank else self.recogniser.lines(lambda: _picture(self.document, page.number))
        lines = read or []
        if letters(lines) > (0 if page.garbled else letters(page.lines)):
            self.ocr_pages.append(page.number)
            return replace(page, lines=lines)
        self.empty_pages.append(page.number)
        if page.blank or read is not None:
            self.blank_pages.append(page.number)
        return replace(page, lines=()) if page.garbled or not letters(page.lines) else page


def _picture(document: Any, number: int) -> Picture | None:
    import pypdfium2

    try:
        page = document[number - 1]
    except pypdfium2.PdfiumError:
        return None
    try:
        return picture_of(page)
    finally:
        page.close()


def _read_page(document: Any, number: int) -> Page:
    """A page with its lines in pdfium's reading order; one that pdfium cannot load has none."""
    import pypdfium2

    try:
        page, written = _opened(document, number - 1)
        textpage = page.get_textpage()
    except pypdfium2.PdfiumError:
        return Page(number=number, lines=(), blank=True)
    try:
        return _with_written(_measured(page, textpage, number), written)
    finally:
        textpage.close()
        page.close()


def _opened(document: Any, index: int) -> tuple[Any, Written]:
    """A page, the values of its fields drawn into it."""
    page = document[index]
    written = written_on(page)
    if written.fields:
        draw_fields(page)
        page.close()
        page = document[index]  # as it is now
    return page, written


def _with_written(page: Page, written: Written) -> Page:
    """A form's lines as its reader sees them, and notes after the text."""
    lines = in_rows(page.lines) if written.fields else page.lines
    notes = [PageLine(text=note, left=0, right=0, bottom=0, size=0, page_width=1, opens=True) for note in written.notes]
    return replace(page, lines=[*lines, *notes]) if notes or written.fields else page


def _measured(page: Any, textpage: Any, number: int) -> Page:
    width = page.get_width()
    turn = Turn(quarters=page.get_rotation() // 90, width=width, height=page.get_height())
    drawn = drawing(page, turn)
    grids = find_grids(drawn.rules)
    raw = page_text(textpage)
    raw, hidden = without_unseen(textpage, raw, drawn.unseen) if drawn.unseen else (raw, False)
    lines = with_ruled_tables(measured_lines(textpage, raw, turn, width, grids), grids)
    return Page(
        number=number,
        lines=with_aligned_tables(lines if grids else in_reading_order(lines)),
        pictures=drawn.pictures,
        blank=drawn.blank,
        garbled=is_garbled(raw),
        hidden=hidden,
    )
