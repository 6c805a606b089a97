"""The text inside WordprocessingML: what a paragraph, a table and their insides show, as it stands after review.

python-docx gives the runs and hyperlinks of a paragraph alone. Inserted text, content controls, fields, text boxes,
equations and notes are read here from the elements; what was deleted or moved away in review, hidden text, comments
and instructions of fields are not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from docx.oxml.ns import qn

from rag_system.ingestion.loaders.rows import row_text
from rag_system.ingestion.loaders.symbols import symbol
from rag_system.ingestion.loaders.visibility import is_pale
from rag_system.ingestion.text import clean, clean_line, whole_number

__all__ = [
    "Eye",
    "ParagraphText",
    "blocks_inside",
    "is_on",
    "paints",
    "paragraph_text",
    "table_cells",
    "table_notes",
    "table_rows",
    "value_of",
]

_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TWICE = f"{_COMPATIBILITY}AlternateContent"  # the same for new programs and for old
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MATH_TEXT = f"{_MATH}t"
# What the place of a part says.
_MATH_SIGNS = {f"{_MATH}num": "", f"{_MATH}den": "/", f"{_MATH}sup": "^", f"{_MATH}sub": "_"}
_MAX_DEPTH = 60  # of tables, controls and boxes inside each other

_PARAGRAPH, _TABLE, _ROW, _CELL, _RUN = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc"), qn("w:r")
_TEXT, _BOX, _HIDDEN = qn("w:t"), qn("w:txbxContent"), qn("w:vanish")
_VALUE, _COLOUR, _SHADING, _DUST = qn("w:val"), qn("w:color"), qn("w:shd"), 4  # half points
_SYMBOL = qn("w:sym")
_FOOTNOTE, _ENDNOTE = qn("w:footnoteReference"), qn("w:endnoteReference")
_DROPPED = frozenset(
    qn(f"w:{name}") for name in "del moveFrom delText instrText delInstrText pPr sdtPr rt commentReference".split()
)
_SHOWN = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-", qn("w:ptab"): "\t"}
_PROPERTIES = {_PARAGRAPH: qn("w:pPr"), _TABLE: qn("w:tblPr"), _ROW: qn("w:tblPrEx"), _CELL: qn("w:tcPr")}
_PAPER_THEMES = frozenset(("background1", "light1"))
_OFF = frozenset(("0", "false", "off"))
# As they come, they paint nothing.
PLAIN_TABLES = frozenset(("TableNormal", "TableGrid", "Tablanormal", "Tablaconcuadrcula"))


@dataclass(slots=True)
class Eye:
    """Knows which runs nobody sees: hidden, as fine as dust, or white on white; and whether it met any.

    hidden, painted: identifiers of the styles that hide text or put a colour behind it, «» where a paragraph that names
    no style has such a one; coloured: the page has a colour, so white may be seen.
    """

    hidden: Collection[str] = ()
    painted: Collection[str] = ()
    coloured: bool = False
    missed: bool = False

    def misses(self, run: Any, style: str) -> bool:
        """Whether a run is not seen. style: of its paragraph."""
        if self._is_unseen(run, run.find(qn("w:rPr")), style):
            self.missed = self.missed or any(map(str.isalnum, "".join(text.text or "" for text in run.iter(_TEXT))))
            return True
        return False

    def _is_unseen(self, run: Any, properties: Any | None, style: str) -> bool:
        if properties is None:
            return style in self.hidden
        if properties.find(_HIDDEN) is not None:
            return is_on(run, _HIDDEN)
        styles = (style, value_of(properties, "w:rStyle") or "-")
        if any(each in self.hidden for each in styles):
            return True
        colour = properties.find(_COLOUR)
        white = colour is not None and _is_white(colour) and not any(each in self.painted for each in styles)
        dust = whole_number(value_of(properties, "w:sz"), _DUST + 1) <= _DUST
        return dust or (white and self._is_bare(run, properties))

    def _is_bare(self, run: Any, properties: Any) -> bool:
        """Whether nothing behind a run has a colour, or may have: a table's style or a box is not looked into."""
        if self.coloured or paints(properties):
            return False
        for around in run.iterancestors():
            own = around.find(_PROPERTIES[around.tag]) if around.tag in _PROPERTIES else None
            if around.tag == _BOX or paints(own) or (value_of(own, "w:tblStyle") or "TableGrid") not in PLAIN_TABLES:
                return False
        return True


