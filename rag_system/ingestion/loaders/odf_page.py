"""ODT, and the slides of ODP: written as a page of HTML, which is read as any other.

What its styles say is written into it where `inline_style` looks: bold type, hidden text, the size and the colour of
letters and what is behind them. The white of a style with a name is left out, and so is all white in a drawn box or on
a page with a colour: it may be seen. Headers and footers are not read; notes follow the paragraph that calls them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.archive import Archive, declared_title
from rag_system.ingestion.loaders.counting import Counts
from rag_system.ingestion.loaders.html import page_lines
from rag_system.ingestion.loaders.odf import LEFT_OUT, META, body, name, roots, times
from rag_system.ingestion.loaders.odf_numbers import OdfNumbers
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.written_page import PAINTED, Css, attribute, labelled, written
from rag_system.ingestion.structure import unpaged
from rag_system.ingestion.text import whole_number

__all__ = ["OdfPage", "load_odt"]

_MAX_DEPTH = 60
_MAX_STYLES = 20  # based on each other
_MAX_CELLS = 1_000  # that are told to be alike
_MAX_LEVEL = 6
_OF_BLOCKS = frozenset(("background-color", "display"))
_BOLD = frozenset(("bold", "700", "800", "900"))
_PLAIN_VALUE = re.compile(r"[\w#.%-]{1,40}")
_TITLE_STYLE = "Title"  # LibreOffice names its styles in English whatever its language
_HEADING, _PARAGRAPH, _SPAN, _NOTE = name("text:h"), name("text:p"), name("text:span"), name("text:note")
_LIST, _ITEM = name("text:list"), name("text:list-item")
_TABLE, _ROW, _CELL = name("table:table"), name("table:table-row"), name("table:table-cell")
_STYLE, _TABLE_STYLE = name("text:style-name"), name("table:style-name")
_DRAWN = name("draw:frame").removesuffix("frame")
_DISPLAYS = (name("text:display"), name("draw:display"), name("drawooo:display"))
_BLANKS = {name("text:tab"): " ", name("text:line-break"): "<br>", name("text:s"): " "}


def load_odt(source: FileSource) -> ExtractedDocument:
    """A text document of LibreOffice or another office; it has no pages."""
    with Archive(source) as archive:
        root, text = body(archive, "office:text")
        lines, hidden = page_lines(OdfPage(roots(archive, root)).html(text))
        return unpaged("odt", lines, title=declared_title(archive, META), hidden=hidden)


class OdfPage:
    """Writes elements of a document as HTML, counting its lists and notes. roots: what holds its styles."""

    def __init__(self, roots: Iterable[Any]) -> None:
        roots = list(roots)
        self._numbers = OdfNumbers(roots)
        self._css: dict[tuple[str, str], Css] = {}
        self._parents: dict[tuple[str, str], str] = {}
        for style in (style for root in roots for style in root.iter(name("style:style"))):
            key = style.get(name("style:family"), ""), style.get(name("style:name"), "")
            self._parents.setdefault(key, style.get(name("style:parent-style-name"), ""))
            self._css.setdefault(key, dict(_declared(style)))
        pages = (page for root in roots for page in root.iter(name("style:page-layout-properties")))
        self._around = next((PAINTED for page in pages if _behind(page)), {})
        self._notes = 0

    def html(self, element: Any) -> str:
        """What an element shows."""
        return f"<div{attribute(self._around)}>{''.join(self._block(element, 0))}</div>"

    def _style(self, family: str, style: str) -> dict[str, str]:
        """What a style declares, by itself or through those that it comes from."""
        said: dict[str, str] = {}
        for each in self._ancestry(family, style):
            said = {**self._css.get((family, each), {}), **said}
        return said

    def _ancestry(self, family: str, style: str) -> Iterator[str]:
        for _ in range(_MAX_STYLES):
            if style:
                yield style
            style = self._parents.get((family, style), "")

    # ------------------------------------------------------------ blocks

    def _block(self, element: Any, depth: int, *, cell: bool = False) -> Iterator[str]:
        """cell: it stands in a table, which has neither headings nor tables inside."""
        if not isinstance(element.tag, str) or element.tag in LEFT_OUT or depth > _MAX_DEPTH:
            return
        if any(element.get(each) == "none" for each in _DISPLAYS):
            yield f"<div hidden>{escape(''.join(element.itertext()), quote=False)}</div>"
        elif element.tag in (_HEADING, _PARAGRAPH):
            yield from self._paragraph(element, depth, cell=cell)
        elif element.tag == _LIST:
            yield from self._list(element, None, style="", level=1, depth=depth + 1, cell=cell)
        elif element.tag == _TABLE and not cell:
            rows = (row for row in element.iter(_ROW) if next(row.iterancestors(_TABLE)) is element)
            yield f"<table{self._behind(element, 'table')}>{''.join(self._row(row, depth) for row in rows)}</table>"
        elif element.tag == _ROW:
            yield f"<p>{' | '.join(''.join(self._inside(each, depth, cell=True)) for each in element)}</p>"
        elif element.tag.startswith(_DRAWN):
            yield f"<div{attribute(PAINTED)}>{''.join(self._inside(element, depth, cell=cell))}</div>"
        else:
            yield f"<div{self._behind(element, 'section')}>{''.join(self._inside(element, depth, cell=cell))}</div>"

    def _inside(self, element: Any, depth: int, *, cell: bool) -> Iterator[str]:
        for child in element:
            yield from self._block(child, depth + 1, cell=cell)

    def _row(self, row: Any, depth: int) -> str:
        cells = []
        for cell in row.iterchildren(_CELL):
            rows, columns = times(cell, "table:number-rows-spanned"), times(cell, "table:number-columns-spanned")
            inside = "".join(self._inside(cell, depth, cell=True))
            painted = self._behind(cell, "table-cell")
            written = f'<td rowspan="{rows}" colspan="{columns}"{painted}>{inside}</td>'
            cells += [written] * min(_MAX_CELLS, times(cell, "table:number-columns-repeated"))
        return f"<tr{self._behind(row, 'table-row')}>{''.join(cells)}</tr>"

    def _behind(self, element: Any, family: str) -> str:
        style = element.get(_TABLE_STYLE) or element.get(_STYLE) or ""
        return attribute({key: value for key, value in self._style(family, style).items() if key in _OF_BLOCKS})

    def _list(
        self, element: Any, counts: Counts | None, *, style: str, level: int, depth: int, cell: bool
    ) -> Iterator[str]:
        """The number of an item stands before its first paragraph; one without a paragraph of its own has none.

        counts: of the list that it is inside.
        """
        style = element.get(_STYLE, style)
        if counts is None:
            counts = self._numbers.counts(element, style)
        elif element.get(name("text:continue-numbering")) != "true":
            counts.pop(level, None)
        for item in element if depth < _MAX_DEPTH else ():
            label = ""
            if item.tag == _ITEM and len(item) and item[0].tag != _LIST:
                label = self._numbers.item(style, level, counts, item.get(name("text:start-value"), ""))
            inside = ""
            for order, child in enumerate(item):
                if child.tag == _LIST:
                    nested = self._list(child, counts, style=style, level=level + 1, depth=depth + 1, cell=cell)
                elif child.tag in (_HEADING, _PARAGRAPH):
                    nested = self._paragraph(child, depth, cell=cell, label="" if order else label, listed=True)
                else:
                    nested = iter(())
                inside += "".join(nested)
            tag = "div" if len(item) and item[0].tag == _HEADING else "li"
            yield f"<{tag}>{inside}</{tag}>"

    def _paragraph(
        self, element: Any, depth: int, *, cell: bool, label: str = "", listed: bool = False
    ) -> Iterator[str]:
        """It, then the boxes anchored in it and the notes it calls."""
        css = self._style("paragraph", element.get(_STYLE, ""))
        level = self._level(element)
        if element.tag == _HEADING and not listed:
            label = self._numbers.heading(element, level)
        after: list[str] = []
        inside = "".join(self._text(element, after, css.get("font-weight") in _BOLD, depth))
        tag = f"h{level}" if level and not cell else "p"
        if any(map(_is_hidden, element.iter(name("text:hidden-paragraph")))):
            css["display"] = "none"
        yield f"<{tag}{attribute(css)}>{labelled(label, inside) if inside.strip() else inside}</{tag}>"
        yield f"<div{' hidden' * (css.get('display') == 'none')}>{''.join(after)}</div>" if after else ""

    def _level(self, element: Any) -> int:
        if element.tag == _HEADING:
            return max(1, min(_MAX_LEVEL, whole_number(element.get(name("text:outline-level")), 1)))
        return int(_TITLE_STYLE in self._ancestry("paragraph", element.get(_STYLE, "")))

    # ------------------------------------------------------------ text

    def _text(self, element: Any, after: list[str], bold: bool, depth: int) -> Iterator[str]:
        """The text of a paragraph, in bold or not; what hangs on it joins `after`."""
        yield written(element.text, bold=bold)
        for child in element:
            if child.tag in _BLANKS:
                yield _BLANKS[child.tag]
            elif child.tag == _NOTE:
                self._notes += 1
                paragraphs = child.iter(_PARAGRAPH, _HEADING)
                note = " ".join("".join(self._text(each, [], False, depth + 1)) for each in paragraphs)
                after.append(f"<p>Nota {self._notes}: {note}</p>")
            elif child.tag == name("draw:frame"):
                after.extend(self._block(child, depth + 1))
            elif isinstance(child.tag, str) and child.tag not in LEFT_OUT and depth < _MAX_DEPTH:
                css = self._style("text", child.get(_STYLE, "")) if child.tag == _SPAN else {}
                if _is_hidden(child):
                    css["display"] = "none"
                strong = css.pop("font-weight", "") in _BOLD if child.get(_STYLE) else bold
                inside = "".join(self._text(child, after, strong, depth + 1))
                yield f"<span{attribute(css)}>{inside}</span>" if css else inside
            yield written(child.tail, bold=bold)


def _is_hidden(element: Any) -> bool:
    """Whether the condition of a field holds, which hides its text or its paragraph."""
    return bool(element.get(name("text:is-hidden")) == "true")


def _declared(style: Any) -> Iterator[tuple[str, str]]:
    """What a style says of its letters and of what is behind them."""
    if any(map(_behind, style)):
        yield from PAINTED.items()
    text = style.find(name("style:text-properties"))
    if text is None:
        return
    if shown := text.get(name("text:display")):
        yield "display", "none" if shown == "none" else "inline"
    for key in ("font-weight", "font-size", "color"):
        value = text.get(name(f"fo:{key}"), "")
        of_itself = key != "color" or style.getparent().tag == name("office:automatic-styles")
        if of_itself and _PLAIN_VALUE.fullmatch(value):
            yield key, value


def _behind(properties: Any) -> bool:
    """A colour that is not the paper's, or a pattern or picture."""
    behind, fill = properties.get(name("fo:background-color"), "transparent"), properties.get(name("draw:fill"), "none")
    return fill not in ("none", "solid") or behind.lower() not in ("transparent", "#ffffff")
