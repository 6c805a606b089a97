"""Which text of a PDF's page its reader does not see: without ink, in the colour of what is under it, as fine as dust,
covered by a plain box, or beside the page.

Asks pdfium, an object at a time, in the order in which a page is drawn. What is under a text is mostly known from the
boxes drawn before it; where a picture or a figure is, the page is painted once, and its pixels tell.

The text of a scan's recognition has no ink either, and stays: its reader sees it in the picture. So does that of a page
whose letters are drawn as figures. Text under a picture, clipped away or on a layer that is off is not looked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref
from dataclasses import dataclass
from typing import Any, NamedTuple

from rag_system.ingestion.loaders.calls import Slots, address, pdfium
from rag_system.ingestion.loaders.covers import Box, Covers
from rag_system.ingestion.loaders.visibility import NEAR, PALE, Colour, is_near, is_pale

__all__ = ["Sight", "Unseen", "transformed", "without_unseen"]

_INVISIBLE = frozenset((3, 7))  # text rendering modes that paint nothing (ISO 32000-1, table 106)
_FILLED = frozenset((0, 4))  # those that fill and do not stroke: the fill's colour is the text's
_FAINT = 16  # opacity, of 255
_DUST = 1.5  # points: nobody sets type this small
_LOW = 2.0  # points: below it, the height of a text is compared with the size of its type
_CUT = 2.0  # points over the edge of the page
_SPACE = 15.0  # points: the widest between two words
_MAX_OVERRUN = 400.0  # points of a line beyond the edge
_OUTLINES = 200  # figures on a page whose letters are drawn
_HALF = 0.5  # of the page under pictures: a scan
_PAPER: Colour = (255, 255, 255)
_MAX_SCALE, _MAX_PIXELS = 2.0, 4_000_000  # of a painted page
_LEAST_ON_LID = 0.01  # share of a covered text's box that must not have the colour of what covers it
_LEAST_UNDER = 0.35  # share of a text's box that must not have its colour: letters of heavy type cover half of it


class _Text(NamedTuple):
    item: int
    box: Box
    colour: Colour
    covers: int  # how many things were painted before


@dataclass(frozen=True, slots=True)
class Unseen:
    """Text objects by address: those that nobody sees, and those that stand beside the page or reach over its edge."""

    hidden: frozenset[int] = frozenset()
    beside: frozenset[int] = frozenset()
    page: Box = (0.0, 0.0, 0.0, 0.0)

    def __bool__(self) -> bool:
        return bool(self.hidden or self.beside)


class Sight:
    """Told of all that a page draws, in order, it knows which text is not seen."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._bounds_of, self._fill_of = pdfium.FPDFPageObj_GetBounds, pdfium.FPDFPageObj_GetFillColor
        bounds = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(address(page.raw), byref(bounds))
        self._edges: Box = (bounds.left, bounds.bottom, bounds.right, bounds.top)
        self._area = max((bounds.right - bounds.left) * (bounds.top - bounds.bottom), 1.0)
        self._channels, self._bounds = Slots("I", 4), Slots("f", 4)
        self._texts: dict[Colour, list[_Text]] = {}
        self._covers = Covers(self._edges)
        self._hidden: list[int] = []
        self._beside: list[int] = []
        self._without_ink: list[int] = []
        self._drawn: list[tuple[int, Box, int]] = []  # texts with ink, and how many things were painted before each
        self._covered = False  # a plain box was painted after a text
        self._last: Box = (0.0, 0.0, 0.0, 0.0)
        self._inked = self._inkless = 0.0  # points of text, by width
        self._pictures = 0.0
        self._figures = self._painted = 0

    def text(self, item: int, mode: int, matrix: Any = None) -> None:
        """A text object and its rendering mode. matrix: of the form that it stands in."""
        if not self._bounds_of(item, *self._bounds.at):
            return
        x1, y1, x2, y2 = self._bounds.values()
        if matrix is not None:
            x1, y1, x2, y2 = transformed((x1, y1, x2, y2), matrix)
        box: Box = (x1, y1, x2, y2)
        west, south, east, north = self._edges
        if (x1 < west - _CUT or x2 > east + _CUT or y1 < south - _CUT or y2 > north + _CUT) and not self._goes_on(box):
            if x1 < x2:  # a space has no extent
                self._beside.append(item)
            if x2 <= west or x1 >= east or y2 <= south or y1 >= north:
                return
        self._last = box
        if mode in _INVISIBLE:
            self._without_ink.append(item)
            self._inkless += x2 - x1
            return
        self._inked += x2 - x1
        self._drawn.append((item, box, self._painted))
        if y2 - y1 < _LOW and x1 < x2 and self._size(item, matrix) < _DUST:
            self._hidden.append(item)
        elif mode in _FILLED:
            self._filled(item, box)

    def _goes_on(self, box: Box) -> bool:
        """Whether a text runs over the right edge: a line that is too long, whose reader sees that it goes on."""
        x1, y1, x2, y2 = box
        west, south, east, north = self._edges
        if x2 - east > _MAX_OVERRUN or y1 < south - _CUT or y2 > north + _CUT or x1 < west - _CUT:
            return False
        _, below, end, above = self._last
        return x1 < east or (abs(x1 - end) <= _SPACE and y1 < above and y2 > below)

    def cover(self, box: Box, colour: Colour | None) -> None:
        """Something painted: a box of one colour, or anything else (None)."""
        self._covers.add(box, colour)
        self._painted += 1
        self._covered = self._covered or (colour is not None and bool(self._drawn))

    def figure(self) -> None:
        """A path of any kind."""
        self._figures += 1

    def picture(self, box: Box) -> None:
        """An image."""
        self._pictures += max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])
        self.cover(box, None)

    def colour(self, item: int) -> tuple[Colour, int] | None:
        """What an object is filled with, and how opaque it is, 0…255."""
        if not self._fill_of(item, *self._channels.at):
            return None
        red, green, blue, alpha = self._channels.values()
        return (red, green, blue), alpha

    def unseen(self) -> Unseen:
        """Once all is told."""
        hidden = [*self._hidden, *self._without_colour(), *self._under_lids()]
        if self._without_ink and not self._is_layer():
            hidden += self._without_ink
        return Unseen(frozenset(hidden), frozenset(self._beside), self._edges)

    def _filled(self, item: int, box: Box) -> None:
        """Asked of every text: what it needs is looked up here, and kept only where it may count."""
        if not self._fill_of(item, *self._channels.at):
            return
        red, green, blue, alpha = self._channels.values()
        if alpha < _FAINT:
            self._hidden.append(item)
        elif self._painted or (red >= PALE and green >= PALE and blue >= PALE):
            colour = (red, green, blue)  # else it stands on the paper, in another colour
            self._texts.setdefault(colour, []).append(_Text(item, box, colour, self._painted))

    def _size(self, item: int, matrix: Any) -> float:
        """Of its type, in points, as it stands on the page."""
        size, own = Slots("f", 1), pdfium.FS_MATRIX()
        if not (pdfium.FPDFTextObj_GetFontSize(item, *size.at) and pdfium.FPDFPageObj_GetMatrix(item, byref(own))):
            return _LOW
        scale = abs(own.a * own.d - own.b * own.c) ** 0.5
        if matrix is not None:
            scale *= abs(matrix.a * matrix.d - matrix.b * matrix.c) ** 0.5
        return float(abs(size.values()[0]) * scale)

    def _is_layer(self) -> bool:
        """Whether text without ink says what the page shows as a picture: there is most of it, and no other text."""
        shown = self._pictures >= _HALF * self._area or self._figures >= _OUTLINES
        return shown and self._inkless >= self._inked

    def _without_colour(self) -> list[int]:
        """Text in the colour of what is under it."""
        hidden: list[int] = []
        unsure: list[_Text] = []
        painted = self._covers.palette()
        for colour, texts in self._texts.items():
            if not (is_pale(colour) or painted.has_near(colour)):
                continue
            for text in texts:
                under = self._under(text)
                if under is None:
                    unsure.append(text)
                elif is_near(under, colour):
                    hidden.append(text.item)
        return [*hidden, *_pixelless(self._page, unsure, least=_LEAST_UNDER)] if unsure else hidden

    def _under_lids(self) -> list[int]:
        """Text over which a box was painted later, where the painted page shows nothing but that box."""
        if not self._covered:
            return []
        later = ((item, box, covers) for item, box, covers in self._drawn if covers < self._painted)
        lids = [
            _Text(item, box, colour, covers)
            for item, box, covers in later
            if box[0] < box[2] and (colour := self._covers.lid(box, after=covers)) is not None
        ]
        return _pixelless(self._page, lids, least=_LEAST_ON_LID) if lids else []

    def _under(self, text: _Text) -> Colour | None:
        """The colour under the middle of a text, or of the paper; None where it is not known."""
        x, y = (text.box[0] + text.box[2]) / 2, (text.box[1] + text.box[3]) / 2
        return self._covers.topmost(x, y, before=text.covers, paper=_PAPER)


