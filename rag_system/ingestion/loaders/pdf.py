"""PDF: page by page with pdfium, from what is drawn and written to lines of text.

`drawing` and `measuring` ask pdfium; `tables` makes sense of what they measured, and `paged` of the pages.

Pages are numbered physically, from 1, as viewers open them (docs/decisions/0005).
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

from pypdfium2 import PdfiumError

from rag_system.errors import PasswordNeededError, UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.aligned import with_aligned_tables
from rag_system.ingestion.loaders.annotations import Written, draw_fields, in_rows, written_on
from rag_system.ingestion.loaders.drawing import Turn, drawing
from rag_system.ingestion.loaders.hidden import without_unseen
from rag_system.ingestion.loaders.measuring import measured_lines, page_text
from rag_system.ingestion.loaders.ocr import Picture, Recogniser, picture_of
from rag_system.ingestion.loaders.page import Page, PageLine
from rag_system.ingestion.loaders.paged import read_pages
from rag_system.ingestion.loaders.pdf_catalog import mended_copy, read_catalog
from rag_system.ingestion.loaders.pdf_opening import WRONG_PASSWORD, open_pdf, refusal
from rag_system.ingestion.loaders.scans import is_garbled
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.tables import find_grids, with_ruled_tables
from rag_system.ingestion.proportions import check_pages

__all__ = ["load_pdf"]

_MAX_PAGES = 20_000
_DAMAGED = "El PDF está dañado: no se puede abrir. Consiga otra copia o guárdelo de nuevo desde su programa."


def load_pdf(source: FileSource) -> ExtractedDocument:
    """A PDF, page by page, numbered physically from 1, whatever the pages say of themselves."""
    document = _open(source)
    try:
        count = len(document)
        if count > _MAX_PAGES:
            raise UnreadableFileError(f"El PDF tiene {count} páginas; el máximo es {_MAX_PAGES}. Divídalo en partes.")
        check_pages(count, size_bytes=source.size)
        recogniser = Recogniser(source.ocr, more_time=source.more_time)
        return read_pages(_PdfPages(document), recogniser, format_name="pdf", catalog=read_catalog(document))
    finally:
        document.close()


def _open(source: FileSource) -> Any:
    """With pdfium; what it refuses, once more as pypdf writes it."""
    try:
        return open_pdf(source.open(), autoclose=True)
    except PdfiumError as error:
        if refusal(error) == WRONG_PASSWORD:
            raise PasswordNeededError from None
    try:
        return open_pdf(io.BytesIO(mended_copy(source)), autoclose=True)
    except PdfiumError:
        raise UnreadableFileError(_DAMAGED) from None


class _PdfPages:
    """The pages of an opened PDF."""

    def __init__(self, document: Any) -> None:
        self._document = document

    def __len__(self) -> int:
        return len(self._document)

    def read(self, number: int) -> Page:
        """With its lines in pdfium's reading order; one that pdfium cannot load has none."""
        try:
            page, written = _opened(self._document, number - 1)
            textpage = page.get_textpage()
        except PdfiumError:
            return Page(number=number, lines=(), blank=True)
        try:
            return _with_written(_measured(page, textpage, number), written)
        finally:
            textpage.close()
            page.close()

    def picture(self, number: int) -> Picture | None:
        try:
            page = self._document[number - 1]
        except PdfiumError:
            return None
        try:
            return picture_of(page)
        finally:
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
        lines=with_aligned_tables(lines),
        pictures=drawn.pictures,
        blank=drawn.blank,
        garbled=is_garbled(raw),
        hidden=hidden,
    )
