"""DOCX: paragraphs, lists and tables in document order; headings by style in Spanish and English."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

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
_PARAGRAPH_STYLE = 1  # WD_STYLE_TYPE.PARAGRAPH
_MAX_LEVEL = 6
_DAMAGED = "El documento está dañado: no se puede abrir. Ábralo en su programa, guárdelo de nuevo y reintente."


def load_docx(source: Source) -> ExtractedDocument:
    """A Word document: styles and numbering tell its headings, and it has no pages."""
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


@dataclass(frozen=True, slots=True)
class _Style:
    """What a paragraph style says about structure."""

    level: int = 0  # of a heading
    listed: bool = False


def _lines(document: Any) -> Iterator[Line]:
    from docx.table import Table

    styles = {style.style_id: _read_style(style) for style in document.styles if style.type == _PARAGRAPH_STYLE}
    for item in document.iter_inner_content():
        if isinstance(item, Table):
            if text := "\n".join(_rows(item)):
                yield Line(text=text, kind=BlockKind.TABLE)
        else:
            yield from _paragraph_lines(item, styles.get(item._p.style, _Style()))


def _read_style(style: Any) -> _Style:
    name = style.name or ""
    if name.lower() in _TITLE_STYLES:
        return _Style(level=1)
    if match := _HEADING_STYLE.search(name):
        return _Style(level=max(1, min(_MAX_LEVEL, int(match.group(1)))))
    return _Style(level=_outline_level(style.element.pPr), listed=_LIST_STYLE.search(name) is not None)


def _outline_level(properties: Any) -> int:
    """`w:outlineLvl` counts from 0; 9 is body text."""
    mark = properties.find(qn("w:outlineLvl")) if properties is not None else None
    value = mark.get(qn("w:val"), "") if mark is not None else ""
    return int(value) + 1 if value.isdigit() and int(value) < _MAX_LEVEL else 0


def _paragraph_lines(paragraph: Any, style: _Style) -> Iterator[Line]:
    """One line for each manual line break; bold is counted over the leading runs."""
    properties = paragraph._p.pPr
    hint = style.level or _outline_level(properties)
    listed = not hint and (style.listed or (properties is not None and properties.numPr is not None))
    lead = _leading_bold(paragraph)
    for number, raw in enumerate(clean(paragraph.text).split("\n")):
        if text := " ".join(raw.split()):
            kind = BlockKind.LIST_ITEM if listed and number == 0 else BlockKind.TEXT
            yield Line(text=text, kind=kind, hint=hint, bold=min(lead, len(text)) if number == 0 else 0)


def _leading_bold(paragraph: Any) -> int:
    lead, seen = "", False
    for run in paragraph.runs:
        bold, text = bool(run.bold), run.text
        if not bold and text.strip(" .-–:\xa0"):
            break
        lead, seen = lead + text, seen or bold
    return len(clean_line(lead)) if seen else 0


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
