"""Rows of cells to blocks, for every format that has them: titles above a table, its header, its rows in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rag_system.ingestion.document import Block, BlockKind

__all__ = ["CELL_SEPARATOR", "LazyBlocks", "Row", "row_text", "table_blocks"]

CELL_SEPARATOR = " | "
_BATCH_ROWS = 200
_BATCH_CHARS = 32_000


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, clean, each on one line; an empty one keeps its column's place."""

    cells: Sequence[str]
    bold: bool = False  # its first cell is set in bold


@dataclass(frozen=True, slots=True)
class LazyBlocks:
    """Blocks that are read from the file each time they are asked for, so that none is held."""

    read: Callable[[], Iterator[Block]]

    def __iter__(self) -> Iterator[Block]:
        return self.read()


def row_text(cells: Iterable[str]) -> str:
    """A row as a person reads it: «Lima | 12 | sí», without the empty cells at its end."""
    return CELL_SEPARATOR.join(cells).rstrip(" |")


def table_blocks(rows: Iterable[Row], *, page: int | None = None) -> Iterator[Block]:
    """The tables of a sheet, a few hundred rows in a block, each block with its header as the first row.

    A row with a single cell above a table is its title. After an empty row, a single cell or a row in bold begins
    another table; anything else goes on with the one before.
    """
    table: _Table | None = None
    gap = False
    for row in rows:
        cells = _trimmed(row.cells)
        if not cells:
            gap = True
            continue
        single = sum(map(bool, cells)) == 1
        if table is not None and gap and (single or row.bold):
            yield from table.blocks(page)
            table = None
        gap = False
        if table is not None:
            table.add(cells)
            if table.is_full():
                yield from table.blocks(page)
        elif single:
            yield Block(kind=BlockKind.TEXT, text="".join(cells), page=page)
        else:
            table = _Table(cells)
    if table is not None:
        yield from table.blocks(page)


def _trimmed(cells: Sequence[str]) -> list[str]:
    end = len(cells)
    while end and not cells[end - 1]:
        end -= 1
    return list(cells[:end])


@dataclass(slots=True)
class _Table:
    """A header and the rows that wait for their block."""

    header: list[str]
    rows: list[list[str]] = field(default_factory=list)
    size: int = 0
    written: bool = False

    def add(self, cells: list[str]) -> None:
        self.rows.append(cells)
        self.size += sum(map(len, cells))

    def is_full(self) -> bool:
        return len(self.rows) >= _BATCH_ROWS or self.size >= _BATCH_CHARS

    def blocks(self, page: int | None) -> Iterator[Block]:
        """What waits, as a block; a header without rows is written once."""
        if self.rows or not self.written:
            rows = [self.header, *self.rows]
            kept = sorted({column for row in rows for column, cell in enumerate(row) if cell})
            text = "\n".join(row_text(row[column] for column in kept if column < len(row)) for row in rows)
            yield Block(kind=BlockKind.TABLE, text=text, page=page)
        self.rows, self.size, self.written = [], 0, True
