"""What the OpenDocument formats share: opening one, the text of a paragraph as it is shown, the rows of a table.

They are read from their XML with lxml: odfpy, the only library of note, had its last release in 2020.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.loaders.archive import DAMAGED, PROTECTED, Archive, parse_xml
from rag_system.ingestion.loaders.rows import Row
from rag_system.ingestion.text import clean, clean_line

__all__ = ["CONTENT", "OdfText", "body", "check_password", "name", "odf_text", "style_parents", "table_rows", "title"]

CONTENT = "content.xml"
_META, _STYLES, _MANIFEST = "meta.xml", "styles.xml", "META-INF/manifest.xml"
_PREFIX = "urn:oasis:names:tc:opendocument:xmlns:"
_NAMESPACES = {
    "office": f"{_PREFIX}office:1.0",
    "text": f"{_PREFIX}text:1.0",
    "table": f"{_PREFIX}table:1.0",
    "draw": f"{_PREFIX}drawing:1.0",
    "style": f"{_PREFIX}style:1.0",
    "fo": f"{_PREFIX}xsl-fo-compatible:1.0",
    "presentation": f"{_PREFIX}presentation:1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
}
_MAX_DEPTH = 60
_MAX_COLUMNS = 1_024  # of a row, beyond which cells repeat without end
_MAX_EQUAL_ROWS = 1_000  # a row that says something is rarely repeated at all
_MAX_SPACES = 100


def name(qualified: str) -> str:
    """«text:p» as lxml writes it."""
    prefix, _, local = qualified.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


_DROPPED = frozenset(
    map(name, "office:annotation office:annotation-end text:tracked-changes office:forms text:ruby-text".split())
)
_SHOWN = {name("text:tab"): "\t", name("text:line-break"): "\n"}
_PARAGRAPHS = frozenset((name("text:p"), name("text:h")))
_ROW, _CELL, _COVERED = name("table:table-row"), name("table:table-cell"), name("table:covered-table-cell")


def check_password(archive: Archive) -> None:
    """A protected file says so in its list of parts; its parts are encrypted one by one, or as one package."""
    if "encrypted-package" in archive:
        raise UnreadableFileError(PROTECTED)
    if _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST):
        raise UnreadableFileError(PROTECTED)


def body(archive: Archive, kind: str) -> tuple[Any, Any]:
    """The root of the content, and the part of it that `kind` names: «office:text» or «office:presentation»."""
    check_password(archive)
    root = parse_xml(archive.read(CONTENT))
    found = root.find(f"{name('office:body')}/{name(kind)}")
    if found is None:
        raise UnreadableFileError(DAMAGED)
    return root, found


def title(archive: Archive) -> str:
    """As its properties declare it."""
    declared = parse_xml(archive.read(_META)).iter(name("dc:title")) if _META in archive else iter(())
    return clean_line(" ".join(element.text or "" for element in declared))


def style_parents(archive: Archive, content: Any) -> Mapping[str, str]:
    """Style → the named style it comes from («P3» → «Heading_20_1»), and which are bold («T1» → «bold»)."""
    parents: dict[str, str] = {}
    roots = [content, *([parse_xml(archive.read(_STYLES))] if _STYLES in archive else [])]
    for root in roots:
        for style in root.iter(name("style:style")):
            identifier = style.get(name("style:name"), "")
            properties = style.find(name("style:text-properties"))
            if properties is not None and properties.get(name("fo:font-weight")) in ("bold", "700", "800", "900"):
                parents[identifier] = "bold"
            elif parent := style.get(name("style:parent-style-name")):
                parents[identifier] = parent
    return parents


@dataclass(slots=True)
class OdfText:
    """What a paragraph shows, and what hangs on it."""

    runs: list[tuple[str, str]] = field(default_factory=list)  # text, and the style of its span
    notes: list[str] = field(default_factory=list)  # footnotes and endnotes called here
    boxes: list[Any] = field(default_factory=list)  # frames anchored here

    @property
    def text(self) -> str:
        """Clean; a manual line break stays one."""
        return clean("".join(text for text, _ in self.runs))


def odf_text(paragraph: Any) -> OdfText:
    """Everything that a paragraph shows; comments and what was deleted in review are left out."""
    found = OdfText()
    _gather(paragraph, found, style="", depth=0)
    return found


def _gather(element: Any, found: OdfText, *, style: str, depth: int) -> None:
    found.runs.append((_one_spaced(element.text), style))
    for child in element:
        tag = child.tag
        if tag in _SHOWN:
            found.runs.append((_SHOWN[tag], style))
        elif tag == name("text:s"):
            found.runs.append((" " * min(_MAX_SPACES, _count(child, "text:c")), style))
        elif tag == name("text:note"):
            found.notes.append(_note(child))
        elif tag == name("draw:frame"):
            found.boxes.append(child)
        elif isinstance(tag, str) and tag not in _DROPPED and depth < _MAX_DEPTH:
            inner = child.get(name("text:style-name"), style) if tag == name("text:span") else style
            _gather(child, found, style=inner, depth=depth + 1)
        found.runs.append((_one_spaced(child.tail), style))


def _one_spaced(text: str | None) -> str:
    """Line ends in the XML are spaces: the shown ones are elements."""
    return text.replace("\n", " ") if text else ""


def _note(note: Any) -> str:
    content = note.find(name("text:note-body"))
    return _joined(content.iter(*_PARAGRAPHS)) if content is not None else ""


def _joined(paragraphs: Iterable[Any]) -> str:
    return clean_line(" ".join(odf_text(paragraph).text for paragraph in paragraphs))


def table_rows(rows: Iterable[Any]) -> Iterator[Row]:
    """A cell merged over several rows is said in each of them; over several columns, once."""
    tall: dict[int, tuple[int, str]] = {}  # column → how many rows below are covered, and the text
    for row in rows:
        cells: list[str] = []
        for cell in row:
            if cell.tag in (_CELL, _COVERED) and len(cells) < _MAX_COLUMNS:
                _add_cell(cell, cells, tall)
        times = _count(row, "table:number-rows-repeated")
        for _ in range(min(times, _MAX_EQUAL_ROWS) if any(cells) else 1):
            yield Row(cells)


def _add_cell(cell: Any, cells: list[str], tall: dict[int, tuple[int, str]]) -> None:
    column = len(cells)
    times = min(_count(cell, "table:number-columns-repeated"), _MAX_COLUMNS - column)
    left, text = tall.get(column, (0, ""))
    if cell.tag == _COVERED:
        if left:
            tall[column] = left - 1, text
        cells.extend([text if left else "", *[""] * (times - 1)])
        return
    text = _joined(found for found in cell.iter(*_PARAGRAPHS) if not _in_annotation(found, cell))
    if (spanned := _count(cell, "table:number-rows-spanned")) > 1:
        tall[column] = spanned - 1, text
    cells.extend([text] * times)


def _in_annotation(paragraph: Any, cell: Any) -> bool:
    parent = paragraph.getparent()
    while parent is not None and parent is not cell:
        if parent.tag in _DROPPED:
            return True
        parent = parent.getparent()
    return False


def _count(element: Any, attribute: str) -> int:
    """A number of repetitions, 1 where it is not said."""
    value = element.get(name(attribute), "1")
    return max(1, int(value)) if value.isdecimal() and len(value) < 10 else 1
