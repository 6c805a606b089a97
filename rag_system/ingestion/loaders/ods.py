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
from rag_system.ingestion.loaders.archive import DAMAGED, Archive
from rag_system.ingestion.loaders.odf import CONTENT, check_password, table_rows, title
from rag_system.ingestion.loaders.odf_names import name
from rag_system.ingestion.loaders.rows import LazyBlocks, table_blocks
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.text import clean_line

__all__ = ["load_ods"]

_TABLE, _ROW = name("table:table"), name("table:table-row")
_STYLE = name("style:style")


def load_ods(source: FileSource) -> ExtractedDocument:
    """A workbook of LibreOffice or another office; hidden sheets are left out, as in XLSX."""
    with Archive(source) as archive:
        check_password(archive)
        hidden = _hidden_styles(archive)
        count = sum(1 for _ in _visible_sheets(archive, hidden))
        declared = title(archive)

    def read() -> Iterator[Block]:
        with Archive(source) as archive:
            for number, (sheet, rows) in enumerate(_visible_sheets(archive, hidden), 1):
                yield Block(kind=BlockKind.HEADING, text=sheet or f"Hoja {number}", page=number, level=1)
                yield from table_blocks(table_rows(rows), page=number)

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
