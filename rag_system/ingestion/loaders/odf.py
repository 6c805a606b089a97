"""What the OpenDocument formats share: opening one, the text of a paragraph as it is shown, the rows of a table.

They are read from their XML with lxml: odfpy, the only library of note, had its last release in 2020.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.loaders.archive import DAMAGED, PROTECTED, Archive, parse_xml
from rag_system.ingestion.loaders.odf_names import name
from rag_system.ingestion.loaders.odf_styles import OdfEye, Sight
from rag_system.ingestion.loaders.rows import Row
from rag_system.ingestion.text import clean, clean_line, whole_number

__all__ = ["CONTENT", "OdfText", "body", "cell_text", "check_password", "odf_text", "roots", "table_rows", "title"]

CONTENT = "content.xml"
_META, _STYLES, _MANIFEST = "meta.xml", "styles.xml", "META-INF/manifest.xml"
_MAX_DEPTH = 60
_MAX_COLUMNS = 1_024  # of a row, beyond which cells repeat without end
_MAX_EQUAL_ROWS = 1_000  # a row that says something is rarely repeated at all
_MAX_SPACES = 100


_DROPPED = frozenset(
    map(name, "office:annotation office:annotation-end text:tracked-changes office:forms text:ruby-text".split())
)
_SHOWN = {name("text:tab"): "\t", name("text:line-break"): "\n"}
_PARAGRAPHS = frozenset((name("text:p"), name("text:h")))
_STYLE, _IS_HIDDEN = name("text:style-name"), name("text:is-hidden")
_HIDDEN_PARAGRAPH = name("text:hidden-paragraph")
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


def roots(archive: Archive, content: Any) -> list[Any]:
    """What holds the styles of a document: its content first, then its named styles."""
    return [content, *([parse_xml(archive.read(_STYLES))] if _STYLES in archive else [])]


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


def odf_text(paragraph: Any, eye: OdfEye | None = None) -> OdfText:
    """Everything that a paragraph shows; comments, what was deleted in review and what nobody sees are left out."""
    found = OdfText()
    eye = eye or OdfEye()
    sight = eye.styles.sight("paragraph", paragraph.get(_STYLE, ""), Sight())
    if _is_switched_off(paragraph):
        sight = sight._replace(hidden=True)
    _gather(paragraph, found, eye, sight, style="", depth=0)
    return found


def _is_switched_off(paragraph: Any) -> bool:
    """Whether a field in it, whose condition holds, hides the paragraph."""
    return any(field.get(_IS_HIDDEN) == "true" for field in paragraph.iter(_HIDDEN_PARAGRAPH))


def _gather(element: Any, found: OdfText, eye: OdfEye, sight: Sight, *, style: str, depth: int) -> None:
    def add(text: str) -> None:
        if not eye.misses(text, sight, element):
            found.runs.append((text, style))

    add(_one_spaced(element.text))
    for child in element:
        tag = child.tag
        if tag in _SHOWN:
            add(_SHOWN[tag])
        elif tag == name("text:s"):
            add(" " * min(_MAX_SPACES, _count(child, "text:c")))
        elif tag == name("text:note"):
            found.notes += [_note(child, eye)] if not sight.hidden else []
        elif tag == name("draw:frame"):
            found.boxes += [child] if not sight.hidden else []
        elif isinstance(tag, str) and tag not in _DROPPED and depth < _MAX_DEPTH:
            inner, looks = style, sight._replace(hidden=True) if child.get(_IS_HIDDEN) == "true" else sight
            if tag == name("text:span"):
                inner = child.get(_STYLE, style)
                looks = eye.styles.sight("text", inner, sight)
            _gather(child, found, eye, looks, style=inner, depth=depth + 1)
        add(_one_spaced(child.tail))


def _one_spaced(text: str | None) -> str:
    """Line ends in the XML are spaces: the shown ones are elements."""
    return text.replace("\n", " ") if text else ""


def _note(note: Any, eye: OdfEye) -> str:
    content = note.find(name("text:note-body"))
    paragraphs = content.iter(*_PARAGRAPHS) if content is not None else ()
    return clean_line(" ".join(odf_text(paragraph, eye).text for paragraph in paragraphs))


def cell_text(cell: Any, eye: OdfEye | None = None) -> str:
    """What a cell shows, on one line; without the comments on it."""
    paragraphs = (found for found in cell.iter(*_PARAGRAPHS) if not _in_annotation(found, cell))
    return clean_line(" ".join(odf_text(paragraph, eye).text for paragraph in paragraphs))


def table_rows(rows: Iterable[Any], text_of: Callable[[Any], str] = cell_text) -> Iterator[Row]:
    """A cell merged over several rows is said in each of them; over several columns, once."""
    tall: dict[int, tuple[int, str]] = {}  # column → how many rows below are covered, and the text
    for row in rows:
        cells: list[str] = []
        for cell in row:
            if cell.tag in (_CELL, _COVERED) and len(cells) < _MAX_COLUMNS:
                _add_cell(cell, cells, tall, text_of)
        times = _count(row, "table:number-rows-repeated")
        for _ in range(min(times, _MAX_EQUAL_ROWS) if any(cells) else 1):
            yield Row(cells)


def _add_cell(cell: Any, cells: list[str], tall: dict[int, tuple[int, str]], text_of: Callable[[Any], str]) -> None:
    column = len(cells)
    times = min(_count(cell, "table:number-columns-repeated"), _MAX_COLUMNS - column)
    left, text = tall.get(column, (0, ""))
    if cell.tag == _COVERED:
        if left:
            tall[column] = left - 1, text
        cells.extend([text if left else "", *[""] * (times - 1)])
        return
    text = text_of(cell)
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
    return max(1, whole_number(element.get(name(attribute)), 1))
