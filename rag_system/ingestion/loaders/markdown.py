"""Markdown: blocks by markdown-it, inline marks by our own pass.

Real files carry marks that CommonMark does not see as marks (`**CAPÍTULO I` … `**` on the next line) and text
indented by a word processor that CommonMark takes for code. So markdown-it only finds the blocks, without indented
code, and the marks inside are removed here, which also tells which words were bold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders.markdown_html import displayed
from rag_system.ingestion.loaders.source import Source
from rag_system.ingestion.loaders.txt import decode
from rag_system.ingestion.structure import Line, blocks_from_lines, starts_item
from rag_system.ingestion.text import clean, clean_line, unescape

__all__ = ["front_matter", "load_markdown"]

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z_][\w-]*):[ \t]*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_BLOCK_SCALAR = re.compile(r"^[>|][+-]?\s*\n")

# Every repetition is bounded: a hostile line of a megabyte must not take quadratic time.
_IMAGE = re.compile(r"!\[([^\[\]\n]{0,500})\]\([^()\n]{0,2000}\)")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]{0,500}\]){0,2000})\]\((?:[^()\n]|\([^()\n]{0,500}\)){0,2000}\)")
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]{1,2000})>")
_TAG = re.compile(
    r"</?(?:br|hr|p|div|span|b|i|em|strong|u|sup|sub|a|img|font|center|table|tr|td|th|tbody)\b[^<>\n]{0,500}>",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MARK = re.compile(r"\\([!-/:-@\[-`{-~])|(\*+)|(?<![^\W_])(_{1,3})|(_{1,3})(?![^\W_])|(`+)|(~~)")
_MARK_SIGN = re.compile(r"[\\*_`~]")  # one of which begins each mark


def load_markdown(source: Source) -> ExtractedDocument:
    """A Markdown text; front matter gives the title."""
    text = clean(decode(source.read()))
    fields, body = front_matter(text)
    reader = _Reader()
    blocks = blocks_from_lines(reader.lines(body))
    return ExtractedDocument(
        format="md",
        blocks=blocks,
        pages=None,
        title=fields.get("title", ""),
        identifier=fields.get("identifier", ""),
        hidden_pages=(0,) if reader.missed else (),
    )


def front_matter(text: str) -> tuple[Mapping[str, str], str]:
    """The top-level scalars of a YAML front matter, and the text after it.

    Only `key: value` and folded scalars are read: that is what titles and identifiers are written in.
    """
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    fields = {}
    for field in _FIELD.finditer(match.group(1)):
        value = _BLOCK_SCALAR.sub("", field.group(2)).strip()
        fields[field.group(1).lower()] = clean_line(unescape(_unquoted(value)))
    return fields, text[match.end() :]


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1].replace("''", "'") if value[0] == "'" else value[1:-1].replace('\\"', '"')
    return value


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.disable(["code", "reference"])
    parser.core.ruler.disable(["inline", "text_join"])
    return parser


class _Reader:
    """Turns markdown-it's tokens into lines."""

    def __init__(self) -> None:
        self._hint = 0
        self._item = False
        self._label = ""  # the number of an item whose first line is still to come
        self._numbers: list[tuple[int, int]] = []  # of each open list's last item: as written, as displayed
        self._row: list[str] | None = None
        self._rows: list[str] = []
        self.missed = False  # text that is not displayed

    def lines(self, text: str) -> Iterator[Line]:
        tokens = _parser().parse(text)
        contents, self.missed = displayed(tokens)
        for token, content in zip(tokens, map(unescape, contents), strict=True):
            if token.type == "inline":
                yield from self._inline(content)
            elif token.type == "fence":
                if code := content.strip("\n"):
                    yield Line(text=code, kind=BlockKind.CODE)
            elif token.type == "html_block":
                yield from _inline_lines(content, hint=0, item=False)
            elif token.type == "table_close":
                yield Line(text="\n".join(self._rows), kind=BlockKind.TABLE)
                self._rows = []
            else:
                self._enter(token)

    def _enter(self, token: Token) -> None:
        if token.type == "heading_open":
            self._hint = int(token.tag[1])
        elif token.type == "heading_close":
            self._hint = 0
        elif token.type in ("ordered_list_open", "bullet_list_open"):
            self._numbers.append((-1, -1))
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            self._numbers.pop()
        elif token.type == "list_item_open":
            self._item = True
            self._label = self._numbered(token)
        elif token.type == "list_item_close":  # one without text of its own gives its number to nothing
            self._item, self._label = False, ""
        elif token.type == "tr_open":
            self._row = []
        elif token.type == "tr_close" and self._row is not None:
            self._rows.append(" | ".join(self._row))
            self._row = None

    def _numbered(self, item: Token) -> str:
        """An item's number as it is written, or counted where the same one stands before each; none of a bullet."""
        if not item.info.isdecimal():
            return ""
        number = int(item.info)
        written, shown = self._numbers[-1]
        shown = shown + 1 if number == written else number
        self._numbers[-1] = number, shown
        return f"{shown}{item.markup} "

    def _inline(self, content: str) -> Iterator[Line]:
        if self._row is not None:
            self._row.append(" ".join(text for text, _ in _unmarked(content)))
            return
        yield from _inline_lines(content, hint=self._hint, item=self._item, label=self._label)
        self._item, self._label = False, ""


def _inline_lines(content: str, *, hint: int, item: bool, label: str = "") -> Iterator[Line]:
    previous = ""
    for unlabelled, lead in _unmarked(content):
        text, bold = label + unlabelled, lead + len(label) if lead else 0
        label = ""
        start = not previous or previous[-1] in ".;:" or starts_item(text)
        kind = BlockKind.LIST_ITEM if item and not previous else BlockKind.TEXT
        yield Line(text=text, kind=kind, hint=hint, bold=bold, start=start)
        previous = text


def _unmarked(content: str) -> Iterator[tuple[str, int]]:
    """Each line without marks, and how many of its first characters are bold."""
    if "](" in content:
        content = _LINK.sub(r"\1", _IMAGE.sub(r"\1", content))
    if "<" in content:
        content = _TAG.sub("", _BREAK.sub("\n", _AUTOLINK.sub(r"\1", content)))
    bold = False
    for line in content.split("\n"):
        pieces, bold = _pieces(line, bold=bold)
        if text := " ".join("".join(piece for piece, _ in pieces).split()):
            yield text, _leading_bold(pieces)


def _pieces(line: str, *, bold: bool) -> tuple[list[tuple[str, bool]], bool]:
    """Split at the marks; bold may be open from the line before and stay open for the next."""
    if _MARK_SIGN.search(line) is None:  # as most
        return [(line, bold)], bold
    pieces, at = [], 0
    for mark in _MARK.finditer(line):
        pieces.append((line[at : mark.start()], bold))
        at = mark.end()
        run = mark.group(2) or mark.group(3) or mark.group(4) or ""
        if mark.group(1):
            pieces.append((mark.group(1), bold))
        elif run == "*" and line[mark.start() - 1 : mark.start()] in ("", " ") and line[at : at + 1] == " ":
            pieces.append(("*", bold))
        elif len(run) // 2 % 2:  # «****» closes and opens again
            bold = not bold
    pieces.append((line[at:], bold))
    return pieces, bold


def _leading_bold(pieces: list[tuple[str, bool]]) -> int:
    lead = ""
    for piece, bold in pieces:
        if not bold and piece.strip(" .-–:*"):
            break
        lead += piece
    return len(" ".join(lead.split())) if any(bold and piece.strip() for piece, bold in pieces) else 0
