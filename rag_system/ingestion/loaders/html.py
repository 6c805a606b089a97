"""HTML: the main content of a page, without menus, scripts, boilerplate and what is not displayed."""

from __future__ import annotations

import html
import re
import warnings
from collections.abc import Callable, Iterator

import webencodings
from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from bs4.dammit import EncodingDetector
from bs4.element import Comment, NavigableString, PageElement, PreformattedString

from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.lines import leading_bold
from rag_system.ingestion.loaders.encodings import MIXED, SAMPLE_BYTES, detect_encoding
from rag_system.ingestion.loaders.inline_style import is_hidden
from rag_system.ingestion.loaders.link_lists import drop_link_lists
from rag_system.ingestion.loaders.list_numbers import counts_by_style, write_list_numbers
from rag_system.ingestion.loaders.rows import row_text
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.style_sheets import hidden_by_sheets
from rag_system.ingestion.loaders.visibility import is_worth_a_note, letters
from rag_system.ingestion.structure import Line, starts_item, unpaged
from rag_system.ingestion.text import clean, clean_line, unescape, whole_number

__all__ = ["decode_markup", "load_html", "markdown_lines", "page_lines"]

_CONTROLS = (
    "script style noscript template svg math canvas iframe object embed button input select textarea del"
).split()
_CELL_COMMENT = "a.comment-indicator + comment"  # of LibreOffice Calc; any other such element is displayed
_PAGE_BREAK = r'[epub\:type~="pagebreak"], [role~="doc-pagebreak"]'  # of the printed book, with its number
_AROUND = "nav footer aside dialog".split()  # of a page; in a book an aside is a note
_SMALL_FORM_CHARS = 200  # of a search or a login; some servers put the whole page into one form
_DECLARATION_BYTES = 4096
_CALL = re.compile(r"\d{1,3}|[ivx]{1,5}|\*")  # to a note
_CALLING = re.compile(r"[^\W_][.,;:»”]?$")  # the end of a text that a call may follow
_FIGURES = re.compile(r"\d+|(?<![ivx])[ivx]+$")
_NOTE = re.compile(r"noteref|footnote", re.IGNORECASE)
_KINDS = ("class", "role", "epub:type")  # attributes that tell what a link is
_LETTER = re.compile(r"[^\W\d_ºª]")  # «15.º» and «15º» are one
_XHTML = re.compile(r"""<\?xml\b|xmlns\s*=\s*["']http://www\.w3\.org/1999/xhtml""")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)(\]\]>|\Z)", re.DOTALL)  # with the end, or each one left open is sought again
_MAX_SPAN = 1_000  # rows or columns of a cell (the HTML standard's own limit for columns)
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
_BLOCK_NAMES = list(_BLOCK_TAGS)  # as Beautiful Soup takes them
_ENDING = [*(_BLOCK_TAGS - set("table tbody td tfoot th thead tr".split())), "br"]  # a word, in a cell
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MAX_DEPTH = 100  # of nested elements; what is deeper is read as running text
_BOLD = frozenset({"b", "strong"})


def load_html(source: FileSource) -> ExtractedDocument:
    """An HTML page: its main part, without menus, scripts and footers."""
    soup = _parsed(decode_markup(source.read()))
    title = clean_line(soup.title.get_text()) if soup.title else ""
    hidden = _as_displayed(soup, _not_at_hand)
    return unpaged("html", _Walker().lines(_main_content(soup)), title=title, hidden=is_worth_a_note(hidden))


def _not_at_hand(_: str) -> str:
    """Of a page only its own file is read, not the style sheets that it links to."""
    return ""


def page_lines(page: str, *, sheet_at: Callable[[str], str] = _not_at_hand) -> tuple[list[Line], bool]:
    """Everything that a page displays which a chapter is, or another format was made; and whether it holds text that it
    does not.

    sheet_at: gives the style sheet at an address that the page names; nothing where there is none.
    """
    soup = _parsed(page)
    hidden = _as_displayed(soup, sheet_at)
    return list(_Walker().lines(soup.body or soup)), is_worth_a_note(hidden)


def markdown_lines(page: str, *, unseen: str) -> tuple[list[Line], bool]:
    """The same of a page that was Markdown, whose comments are told, with the text of it that was `unseen` before.

    A line's end is no more than that, unless a sentence ends with it.
    """
    soup = _parsed(page)
    comments = soup.find_all(string=lambda text: isinstance(text, Comment))
    hidden = letters(unseen) + sum(map(letters, comments)) + _as_displayed(soup, _not_at_hand)
    return list(_Walker(soft_breaks=True).lines(soup.body or soup)), is_worth_a_note(hidden)


