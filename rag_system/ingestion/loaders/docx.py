"""DOCX: its body is written as a page of HTML, as it stands after review, which is read as any other.

Inserted text, content controls, fields, text boxes, equations and notes are read; what was deleted or moved away in
review, comments, instructions of fields, tables of contents, headers and footers are not. Notes follow the paragraph
that calls them. The white of a style with a name is left out, and so is all white in a box, in a table whose style may
paint, or on a page with a colour: it may be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.archive import DAMAGED, Archive, declared_title, parse_xml
from rag_system.ingestion.loaders.docx_styles import (
    Style,
    W,
    is_white,
    list_of,
    outline_level,
    paints,
    read_styles,
    switch,
    value_of,
)
from rag_system.ingestion.loaders.html import page_lines
from rag_system.ingestion.loaders.numbering import Numbering
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.symbols import symbol
from rag_system.ingestion.loaders.written_page import PAINTED, Css, attribute, labelled, written
from rag_system.ingestion.structure import unpaged
from rag_system.ingestion.text import whole_number

__all__ = ["load_docx"]

_PARTS = ("document", "styles", "numbering", "footnotes", "endnotes")
_PROPERTIES = "docProps/core.xml"
# Namespaces of one meaning.
_STRICT, _USUAL = b"http://purl.oclc.org/ooxml/wordprocessingml/main", W.strip("{}").encode()
_TWICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"  # for new programs and for old
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
# What the place of a part says.
_MATH_SIGNS = {f"{_MATH}num": "", f"{_MATH}den": "/", f"{_MATH}sup": "^", f"{_MATH}sub": "_"}
_MAX_DEPTH = 60  # of tables, controls and boxes inside each other
_TAG = re.compile(r"<[^>]*>")
_DUST = 4  # half points; more is not looked at

_PARAGRAPH, _TABLE, _ROW, _CELL, _RUN, _BOX = (f"{W}{each}" for each in "p tbl tr tc r txbxContent".split())
_DROPPED = frozenset(
    f"{W}{name}" for name in "del moveFrom delText instrText delInstrText pPr sdtPr rt commentReference".split()
)
_SHOWN = {f"{W}tab": " ", f"{W}ptab": " ", f"{W}br": "<br>", f"{W}cr": "<br>", f"{W}noBreakHyphen": "-"}
_NOTES = {f"{W}footnoteReference": "footnotes", f"{W}endnoteReference": "endnotes"}
_SEPARATORS = frozenset(("separator", "continuationSeparator", "continuationNotice"))
_GALLERY = f"{W}sdtPr/{W}docPartObj/{W}docPartGallery"
# As they come, they paint nothing.
_PLAIN_TABLES = frozenset(("", "TableNormal", "TableGrid", "Tablanormal", "Tablaconcuadrcula"))


def load_docx(source: FileSource) -> ExtractedDocument:
    """A Word document: styles and numbering tell its headings, in Spanish and English, and it has no pages."""
    with Archive(source) as archive:
        parts = {kind: root for kind in _PARTS if (root := _part(archive, kind)) is not None}
        if "document" not in parts or parts["document"].tag != f"{W}document":
            raise UnreadableFileError(DAMAGED)
        lines, hidden = page_lines(_Page(parts).html())
        return unpaged("docx", lines, title=declared_title(archive, _PROPERTIES), hidden=hidden)


def _part(archive: Archive, kind: str) -> Any | None:
    """The root of a part, whose name some programs number: «word/styles2.xml»."""
    named = (name for name in sorted(archive.names) if re.fullmatch(rf"word/{kind}\d*\.xml", name))
    return next((parse_xml(archive.read(name).replace(_STRICT, _USUAL)) for name in named), None)


class _Page:
    """Writes a document once, counting its lists and notes. parts: the roots of those that are there of `_PARTS`."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self._root = parts["document"]
        self._styles = read_styles(parts.get("styles"))
        self._numbering = Numbering(parts.get("numbering"))
        self._texts = {
            (kind, note.get(f"{W}id", "")): note
            for kind in _NOTES.values()
            for note in parts.get(kind, ())
            if note.get(f"{W}type") not in _SEPARATORS
        }
        self._called: list[tuple[str, str]] = []  # notes that wait for the end of their paragraph or table
        self._note = 0

    def html(self) -> str:
        """All that it shows."""
        around = PAINTED if self._root.find(f"{W}background") is not None else {}
        body = (part for each in self._root.iter(f"{W}body") for part in self._inside(each, 0))
        return f"<div{attribute(around)}>{''.join(body)}</div>"

    # ------------------------------------------------------------ blocks

    def _inside(self, container: Any, depth: int, *, cell: bool = False) -> Iterator[str]:
        """The paragraphs and tables of a body, cell, box or note. cell: of a table, which has no headings inside."""
        for child in _children(container) if depth < _MAX_DEPTH else ():
            if child.tag == _PARAGRAPH:
                yield from self._paragraph(child, depth, cell=cell)
            elif child.tag == _TABLE:
                yield from self._table(child, depth, cell=cell)
            elif _is_wrapper(child):
                yield from self._inside(child, depth + 1, cell=cell)
            if not cell:
                yield from self._notes()

    def _notes(self) -> Iterator[str]:
        called, self._called = self._called, []
        for note in (self._texts[each] for each in dict.fromkeys(called) if each in self._texts):
            self._note += 1
            texts = ("".join(self._text(each, [], "", bold=False, depth=0)) for each in note.iter(_PARAGRAPH))
            yield f"<p>Nota {self._note}: {' '.join(texts)}</p>"

    def _paragraph(self, paragraph: Any, depth: int, *, cell: bool) -> Iterator[str]:
        """It, then the boxes anchored in it."""
        properties = paragraph.find(f"{W}pPr")
        name = value_of(properties, "pStyle")
        style = self._styles.get(name, Style())
        number, level = list_of(properties) or style.numbered
        number = number if number != "0" else ""
        label = self._numbering.label(number, level) if number and not _joins_next(paragraph) else ""
        boxes: list[Any] = []
        inside = "".join(self._text(paragraph, boxes, name, bold=False, depth=depth))
        if (_TAG.sub("", inside).strip() or (cell and label)) and not style.contents:
            heading = style.level or outline_level(properties)
            tag = "p" if cell else f"h{heading}" if heading else "li" if style.listed or number else "p"
            css = PAINTED if style.paints or paints(properties) else {}
            yield f"<{tag}{attribute(css)}>{labelled(label, inside)}</{tag}>"
        for box in boxes:
            yield f"<div{attribute(PAINTED)}>{''.join(self._inside(box, depth + 1, cell=cell))}</div>"

    def _table(self, table: Any, depth: int, *, cell: bool) -> Iterator[str]:
        """One with a single cell is a frame around text; one inside of a cell gives its rows to it."""
        properties = table.find(f"{W}tblPr")
        plain = value_of(properties, "tblStyle") in _PLAIN_TABLES and not paints(properties)
        rows = [row for row in _within(table, _ROW) if row.find(f"{W}trPr/{W}del") is None]
        cells = [each for row in rows for each in _within(row, _CELL)]
        if len(cells) == 1 and not cell:
            tag, inside = "div", self._inside(cells[0], depth + 1)
        else:
            tag, inside = "div" if cell else "table", self._rows(rows, depth, cell=cell)
        yield f"<{tag}{attribute({} if plain else PAINTED)}>{''.join(inside)}</{tag}>"

    def _rows(self, rows: Iterable[Any], depth: int, *, cell: bool) -> Iterator[str]:
        """A cell merged over columns is one; merged over rows, it is said in each."""
        row_tag, cell_tag, joint = ("div", "div", " | ") if cell else ("tr", "td", "")
        above: dict[int, str] = {}
        for row in rows:
            cells, column = [], 0
            for each in _within(row, _CELL):
                properties = each.find(f"{W}tcPr")
                merge = properties.find(f"{W}vMerge") if properties is not None else None
                if merge is None or merge.get(f"{W}val") == "restart":
                    inside = "".join(self._inside(each, depth + 1, cell=True))
                    above[column] = f"<{cell_tag}{_behind(properties)}>{inside}</{cell_tag}>"
                cells.append(above.get(column, f"<{cell_tag}></{cell_tag}>"))
                column += whole_number(value_of(properties, "gridSpan"), 1)
            yield f"<{row_tag}{_behind(row.find(f'{W}tblPrEx'))}>{joint.join(cells)}</{row_tag}>"

    # ------------------------------------------------------------ text

    def _text(self, element: Any, boxes: list[Any], style: str, *, bold: bool, depth: int) -> Iterator[str]:
        """What is written in a paragraph of a style; the boxes in it join `boxes`."""
        for child in _children(element) if depth < _MAX_DEPTH else ():
            tag = child.tag
            if tag in _DROPPED or not isinstance(tag, str):
                continue
            if tag in (f"{W}t", f"{_MATH}t"):
                yield written(child.text, bold=bold)
            elif tag in _SHOWN:
                yield _SHOWN[tag]
            elif tag == f"{W}sym":
                yield written(symbol(child.get(f"{W}font", ""), child.get(f"{W}char", "")), bold=bold)
            elif tag in _NOTES:
                self._called.append((_NOTES[tag], child.get(f"{W}id", "")))
            elif tag == _BOX:
                boxes.append(child)
            else:
                strong = bool(switch(child, "b")) if tag == _RUN else bold
                inside = "".join(self._text(child, boxes, style, bold=strong, depth=depth + 1))
                if tag == _RUN and (css := self._looks(child, style)):
                    inside = f"<span{attribute(css)}>{inside}</span>"
                yield _part_of_formula(_MATH_SIGNS[tag], inside) if tag in _MATH_SIGNS else inside

    def _looks(self, run: Any, name: str) -> Css:
        """What hides the letters of a run, and the colour behind them. name: of its paragraph's style."""
        properties = run.find(f"{W}rPr")
        own = self._styles.get(value_of(properties, "rStyle") or "-", Style())
        said = switch(run, "vanish")
        css = {}
        if own.hides or self._styles.get(name, Style()).hides if said is None else said:
            css["display"] = "none"
        if whole_number(value_of(properties, "sz"), _DUST + 1) <= _DUST:
            css["font-size"] = "1pt"
        if is_white(properties):
            css["color"] = "#ffffff"
        return {**css, **PAINTED} if own.paints or paints(properties) else css


