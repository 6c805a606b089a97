"""ODS, row by row: every visible sheet is a heading, its number stands as the page, cells as the file shows them.

As in XLSX files, hidden rows are kept.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED, Archive, declared_title
from rag_system.ingestion.loaders.odf import CONTENT, LEFT_OUT, META, check_password, name, times
from rag_system.ingestion.loaders.rows import LazyBlocks, Row, table_blocks
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.text import clean_line

__all__ = ["load_ods"]

_TABLE, _ROW = name("table:table"), name("table:table-row")
_STYLE = name("style:style")
_CELL, _COVERED, _PARAGRAPH = name("table:table-cell"), name("table:covered-table-cell"), name("text:p")
_MAX_COLUMNS = 1_024  # of a row, beyond which cells repeat without end
_MAX_EQUAL_ROWS = 1_000  # a row that says something is rarely repeated at all


def load_ods(source: FileSource) -> ExtractedDocument:
    """A workbook of LibreOffice or another office; hidden sheets are left out, as in XLSX."""
    with Archive(source) as archive:
        check_password(archive)
        hidden = _hidden_styles(archive)
        count = sum(1 for _ in _visible_sheets(archive, hidden))
        declared = declared_title(archive, META)

    def read() -> Iterator[Block]:
        with Archive(source) as archive:
            for number, (sheet, rows) in enumerate(_visible_sheets(archive, hidden), 1):
                yield Block(kind=BlockKind.HEADING, text=sheet or f"Hoja {number}", page=number, level=1)
                yield from table_blocks(_rows(rows), page=number)

    unseen = (0,) if hidden else ()
    return ExtractedDocument(format="ods", blocks=LazyBlocks(read), pages=count, title=declared, hidden_pages=unseen)


def _hidden_styles(archive: Archive) -> frozenset[str]:
    """The styles of tables that are not displayed; they stand before the tables."""
    hidden: set[str] = set()
    for event, element in _events(archive, (_STYLE, _TABLE)):
        if element.tag == _TABLE:
            break
        properties = element.find(name("style:table-properties")) if event == "end" else None
        if properties is not None and properties.get(name("table:display")) == "false":
            hidden.add(element.get(name("style:name"), ""))
    return frozenset(hidden)


def _rows(rows: Iterator[Any]) -> Iterator[Row]:
    """A cell merged over several rows is said in each of them; over several columns, once."""
    tall: dict[int, tuple[int, str]] = {}  # column → how many rows below are covered, and the text
    for row in rows:
        cells: list[str] = []
        for cell in row.iterchildren(_CELL, _COVERED):
            column = len(cells)
            count = min(times(cell, "table:number-columns-repeated"), _MAX_COLUMNS - column)
            left, text = tall.pop(column, (0, ""))
            if cell.tag == _CELL:
                text, left = clean_line("".join(_text(cell))), times(cell, "table:number-rows-spanned")
            cells += [text] * count if cell.tag == _CELL else [text, *[""] * (count - 1)][:count]
            if left > 1:
                tall[column] = left - 1, text
        for _ in range(min(times(row, "table:number-rows-repeated"), _MAX_EQUAL_ROWS) if any(cells) else 1):
            yield Row(cells)


def _text(element: Any) -> Iterator[str]:
    """What a cell shows, without the comments on it."""
    for child in element:
        if child.tag not in LEFT_OUT:
            yield child.text or " "  # an empty element is a blank or the end of a line
            yield from _text(child)
        yield child.tail or ""
        yield " " if child.tag == _PARAGRAPH else ""


def _visible_sheets(archive: Archive, hidden: frozenset[str]) -> Iterator[tuple[str, Iterator[Any]]]:
    """Name and rows of each sheet; the rows must be read before the next sheet, or are skipped."""
    events = _events(archive, (_TABLE, _ROW))
    for event, element in events:
        if event == "start" and element.tag == _TABLE:
            rows = _rows_of(events, element)
            if element.get(name("table:style-name"), "") not in hidden:
                yield clean_line(element.get(name("table:name"), "")), rows
            for _ in rows:
                pass


def _rows_of(events: Iterator[tuple[str, Any]], table: Any) -> Iterator[Any]:
    """Each row once it is whole; it is emptied afterwards, and those before it are dropped."""
    for event, element in events:
        if event != "end":
            continue
        if element is table:
            table.clear()
            return
        if element.tag == _ROW:
            yield element
            _drop(element)


def _drop(row: Any) -> None:
    row.clear()
    while row.getprevious() is not None:
        del row.getparent()[0]


def _events(archive: Archive, tags: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    from lxml import etree

    with archive.open(CONTENT) as stream:
        try:
            yield from etree.iterparse(
                stream, events=("start", "end"), tag=tags, resolve_entities=False, no_network=True, huge_tree=False
            )
        except (etree.XMLSyntaxError, zipfile.BadZipFile, zlib.error, EOFError):
            raise UnreadableFileError(DAMAGED) from None
