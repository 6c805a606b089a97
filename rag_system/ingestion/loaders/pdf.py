"""PDF: page by page with pdfium. Lines come with their place on the page; `layout.py` makes sense of it.

Pages are numbered physically, from 1, as viewers open them (docs/decisions/0005).
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.layout import PageLine, page_lines
from rag_system.ingestion.loaders.source import Source
from rag_system.ingestion.structure import blocks_from_lines
from rag_system.ingestion.text import clean_line

__all__ = ["load_pdf"]

_MAX_PAGES = 20_000
_MAX_PAGE_CHARS = 400_000  # a page of dense text has about 6,000
_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD
_BOLD_WEIGHT = 600  # of the OpenType scale: semibold
_FONT_NAME_BYTES = 128
_FIXED_PITCH = 1  # bit of the font descriptor's flags (ISO 32000-1, table 123)
_SCALED_FONT = 3.0  # points; nobody sets text this small
_PROTECTED = "El PDF está protegido con contraseña. Quítesela y vuelva a incorporarlo."
_LINE_END_HYPHEN = re.compile("[\ufffe\x02]")
_JOINING_HYPHEN = re.compile("(?<=[a-záéíóúüñ])[\ufffe\x02](?=[a-záéíóúüñ])")
_DAMAGED = "El PDF está dañado: no se puede abrir. Consiga otra copia o guárdelo de nuevo desde su programa."


def load_pdf(source: Source) -> ExtractedDocument:
    """A PDF, page by page, numbered physically from 1, whatever the pages say of themselves."""
    document = _open(source)
    try:
        count = len(document)
        if count > _MAX_PAGES:
            raise UnreadableFileError(f"El PDF tiene {count} páginas; el máximo es {_MAX_PAGES}. Divídalo en partes.")
        pages = [_read_page(document, index) for index in range(count)]
        title = clean_line(document.get_metadata_value("Title"))
    finally:
        document.close()
    empty = tuple(number for number, lines in enumerate(pages, 1) if not _has_text(lines))
    blocks = () if len(empty) == count else blocks_from_lines(page_lines(pages))
    return ExtractedDocument(format="pdf", blocks=blocks, pages=count, title=title, empty_pages=empty)


def _open(source: Source) -> Any:
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source.path if source.path is not None else source.read())
    except pypdfium2.PdfiumError as error:
        message = _PROTECTED if getattr(error, "err_code", 0) == _PASSWORD_ERROR else _DAMAGED
        raise UnreadableFileError(message) from None
    if len(document) == 0:
        document.close()
        raise UnreadableFileError(_DAMAGED)
    return document


def _read_page(document: Any, index: int) -> list[PageLine]:
    """The lines of a page in pdfium's reading order; a page that pdfium cannot load has none."""
    import pypdfium2

    try:
        page = document[index]
        textpage = page.get_textpage()
    except pypdfium2.PdfiumError:
        return []
    try:
        return list(_lines(textpage, page.get_width()))
    finally:
        textpage.close()
        page.close()


def _lines(textpage: Any, width: float) -> Iterator[PageLine]:
    if not 0 < textpage.count_chars() <= _MAX_PAGE_CHARS:
        return
    ruler = _Ruler(textpage)
    at = 0
    for raw in textpage.get_text_range().split("\n"):
        text = raw.rstrip("\r")
        if shown := clean_line(_visible_hyphen(text)):
            first = at + len(text) - len(text.lstrip())
            last = at + len(text.rstrip("\ufffe\x02 ")) - 1
            yield ruler.measure(shown, max(first, at), max(last, first), width)
        at += len(raw) + 1


def _visible_hyphen(text: str) -> str:
    """pdfium marks a hyphen that ended a line with a non-character, and often joins the next line to it."""
    return _LINE_END_HYPHEN.sub("-", _JOINING_HYPHEN.sub("", text))


def _has_text(lines: list[PageLine]) -> bool:
    """A page of marks alone («•», «—») holds none."""
    return any(character.isalnum() for line in lines for character in line.text)


class _Ruler:
    """Measures a line by its first and last characters: a few calls a line, not several a character."""

    def __init__(self, textpage: Any) -> None:
        import pypdfium2.raw

        self._pdfium = pypdfium2.raw
        self._page = textpage.raw
        self._values = [ctypes.c_double() for _ in range(4)]
        self._flags = ctypes.c_int()
        self._name = ctypes.create_string_buffer(_FONT_NAME_BYTES)

    def measure(self, text: str, first: int, last: int, width: float) -> PageLine:
        left, _, bottom = self._box(first)
        right = self._box(last)[1]
        bold, fixed_pitch = self._style(first)
        if (bold or fixed_pitch) and last != first:
            bold, fixed_pitch = (a and b for a, b in zip((bold, fixed_pitch), self._style(last), strict=True))
        return PageLine(
            text=text,
            left=left,
            right=right,
            bottom=bottom,
            size=round(self._size(first), 1),
            bold=bold,
            fixed_pitch=fixed_pitch,
            page_width=width,
        )

    def _box(self, index: int) -> tuple[float, float, float]:
        left, right, bottom, top = self._values
        if not self._pdfium.FPDFText_GetCharBox(self._page, index, left, right, bottom, top):
            return 0.0, 0.0, 0.0
        return left.value, right.value, bottom.value

    def _style(self, index: int) -> tuple[bool, bool]:
        """Bold and fixed pitch: by weight and flags; the standard fonts have neither, but telling names."""
        self._pdfium.FPDFText_GetFontInfo(self._page, index, self._name, _FONT_NAME_BYTES, self._flags)
        name = self._name.value.lower()
        bold = self._pdfium.FPDFText_GetFontWeight(self._page, index) >= _BOLD_WEIGHT or b"bold" in name
        return bold, bool(self._flags.value & _FIXED_PITCH) or b"courier" in name or b"mono" in name

    def _size(self, index: int) -> float:
        """The nominal size; where a page sets size 1 and scales it, the height of the font's box."""
        if (nominal := float(self._pdfium.FPDFText_GetFontSize(self._page, index))) > _SCALED_FONT:
            return nominal
        box = self._pdfium.FS_RECTF()
        if not self._pdfium.FPDFText_GetLooseCharBox(self._page, index, box):
            return 0.0
        return float(abs(box.top - box.bottom))