def paints(properties: Any | None) -> bool:
    """Whether the properties of a run, a paragraph, a row, a cell or a table put a colour behind it."""
    return properties is not None and (
        _is_shade(properties.find(_SHADING)) or _is_highlight(properties.find(qn("w:highlight")))
    )


def value_of(properties: Any | None, tag: str) -> str:
    """The `w:val` of a child, empty without one."""
    found = properties.find(qn(tag)) if properties is not None else None
    return found.get(_VALUE, "") if found is not None else ""


def _is_white(colour: Any) -> bool:
    """Whether a `w:color` is white, or nearly. A theme's colour goes before the one written beside it."""
    theme = colour.get(qn("w:themeColor"))
    themed = theme is not None and (theme not in _PAPER_THEMES or colour.get(qn("w:themeShade")) is not None)
    return not themed and _is_pale_colour(colour.get(_VALUE, ""))


def _is_highlight(mark: Any | None) -> bool:
    """Whether a `w:highlight` marks letters with a colour that white is seen on."""
    return mark is not None and mark.get(_VALUE) not in (None, "none", "white")


def _is_shade(shading: Any | None) -> bool:
    """Whether a `w:shd` puts a colour or a pattern behind a run, a paragraph, a row, a cell or a table."""
    if shading is None:
        return False
    fill = shading.get(qn("w:fill"), "auto")
    patterned = shading.get(_VALUE, "clear") not in ("clear", "nil")
    return patterned or shading.get(qn("w:themeFill")) is not None or not (fill == "auto" or _is_pale_colour(fill))


def _is_pale_colour(colour: str) -> bool:
    """White, or nearly: «FFFFFF»."""
    try:
        return len(colour) == 6 and is_pale(bytes.fromhex(colour))
    except ValueError:
        return False


@dataclass(slots=True)
class ParagraphText:
    """What a paragraph shows, and what hangs on it."""

    runs: list[tuple[str, bool]] = field(default_factory=list)  # text, and whether it is bold
    notes: list[tuple[str, str]] = field(default_factory=list)  # «footnotes» or «endnotes», and the note's id
    boxes: list[Any] = field(default_factory=list)  # text boxes anchored here

    @property
    def text(self) -> str:
        """Clean; a manual line break stays one."""
        return clean("".join(text for text, _ in self.runs))


def blocks_inside(container: Any, *, depth: int = 0) -> Iterator[Any]:
    """The paragraphs and tables of a body, cell, box or note, through content controls and inserted parts."""
    for child in _children(container):
        if child.tag in (_PARAGRAPH, _TABLE):
            yield child
        elif _is_wrapper(child) and depth < _MAX_DEPTH:
            yield from blocks_inside(child, depth=depth + 1)


def _children(element: Any) -> Any:
    """What stands in an element; of what is there twice, the first."""
    return element[:1] if element.tag == _TWICE else element


def _is_wrapper(element: Any) -> bool:
    """Not a deletion, nor a table of contents: it says the headings again, with page numbers that the text has not."""
    return isinstance(element.tag, str) and element.tag not in _DROPPED and not _is_contents(element)


def _is_contents(control: Any) -> bool:
    gallery = control.find(f"{qn('w:sdtPr')}/{qn('w:docPartObj')}/{qn('w:docPartGallery')}")
    return gallery is not None and gallery.get(qn("w:val")) == "Table of Contents"


def paragraph_text(paragraph: Any, eye: Eye) -> ParagraphText:
    """Everything that a paragraph shows."""
    found = ParagraphText()
    style = value_of(paragraph.find(qn("w:pPr")), "w:pStyle")
    _gather(paragraph, found, eye, style, bold=False, depth=0)
    return found


