"""The table that `legajo evaluate` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table

__all__ = ["evaluation_table"]

KEYS = ("set", "recipe", "questions")


def evaluation_table(rows: Sequence[Mapping[str, object]]) -> str:
    """One line a question set and recipe, one column a score; scores that a set lacks stay empty."""
    names = list(dict.fromkeys(name for row in rows for name in row if name not in KEYS))
    table = Table("conjunto", "receta", "n", *names, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(str(row[key]) for key in KEYS), *(_show(row.get(name)) for name in names))
    console = Console(width=40 + 12 * (len(names) + 3), color_system=None)
    with console.capture() as capture:
        console.print(table)
    return capture.get().rstrip()


def _show(value: object) -> str:
    return "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
