"""Markdown: markdown-it makes a page of it, which is read as any other.

Real files carry marks that CommonMark does not see as marks (`**CAPÍTULO I` … `**` on the next line) and text indented
by a word processor that it takes for code: so bold type is looked for here, and indented code is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from lxml.html import defs
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token

from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.loaders.html import markdown_lines
from rag_system.ingestion.loaders.list_numbers import ITEM_MARK
from rag_system.ingestion.loaders.source import FileSource
from rag_system.ingestion.loaders.txt import decode
from rag_system.ingestion.structure import unpaged
from rag_system.ingestion.text import clean, clean_line, unescape

__all__ = ["front_matter", "load_markdown"]

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([A-Za-z_][\w-]*):[ \t]*(.*(?:\n[ \t]+.*)*)", re.MULTILINE)
_BLOCK_SCALAR = re.compile(r"^[>|][+-]?\s*\n")
_MARK = re.compile(  # not in «2 * 3», «de_campo»; «(*)» is that of a note
    r"(?P<note>\(\*+\))|(?<=\S)\*+|\*{2,}|\*(?! )|(?<![^\W_])_{1,3}|_{1,3}(?![^\W_])|`+|~~"
)
_LINK_COMMENT = re.compile(r"^ {0,3}\[[^\[\]\n]{1,500}\]:[ \t]*(?:#|<>)[ \t]+([(\"'].*)", re.MULTILINE)
_TAGS = defs.tags | {"main", "template"}
_MARKED = "marked"  # text in whose place there is HTML
_TAG_NAME = re.compile(r"</?([A-Za-z][\w-]*)")


def load_markdown(source: FileSource) -> ExtractedDocument:
    """A Markdown text; front matter gives the title."""
    fields, body = front_matter(clean(decode(source.read())))
    comments = _LINK_COMMENT.findall(body)  # «[//]: # (…)»: the definition of a link that leads nowhere
    page = _page(_LINK_COMMENT.sub("", body))
    lines, hidden = markdown_lines(page, unseen=" ".join(comments))
    title, identifier = fields.get("title", ""), fields.get("identifier", "")
    return unpaged("md", lines, title=title, hidden=hidden, identifier=identifier)


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


def _page(text: str) -> str:
    parser = MarkdownIt("commonmark", {"breaks": True}).enable("table")
    parser.disable(["code", "reference", "emphasis", "text_join"])
    for kinds, rule in ((("html_inline", "html_block"), _html), (("image", "text_special"), _plain)):
        for kind in kinds:
            parser.add_render_rule(kind, rule)
    parser.add_render_rule(_MARKED, lambda _, tokens, at, __, ___: tokens[at].content)
    tokens = parser.parse(text)
    _number_items(tokens)
    for token in tokens:
        _mark_bold(token.children or ())
    return str(parser.renderer.render(tokens, parser.options, {}))


def _mark_bold(tokens: Iterable[Token]) -> None:
    """Bold type begins and ends with each «**», wherever it stands, and with the paragraph. The other marks go."""
    bold = False

    def tag(mark: re.Match[str]) -> str:
        nonlocal bold
        if mark["note"]:
            return mark["note"]
        if mark[0][0] not in "*_" or not len(mark[0]) // 2 % 2:  # «****» closes and opens again
            return ""
        bold = not bold
        return "<b>" if bold else "</b>"

    for token in tokens:
        if token.type == "text":
            token.type, token.content = _MARKED, _MARK.sub(tag, escape(token.content, quote=False))


def _number_items(tokens: Sequence[Token]) -> None:
    """An item's number as it is written, or counted where the same one stands before each; and the mark after it."""
    lists: list[str] = []  # the number of each open list's last item, as it is written
    for token in tokens:
        if token.type in ("ordered_list_open", "bullet_list_open"):
            lists.append("")
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and token.info:
            token.attrSet(ITEM_MARK, token.markup)
            if token.info != lists[-1]:
                token.attrSet("value", token.info)
            lists[-1] = token.info


def _plain(_: RendererProtocol, tokens: Sequence[Token], at: int, __: object, ___: object) -> str:
    """What a picture shows, in words; a sign after a backslash."""
    return escape(tokens[at].content, quote=False)


def _html(_: RendererProtocol, tokens: Sequence[Token], at: int, __: object, ___: object) -> str:
    """HTML as it is; «<nombre del titular>» is text."""
    content = tokens[at].content
    name = _TAG_NAME.match(content.lstrip())
    content = content if name is None or name[1].lower() in _TAGS else escape(content, quote=False)
    opened = content.rfind("<!--")
    if opened >= 0 and content.find("-->", opened) < 0:  # a comment without an end would swallow the text after it
        content = content[:opened] + escape(content[opened:], quote=False)
    return content
