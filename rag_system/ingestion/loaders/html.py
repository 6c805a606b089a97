"""HTML: the main content of a page, without menus, scripts and boilerplate."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from bs4.element import NavigableString, PreformattedString

from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.source import Source
from rag_system.ingestion.structure import Line, blocks_from_lines
from rag_system.ingestion.text import clean, clean_line, unescape

__all__ = ["load_html"]

_DROPPED = (
    "script style noscript template svg math canvas iframe object embed form button input select "
    "nav footer aside dialog"
).split()
_BOILERPLATE = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|docnav|navheader|navfooter|navigation|menu|breadcrumbs?|sidebar-nav|cookies?|"
    r"cookie-banner|share|social|skip|pagination|site-header|site-footer|advert|ads|banner|newsletter|popup)(?:$|[\s_-])",
    re.IGNORECASE,
)
_BOILERPLATE_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "menubar", "dialog"})
_BLOCK_TAGS = frozenset(
    "address article blockquote body center dd details dir div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 "
    "header hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MAX_DEPTH = 100  # of nested elements; what is deeper is read as running text
_BOLD = frozenset({"b", "strong"})


def load_html(source: Source) -> ExtractedDocument:
    """An HTML page: its main part, without menus, scripts and footers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)  # XHTML is read as HTML on purpose
        soup = BeautifulSoup(source.read(), "lxml")
    title = clean_line(soup.title.get_text()) if soup.title else ""
    root = _main_content(soup)
    blocks = blocks_from_lines(_Walker().lines(root)) if root is not None else ()
    return ExtractedDocument(format="html", blocks=blocks, pages=None, title=title)


def _main_content(soup: BeautifulSoup) -> Tag | None:
    for tag in soup(_DROPPED):
        tag.decompose()
    for tag in soup.find_all(_is_boilerplate):
        if not tag.decomposed and tag.name not in ("body", "html", "main", "article"):
            tag.decompose()
    main = soup.find("main") or soup.find(role="main")
    articles = soup.find_all("article")
    if main is None and len(articles) == 1:
        main = articles[0]
    if main is not None and len(main.get_text(strip=True)) > 200:
        return main
    return soup.body or soup


def _is_boilerplate(tag: Tag) -> bool:
    if tag.get("role") in _BOILERPLATE_ROLES or tag.get("aria-hidden") == "true" or tag.has_attr("hidden"):
        return True
    names = " ".join([*(tag.get_attribute_list("class") or []), str(tag.get("id") or "")] if tag.attrs else [])
    return bool(names.strip()) and _BOILERPLATE.search(names) is not None


class _Walker:
    """Collects inline text until a block element ends it."""

    def __init__(self) -> None:
        self._pieces: list[tuple[str, bool]] = []
        self._kind = BlockKind.TEXT
        self._hint = 0
        self._depth = 0

    def lines(self, root: Tag) -> Iterator[Line]:
        yield from self._children(root, bold=False)
        yield from self._flush()

    def _children(self, parent: Tag, *, bold: bool) -> Iterator[Line]:
        self._depth += 1
        for child in parent.children:
            if isinstance(child, Tag):
                yield from self._element(child, bold=bold)
            elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
                self._pieces.append((str(child), bold))
        self._depth -= 1

    def _element(self, tag: Tag, *, bold: bool) -> Iterator[Line]:
        name = tag.name
        if name == "br":
            self._pieces.append(("\n\0", bold))
        elif self._depth > _MAX_DEPTH:
            self._pieces.append((f" {tag.get_text(' ')} ", bold))
        elif name == "table" and not _is_layout(tag):
            yield from self._flush()
            if text := "\n".join(_rows(tag)):
                yield Line(text=text, kind=BlockKind.TABLE)
        elif name == "pre":
            yield from self._flush()
            if text := clean(tag.get_text()).strip("\n").rstrip():
                yield Line(text=text, kind=BlockKind.CODE)
        elif name in _BLOCK_TAGS:
            yield from self._block(tag)
        else:
            yield from self._children(tag, bold=bold or name in _BOLD)

    def _block(self, tag: Tag) -> Iterator[Line]:
        yield from self._flush()
        if tag.name in _HEADINGS:
            self._hint = _HEADINGS[tag.name]
        elif tag.name == "li":
            self._kind = BlockKind.LIST_ITEM
        yield from self._children(tag, bold=False)
        yield from self._flush()
        self._hint = 0

    def _flush(self) -> Iterator[Line]:
        pieces, self._pieces = self._pieces, []
        lead, text = _leading_bold(pieces), "".join(piece for piece, _ in pieces)
        if not text.strip("\0 \n\t\r\xa0"):
            return
        kind, self._kind = self._kind, BlockKind.TEXT
        for number, part in enumerate(text.split("\n\0")):
            if line := clean_line(unescape(part)):
                yield Line(text=line, kind=kind, hint=self._hint, bold=min(lead, len(line)) if number == 0 else 0)
                kind = BlockKind.TEXT


def _leading_bold(pieces: list[tuple[str, bool]]) -> int:
    lead = ""
    for piece, bold in pieces:
        if not bold and piece.strip(" .-–:\n\t\0\xa0"):
            break
        lead += piece
    return len(clean_line(lead)) if any(bold and piece.strip() for piece, bold in pieces) else 0


def _is_layout(table: Tag) -> bool:
    """Tables that only place things: one cell, or with headings or paragraphs of prose inside."""
    return table.find(["h1", "h2", "h3", "table"]) is not None or len(table.find_all(["td", "th"])) <= 1


def _rows(table: Tag) -> Iterator[str]:
    caption = table.find("caption")
    if caption is not None and (text := clean_line(caption.get_text(" "))):
        yield text
    for row in table.find_all("tr"):
        cells = [clean_line(unescape(cell.get_text(" "))) for cell in row.find_all(["td", "th"])]
        if any(cells):
            yield " | ".join(cells)
