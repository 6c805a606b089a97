"""Tables of a page, from the lines drawn around their cells: rows a person can read, cells separated by « | ».

A false table is worse than a missed one: two columns of prose or a framed page must stay text. What is drawn decides;
`aligned.py` reads tables without lines. Works on measured lines alone, so it knows nothing of pdfium.
"""

from __future__ import annotations

import re
from bisect import bisect, bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.lines import rejoined
from rag_system.ingestion.loaders.page import PageLine, Rule, Rules, Word

__all__ = ["Cells", "Grid", "find_grids", "table_text", "with_ruled_tables"]

_TOUCH = 3.0  # points; borders drawn cell by cell leave such gaps at the corners
_MAX_RULES = 400  # of a direction; a page with more is a drawing
_MAX_CELL_CHARS = 2_000  # a bigger cell is a framed page, not a cell
_MAX_REPEATED_CHARS = 80
_MIN_FILLED = 0.3  # share of cells with text
_MIN_ROWS = _MIN_COLUMNS = 2
_CELL_GAP = " | "
_WORD_OR_NUMBER = re.compile(r"[^\W\d_]{2}|\d[\d.,]*\d")

Place = tuple[int, int]  # row and column
Cells = dict[Place, list[Word]]


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells that crossing rules make: their edges, and for each elementary cell the one it is merged into."""

    xs: tuple[float, ...]  # left to right
    ys: tuple[float, ...]  # top to bottom
    owner: dict[Place, Place]  # (row, column) → upper left (row, column)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies inside."""
        return self.xs[0] - _TOUCH <= x <= self.xs[-1] + _TOUCH and self.ys[-1] - _TOUCH <= y <= self.ys[0] + _TOUCH

    def crosses(self, left: float, right: float, y: float) -> bool:
        """Whether what reaches from `left` to `right` passes over the edge of a column."""
        inside = self.ys[-1] <= y <= self.ys[0]
        return inside and bisect(self.xs, left + _TOUCH) < bisect_left(self.xs, right - _TOUCH)

    def cell(self, x: float, y: float) -> Place:
        """Row and column of the cell at a point inside."""
        column = min(max(bisect(self.xs, x) - 1, 0), len(self.xs) - 2)
        row = min(sum(edge > y for edge in self.ys[1:]), len(self.ys) - 2)
        return self.owner[row, column]


def find_grids(rules: Rules) -> list[Grid]:
    """The grids of at least two rows or two columns of cells, that rules which touch each other make."""
    horizontal, vertical = _merged(rules.horizontal), _merged(rules.vertical)
    if not vertical or not horizontal or max(len(horizontal), len(vertical)) > _MAX_RULES:
        return []
    grids = (_grid(*group) for group in _groups(horizontal, vertical))
    return [grid for grid in grids if grid is not None]


def with_ruled_tables(lines: Sequence[PageLine], grids: Iterable[Grid]) -> list[PageLine]:
    """The lines of a page, where a table stands in the place of its lines."""
    kept = list(lines)
    for grid in grids:
        inside = [line for line in kept if _is_inside(line, grid)]
        if inside and (text := table_text(_cells(inside, grid), grid.owner)):
            taken = {id(line) for line in inside}
            at = next(index for index, line in enumerate(kept) if id(line) in taken)
            kept = [line for line in kept if id(line) not in taken]
            kept.insert(at, _table_line(text, inside, grid))
    return kept


def table_text(cells: Cells, owner: Mapping[Place, Place] | None = None) -> str:
    """One line a row; empty when the cells do not make a table. Rows and columns without any text go.

    owner: of a place that a cell above or beside covers, where that cell begins. A short cell over several rows is
    said again in each.
    """
    texts = {place: text for place, words in cells.items() if (text := _cell_text(words))}
    rows, columns = sorted({row for row, _ in texts}), sorted({column for _, column in texts})
    if len(rows) < _MIN_ROWS or len(columns) < _MIN_COLUMNS or max(map(len, texts.values())) > _MAX_CELL_CHARS:
        return ""
    covering = owner or {}
    filled = sum(place in texts or covering.get(place, place) in texts for place in product(rows, columns))
    full_rows = sum(sum((row, column) in texts for column in columns) > 1 for row in rows)
    if full_rows < _MIN_ROWS or filled < _MIN_FILLED * len(rows) * len(columns) or not _says_something(texts.values()):
        return ""
    said = texts | _repeated(texts, rows, columns, covering)
    return "\n".join(_row_text(row, columns, said, covering) for row in rows)


def _says_something(texts: Collection[str]) -> bool:
    """Most cells of a table hold words or numbers; those of a figure hold the names of points and axes."""
    return sum(_WORD_OR_NUMBER.search(text) is not None for text in texts) > len(texts) / 2


def _row_text(row: int, columns: Sequence[int], said: Mapping[Place, str], owner: Mapping[Place, Place]) -> str:
    """A row; what a cell beside covers is no cell of its own."""
    own = (column for column in columns if owner.get((row, column), (row, column))[1] == column)
    return _CELL_GAP.join(said.get((row, column), "") for column in own).rstrip(" |")


