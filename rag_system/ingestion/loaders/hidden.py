"""Which text of a PDF's page its reader does not see: without ink, in the colour of what is under it, as fine as dust,
covered by a plain box, or beside the page.

Asks pdfium, an object at a time, in the order in which a page is drawn. What is under a text is mostly known from the
boxes drawn before it; where a picture or a figure is, the page is painted once, and its pixels tell.

The text of a scan's recognition has no ink either, and stays: its reader sees it in the picture. So does that of a page
whose letters are drawn as figures. Text under a picture, clipped away or in a form that is
switched off as a whole is not looked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, create_string_buffer
from dataclasses import dataclass
from typing import Any, NamedTuple

from rag_system.ingestion.loaders.calls import Handle, Slots, argument, pdfium
from rag_system.ingestion.loaders.covers import Box, Covers
from rag_system.ingestion.loaders.painting import Text, lost, undrawn
from rag_system.ingestion.loaders.visibility import Colour, is_near, is_pale

__all__ = ["Sight", "Unseen", "transformed", "without_unseen"]

_INVISIBLE = frozenset((3, 7))  # text rendering modes that paint nothing (ISO 32000-1, table 106)
_FILLED = frozenset((0, 4))  # those that fill and do not stroke: the fill's colour is the text's
_STROKED = frozenset((1, 5))  # those that stroke alone
_LAYER = "OC\0".encode("utf-16-le")  # name of the marks around what can be switched off
_FAINT = 16  # opacity, of 255
_DUST = 1.5  # points: nobody sets type this small
_LOW = 2.0  # points: below it, the height of a text is compared with the size of its type
_CUT = 2.0  # points over the edge of the page
_SPACE = 15.0  # points: the widest between two words
_MAX_OVERRUN = 400.0  # points of a line beyond the edge
_OUTLINES = 200  # figures on a page whose letters are drawn
_HALF = 0.5  # of the page under pictures: a scan
_PAPER: Colour = (255, 255, 255)
_LEAST_ON_LID = 0.01  # share of a covered text's box that must not have the colour of what covers it
_LEAST_UNDER = 0.35  # share of a text's box that must not have its colour: letters of heavy type cover half of it


class _Ink(NamedTuple):
    """What a text is filled with."""

    colour: Colour
    faint: bool


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
        rect = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(argument(page.raw), byref(rect))
        self._edges: Box = (rect.left, rect.bottom, rect.right, rect.top)
        self._wide = (rect.left - _CUT, rect.bottom - _CUT, rect.right + _CUT, rect.top + _CUT)
        self._area = max((rect.right - rect.left) * (rect.top - rect.bottom), 1.0)
        self._channels, bounds = Slots("I", 4), Slots("f", 4)
        self._box_at, self._box = bounds.at, bounds.values
        # By mode, what looks up the colour of the letters; that of stroked and filled ones is not one.
        stroke_of = pdfium.FPDFPageObj_GetStrokeColor
        self._ink_of = dict.fromkeys(_FILLED, self._fill_of) | dict.fromkeys(_STROKED, stroke_of)
        self._marks_of, self._mark_of = pdfium.FPDFPageObj_CountMarks, pdfium.FPDFPageObj_GetMark
        self._name, self._name_bytes = create_string_buffer(len(_LAYER)), Slots("L", 1)
        self._layers: dict[int | None, bool] = {}  # by the address of a mark
        self._doubtful: list[tuple[Handle, Box]] = []  # on a layer
        self._inks: dict[bytes, _Ink] = {}  # by the channels as pdfium writes them
        self._covers = Covers(self._edges)
        self._hidden: list[Handle] = []
        self._beside: list[Handle] = []
        self._without_ink: list[Handle] = []
        self._drawn: list[tuple[Handle, Box, _Ink | None, int]] = []  # texts with ink, how much was painted before
        self._covered = False  # a plain box was painted after a text
        self._last: Box = (0.0, 0.0, 0.0, 0.0)
        self._inked = self._inkless = 0.0  # points of text, by width
        self._pictures = 0.0
        self._figures = self._painted = 0

    def text(self, item: Handle, mode: int, matrix: Any = None) -> None:
        """A text object and its rendering mode. matrix: of the form that it stands in.

        Asked of every text of a document: what it needs is looked up here, and judged once all is told.
        """
        if not self._bounds_of(item, *self._box_at):
            return
        x1, y1, x2, y2 = box = self._box()
        if matrix is not None:
            x1, y1, x2, y2 = box = transformed(box, matrix)
        west, south, east, north = self._wide
        if (x1 < west or x2 > east or y1 < south or y2 > north) and self._is_beside(item, box):
            return
        self._last = box
        if mode in _INVISIBLE:
            self._without_ink.append(item)
            self._inkless += x2 - x1
            return
        self._inked += x2 - x1
        ink = None
        if y2 - y1 < _LOW and x1 < x2 and self._size(item, matrix) < _DUST:
            self._hidden.append(item)
        elif (ink_of := self._ink_of.get(mode)) is not None and ink_of(item, *self._channels.at):
            channels = self._channels.raw()
            ink = self._inks.get(channels) or self._new_ink(channels)
            if ink.faint:
                self._hidden.append(item)
        if (marks := self._marks_of(item)) > 0 and self._is_on_layer(item, marks):
            self._doubtful.append((item, box))
        self._drawn.append((item, box, ink, self._painted))

    def _is_beside(self, item: Handle, box: Box) -> bool:
        """Whether a text that reaches over the edge is wholly beside the page; one in part is noted."""
        if self._goes_on(box):
            return False
        x1, y1, x2, y2 = box
        west, south, east, north = self._edges
        if x1 < x2:  # a space has no extent
            self._beside.append(item)
        return x2 <= west or x1 >= east or y2 <= south or y1 >= north

    def _new_ink(self, channels: bytes) -> _Ink:
        red, green, blue, alpha = self._channels.values()
        ink = self._inks[channels] = _Ink((red, green, blue), alpha < _FAINT)
        return ink

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

    def colour(self, item: Handle) -> tuple[Colour, int] | None:
        """What an object is filled with, and how opaque it is, 0…255."""
        if not self._fill_of(item, *self._channels.at):
            return None
        red, green, blue, alpha = self._channels.values()
        return (red, green, blue), alpha

    def unseen(self) -> Unseen:
        """Once all is told."""
        hidden = [*self._hidden, *self._without_colour(), *self._under_lids()]
        if self._doubtful:
            hidden += undrawn(self._page, self._doubtful)
        if self._without_ink and not self._is_layer():
            hidden += self._without_ink
        return Unseen(_addresses(hidden), _addresses(self._beside), self._edges)

    def _size(self, item: Handle, matrix: Any) -> float:
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

    def _without_colour(self) -> list[Handle]:
        """Text in the colour of what is under it."""
        painted = self._covers.palette()
        colours = {ink for ink in self._inks.values() if is_pale(ink.colour) or painted.has_near(ink.colour)}
        if not colours:  # as on most pages: other colours than the paper's, and nothing painted in them
            return []
        hidden: list[Handle] = []
        unsure: list[Text] = []
        for item, box, ink, covers in self._drawn:
            if ink is None or ink.faint or ink not in colours:
                continue
            under = self._under(box, covers)
            if under is None:
                unsure.append(Text(item, box, ink.colour))
            elif is_near(under, ink.colour):
                hidden.append(item)
        return [*hidden, *lost(self._page, unsure, least=_LEAST_UNDER)] if unsure else hidden

    def _under_lids(self) -> list[Handle]:
        """Text over which a box was painted later, where the painted page shows nothing but that box."""
        if not self._covered:
            return []
        lids = [
            Text(item, box, colour)
            for item, box, _, covers in self._drawn
            if covers < self._painted
            and box[0] < box[2]
            and (colour := self._covers.lid(box, after=covers)) is not None
        ]
        return lost(self._page, lids, least=_LEAST_ON_LID) if lids else []

    def _under(self, box: Box, covers: int) -> Colour | None:
        """The colour under the middle of a text, or of the paper; None where it is not known."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return self._covers.topmost(x, y, before=covers, paper=_PAPER)

    def _is_on_layer(self, item: Handle, marks: int) -> bool:
        """Whether a text is marked as content that can be switched off (ISO 32000-1, 8.11.3.2).

        Texts in a row share their marks, by address.
        """
        layers = self._layers
        for index in range(marks):
            mark = self._mark_of(item, index)
            known = layers.get(mark.value)
            if known or (known is None and mark and self._is_layer_mark(mark)):
                return True
        return False

    def _is_layer_mark(self, mark: Handle) -> bool:
        found = pdfium.FPDFPageObjMark_GetName(mark, self._name, len(_LAYER), *self._name_bytes.at)
        whole = bool(found) and self._name_bytes.values()[0] == len(_LAYER)  # a longer one is not written
        is_layer = self._layers[mark.value] = whole and self._name.raw == _LAYER
        return is_layer


def without_unseen(textpage: Any, raw: str, unseen: Unseen) -> tuple[str, bool]:
    """The characters of a page, blanks in the place of those that nobody sees; and whether these say anything."""
    page, values = argument(textpage.raw), Slots("d", 4)
    kept: list[str] = []
    missed = False
    for index, character in enumerate(raw):
        item = None if character.isspace() else pdfium.FPDFText_GetTextObject(page, index).value
        if item in unseen.hidden or (item in unseen.beside and _is_beside(page, index, values, unseen.page)):
            missed = missed or character.isalnum()
            kept.append(" ")  # its place is kept: characters are measured by number
        else:
            kept.append(character)
    return "".join(kept), missed


def _addresses(items: Iterable[Handle]) -> frozenset[int]:
    return frozenset(item.value for item in items if item.value is not None)


def _is_beside(textpage: Any, index: int, values: Slots, page: Box) -> bool:
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