def _parsed(markup: str) -> BeautifulSoup:
    if _XHTML.search(markup[:_DECLARATION_BYTES]):  # in HTML such a section is a comment
        markup = _CDATA.sub(_as_text, markup)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)  # XHTML is read as HTML on purpose
        soup = BeautifulSoup(markup, "lxml")
    _part_calls(soup)
    return soup


def _as_text(section: re.Match[str]) -> str:
    return html.escape(section[1], quote=False) if section[2] else section[0]


def _part_calls(soup: BeautifulSoup) -> None:
    """What stands raised over a line is parted from the word before it: «S/ 280» with a call to note 2 is not 2802."""
    for link in soup.select('a[href*="#"]'):
        if not _CALL.fullmatch(link.get_text(strip=True)):
            continue
        over = link.find("sup") is not None or link.find_parent("sup") is not None
        if over or _is_call(link, _text_before(link)):
            link.insert_before(" (")
            link.insert_after(")")
        elif _LETTER.match(_text_after(link)):
            link.insert_after(" ")
    for raised in soup("sup"):
        if _CALL.fullmatch(raised.get_text(strip=True)) and _text_before(raised)[-1:].isdigit():
            raised.insert_before("^")


def _is_call(link: Tag, before: str) -> bool:
    """Its style sheet raises it, which is not read: it says what it is, or leads to that number on its page."""
    href, text = str(link["href"]), link.get_text(strip=True)
    if before[-1:].isalnum() and href.startswith("#") and text in ("*", *_FIGURES.findall(href)[-1:]):
        return True
    names = (name for key in _KINDS for name in link.get_attribute_list(key) if name)
    return _CALLING.search(before) is not None and any(map(_NOTE.search, names))


def _text_before(tag: Tag) -> str:
    """The text right before an element on its line; empty at the beginning of a paragraph or a cell."""
    for element in tag.previous_elements:
        if _is_text(element):
            return str(element) if element.find_parent(_BLOCK_NAMES) is tag.find_parent(_BLOCK_NAMES) else ""
        if isinstance(element, Tag) and (element.name == "br" or element.name in _BLOCK_TAGS):
            break
    return ""


def _text_after(tag: Tag) -> str:
    """The text right after an element that holds some."""
    return next((str(element) for element in tag.find_all(string=True)[-1].next_elements if _is_text(element)), "")


def _is_text(element: PageElement) -> bool:
    """Text that is displayed; no comment."""
    return isinstance(element, NavigableString) and not isinstance(element, PreformattedString)


def decode_markup(data: bytes) -> str:
    """The text of a page: as its bytes show beyond doubt, as it declares, or as its letters tell.

    Like browsers do, a page that says ISO 8859-1 is read as Windows-1252, which holds the quotation marks that such
    pages have (WHATWG Encoding, 4.2). A page that is UTF-8 is read so, whatever it says.
    """
    found = detect_encoding(data)
    declared = _declared_encoding(data[:_DECLARATION_BYTES])
    if declared and not found.startswith("utf") and not declared.startswith("utf"):
        found = declared
    elif declared and not declared.startswith("utf") and data[:SAMPLE_BYTES].isascii():
        found = declared  # ISO 2022 and the like, which are written in ASCII bytes
    return data.decode(found, errors=MIXED).replace("\ufffd", "")


def _declared_encoding(head: bytes) -> str:
    """Python's name for it; empty when none, or an unknown one, is declared."""
    declared = EncodingDetector.find_declared_encoding(head, is_html=True, search_entire_document=True)
    known = webencodings.lookup(declared or "")
    return known.codec_info.name if known is not None and known.name != "x-user-defined" else ""


def _as_displayed(soup: BeautifulSoup, sheet_at: Callable[[str], str]) -> int:
    """Without what is not displayed, with the numbers of lists; tells how many letters were not displayed."""
    styled = counts_by_style(soup)
    hidden = _drop_unseen(soup, sheet_at)
    write_list_numbers(soup, styled=styled)
    return hidden


def _drop_unseen(soup: BeautifulSoup, sheet_at: Callable[[str], str]) -> int:
    """Drop what is not displayed; tells how many letters of the page itself, not of its menus, were among it."""
    unseen = hidden_by_sheets(soup, sheet_at)
    styled = soup.find(["style", "link"]) is not None
    for tag in [*soup(_CONTROLS), *soup.select(_CELL_COMMENT), *soup.select(_PAGE_BREAK)]:
        tag.decompose()
    count = 0
    for tag in soup.find_all(lambda tag: id(tag) in unseen or is_hidden(tag, styled=styled) or _is_ornament(tag)):
        if tag.decomposed or tag.name in ("body", "html"):
            continue
        count += 0 if _is_around(tag) else letters(tag.get_text())
        tag.decompose()
    return count


