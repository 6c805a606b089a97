"""What is drawn on a PDF's page: straight lines, how much of it a picture covers, and which text is not seen.

Asks pdfium; what the lines mean is for `tables.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import c_float, c_int
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfMatrix

from rag_system.ingestion.loaders.hidden import Box, Sight, bounds_of
from rag_system.ingestion.loaders.page import Rule, Rules

__all__ = ["Drawing", "Turn", "drawing"]

_MAX_OBJECTS = 20_000  # a page with more is a map or a drawing: its lines are not looked at
_MAX_PATHS = 3_000
_MAX_SEGMENTS = 400  # of one path: a whole grid drawn at once has about 100
_THIN = 3.0  # points; a thicker line is a box
_SHORT = 6.0  # points; a shorter one is a dot, or the corner of a border
_STRAIGHT = 1.0
_MAX_NESTING = 10  # of forms


class Turn:
    """Places as the page is shown: a page turned by 90° draws its text upwards.

    quarters: the page's own rotation, in quarter turns clockwise, 0…3; width, height: of the page as shown, in points.
    """

    def __init__(self, *, quarters: int, width: float, height: float) -> None:
        self._quarters, self._width, self._height = quarters % 4, width, height
        self.turned = bool(self._quarters)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """From the page's own coordinates to those shown."""
        if not self._quarters:
            return x, y
        if self._quarters == 1:
            return y, self._height - x
        if self._quarters == 2:
            return self._width - x, self._height - y
        return self._width - y, x

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """The same of a box."""
        if not self._quarters:
            return left, bottom, right, top
        (a, b), (c, d) = self.point(left, bottom), self.point(right, top)
        return min(a, c), min(b, d), max(a, c), max(b, d)


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn on a page."""

    rules: Rules
    pictures: float  # share of the page under pictures, 0…1
    blank: bool  # nothing at all, not even text
    unseen: frozenset[int]  # text objects that nobody sees, by address


def drawing(page: Any, turn: Turn) -> Drawing:
    """The straight lines of a page and its pictures; scanners cut theirs into strips, so their areas count together."""
    return _DrawingParser(page, turn).read()


class _DrawingParser:
    def __init__(self, page: Any, turn: Turn) -> None:
        self._page = page.raw
        self._area = max(page.get_width() * page.get_height(), 1.0)
        self._turn = turn
        self._horizontal: list[Rule] = []
        self._vertical: list[Rule] = []
        self._sight = Sight(page)

    def read(self) -> Drawing:
        paths, pictures = 0, 0.0
        count = pdfium.FPDFPage_CountObjects(self._page)
        for index in range(count):
            item = pdfium.FPDFPage_GetObject(self._page, index)
            if (mode := pdfium.FPDFTextObj_GetTextRenderMode(item)) >= 0:  # of text alone
                self._sight.text(item, mode)
            elif index < _MAX_OBJECTS:
                kind = pdfium.FPDFPageObj_GetType(item)
                if kind == pdfium.FPDF_PAGEOBJ_PATH:
                    paths += 1
                    self._path(item)
                elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM):
                    pictures += self._picture(item, kind)
                    self._look_inside(item, kind)
        few = paths <= _MAX_PATHS
        rules = Rules(tuple(self._horizontal), tuple(self._vertical)) if few else Rules()
        return Drawing(rules, min(1.0, pictures / self._area), count < 1, self._sight.unseen())

    def _look_inside(self, item: Any, kind: int, outer: Any = None, depth: int = 0) -> None:
        """The text, boxes and pictures of a form, wherever they stand on the page."""
        if kind != pdfium.FPDF_PAGEOBJ_FORM:
            box = _box(item)
            self._sight.picture(box if outer is None else outer.on_rect(*box))
            return
        matrix = _matrix(item)
        if depth == _MAX_NESTING or matrix is None:
            return
        matrix = matrix if outer is None else matrix.multiply(outer)
        for index in range(pdfium.FPDFFormObj_CountObjects(item)):
            inner = pdfium.FPDFFormObj_GetObject(item, index)
            if (mode := pdfium.FPDFTextObj_GetTextRenderMode(inner)) >= 0:
                self._sight.text(inner, mode, matrix)
                continue
            inside = pdfium.FPDFPageObj_GetType(inner)
            if inside == pdfium.FPDF_PAGEOBJ_PATH:
                self._cover(inner, matrix.on_rect(*_box(inner)))
            elif inside in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM):
                self._look_inside(inner, inside, matrix, depth + 1)

    def _picture(self, item: Any, kind: int) -> float:
        """Area of an image; scanners also wrap theirs in a form of its own."""
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            if pdfium.FPDFFormObj_CountObjects(item) != 1:
                return 0.0
            inner = pdfium.FPDFFormObj_GetObject(item, 0)
            if pdfium.FPDFPageObj_GetType(inner) != pdfium.FPDF_PAGEOBJ_IMAGE:
                return 0.0
        left, bottom, right, top = _box(item)
        return max(0.0, right - left) * max(0.0, top - bottom)

    def _path(self, path: Any) -> None:
        own = _box(path)
        left, bottom, right, top = self._turn.box(*own) if self._turn.turned else own
        width, height = right - left, top - bottom
        if width < _SHORT and height < _SHORT:
            self._sight.figure()
        elif height <= _THIN:
            self._horizontal.append(Rule((bottom + top) / 2, left, right))
        elif width <= _THIN:
            self._vertical.append(Rule((left + right) / 2, bottom, top))
        elif self._cover(path, own):
            for (x1, y1), (x2, y2) in self._strokes(path):
                self._stroke(x1, y1, x2, y2)

    def _cover(self, path: Any, box: Box) -> bool:
        """Note what a path paints, and tell whether it is stroked."""
        self._sight.figure()
        fill, stroke = c_int(), c_int()
        if not pdfium.FPDFPath_GetDrawMode(path, fill, stroke):
            return False
        if fill.value:
            self._sight.paint(box, path)
        return bool(stroke.value)

    def _stroke(self, x1: float, y1: float, x2: float, y2: float) -> None:
        if abs(y1 - y2) <= _STRAIGHT and abs(x1 - x2) >= _SHORT:
            self._horizontal.append(Rule((y1 + y2) / 2, min(x1, x2), max(x1, x2)))
        elif abs(x1 - x2) <= _STRAIGHT and abs(y1 - y2) >= _SHORT:
            self._vertical.append(Rule((x1 + x2) / 2, min(y1, y2), max(y1, y2)))

    def _strokes(self, path: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        """The straight segments of a path, as they lie on the page."""
        count = pdfium.FPDFPath_CountSegments(path)
        if not 1 < count <= _MAX_SEGMENTS:
            return
        if (matrix := _matrix(path)) is None:
            return
        points = [self._segment(pdfium.FPDFPath_GetPathSegment(path, index), matrix) for index in range(count)]
        begun = points[0][0]
        for (at, _, closed), (to, kind, closes) in pairwise(points):
            if closed or kind == pdfium.FPDF_SEGMENT_MOVETO:
                begun = to
            elif kind == pdfium.FPDF_SEGMENT_LINETO:
                yield at, to
            if closes:
                yield to, begun

    def _segment(self, segment: Any, matrix: Any) -> tuple[tuple[float, float], int, bool]:
        x, y = c_float(), c_float()
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        shown = self._turn.point(*matrix.on_point(x.value, y.value))
        kind = pdfium.FPDFPathSegment_GetType(segment)
        return shown, kind, bool(pdfium.FPDFPathSegment_GetClose(segment))


def _box(item: Any) -> Box:
    return bounds_of(item) or (0.0, 0.0, 0.0, 0.0)


def _matrix(item: Any) -> PdfMatrix | None:
    """From an object's own coordinates to those of what it stands in."""
    found = pdfium.FS_MATRIX()
    return PdfMatrix.from_raw(found) if pdfium.FPDFPageObj_GetMatrix(item, found) else None