def _gather(element: Any, found: ParagraphText, eye: Eye, style: str, *, bold: bool, depth: int) -> None:
    for child in _children(element):
        tag = child.tag
        if tag in _DROPPED or not isinstance(tag, str):
            continue
        if tag in (_TEXT, _MATH_TEXT):
            found.runs.append((child.text or "", bold))
        elif tag in _SHOWN:
            found.runs.append((_SHOWN[tag], bold))
        elif tag == _SYMBOL:
            found.runs.append((symbol(child.get(qn("w:font"), ""), child.get(qn("w:char"), "")), bold))
        elif tag in (_FOOTNOTE, _ENDNOTE):
            found.notes.append(_note(child))
        elif tag == _BOX:
            found.boxes.append(child)
        elif tag in _MATH_SIGNS and depth < _MAX_DEPTH:
            part = ParagraphText()
            _gather(child, part, eye, style, bold=bold, depth=depth + 1)
            found.runs += _math_part(_MATH_SIGNS[tag], part.text, bold)
        elif depth < _MAX_DEPTH and not (tag == _RUN and eye.misses(child, style)):
            strong = is_on(child, qn("w:b")) if tag == _RUN else bold
            _gather(child, found, eye, style, bold=strong, depth=depth + 1)


def _math_part(sign: str, text: str, bold: bool) -> list[tuple[str, bool]]:
    """«/2» or «^(n + 1)»: a formula stands on a line."""
    inside = text.strip()
    return [(sign + (inside if inside.isalnum() else f"({inside})"), bold)] if inside else []


def _note(reference: Any) -> tuple[str, str]:
    return "footnotes" if reference.tag == _FOOTNOTE else "endnotes", reference.get(qn("w:id"), "")


def is_on(element: Any, switch: str) -> bool:
    """Whether the letters of a run, or the mark at the end of the paragraph of a `w:pPr`, have a property."""
    mark = element.find(f"{qn('w:rPr')}/{switch}")
    return mark is not None and mark.get(qn("w:val")) not in _OFF


def table_cells(table: Any) -> list[Any]:
    """All the cells of a table, without those inside other tables."""
    return [cell for row in _within(table, _ROW) for cell in _within(row, _CELL)]


def table_notes(table: Any) -> list[tuple[str, str]]:
    """The notes that its cells call, as `ParagraphText.notes`."""
    called = (
        _note(reference)
        for reference in table.iter(_FOOTNOTE, _ENDNOTE)
        if not any(around.tag in _DROPPED for around in reference.iterancestors())
    )
    return list(dict.fromkeys(called))


def table_rows(table: Any, eye: Eye, label: Callable[[Any], str], *, depth: int = 0) -> Iterator[str]:
    """One line a row. A cell merged over columns is one; merged over rows, it is said in each.

    label: of a paragraph, the number that stands before it.
    """
    above: dict[int, str] = {}
    for row in _within(table, _ROW):
        if row.find(f"{qn('w:trPr')}/{qn('w:del')}") is not None:
            continue
        cells: list[str] = []
        column = 0
        for cell in _within(row, _CELL):
            properties = cell.find(qn("w:tcPr"))
            merge = properties.find(qn("w:vMerge")) if properties is not None else None
            if merge is None or merge.get(qn("w:val")) == "restart":
                above[column] = _cell_text(cell, eye, label, depth)
            cells.append(above.get(column, ""))
            column += whole_number(value_of(properties, "w:gridSpan"), 1)
        if any(cells):
            yield row_text(cells)


def _within(element: Any, tag: str, depth: int = 0) -> Iterator[Any]:
    """The rows of a table or the cells of a row, through content controls and inserted parts."""
    for child in _children(element):
        if child.tag == tag:
            yield child
        elif child.tag not in (_TABLE, _PARAGRAPH, _CELL) and child.tag not in _DROPPED and depth < _MAX_DEPTH:
            yield from _within(child, tag, depth + 1)


def _cell_text(cell: Any, eye: Eye, label: Callable[[Any], str], depth: int) -> str:
    """A table or a box inside a cell gives its text to it. A number stands there alone too, as in a column of them."""
    parts = []
    for block in blocks_inside(cell):
        if block.tag == _TABLE:
            parts.append("; ".join(table_rows(block, eye, label, depth=depth + 1)) if depth < _MAX_DEPTH else "")
        else:
            found = paragraph_text(block, eye)
            parts += [label(block), clean_line(found.text)]
            parts += [_cell_text(box, eye, label, depth + 1) for box in found.boxes if depth < _MAX_DEPTH]
    return " ".join(part for part in parts if part)
