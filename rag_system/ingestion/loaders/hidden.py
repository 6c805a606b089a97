"""Which text of a PDF's page its reader does not see: without ink, white on paper, as fine as dust, beside the page.

Asks pdfium, an object at a time, in the order in which a page is drawn. The text of a scan's recognition has no ink
either, and stays: its reader sees it in the picture. So does that of a page whose letters are drawn as figures.
"""

from __future__ import annotations

from ctypes import addressof, c_float, c_uint
from typing import Any

import pypdfium2.raw as pdfium

from rag_system.ingestion.loaders.visibility import is_pale

__all__ = ["Box", "Sight", "bounds_of", "without_unseen"]

Box = tuple[float, float, float, float]  # left, bottom, right, top; in the page's own coordinates

_INVISIBLE = frozenset((3, 7))  # text rendering modes that paint nothing (ISO 32000-1, table 106)
_FILLED, _STROKED = frozenset((0, 4)), frozenset((1, 5))  # those that only fill, and only stroke
_FAINT = 16  # opacity, of 255
_DUST = 1.5  # points: nobody sets type this small
_LOW = 2.0  # points: below it, the height of a text is compared with the size of its type
_SPACE, _MAX_OVERRUN = 15.0, 400.0  # points: the widest between two words, and of a line beyond the edge
_OUTLINES = 200  # figures on a page whose letters are drawn
_HALF = 0.5  # of the page under pictures: a scan
_MAX_PAINTED = 5_000  # boxes; of a page with more, white text is taken for seen


class Sight:
    """Told of all that a page draws, in order, it knows which text is not seen."""

    def __init__(self, page: Any) -> None:
        rect = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page.raw, rect)
        self._edges: Box = (rect.left, rect.bottom, rect.right, rect.top)
        self._area = max((rect.right - rect.left) * (rect.top - rect.bottom), 1.0)
        self._painted: list[Box] = []  # what white letters are seen on, or may be
        self._hidden: set[int] = set()  # text objects by address
        self._without_ink: set[int] = set()
        self._last: Box = (0.0, 0.0, 0.0, 0.0)
        self._inked = self._inkless = 0.0  # points of text, by width
        self._pictures = 0.0
        self._figures = 0

    def text(self, item: Any, mode: int, matrix: Any = None) -> None:
        """A text object and its rendering mode. matrix: of the form that it stands in."""
        if (bounds := bounds_of(item)) is None:
            return
        x1, y1, x2, y2 = box = matrix.on_rect(*bounds) if matrix is not None else bounds
        west, south, east, north = self._edges
        if x1 >= x2:  # a space has no extent
            return
        if (x2 <= west or x1 >= east or y2 <= south or y1 >= north) and not self._goes_on(box):
            self._hide(item)
            return
        self._last = box
        if mode in _INVISIBLE:
            self._without_ink.add(addressof(item.contents))
            self._inkless += x2 - x1
        else:
            self._inked += x2 - x1
            if (y2 - y1 < _LOW and _size(item, matrix) < _DUST) or self._is_lost(item, mode, box):
                self._hide(item)

    def _goes_on(self, box: Box) -> bool:
        """Whether a text runs over the right edge: a line that is too long, whose reader sees that it goes on."""
        x1, y1, x2, y2 = box
        _, below, end, above = self._last
        return abs(x1 - end) <= _SPACE and y1 < above and y2 > below and x2 <= self._edges[2] + _MAX_OVERRUN

    def paint(self, box: Box, path: Any = None) -> None:
        """A picture, or a path that is filled."""
        ink = self._ink(path, pdfium.FPDFPageObj_GetFillColor) if path is not None else None
        if ink is None or not is_pale(ink[:3]):
            self._painted.append(box)

    def figure(self) -> None:
        """A path of any kind."""
        self._figures += 1

    def picture(self, box: Box) -> None:
        """An image."""
        self._pictures += max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
        self.paint(box)

    def unseen(self) -> frozenset[int]:
        """Once all is told, the addresses of the text objects that nobody sees."""
        shown = self._pictures >= _HALF * self._area or self._figures >= _OUTLINES
        is_layer = shown and self._inkless >= self._inked  # it says what the page shows as a picture
        return frozenset(self._hidden if is_layer else self._hidden | self._without_ink)

    def _hide(self, item: Any) -> None:
        self._hidden.add(addressof(item.contents))

    def _ink(self, item: Any, ask: Any) -> tuple[int, int, int, int] | None:
        """Red, green, blue and opacity, 0…255."""
        red, green, blue, opacity = c_uint(), c_uint(), c_uint(), c_uint()
        found = ask(item, red, green, blue, opacity)
        return (red.value, green.value, blue.value, opacity.value) if found else None

    def _is_lost(self, item: Any, mode: int, box: Box) -> bool:
        """Whether letters are transparent, or white where nothing was painted before them."""
        if mode not in _FILLED | _STROKED:
            return False
        ask = pdfium.FPDFPageObj_GetFillColor if mode in _FILLED else pdfium.FPDFPageObj_GetStrokeColor
        if (ink := self._ink(item, ask)) is None:
            return False
        if ink[3] < _FAINT:
            return True
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return (
            is_pale(ink[:3])
            and len(self._painted) <= _MAX_PAINTED
            and not any(left <= x <= right and bottom <= y <= top for left, bottom, right, top in self._painted)
        )


def _size(item: Any, matrix: Any) -> float:
    """Of a text's type, in points, as it stands on the page."""
    size, own = c_float(), pdfium.FS_MATRIX()
    if not (pdfium.FPDFTextObj_GetFontSize(item, size) and pdfium.FPDFPageObj_GetMatrix(item, own)):
        return _LOW
    scale = abs(own.a * own.d - own.b * own.c) ** 0.5
    if matrix is not None:
        scale *= abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
    return float(abs(size.value) * scale)


def without_unseen(textpage: Any, raw: str, unseen: frozenset[int]) -> tuple[str, bool]:
    """The characters of a page, blanks in the place of those that nobody sees; and whether these say anything."""
    kept: list[str] = []
    missed = False
    for index, character in enumerate(raw):
        if not character.isspace() and _text_at(textpage, index) in unseen:
            missed = missed or character.isalnum()
            kept.append(" ")  # its place is kept: characters are measured by number
        else:
            kept.append(character)
    return "".join(kept), missed


def _text_at(textpage: Any, index: int) -> int:
    """The address of the text object of a character, 0 of one that pdfium adds itself."""
    item = pdfium.FPDFText_GetTextObject(textpage.raw, index)
    return addressof(item.contents) if item else 0


def bounds_of(item: Any) -> Box | None:
    """The box around an object, where it stands."""
    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    found = pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top)
    return (left.value, bottom.value, right.value, top.value) if found else None