def _repeated(
    texts: Mapping[Place, str], rows: Sequence[int], columns: Sequence[int], owner: Mapping[Place, Place]
) -> dict[Place, str]:
    """The short cells that reach down into the rows below their own."""
    repeated = {}
    for place in product(rows, columns):
        above = owner.get(place, place)
        if above[0] < place[0] and above[1] == place[1] and len(text := texts.get(above, "")) <= _MAX_REPEATED_CHARS:
            repeated[place] = text
    return repeated


# ---------------------------------------------------------------- grids


def _merged(rules: Sequence[Rule]) -> list[Rule]:
    """Pieces of one line, drawn one cell at a time or twice, as one."""
    lines: list[Rule] = []
    for at, group in _clusters(rules):
        first = len(lines)
        for rule in sorted(group, key=lambda rule: rule.start):
            if len(lines) > first and rule.start <= lines[-1].end + _TOUCH:
                lines[-1] = Rule(at, lines[-1].start, max(lines[-1].end, rule.end))
            else:
                lines.append(Rule(at, rule.start, rule.end))
    return lines


def _clusters(rules: Sequence[Rule]) -> list[tuple[float, list[Rule]]]:
    found: list[tuple[float, list[Rule]]] = []
    for rule in sorted(rules):
        if found and rule.at - found[-1][0] <= _TOUCH:
            found[-1][1].append(rule)
        else:
            found.append((rule.at, [rule]))
    return found


def _groups(horizontal: Sequence[Rule], vertical: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that touch each other, directly or through others."""
    groups: list[tuple[list[Rule], list[Rule]]] = []
    for down in vertical:
        touching = [across for across in horizontal if _touch(across, down)]
        joined = [group for group in groups if any(across in group[0] for across in touching)]
        across_all = {across: None for group in joined for across in group[0]} | dict.fromkeys(touching)
        groups = [group for group in groups if group not in joined]
        groups.append((list(across_all), [other for group in joined for other in group[1]] + [down]))
    return groups


def _touch(across: Rule, down: Rule) -> bool:
    return (
        across.start - _TOUCH <= down.at <= across.end + _TOUCH
        and down.start - _TOUCH <= across.at <= down.end + _TOUCH
    )


def _grid(horizontal: list[Rule], vertical: list[Rule]) -> Grid | None:
    xs = _edges([rule.at for rule in vertical], horizontal)
    ys = _edges([rule.at for rule in horizontal], vertical)[::-1]
    if len(xs) < 3 or len(ys) < 2 or not horizontal:
        return None
    owner: dict[Place, Place] = {}
    for row, (top, bottom) in enumerate(pairwise(ys)):
        for column, (left, right) in enumerate(pairwise(xs)):
            place = row, column
            if column and not _drawn(vertical, left, (top + bottom) / 2):
                place = owner[row, column - 1]
            elif row and not _drawn(horizontal, top, (left + right) / 2):
                place = owner[row - 1, column]
            owner[row, column] = place
    return Grid(xs, ys, owner) if len(set(owner.values())) > _MIN_COLUMNS else None


def _edges(places: Iterable[float], crossing: Sequence[Rule]) -> tuple[float, ...]:
    """Where the cells end: at the rules, and where the crossing rules end for a table that is open at its sides."""
    ends = [rule.start for rule in crossing] + [rule.end for rule in crossing]
    edges: list[float] = []
    for place in sorted([*places, min(ends, default=0.0), max(ends, default=0.0)]):
        if not edges or place - edges[-1] > 2 * _TOUCH:
            edges.append(place)
    return tuple(edges)


def _drawn(rules: Sequence[Rule], at: float, middle: float) -> bool:
    return any(abs(rule.at - at) <= 2 * _TOUCH and rule.start <= middle <= rule.end for rule in rules)


# ---------------------------------------------------------------- text into cells


def _is_inside(line: PageLine, grid: Grid) -> bool:
    return grid.holds((line.left + line.right) / 2, line.middle) and line.left > grid.xs[0] - 2 * _TOUCH


def _cells(lines: Sequence[PageLine], grid: Grid) -> Cells:
    """Each line in its cell; the words of a line that reaches over several, each in its own."""
    cells: Cells = defaultdict(list)
    for line in lines:
        crossing = line.words and grid.crosses(line.left, line.right, line.middle)
        for word in line.words if crossing else [Word(line.left, line.right, line.bottom, line.text)]:
            height = word.bottom + line.middle - line.bottom
            cells[grid.cell((word.left + word.right) / 2, height)].append(word)
    return cells


def _cell_text(words: Iterable[Word]) -> str:
    """Words of one cell, line by line: those at nearly the same height from left to right."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: -word.bottom):
        if lines and lines[-1][0].bottom - word.bottom < _TOUCH:
            lines[-1].append(word)
        else:
            lines.append([word])
    in_order = (" ".join(word.text for word in sorted(line)) for line in lines)
    return rejoined("\n".join(in_order)).replace(" | ", " / ").strip()


def _table_line(text: str, lines: Sequence[PageLine], grid: Grid) -> PageLine:
    return lines[0]._replace(
        text=text,
        left=grid.xs[0],
        right=grid.xs[-1],
        bottom=grid.ys[-1],
        bold=False,
        fixed_pitch=False,
        kind=BlockKind.TABLE,
        words=(),
    )
