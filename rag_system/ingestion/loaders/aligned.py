"""Tables without lines around their cells: rows whose cells stand below each other, three columns at least.

Two columns may be anything (prose, a list with hanging numbers, contents, labels with values), so they stay text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.loaders.page import PageLine, Word
from rag_system.ingestion.loaders.tables import Cells, table_text

__all__ = ["with_aligned_tables"]

_GAP = 1.2  # of the size of the type: narrower is a space
_MIN_ROWS, _MIN_COLUMNS = 3, 3
_MAX_PITCH = 3.0  # of the size of the type: farther apart stands something else
_MAX_CELL_CHARS = 120
_USUAL_CELL_CHARS = 20  # median; the lines of narrow columns of prose have about 30
_MARKER = re.compile(r"(?:[•·▪‣◦■□●○–—*-]|\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-zñ]{1,2}|[ivxIVX]{1,4})[.)°º]?-?)")
_LEADERS = re.compile(r"(?:\.\s?|…\s?|_){4,}")

Gap = tuple[float, float]  # from, to


def with_aligned_tables(lines: Sequence[PageLine]) -> list[PageLine]:
    """The lines of a page in the order given, where a table stands in the place of its rows."""
    found: list[PageLine] = []
    run: list[PageLine] = []
    common: list[Gap] = []
    for line in lines:
        gaps = _gaps(line)
        shared = _shared(common, gaps) if run else gaps
        if run and (len(shared) < _MIN_COLUMNS - 1 or not _follows(run[-1], line)):
            found.extend(_table_or_lines(run, common))
            run, shared = [], gaps
        if len(shared) >= _MIN_COLUMNS - 1:
            run, common = [*run, line], shared
        else:
            found.append(line)
    return [*found, *_table_or_lines(run, common)]


def _gaps(line: PageLine) -> list[Gap]:
    if not line.words or line.kind is not BlockKind.TEXT or line.fixed_pitch or _LEADERS.search(line.text):
        return []
    return [(a.right, b.left) for a, b in pairwise(line.words) if b.left - a.right >= _GAP * line.size]


def _shared(gaps: Sequence[Gap], others: Sequence[Gap]) -> list[Gap]:
    """Where both rows are white."""
    both = ((max(a[0], b[0]), min(a[1], b[1])) for a in gaps for b in others)
    return [gap for gap in both if gap[1] - gap[0] > 1]


def _follows(above: PageLine, line: PageLine) -> bool:
    return 0 < above.bottom - line.bottom <= _MAX_PITCH * max(above.size, line.size)


def _table_or_lines(rows: Sequence[PageLine], gaps: Sequence[Gap]) -> Iterator[PageLine]:
    cells: Cells = {}
    for index, row in enumerate(rows):
        for word in row.words:
            column = sum(word.left >= (gap[0] + gap[1]) / 2 for gap in gaps)
            cells.setdefault((index, column), []).append(word)
    text = table_text(_one_line(cells)) if _is_table(cells, len(rows)) else ""
    if not text:
        yield from rows
        return
    right = max(row.right for row in rows)
    yield rows[0]._replace(text=text, right=right, bottom=rows[-1].bottom, bold=False, kind=BlockKind.TABLE, words=())


def _one_line(cells: Cells) -> Cells:
    """The words of each cell as one: they came from one line, whatever the height of each."""
    return {
        place: [Word(words[0].left, words[-1].right, words[0].bottom, " ".join(word.text for word in words))]
        for place, words in cells.items()
    }


def _is_table(cells: Cells, rows: int) -> bool:
    if rows < _MIN_ROWS:
        return False
    texts = {place: " ".join(word.text for word in words) for place, words in cells.items()}
    lengths = [len(text) for text in texts.values()]
    if max(lengths) > _MAX_CELL_CHARS or median(lengths) > _USUAL_CELL_CHARS:
        return False
    marked = sum(_MARKER.fullmatch(text) is not None for (_, column), text in texts.items() if column == 0)
    return marked < rows / 2  # else a list with hanging numbers
