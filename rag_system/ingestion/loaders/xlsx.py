"""XLSX and XLSM with openpyxl, row by row: every visible sheet is a heading, its number stands as the page.

Sheets are counted as a person sees their tabs. A hidden sheet is left out: who opens the file does not see it, and it
holds lists for formulas more often than content. Hidden rows are kept: a filter hides them.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import Block, BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED, Archive
from rag_system.ingestion.loaders.cell_format import shown
from rag_system.ingestion.loaders.rows import LazyBlocks, Row, table_blocks
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.text import clean_line

__all__ = ["load_xlsx"]

_MAX_ROWS = 1_048_576  # of a sheet (ECMA-376; the limit of Excel and LibreOffice)
_MAX_MERGES = 20_000
_VISIBLE = "visible"
_SECONDS_PER_MIB = 1.0  # of XML; a fast machine needs a quarter
_MERGE = re.compile(rb'<(?:\w+:)?mergeCell\s+ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_LONGEST_MERGE = 80  # bytes of such an element
_READ_ERRORS = (KeyError, ValueError, TypeError, AttributeError, IndexError, SyntaxError, zipfile.BadZipFile)

Merges = Mapping[int, list[tuple[int, int]]]  # first row → (column from 0, last row)


def load_xlsx(source: FileSource) -> ExtractedDocument:
    """A workbook: the values it shows, a heading for each visible sheet."""
    with Archive(source) as archive:
        archive.must_be_whole()
        with _opened(source, archive.expanded_bytes) as workbook:
            all_sheets = workbook.worksheets + workbook.chartsheets
            sheets = [sheet for sheet in all_sheets if sheet.sheet_state == _VISIBLE]
            hidden = (0,) if len(sheets) < len(all_sheets) else ()
            names = [name for name in workbook.sheetnames if name in {sheet.title for sheet in sheets}]
            merges = {sheet.title: _merges(archive, sheet) for sheet in sheets if hasattr(sheet, "iter_rows")}
            title = clean_line(workbook.properties.title or "")
            expanded_bytes = archive.expanded_bytes

    def read() -> Iterator[Block]:
        with _opened(source, expanded_bytes) as workbook:
            for number, name in enumerate(names, 1):
                if name in merges:
                    yield from _sheet_blocks(workbook[name], merges[name], number)

    return ExtractedDocument(format="xlsx", blocks=LazyBlocks(read), pages=len(names), title=title, hidden_pages=hidden)


@contextmanager
def _opened(source: FileSource, expanded_bytes: int) -> Iterator[Any]:
    """What goes wrong while it is open comes of a damaged file."""
    from openpyxl import load_workbook

    source.more_time(expanded_bytes / 2**20 * _SECONDS_PER_MIB)
    with source.open() as stream:
        try:
            with closing(load_workbook(stream, read_only=True, data_only=True, keep_links=False)) as workbook:
                yield workbook
        except _READ_ERRORS:
            raise UnreadableFileError(DAMAGED) from None


def _sheet_blocks(sheet: Any, merges: Merges, number: int) -> Iterator[Block]:
    yield Block(kind=BlockKind.HEADING, text=clean_line(sheet.title) or f"Hoja {number}", page=number, level=1)
    sheet.reset_dimensions()  # what a file says of its own extent is often wrong
    yield from table_blocks(_rows(sheet, merges), page=number)


def _rows(sheet: Any, merges: Merges) -> Iterator[Row]:
    """A label that is merged over several rows is said in each of them."""
    tall: dict[int, tuple[int, str]] = {}  # column → its last row and its label
    above = False  # whether the row above says anything: only after an empty one does bold tell another table
    for number, row in enumerate(sheet.iter_rows(), 1):
        if number > _MAX_ROWS:
            return
        cells = [_text(cell) for cell in row]
        for column, (last, label) in tall.items():
            if number <= last and any(cells):
                cells += [""] * (column + 1 - len(cells))
                cells[column] = cells[column] or label
        for column, last in merges.get(number, ()):
            if column < len(cells) and cells[column]:
                tall[column] = last, cells[column]
        yield Row(cells, bold=not above and _is_bold(row))
        above = any(cells)


def _text(cell: Any) -> str:
    """Most cells hold text or nothing: their number format, which is slow to find, says nothing."""
    value = cell.value
    if value is None:
        return ""
    return clean_line(value) if isinstance(value, str) else shown(value, cell.number_format)


def _is_bold(row: Any) -> bool:
    first = next((cell for cell in row if cell.value is not None), None)
    return first is not None and bool(first.font.b)


def _merges(archive: Archive, sheet: Any) -> Merges:
    """Cells merged over several rows: they are told after the rows, where reading row by row does not see them."""
    from openpyxl.utils import column_index_from_string

    merges: dict[int, list[tuple[int, int]]] = {}
    tail, count = b"", 0
    for piece in archive.pieces(sheet._worksheet_path):
        tail += piece
        for match in _MERGE.finditer(tail):
            first, last = int(match.group(2)), int(match.group(4))
            if last > first and (count := count + 1) <= _MAX_MERGES:
                merges.setdefault(first, []).append((column_index_from_string(match.group(1).decode()) - 1, last))
        tail = tail[tail.rfind(b"<", -_LONGEST_MERGE) :] if b"<" in tail[-_LONGEST_MERGE:] else b""
    return merges
