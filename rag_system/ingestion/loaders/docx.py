"""DOCX: paragraphs, lists and tables in document order; headings by style in Spanish and English.

Headers and footers stand in parts of their own and are not read; notes follow the paragraph that calls them.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from docx.oxml.ns import qn

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.lines import Line, leading_bold, paragraph_lines
from rag_system.ingestion.loaders.archive import DAMAGED, Archive, parse_xml
from rag_system.ingestion.loaders.numbering import Numbering
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.wordml import (
    Eye,
    ParagraphText,
    blocks_inside,
    is_on,
    paints,
    paragraph_text,
    table_cells,
    table_notes,
    table_rows,
    value_of,
)
from rag_system.ingestion.structure import blocks_from_lines
from rag_system.ingestion.text import clean_line, whole_number

__all__ = ["load_docx"]

_HEADING_STYLE = re.compile(r"(?:heading|t[íi]tulo|ttulo|encabezado)\s*(\d)", re.IGNORECASE)
_TITLE_STYLES = frozenset({"title", "título", "titulo", "puesto"})
_LIST_STYLE = re.compile(r"list|lista|viñeta|prrafodelista", re.IGNORECASE)
_CONTENTS_STYLE = re.compile(r"(?:toc|tdc) ?\d", re.IGNORECASE)  # a line of the table of contents
_PARAGRAPH_STYLE = 1  # WD_STYLE_TYPE.PARAGRAPH
_MAX_LEVEL = 6
_MAX_STYLES = 20  # based on each other
_MAX_BOXES = 10  # inside each other
_VANISH = f"{qn('w:rPr')}/{qn('w:vanish')}"
_DELETED = f"{qn('w:rPr')}/{qn('w:del')}"
_SEPARATORS = frozenset(("separator", "continuationSeparator", "continuationNotice"))
_READ_ERRORS = (KeyError, ValueError, TypeError, AttributeError, NotImplementedError, zipfile.BadZipFile)


def load_docx(source: FileSource) -> ExtractedDocument:
    """A Word document: styles and numbering tell its headings, and it has no pages."""
    from docx.exceptions import PythonDocxError
    from docx.oxml.exceptions import XmlchemyError

    with Archive(source) as archive:
        archive.must_be_whole()
        document = _open(source)
    try:
        reader = _BodyParser(document)
        blocks = blocks_from_lines(reader.lines())
        title = clean_line(document.core_properties.title)
    except (*_READ_ERRORS, PythonDocxError, XmlchemyError):
        raise UnreadableFileError(DAMAGED) from None
    return ExtractedDocument(
        format="docx", blocks=blocks, pages=None, title=title, hidden_pages=(0,) if reader.eye.missed else ()
    )


def _open(source: FileSource) -> Any:
    """`docx.Document` refuses templates and documents with macros, which hold the same."""
    from docx.opc.constants import CONTENT_TYPE
    from docx.opc.exceptions import OpcError
    from docx.opc.part import PartFactory
    from docx.package import Package
    from docx.parts.document import DocumentPart
    from lxml.etree import LxmlError

    for kind in ("document.macroEnabled", "template", "template.macroEnabledTemplate"):
        PartFactory.part_type_for.setdefault(f"application/vnd.ms-word.{kind}.main+xml", DocumentPart)
    PartFactory.part_type_for.setdefault(
        CONTENT_TYPE.WML_DOCUMENT_MAIN.replace("document.main", "template.main"), DocumentPart
    )
    try:
        with source.open() as stream:
            return Package.open(stream).main_document_part.document
    except (*_READ_ERRORS, OpcError, LxmlError):
        raise UnreadableFileError(DAMAGED) from None


@dataclass(frozen=True, slots=True)
class _Style:
    """What a paragraph style says about structure."""

    level: int = 0  # of a heading
    listed: bool = False
    contents: bool = False
    numbered: tuple[str, int] = ("", 0)  # the list that it counts in, and the level


class _BodyParser:
    """Walks over the body once, counting its lists."""

    def __init__(self, document: Any) -> None:
        self._body = document.element.body
        self._styles = {
            style.style_id: _read_style(style) for style in document.styles if style.type == _PARAGRAPH_STYLE
        }
        parts = {relation.reltype.rpartition("/")[2]: relation for relation in document.part.rels.values()}
        self.eye = _eye(document)
        self._numbering = Numbering(_root(parts.get("numbering")))
        self._notes = {kind: _notes(_root(parts.get(kind)), self.eye) for kind in ("footnotes", "endnotes")}
        self._note_count = 0

    def lines(self) -> Iterator[Line]:
        yield from self._inside(self._body, depth=0)

    def _inside(self, container: Any, *, depth: int) -> Iterator[Line]:
        for block in blocks_inside(container):
            if block.tag != qn("w:tbl"):
                yield from self._paragraph(block, depth=depth)
            elif len(cells := table_cells(block)) == 1 and depth < _MAX_BOXES:
                yield from self._inside(cells[0], depth=depth + 1)  # a frame around text
            elif text := "\n".join(table_rows(block, self.eye, self._label)):
                yield Line(text=text, kind=BlockKind.TABLE)
                yield from self._note_lines(table_notes(block))

    def _paragraph(self, paragraph: Any, *, depth: int) -> Iterator[Line]:
        """Its lines, then the boxes anchored in it and the notes it calls."""
        style = self._styles.get(paragraph.style, _Style())
        found = paragraph_text(paragraph, self.eye)
        if not style.contents:
            yield from self._own_lines(paragraph, found, style)
        if depth < _MAX_BOXES:
            for box in found.boxes:
                yield from self._inside(box, depth=depth + 1)
        yield from self._note_lines(found.notes)

    def _note_lines(self, notes: Iterable[tuple[str, str]]) -> Iterator[Line]:
        for kind, identifier in notes:
            if text := self._notes[kind].get(identifier):
                self._note_count += 1
                yield Line(text=f"Nota {self._note_count}: {text}")

    def _own_lines(self, paragraph: Any, found: ParagraphText, style: _Style) -> Iterator[Line]:
        label, text = self._label(paragraph), found.text
        if not text.strip():
            return
        hint = style.level or _outline_level(paragraph.pPr)
        listed = not hint and (style.listed or bool(self._list(paragraph)[0]))
        yield from paragraph_lines(text, label=label, bold=leading_bold(found.runs), hint=hint, listed=listed)

    def _list(self, paragraph: Any) -> tuple[str, int]:
        """The list that a paragraph counts in, empty for none, and the level."""
        style = self._styles.get(paragraph.style, _Style())
        number, level = _number(paragraph.pPr) or style.numbered
        return (number, level) if number != "0" else ("", 0)

    def _label(self, paragraph: Any) -> str:
        """The number before a paragraph. One without text counts too, unless its end was deleted or is hidden."""
        number, level = self._list(paragraph)
        return self._numbering.label(number, level) if number and not _joins_next(paragraph.pPr) else ""


def _joins_next(properties: Any | None) -> bool:
    """Whether the end of a paragraph was deleted or is hidden. A style separator hides it too, and keeps the number."""
    if properties is None:
        return False
    hidden = is_on(properties, qn("w:vanish")) and not is_on(properties, qn("w:specVanish"))
    return hidden or properties.find(_DELETED) is not None


def _root(relation: Any | None) -> Any | None:
    if relation is None or relation.is_external:
        return None
    return parse_xml(relation.target_part.blob)


def _notes(root: Any | None, eye: Eye) -> Mapping[str, str]:
    """id → text of the footnotes or endnotes, without the lines that separate them from the page."""
    notes: dict[str, str] = {}
    for note in root if root is not None else ():
        if isinstance(note.tag, str) and note.get(qn("w:type")) not in _SEPARATORS:
            text = " ".join(paragraph_text(block, eye).text for block in blocks_inside(note) if block.tag == qn("w:p"))
            notes[note.get(qn("w:id"), "")] = clean_line(text)
    return notes


def _eye(document: Any) -> Eye:
    """Which styles hide text or paint behind it, by themselves or through those that they are based on."""
    hidden: set[str] = set()
    painted: set[str] = set()
    plain = getattr(document.styles.default(_PARAGRAPH_STYLE), "style_id", None)
    for style in document.styles:
        ancestry = list(_ancestry(style))
        names = {style.style_id, "" if style.style_id == plain else style.style_id}
        marks = (each.find(_VANISH) for each in ancestry)
        vanish = next((mark for mark in marks if mark is not None), None)
        if vanish is not None and vanish.get(qn("w:val")) not in ("0", "false", "off"):
            hidden |= names
        if any(paints(each.find(qn(properties))) for each in ancestry for properties in ("w:pPr", "w:rPr")):
            painted |= names
    return Eye(hidden, painted, coloured=document.element.find(qn("w:background")) is not None)


def _ancestry(style: Any) -> Iterator[Any]:
    """The element of a style, of the one that it is based on, and so on."""
    for _ in range(_MAX_STYLES):
        if style is None:
            return
        yield style.element
        style = getattr(style, "base_style", None)


def _read_style(style: Any) -> _Style:
    name = style.name or ""
    properties = style.element.pPr
    if name.lower() in _TITLE_STYLES:
        return _Style(level=1)
    level = _outline_level(properties)
    if match := _HEADING_STYLE.search(name):
        level = max(1, min(_MAX_LEVEL, int(match.group(1))))
    listed = not level and _LIST_STYLE.search(name) is not None
    contents = _CONTENTS_STYLE.match(name) is not None
    return _Style(level=level, listed=listed, contents=contents, numbered=_inherited_number(style))


def _inherited_number(style: Any) -> tuple[str, int]:
    """The list of a style, or of the one it is based on; the level may be said apart from the list."""
    level: int | None = None
    for element in _ancestry(style):
        if element.pPr is not None and element.pPr.numPr is not None:
            number = element.pPr.numPr
            if level is None and value_of(number, "w:ilvl"):
                level = whole_number(value_of(number, "w:ilvl"), 0)
            if (identifier := number.find(qn("w:numId"))) is not None:
                return identifier.get(qn("w:val"), ""), level or 0
    return "", 0


def _number(properties: Any) -> tuple[str, int] | None:
    """The list a paragraph is in by itself, and its level."""
    number = properties.numPr if properties is not None else None
    identifier = number.find(qn("w:numId")) if number is not None else None
    if identifier is None:
        return None
    return identifier.get(qn("w:val"), ""), whole_number(value_of(number, "w:ilvl"), 0)


def _outline_level(properties: Any) -> int:
    """`w:outlineLvl` counts from 0; 9 is body text."""
    level = whole_number(value_of(properties, "w:outlineLvl"), _MAX_LEVEL)
    return level + 1 if level < _MAX_LEVEL else 0
