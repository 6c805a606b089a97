"""Tables that commands print; of `legajo evaluate` one of recipes and question sets, and one of what is understood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table

__all__ = ["evaluation_tables", "plain_table"]

Row = Mapping[str, object]

_KEYS = ("set", "recipe", "questions")
_SEARCHED, _UNDERSTOOD = "Búsqueda y respuesta", "Comprensión de la pregunta"
_ORDER = (
    *("file@1", "file@5", "file@10", "phrase@1", "phrase@5", "phrase@10", "mrr", "ndcg@10"),
    *("answered", "phrase_in_answer", "cited_gold_file", "abstained", "exact", "search_ms", "cpu_ms"),
)
_LONGEST_HEADER_CHARS = 5  # a longer one takes two lines
_WIDEST = 400  # characters: lines are as long as they need to be, and never folded


def evaluation_tables(rows: Sequence[Row]) -> str:
    """One line a question set and recipe, one column a score; times are in milliseconds."""
    titled = [(title, [row for row in rows if _kind(row) == title]) for title in (_SEARCHED, _UNDERSTOOD)]
    return _printed(part for title, own in titled if own for part in (title, _table(own), ""))


def plain_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first column to the left, numbers to the right."""
    table = Table(box=None, pad_edge=False, collapse_padding=True)
    for number, header in enumerate(headers):
        table.add_column(header, justify="right" if number else "left", vertical="bottom")
    for row in rows:
        table.add_row(*row)
    return _printed([table])


def _printed(parts: Iterable[str | Table]) -> str:
    console = Console(width=_WIDEST, color_system=None)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return "\n".join(line.rstrip() for line in capture.get().rstrip().splitlines())


def _kind(row: Row) -> str:
    return _SEARCHED if "mrr" in row or "abstained" in row else _UNDERSTOOD


def _table(rows: Sequence[Row]) -> Table:
    names = sorted({name for row in rows for name in row if name not in _KEYS}, key=_rank)
    table = Table("conjunto", "receta", box=None, pad_edge=False, collapse_padding=True)
    for header in ("n", *map(_header, names)):
        table.add_column(header, justify="right", vertical="bottom")
    for row in rows:
        table.add_row(*(str(row[key]) for key in _KEYS), *(_show(row.get(name), name) for name in names))
    return table


def _rank(name: str) -> tuple[int, str]:
    return (_ORDER.index(name) if name in _ORDER else -1, name)


def _header(name: str) -> str:
    return name if len(name) <= _LONGEST_HEADER_CHARS else name.replace("_", "\n", 1)


def _show(value: object, name: str) -> str:
    if not isinstance(value, float):
        return ""
    return f"{value:.0f}" if name.endswith("_ms") else f"{value:.3f}"
