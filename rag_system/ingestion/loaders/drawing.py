"""What is drawn on a PDF's page besides its text: straight lines, and how much of it a picture covers.

Asks pdfium; what the lines mean is for `tables.py`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rag_system.ingestion.loaders.page import Rule, Rules

__all__ = ["Drawing", "Turn", "drawing"]

_MAX_OBJECTS = 20_000  # a page with more is a map or a drawing: its lines are not looked at
_MAX_PATHS = 3_000
_MAX_SEGMENTS = 400  # of one path: a whole grid drawn at once has about 100
_THIN = 3.0  # points; a thicker line is a box
_SHORT = 6.0  # points; a shorter one is a dot, or the corner of a border
_STRAIGHT = 1.0

Box = tuple[float, float, float, float]  # left, bottom, right, top


class Turn:
    """Places as the page is shown: a page turned by 90° draws its text upwards.

    quarters: the page's own rotation, in quarter turns clockwise, 0…3; width, height: of the page as shown, in points.
    """

    def __init__(self, *, quarters: int, width: float, height: float) -> None:
        self._quarters, self._width, self._height = quarters % 4, width, height

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


def drawing(page: Any, turn: Turn) -> Drawing:
    """The straight lines of a page and its pictures; scanners cut theirs into strips, so their areas count together."""
    return _Reader(page, turn).read()


class _Reader:
    def __init__(self, page: Any, turn: Turn) -> None:
        import pypdfium2.raw

        self._pdfium = pypdfium2.raw
        self._page = page.raw
        self._area = max(page.get_width() * page.get_height(), 1.0)
        self._turn = turn
        self._bounds = [ctypes.c_float() for _ in range(4)]
        self._horizontal: list[Rule] = []
        self._vertical: list[Rule] = []

    def read(self) -> Drawing:
        pdfium, paths, pictures = self._pdfium, [], 0.0
        count = pdfium.FPDFPage_CountObjects(self._page)
        for index in range(min(count, _MAX_OBJECTS)):
            item = pdfium.FPDFPage_GetObject(self._page, index)
            kind = pdfium.FPDFPageObj_GetType(item)
            if kind == pdfium.FPDF_PAGEOBJ_PATH:
                paths.append(item)
            elif kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM):
                pictures += self._picture(item, kind)
        if len(paths) <= _MAX_PATHS:
            for path in paths:
                self._path(path)
        rules = Rules(tuple(self._horizontal), tuple(self._vertical))
        return Drawing(rules, min(1.0, pictures / self._area), count < 1)

    def _picture(self, item: Any, kind: int) -> float:
        """Area of an image; scanners also wrap theirs in a form of its own."""
        if kind == self._pdfium.FPDF_PAGEOBJ_FORM:
            if self._pdfium.FPDFFormObj_CountObjects(item) != 1:
                return 0.0
            inner = self._pdfium.FPDFFormObj_GetObject(item, 0)
            if self._pdfium.FPDFPageObj_GetType(inner) != self._pdfium.FPDF_PAGEOBJ_IMAGE:
                return 0.0
        left, bottom, right, top = self._box(item)
        return max(0.0, right - left) * max(0.0, top - bottom)

    def _box(self, item: Any) -> Box:
        left, bottom, right, top = self._bounds
        if not self._pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top):
            return 0.0, 0.0, 0.0, 0.0
        return left.value, bottom.value, right.value, top.value

    def _path(self, path: Any) -> None:
        left, bottom, right, top = self._turn.box(*self._box(path))
        width, height = right - left, top - bottom
        if width < _SHORT and height < _SHORT:
            return
        if height <= _THIN:
            self._horizontal.append(Rule((bottom + top) / 2, left, right))
        elif width <= _THIN:
            self._vertical.append(Rule((left + right) / 2, bottom, top))
        elif self._is_stroked(path):
            for (x1, y1), (x2, y2) in self._strokes(path):
                self._stroke(x1, y1, x2, y2)

    def _stroke(self, x1: float, y1: float, x2: float, y2: float) -> None:
        if abs(y1 - y2) <= _STRAIGHT and abs(x1 - x2) >= _SHORT:
            self._horizontal.append(Rule((y1 + y2) / 2, min(x1, x2), max(x1, x2)))
        elif abs(x1 - x2) <= _STRAIGHT and abs(y1 - y2) >= _SHORT:
            self._vertical.append(Rule((x1 + x2) / 2, min(y1, y2), max(y1, y2)))

    def _is_stroked(self, path: Any) -> bool:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        return bool(self._pdfium.FPDFPath_GetDrawMode(path, fill, stroke) and stroke.value)

    def _strokes(self, path: Any) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
        """The straight segments of a path, as they lie on the page."""
        pdfium, count = self._pdfium, self._pdfium.FPDFPath_CountSegments(path)
        if not 1 < count <= _MAX_SEGMENTS:
            return
        matrix = pdfium.FS_MATRIX()
        if not pdfium.FPDFPageObj_GetMatrix(path, matrix):
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
        x, y = self._bounds[:2]
        self._pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        shown = self._turn.point(
            matrix.a * x.value + matrix.c * y.value + matrix.e, matrix.b * x.value + matrix.d * y.value + matrix.f
        )
        kind = self._pdfium.FPDFPathSegment_GetType(segment)
        return shown, kind, bool(self._pdfium.FPDFPathSegment_GetClose(segment))
