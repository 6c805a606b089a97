"""What a PDF's page paints, by place: which of it lies on top at a point, of thousands of boxes."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from rag_system.ingestion.loaders.visibility import NEAR, Colour

__all__ = ["Box", "Covers"]

Box = tuple[float, float, float, float]  # left, bottom, right, top; in the page's own coordinates

_SIDE = 48  # squares of a page's grid, along and across
_WIDEST = 48  # squares: what covers more is looked through one by one
_EDGE = 0.75  # points by which a box reaches over what it covers
_MAX_LOOKS = 100_000  # at boxes of a page: some 10 ms


class Covers:
    """The boxes that a page paints, in order. A colour of None: a picture, a figure or anything else."""

    def __init__(self, page: Box) -> None:
        self._left, self._bottom, right, top = page
        self._across, self._up = _SIDE / max(right - self._left, 1.0), _SIDE / max(top - self._bottom, 1.0)
        self._all: list[tuple[Box, Colour | None]] = []
        self._squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._wide: list[int] = []
        self._lids = [-1] * _SIDE  # by row of squares: the last box of one colour that touches it
        self._placed = self._looks = 0

    def add(self, box: Box, colour: Colour | None) -> None:
        """Something painted over all that was before."""
        self._all.append((box, colour))

    def palette(self) -> _Palette:
        """The colours painted so far."""
        return _Palette({colour for _, colour in self._all if colour is not None})

    def topmost(self, x: float, y: float, *, before: int, paper: Colour) -> Colour | None:
        """The colour at a point once the first `before` boxes were painted.

        None where it is no plain box, and where a page has so many that looking through them would take too long.
        """
        found = self._found(x, y, before)
        if self._looks > _MAX_LOOKS:
            return None
        return self._all[found][1] if found >= 0 else paper

    def lid(self, box: Box, *, after: int) -> Colour | None:
        """The colour of a plain box that was painted over a whole other, after the first `after`; None for none."""
        self._place()
        left, bottom, right, top = box
        if self._lids[self._row((bottom + top) / 2)] < after:  # as for most
            return None
        found = self._found((left + right) / 2, (bottom + top) / 2, len(self._all))
        if found < after or self._looks > _MAX_LOOKS:
            return None
        (west, south, east, north), colour = self._all[found]
        whole = west <= left - _EDGE and south <= bottom - _EDGE and east >= right + _EDGE and north >= top + _EDGE
        return colour if whole else None

    def _found(self, x: float, y: float, before: int) -> int:
        """The number of the last box that holds a point, of the first `before`; -1 for none."""
        self._place()
        square = self._squares.get((self._column(x), self._row(y)), ())
        return max(self._last(square, x, y, before), self._last(self._wide, x, y, before))

    def _last(self, numbers: Sequence[int], x: float, y: float, before: int) -> int:
        """The greatest of the numbers below `before` whose box holds a point; -1 for none."""
        for place in range(bisect_left(numbers, before) - 1, -1, -1):
            if self._looks > _MAX_LOOKS:
                break
            self._looks += 1
            left, bottom, right, top = self._all[numbers[place]][0]
            if left <= x <= right and bottom <= y <= top:
                return numbers[place]
        return -1

    def _place(self) -> None:
        """Put what was added since the last time into the squares that it touches."""
        for number in range(self._placed, len(self._all)):
            (left, bottom, right, top), colour = self._all[number]
            columns = range(self._column(left), self._column(right) + 1)
            rows = range(self._row(bottom), self._row(top) + 1)
            if colour is not None:
                self._lids[rows.start : rows.stop] = [number] * len(rows)
            if len(columns) * len(rows) > _WIDEST:
                self._wide.append(number)
                continue
            for column in columns:
                for row in rows:
                    self._squares[column, row].append(number)
        self._placed = len(self._all)

    def _column(self, x: float) -> int:
        return int(max(0.0, min(_SIDE - 1.0, (x - self._left) * self._across)))

    def _row(self, y: float) -> int:
        return int(max(0.0, min(_SIDE - 1.0, (y - self._bottom) * self._up)))


class _Palette:
    """Tells in a few steps whether a colour may be lost on one of thousands."""

    def __init__(self, colours: set[Colour]) -> None:
        self._around: set[Colour] = set()
        for red, green, blue in {(red // NEAR, green // NEAR, blue // NEAR) for red, green, blue in colours}:
            self._around |= {(red + a, green + b, blue + c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)}

    def has_near(self, colour: Colour) -> bool:
        """False: none of them is near. True: one is, or nearly."""
        red, green, blue = colour
        return (red // NEAR, green // NEAR, blue // NEAR) in self._around
