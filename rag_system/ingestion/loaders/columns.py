"""Columns of prose, read one after the other: pdfium mostly does so, but some programs write pages line by line.

A line over the whole width (a heading) ends the columns above it. Knows nothing of pdfium.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.loaders.page import PageLine, Word

__all__ = ["in_reading_order", "part_of", "wide_gaps"]

_WIDE = 0.9  # of the size of the type, and
_WIDER = 2.5  # times the line's usual space: justified lines have wide spaces everywhere
_MIN_ROWS = 6  # lines that are parted at the same place, or turns from one side to the other
_MIN_CHARS = 18  # mean length of a column's lines; shorter ones are a table's cells
_MAX_GUTTER = 60.0  # points; farther apart stand the cells of a table
_SAME_PLACE = 6.0  # points
_MAX_CROSSING = 0.3  # share of lines that reach over the gutter
_MIN_SIDE = 0.2  # share of lines on each side


def wide_gaps(words: Sequence[Word], size: float) -> list[float]:
    """The middles of the gaps in a line that are much wider than its spaces."""
    gaps = [(b.left - a.right, (a.right + b.left) / 2) for a, b in pairwise(words)]
    if len(gaps) < 3:
        return []
    least = max(_WIDE * size, _WIDER * median(width for width, _ in gaps))
    return [middle for width, middle in gaps if least <= width <= _MAX_GUTTER]


def in_reading_order(lines: Sequence[PageLine]) -> list[PageLine]:
    """The lines of a page, columns one after the other where they came mixed."""
    gutters = _gutters(lines)
    parted = [piece for line in lines for piece in _parted(line, gutters)] if gutters else list(lines)
    edges = sorted({*gutters, *_edges(parted)})
    if not edges or (not gutters and not _is_mixed(parted, edges)):
        return list(lines)
    return list(_column_by_column(parted, edges))


def _gutters(lines: Iterable[PageLine]) -> list[float]:
    """Where lines that pdfium read across two columns of prose are parted."""
    gaps = [(gap, line) for line in lines if line.words for gap in wide_gaps(line.words, line.size)]
    found: list[float] = []
    for gap, _ in gaps:
        same = [line for other, line in gaps if abs(other - gap) < _SAME_PLACE]
        if len(same) >= _MIN_ROWS and all(abs(gap - gutter) > 2 * _SAME_PLACE for gutter in found):
            shortest = [min(len(side.text) for side in _parted(line, [gap])) for line in same]
            if median(shortest) >= _MIN_CHARS:
                found.append(gap)
    return sorted(found)


def _parted(line: PageLine, gutters: Sequence[float]) -> list[PageLine]:
    """A line's pieces left and right of the gutters; the line itself where its words reach over them."""
    pieces: list[list[Word]] = []
    if not line.words or line.kind is not BlockKind.TEXT:
        return [line]
    for word in line.words:
        gap = bool(pieces) and any(pieces[-1][-1].right <= gutter <= word.left for gutter in gutters)
        if gap and word.left - pieces[-1][-1].right >= _WIDE * line.size:
            pieces.append([word])
        elif pieces:
            pieces[-1].append(word)
        else:
            pieces.append([word])
    if len(pieces) < 2:
        return [line]
    return [part_of(line, words) for words in pieces]


def part_of(line: PageLine, words: Sequence[Word]) -> PageLine:
    """Some words of a line as a line of their own."""
    text = " ".join(word.text for word in words)
    return line._replace(
        text=text, left=words[0].left, right=words[-1].right, bottom=words[0].bottom, words=tuple(words)
    )


def _edges(lines: Sequence[PageLine]) -> list[float]:
    """Left edges of columns other than the first, that few lines cross."""
    lefts = Counter(round(line.left / _SAME_PLACE) for line in lines)
    common = sorted(place * _SAME_PLACE for place, count in lefts.items() if count >= _MIN_ROWS)
    return [x - _SAME_PLACE for x in common[1:] if _parts(lines, x - _SAME_PLACE)]


def _parts(lines: Sequence[PageLine], x: float) -> bool:
    left = sum(line.right <= x + _SAME_PLACE for line in lines)
    right = sum(line.left >= x - _SAME_PLACE for line in lines)
    crossing = len(lines) - left - right
    return crossing <= _MAX_CROSSING * len(lines) and min(left, right) >= max(_MIN_ROWS, _MIN_SIDE * len(lines))


def _is_mixed(lines: Sequence[PageLine], edges: Sequence[float]) -> bool:
    """Whether the lines go from side to side, as prose does not."""
    sides = [_column(line, edges) for line in lines]
    turns = sum(a != b and a >= 0 and b >= 0 for a, b in pairwise(sides))
    long = sum(len(line.text) for line in lines) >= _MIN_CHARS * len(lines)
    return long and turns >= _MIN_ROWS and turns > len(lines) / 4


def _column(line: PageLine, edges: Sequence[float]) -> int:
    """The column that a line stands in; -1 for one that reaches over several."""
    first = sum(line.left > edge - _SAME_PLACE / 2 for edge in edges)
    last = sum(line.right > edge + 2 * _SAME_PLACE for edge in edges)
    return first if first >= last else -1


def _column_by_column(lines: Sequence[PageLine], edges: Sequence[float]) -> Iterator[PageLine]:
    columns: list[list[PageLine]] = [[] for _ in range(len(edges) + 1)]
    for line in sorted(lines, key=lambda line: -line.bottom):
        column = _column(line, edges)
        if column >= 0:
            columns[column].append(line)
            continue
        yield from _emptied(columns)
        yield line
    yield from _emptied(columns)


def _emptied(columns: Iterable[list[PageLine]]) -> Iterator[PageLine]:
    for column in columns:
        yield from column
        column.clear()
