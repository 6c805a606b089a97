"""ODT: paragraphs, lists and tables in document order; headings as LibreOffice marks them.

Headers and footers stand in a part of their own and are not read; notes follow the paragraph that calls them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.archive import Archive
from rag_system.ingestion.loaders.counting import written_number
from rag_system.ingestion.loaders.odf import body, name, odf_text, style_parents, table_rows, title
from rag_system.ingestion.loaders.rows import row_text
from rag_system.ingestion.loaders.source import Source
from rag_system.ingestion.structure import Line, blocks_from_lines
from rag_system.ingestion.text import clean_line

__all__ = ["load_odt"]

_MAX_LEVEL = 6
_MAX_DEPTH = 60
_MAX_STYLES = 20  # based on each other
_TITLE_STYLE = "Title"  # LibreOffice names its styles in English whatever its language
_DROPPED = frozenset(
    map(
        name,
        "text:tracked-changes office:forms text:table-of-content text:illustration-index text:table-index "
        "text:alphabetical-index office:annotation".split(),
    )
)
_HEADING, _PARAGRAPH, _TABLE = name("text:h"), name("text:p"), name("table:table")
_DISPLAY = name("text:display")  # of a section: «none» hides it
_LIST, _ITEM, _ROW, _CELL = name("text:list"), name("text:list-item"), name("table:table-row"), name("table:table-cell")


def load_odt(source: Source) -> ExtractedDocument:
    """A text document of LibreOffice or another office; it has no pages."""
    with Archive(source) as archive:
        root, text = body(archive, "office:text")
        reader = _Reader(style_parents(archive, root), _numbered_levels(root))
        declared = title(archive)
    return ExtractedDocument(format="odt", blocks=blocks_from_lines(reader.lines(text)), pages=None, title=declared)


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level of a list counts."""

    kind: str
    before: str
    after: str
    start: int


Levels = Mapping[tuple[str, int], _Level]  # style of a list, depth from 1


def _numbered_levels(root: Any) -> Levels:
    levels = {}
    for style in root.iter(name("text:list-style")):
        for level in style.findall(name("text:list-level-style-number")):
            depth, start = level.get(name("text:level"), "1"), level.get(name("text:start-value"), "1")
            if (kind := level.get(name("style:num-format"), "")) and depth.isdecimal():
                levels[style.get(name("style:name"), ""), int(depth)] = _Level(
                    kind=kind,
                    before=level.get(name("style:num-prefix"), ""),
                    after=level.get(name("style:num-suffix"), ""),
                    start=int(start) if start.isdecimal() else 1,
                )
    return levels


class _Reader:
    """Walks over the body once, counting its lists."""

    def __init__(self, styles: Mapping[str, str], levels: Levels) -> None:
        self._styles = styles
        self._levels = levels
        self._counts: dict[tuple[str, int], int] = {}  # style and depth of a list → its last number
        self._notes = 0

    def lines(self, container: Any, *, depth: int = 0) -> Iterator[Line]:
        if depth > _MAX_DEPTH:
            return
        for child in container:
            if child.tag in (_HEADING, _PARAGRAPH):
                yield from self._paragraph(child, depth=depth)
            elif child.tag == _LIST:
                yield from self._list(child, style="", level=1, depth=depth + 1)
            elif child.tag == _TABLE:
                yield from self._table(child, depth=depth)
            elif isinstance(child.tag, str) and child.tag not in _DROPPED and child.get(_DISPLAY) != "none":
                yield from self.lines(child, depth=depth + 1)

    def _list(self, element: Any, *, style: str, level: int, depth: int) -> Iterator[Line]:
        """The number of an item stands before its first paragraph."""
        style = element.get(name("text:style-name"), style)
        if element.get(name("text:continue-numbering")) != "true" and level > 1:
            self._counts.pop((style, level), None)
        for item in element:
            label = self._next_label(style, level, item.get(name("text:start-value"), "")) if item.tag == _ITEM else ""
            for order, child in enumerate(item if depth < _MAX_DEPTH else ()):
                if child.tag == _LIST:
                    yield from self._list(child, style=style, level=level + 1, depth=depth + 1)
                elif child.tag in (_HEADING, _PARAGRAPH):
                    yield from self._paragraph(child, depth=depth, listed=order == 0, label="" if order else label)

    def _next_label(self, style: str, level: int, start: str) -> str:
        """start: the number that the item itself says, if it does (OpenDocument 1.3 part 3, 19.874)."""
        if (known := self._levels.get((style, level))) is None:
            return ""
        following = self._counts.get((style, level), known.start - 1) + 1
        number = self._counts[style, level] = int(start) if start.isdecimal() and len(start) < 7 else following
        return f"{known.before}{written_number(number, known.kind)}{known.after}".strip()

    def _table(self, table: Any, *, depth: int) -> Iterator[Line]:
        cells = list(table.iter(_CELL))
        if len(cells) == 1:
            yield from self.lines(cells[0], depth=depth + 1)  # a frame around text
            return
        rows = table_rows(row for row in table.iter(_ROW) if next(row.iterancestors(_TABLE)) is table)
        if text := "\n".join(row_text(row.cells) for row in rows if any(row.cells)):
            yield Line(text=text, kind=BlockKind.TABLE)

    def _paragraph(self, element: Any, *, depth: int, listed: bool = False, label: str = "") -> Iterator[Line]:
        """Its lines, then the boxes anchored in it and the notes it calls."""
        found = odf_text(element)
        hint = self._heading_level(element)
        text, lead = found.text, self._leading_bold(element, found.runs)
        if label and text.strip():
            text, lead = f"{label} {text}", lead + len(label) + 1 if lead else 0
        for order, raw in enumerate(text.split("\n")):
            if line := " ".join(raw.split()):
                kind = BlockKind.LIST_ITEM if listed and not hint and order == 0 else BlockKind.TEXT
                yield Line(text=line, kind=kind, hint=hint, bold=min(lead, len(line)) if order == 0 else 0)
        for box in found.boxes:
            yield from self.lines(box, depth=depth + 1)
        for note in found.notes:
            self._notes += 1
            yield Line(text=f"Nota {self._notes}: {note}")

    def _heading_level(self, element: Any) -> int:
        if element.tag == _HEADING:
            level = element.get(name("text:outline-level"), "1")
            return max(1, min(_MAX_LEVEL, int(level))) if level.isdecimal() else 1
        return 1 if _TITLE_STYLE in self._ancestry(element.get(name("text:style-name"), "")) else 0

    def _leading_bold(self, element: Any, runs: list[tuple[str, str]]) -> int:
        own = element.get(name("text:style-name"), "")
        lead, seen = "", False
        for text, style in runs:
            bold = "bold" in self._ancestry(style or own)
            if not bold and text.strip(" .-–:\xa0"):
                break
            lead, seen = lead + text, seen or (bold and bool(text.strip()))
        return len(clean_line(lead)) if seen else 0

    def _ancestry(self, style: str) -> list[str]:
        """A style and those it comes from; «bold» ends it where one says so."""
        found = [style]
        while (parent := self._styles.get(found[-1])) and len(found) < _MAX_STYLES:
            found.append(parent)
        return found
