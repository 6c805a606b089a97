"""ODT: paragraphs, lists and tables in document order; headings as LibreOffice marks them.

Headers and footers stand in a part of their own and are not read; notes follow the paragraph that calls them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.lines import Line, leading_bold, paragraph_lines
from rag_system.ingestion.loaders.archive import Archive
from rag_system.ingestion.loaders.odf import body, odf_text, roots, table_rows, title
from rag_system.ingestion.loaders.odf_names import name
from rag_system.ingestion.loaders.odf_numbers import Counts, OdfNumbers
from rag_system.ingestion.loaders.odf_styles import OdfEye, Sight, read_styles
from rag_system.ingestion.loaders.rows import row_text
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.structure import blocks_from_lines
from rag_system.ingestion.text import whole_number

__all__ = ["load_odt"]

_MAX_LEVEL = 6
_MAX_DEPTH = 60
_TITLE_STYLE = "Title"  # LibreOffice names its styles in English whatever its language
_DROPPED = frozenset(
    map(
        name,
        "text:tracked-changes office:forms text:table-of-content text:illustration-index text:table-index "
        "text:alphabetical-index office:annotation".split(),
    )
)
_HEADING, _PARAGRAPH, _TABLE = name("text:h"), name("text:p"), name("table:table")
_STYLE = name("text:style-name")
_DISPLAY = name("text:display")  # of a section: «none» hides it
_LIST, _ITEM, _ROW, _CELL = name("text:list"), name("text:list-item"), name("table:table-row"), name("table:table-cell")


def load_odt(source: FileSource) -> ExtractedDocument:
    """A text document of LibreOffice or another office; it has no pages."""
    with Archive(source) as archive:
        root, text = body(archive, "office:text")
        styled = roots(archive, root)
        reader = _BodyParser(OdfEye(read_styles(styled)), OdfNumbers(styled))
        declared = title(archive)
    blocks = blocks_from_lines(reader.lines(text))
    hidden = (0,) if reader.eye.missed else ()
    return ExtractedDocument(format="odt", blocks=blocks, pages=None, title=declared, hidden_pages=hidden)


class _BodyParser:
    """Walks over the body once, counting its lists."""

    def __init__(self, eye: OdfEye, numbers: OdfNumbers) -> None:
        self.eye = eye
        self._numbers = numbers
        self._notes = 0

    def lines(self, container: Any, *, depth: int = 0) -> Iterator[Line]:
        if depth > _MAX_DEPTH:
            return
        for child in container:
            if child.tag in (_HEADING, _PARAGRAPH):
                yield from self._paragraph(child, depth=depth)
            elif child.tag == _LIST:
                yield from self._list(child, None, style="", level=1, depth=depth + 1)
            elif child.tag == _TABLE:
                yield from self._table(child, depth=depth)
            elif isinstance(child.tag, str) and child.tag not in _DROPPED and child.get(_DISPLAY) != "none":
                yield from self.lines(child, depth=depth + 1)

    def _list(self, element: Any, counts: Counts | None, *, style: str, level: int, depth: int) -> Iterator[Line]:
        """The number of an item stands before its first paragraph; one without a paragraph of its own has none.

        counts: of the list that it is inside.
        """
        style = element.get(_STYLE, style)
        if counts is None:
            counts = self._numbers.counts(element, style)
        elif element.get(name("text:continue-numbering")) != "true":
            counts.pop(level, None)
        for item in element:
            label = ""
            if item.tag == _ITEM and len(item) and item[0].tag != _LIST:
                label = self._numbers.item(style, level, counts, item.get(name("text:start-value"), ""))
            for order, child in enumerate(item if depth < _MAX_DEPTH else ()):
                if child.tag == _LIST:
                    yield from self._list(child, counts, style=style, level=level + 1, depth=depth + 1)
                elif child.tag in (_HEADING, _PARAGRAPH):
                    yield from self._paragraph(child, depth=depth, listed=order == 0, label="" if order else label)

    def _table(self, table: Any, *, depth: int) -> Iterator[Line]:
        cells = list(table.iter(_CELL))
        if len(cells) == 1:
            yield from self.lines(cells[0], depth=depth + 1)  # a frame around text
            return
        own = (row for row in table.iter(_ROW) if next(row.iterancestors(_TABLE)) is table)
        rows = table_rows(own, lambda cell: self._cell_text(cell, depth=depth + 1))
        if text := "\n".join(row_text(row.cells) for row in rows if any(row.cells)):
            yield Line(text=text, kind=BlockKind.TABLE)

    def _cell_text(self, cell: Any, *, depth: int) -> str:
        """A table, a list, a box or a note inside a cell gives its text to it."""
        return " ".join("; ".join(line.text.split("\n")) for line in self.lines(cell, depth=depth))

    def _paragraph(self, element: Any, *, depth: int, listed: bool = False, label: str = "") -> Iterator[Line]:
        """Its lines, then the boxes anchored in it and the notes it calls."""
        found = odf_text(element, self.eye)
        hint = self._heading_level(element)
        if element.tag == _HEADING and not listed:
            label = self._numbers.heading(element, hint)
        bold = leading_bold((text, self._is_bold(element, style)) for text, style in found.runs)
        yield from paragraph_lines(found.text, label=label, bold=bold, hint=hint, listed=listed and not hint)
        for box in found.boxes:
            yield from self.lines(box, depth=depth + 1)
        for note in found.notes:
            self._notes += 1
            yield Line(text=f"Nota {self._notes}: {note}")

    def _heading_level(self, element: Any) -> int:
        if element.tag == _HEADING:
            return max(1, min(_MAX_LEVEL, whole_number(element.get(name("text:outline-level")), 1)))
        return 1 if _TITLE_STYLE in self.eye.styles.ancestry("paragraph", element.get(_STYLE, "")) else 0

    def _is_bold(self, element: Any, style: str) -> bool:
        family, named = ("text", style) if style else ("paragraph", element.get(_STYLE, ""))
        return bool(self.eye.styles.sight(family, named, Sight()).bold)
