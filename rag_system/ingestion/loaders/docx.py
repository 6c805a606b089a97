"""DOCX: paragraphs, lists and tables in document order; headings by style in Spanish and English."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.source import Source
from rag_system.ingestion.structure import Line, blocks_from_lines
from rag_system.ingestion.text import clean, clean_line

__all__ = ["load_docx"]

_MAX_EXPANDED_BYTES = 512 * 1024 * 1024
_MAX_EXPANSION = 200  # a DOCX compresses its XML about tenfold
_HEADING_STYLE = re.compile(r"(?:heading|t[íi]tulo|ttulo|encabezado)\s*(\d)", re.IGNORECASE)
_TITLE_STYLES = frozenset({"title", "título", "titulo", "puesto"})
_LIST_STYLE = re.compile(r"list|lista|viñeta|prrafodelista", re.IGNORECASE)
_DAMAGED = "El documento está dañado: no se puede abrir. Ábralo en su programa, guárdelo de nuevo y reintente."


def load_docx(source: Source) -> ExtractedDocument:
    document = _open(source)
    blocks = blocks_from_lines(_lines(document))
    return ExtractedDocument(format="docx", blocks=blocks, pages=None, title=clean_line(document.core_properties.title))


def _open(source: Source) -> Any:
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    data = source.read()
    try:
        _check_expansion(data)
        return docx.Document(io.BytesIO(data))
    except (OpcError, LxmlError, zipfile.BadZipFile, KeyError, ValueError, AttributeError, NotImplementedError):
        raise UnreadableFileError(_DAMAGED) from None


def _check_expansion(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        expanded = sum(item.file_size for item in archive.infolist() if item.filename.endswith((".xml", ".rels")))
    if expanded > _MAX_EXPANDED_BYTES or (expanded > 2**26 and expanded > _MAX_EXPANSION * len(data)):
        raise UnreadableFileError("El documento se expande más de lo permitido. Divídalo en partes.")


def _lines(document: Any) -> Iterator[Line]:
    from docx.table import Table

    for item in document.iter_inner_content():
        if isinstance(item, Table):
            if text := "\n".join(_rows(item)):
                yield Line(text=text, kind=BlockKind.TABLE)
        else:
            yield from _paragraph_lines(item)


def _paragraph_lines(paragraph: Any) -> Iterator[Line]:
    """One line for each manual line break; bold is counted over the leading runs."""
    hint = _heading_level(paragraph)
    listed = not hint and _is_list_item(paragraph)
    lead = _leading_bold(paragraph)
    for number, raw in enumerate(clean(paragraph.text).split("\n")):
        if text := " ".join(raw.split()):
            kind = BlockKind.LIST_ITEM if listed and number == 0 else BlockKind.TEXT
            yield Line(text=text, kind=kind, hint=hint, bold=min(lead, len(text)) if number == 0 else 0)


def _heading_level(paragraph: Any) -> int:
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    if style.lower() in _TITLE_STYLES:
        return 1
    if match := _HEADING_STYLE.search(style):
        return max(1, min(6, int(match.group(1))))
    levels = paragraph._p.xpath("./w:pPr/w:outlineLvl/@w:val")
    return int(levels[0]) + 1 if levels and levels[0].isdigit() and int(levels[0]) < 6 else 0


def _is_list_item(paragraph: Any) -> bool:
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    return bool(paragraph._p.xpath("./w:pPr/w:numPr")) or _LIST_STYLE.search(style) is not None


def _leading_bold(paragraph: Any) -> int:
    lead = ""
    for run in paragraph.runs:
        if not run.bold and run.text.strip(" .-–:\xa0"):
            break
        lead += run.text
    return len(clean_line(lead)) if any(run.bold for run in paragraph.runs) else 0


def _rows(table: Any) -> Iterator[str]:
    """A merged cell is one cell, and a table inside a cell gives its rows to it."""
    for row in table.rows:
        cells: list[str] = []
        seen: set[int] = set()
        for cell in row.cells:
            if id(cell._tc) not in seen:
                seen.add(id(cell._tc))
                cells.append(_cell_text(cell))
        if any(cells):
            yield " | ".join(cells)


def _cell_text(cell: Any) -> str:
    from docx.table import Table

    parts = [
        "; ".join(_rows(item)) if isinstance(item, Table) else clean_line(item.text)
        for item in cell.iter_inner_content()
    ]
    return " ".join(part for part in parts if part)