def _joins_next(paragraph: Any) -> bool:
    """Whether its end was deleted or is hidden. A style separator hides it too, and keeps the number."""
    properties = paragraph.find(f"{W}pPr")
    if properties is None:
        return False
    hidden = switch(properties, "vanish") and not switch(properties, "specVanish")
    return bool(hidden) or properties.find(f"{W}rPr/{W}del") is not None


def _part_of_formula(sign: str, text: str) -> str:
    """«/2» or «^(n + 1)»: a formula stands on a line."""
    inside = text.strip()
    return sign + (inside if inside.isalnum() else f"({inside})") if inside else ""


def _behind(properties: Any | None) -> str:
    return attribute(PAINTED if paints(properties) else {})


def _children(element: Any) -> Any:
    """What stands in an element; of what is there twice, the first."""
    return element[:1] if element.tag == _TWICE else element


def _is_wrapper(element: Any) -> bool:
    """Not a deletion, nor a table of contents: it says the headings again, with page numbers that the text has not."""
    if not isinstance(element.tag, str) or element.tag in _DROPPED:
        return False
    gallery = element.find(_GALLERY)
    return gallery is None or gallery.get(f"{W}val") != "Table of Contents"


def _within(element: Any, tag: str, depth: int = 0) -> Iterator[Any]:
    """The rows of a table or the cells of a row, through content controls and inserted parts."""
    for child in _children(element):
        if child.tag == tag:
            yield child
        elif child.tag not in (_TABLE, _PARAGRAPH, _CELL, *_DROPPED) and depth < _MAX_DEPTH:
            yield from _within(child, tag, depth + 1)