def _is_ornament(tag: Tag) -> bool:
    """A mark without words that screen readers skip. What has words is on the screen, and stays."""
    return tag.get("aria-hidden") == "true" and not letters(tag.get_text())


def _is_around(tag: Tag) -> bool:
    """Whether an element belongs to a menu, a form or the like."""
    around = (tag, *tag.parents)
    return any(each.name in _AROUND or each.name == "form" or _is_furniture(each) for each in around)


def _main_content(soup: BeautifulSoup) -> Tag:
    for tag in soup(_AROUND):
        tag.decompose()
    for tag in soup("form"):
        if not tag.decomposed and len(tag.get_text(strip=True)) < _SMALL_FORM_CHARS:
            tag.decompose()
    for tag in soup.find_all(_is_furniture):
        if not tag.decomposed and tag.name not in ("body", "html", "main", "article", "form"):
            tag.decompose()
    main = soup.find("main") or soup.find(role="main")
    articles = soup.find_all("article")
    if main is None and len(articles) == 1:
        main = articles[0]
    if main is None or len(main.get_text(strip=True)) <= 200:
        main = soup.body or soup
    drop_link_lists(main)
    return main


def _is_furniture(tag: Tag) -> bool:
    if tag.get("role") in _BOILERPLATE_ROLES:
        return True
    names = " ".join([*(tag.get_attribute_list("class") or []), str(tag.get("id") or "")] if tag.attrs else [])
    return bool(names.strip()) and _BOILERPLATE.search(names) is not None


class _Walker:
    """Collects inline text until a block element ends it. soft_breaks: a `<br>` is the end of a line, as in a text."""

    def __init__(self, *, soft_breaks: bool = False) -> None:
        self._soft_breaks = soft_breaks
        self._parts: list[list[tuple[str, bool]]] = [[]]  # lines, of pieces that are bold or not
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
            elif _is_text(child):
                self._parts[-1].append((str(child), bold))
        self._depth -= 1

    def _element(self, tag: Tag, *, bold: bool) -> Iterator[Line]:
        name = tag.name
        if name == "br":
            self._parts.append([])
        elif self._depth > _MAX_DEPTH:
            self._parts[-1].append((f" {tag.get_text(' ')} ", bold))
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
        self._hint, self._kind = 0, BlockKind.TEXT

    def _flush(self) -> Iterator[Line]:
        parts, self._parts = self._parts, [[]]
        previous = ""
        for pieces in parts:
            if line := clean_line(unescape("".join(piece for piece, _ in pieces))):
                start = not (self._soft_breaks and previous) or previous[-1] in ".;:" or starts_item(line)
                bold = min(leading_bold(pieces), len(line))
                yield Line(text=line, kind=self._kind, hint=self._hint, bold=bold, start=start)
                self._kind, previous = BlockKind.TEXT, line


def _is_layout(table: Tag) -> bool:
    """Tables that only place things: one cell, or with headings or paragraphs of prose inside."""
    return table.find(["h1", "h2", "h3", "table"]) is not None or len(table.find_all(["td", "th"])) <= 1


def _rows(table: Tag) -> Iterator[str]:
    """One line a row. A cell that spans rows is said in each of them; one that spans columns, once."""
    for ends in table.find_all(_ENDING):
        ends.insert(0, " ")
        ends.append(" ")
    caption = table.find("caption")
    if caption is not None and (text := clean_line(caption.get_text())):
        yield text
    tall: dict[int, tuple[int, str]] = {}  # column → how many rows below it reaches, and its text
    for row in table.find_all("tr"):
        cells = list(_cells(row, tall))
        if any(cells):
            yield row_text(cells)


def _cells(row: Tag, tall: dict[int, tuple[int, str]]) -> Iterator[str]:
    column = 0
    for cell in [*row.find_all(["td", "th"]), None]:
        while column in tall:  # told by a row above
            left, text = tall.pop(column)
            if left > 1:
                tall[column] = left - 1, text
            yield text
            column += 1
        if cell is None:
            return
        text = clean_line(unescape(cell.get_text()))
        yield text
        if (rows := _span(cell, "rowspan")) > 1:
            tall[column] = rows - 1, text
        column += _span(cell, "colspan")


def _span(cell: Tag, name: str) -> int:
    return max(1, min(_MAX_SPAN, whole_number(str(cell.get(name) or "").strip(), 1)))