def without_unseen(textpage: Any, raw: str, unseen: Unseen) -> tuple[str, bool]:
    """The characters of a page, blanks in the place of those that nobody sees; and whether these say anything."""
    page, values = address(textpage.raw), Slots("d", 4)
    kept: list[str] = []
    missed = False
    for index, character in enumerate(raw):
        item = None if character.isspace() else pdfium.FPDFText_GetTextObject(page, index)
        if item in unseen.hidden or (item in unseen.beside and _is_beside(page, index, values, unseen.page)):
            missed = missed or character.isalnum()
            kept.append(" ")  # its place is kept: characters are measured by number
        else:
            kept.append(character)
    return "".join(kept), missed


def _is_beside(textpage: int, index: int, values: Slots, page: Box) -> bool:
    if not pdfium.FPDFText_GetCharBox(textpage, index, *values.at):
        return False
    left, right, bottom, top = values.values()
    return bool(right <= page[0] or left >= page[2] or top <= page[1] or bottom >= page[3])


def transformed(box: Box, matrix: Any) -> Box:
    """The box around a box that a matrix of pdfium has moved, turned or scaled."""
    corners = [
        (matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f)
        for x in (box[0], box[2])
        for y in (box[1], box[3])
    ]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _pixelless(page: Any, texts: Iterable[_Text], *, least: float) -> list[int]:
    """Those of the texts where the painted page has no other shade than their colour's, but for a share of `least`."""
    import pypdfium2

    width, height = page.get_size()
    scale = min(_MAX_SCALE, (_MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
    try:
        bitmap = page.render(scale=scale, grayscale=True)
    except (pypdfium2.PdfiumError, ValueError):
        return []
    try:
        pixels, stride = bytes(memoryview(bitmap.buffer).cast("B")), bitmap.stride
        size = (bitmap.width, bitmap.height)
        others = ((text.item, _others(text, _place(page, text.box, size), pixels, stride)) for text in texts)
        return [item for item, share in others if share < least]
    finally:
        bitmap.close()


def _place(page: Any, box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom in pixels, within the picture."""
    place, corners = Slots("i", 2), []
    for corner in ((box[0], box[1]), (box[2], box[3])):
        pdfium.FPDF_PageToDevice(address(page.raw), 0, 0, *size, 0, *corner, *place.at)
        corners.append(place.values())
    (x1, y1), (x2, y2) = corners
    left, right = max(0, min(x1, x2) - 1), min(size[0], max(x1, x2) + 1)
    return left, max(0, min(y1, y2) - 1), right, min(size[1], max(y1, y2) + 1)


def _others(text: _Text, place: tuple[int, int, int, int], pixels: bytes, stride: int) -> float:
    """The share of the pixels of a place that have another shade than the text's colour."""
    left, top, right, bottom = place
    red, green, blue = text.colour
    shade = (red * 30 + green * 59 + blue * 11) // 100
    near = bytes(range(max(0, shade - NEAR + 1), min(256, shade + NEAR)))
    rows = (pixels[row * stride + left : row * stride + right] for row in range(top, bottom))
    return sum(len(row.translate(None, near)) for row in rows) / max(1, (right - left) * (bottom - top))
