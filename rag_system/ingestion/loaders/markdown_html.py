"""What the HTML inside a Markdown text keeps from view: comments, and elements that their own attributes hide.

Markdown-it gives HTML in pieces: a block ends at an empty line, while its element stays open. So the tags of the whole
text, Markdown's own among them, are put together into a page without words, each stretch of text in it a numbered mark,
and the rules of web pages say which marks are not displayed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bs4 import BeautifulSoup
from markdown_it.token import Token

from rag_system.ingestion.loaders.inline_style import is_hidden
from rag_system.ingestion.loaders.visibility import is_worth_a_note, letters

__all__ = ["displayed"]

_START = re.compile(r"<!--|<|`+|\\[<`\\]")
_COMMENT = "<!--"
_WITH_HTML = ("inline", "html_block")
_TAG = re.compile(r"</?([A-Za-z][\w-]*)(?=[\s/>])(?:[^<>\"']++|\"[^\"]*\"|'[^']*')*+>")
_MAX_TAG_CHARS = 1_000  # a hostile line of a megabyte must not take quadratic time
_SUSPECT = re.compile(r"hidden|style|color|<template|<script", re.IGNORECASE)
_MARK = "br"  # known to the parser as empty; a <br> of the text itself is not put into the page
_CONTAINERS = frozenset("blockquote ul ol li table tr td th".split())
_MAX_OPEN = 250  # elements; the parser follows no more
_TEXT_ALONE = frozenset(  # shown as it is written (GitHub Flavored Markdown, 6.11); the parser sees no marks inside
    "title textarea style xmp iframe noembed noframes script plaintext noscript".split()
)
_LINK_COMMENT = re.compile(  # «[//]: # (…)»: the definition of a link that leads nowhere
    r"(?:[ ]{0,3}\[[^\[\]\n]{1,500}+\]:[ \t]*+\n?[ \t]*+(?:<>|[^\s<./:]{1,200}+)(?:[ \t]+\n?|\n)[ \t]*+"
    r"(?:\((?:[^()\\]|\\.){0,20000}+\)|\"(?:[^\"\\]|\\.){0,20000}+\"|'(?:[^'\\]|\\.){0,20000}+')[ \t]*+(?:\n|\Z))++"
)

_Piece = tuple[str, str]  # a stretch of text or a tag; and the tag's name, or nothing


def displayed(tokens: Sequence[Token]) -> tuple[list[str], bool]:
    """What is displayed of the content of each token, and whether text worth a note is not."""
    contents = list(_uncommented(tokens))
    noted = any(
        token.content != content and is_worth_a_note(letters(token.content) - letters(content))
        for token, content in zip(tokens, contents, strict=True)
    )
    if not any("<" in content and _SUSPECT.search(content) for content in contents):
        return contents, noted
    pieces = [list(_pieces(token.type, content)) for token, content in zip(tokens, contents, strict=True)]
    unseen = _unseen(tokens, pieces)
    texts, number, lost = [], 0, 0
    for parts in pieces:
        kept = []
        for text, name in parts:
            if number in unseen:
                lost += 0 if name else letters(text)
            else:
                kept.append(text)
            number += 1
        texts.append("".join(kept))
    return texts, noted or is_worth_a_note(lost)


def _unseen(tokens: Sequence[Token], pieces: Sequence[Sequence[_Piece]]) -> frozenset[int]:
    """The numbers, over the whole text, of the pieces that are not displayed."""
    soup = BeautifulSoup("".join(_page(tokens, pieces)), "lxml")
    styled = any(name in ("style", "link") for parts in pieces for _, name in parts)
    unseen: set[int] = set()
    for tag in soup.find_all(lambda tag: tag.name == "template" or is_hidden(tag, styled=styled)):
        if not tag.decomposed:
            unseen.update(int(str(mark["n"])) for mark in tag.find_all(_MARK, n=True))
            tag.decompose()
    return frozenset(unseen)


def _page(tokens: Sequence[Token], pieces: Sequence[Sequence[_Piece]]) -> Iterator[str]:
    """The tags of a text, and a mark for each piece of it: for a tag, inside of its element."""
    number = 0
    opened: list[str] = []  # elements of its HTML since the last of Markdown's containers, which are «»
    for token, parts in zip(tokens, pieces, strict=True):
        if token.tag and token.nesting:
            yield _own_tag(token, opened)
        for text, name in parts:
            mark = f"<{_MARK} n={number}>"
            tag = text if name and name != _MARK and name not in _TEXT_ALONE else ""
            yield f"{mark}{tag}" if text.startswith("</") else f"{tag}{mark}"
            if tag:
                _track(opened, name, ends=text.startswith("</"))
            number += 1


def _track(opened: list[str], name: str, *, ends: bool) -> None:
    """Note a tag of the HTML. One that ends nothing within its container is passed over."""
    if not ends:
        opened.append(name)
        return
    for at in range(len(opened) - 1, max(-1, len(opened) - _MAX_OPEN), -1):
        if opened[at] == name:
            del opened[at:]
            return
        if not opened[at]:
            return


def _own_tag(token: Token, opened: list[str]) -> str:
    """A tag of Markdown's own. The end of an item or a cell ends what its HTML has left open, as in a browser."""
    if token.nesting > 0:
        opened += [""] * (token.tag in _CONTAINERS)
        return f"<{token.tag}>"
    left = []
    if token.tag in _CONTAINERS:
        while opened and (name := opened.pop()):
            left.append(f"</{name}>")
    return "".join([*left, f"</{token.tag}>"])


def _uncommented(tokens: Sequence[Token]) -> Iterator[str]:
    """The content of each token without comments. One that does not end is shown: its marks are characters then."""
    last = max((at for at, token in enumerate(tokens) if "-->" in token.content), default=-1)
    inside = False
    for at, token in enumerate(tokens):
        content = token.content
        if inside:
            _, ended, content = content.partition("-->")
            inside = not ended
        if token.type == "inline" and content.startswith("[") and tokens[at - 1].type == "paragraph_open":
            content = content[found.end() :] if (found := _LINK_COMMENT.match(content)) else content
        if "<!--" in content and token.type in _WITH_HTML:
            content, inside = _without_comments(content, inline=token.type == "inline", more=at < last)
        yield content


def _without_comments(content: str, *, inline: bool, more: bool) -> tuple[str, bool]:
    """What is left, and whether a comment goes on: an HTML block ends at an empty line. more: its end may follow."""
    kept, at = [], 0
    for start, end, name in _spans(content, inline=inline):
        if name == _COMMENT:
            kept.append(content[at:start])
            at = end
    if not inline and more and (start := content.find("<!--", at)) >= 0:
        return "".join([*kept, content[at:start]]), True
    return "".join([*kept, content[at:]]), False


def _pieces(kind: str, content: str) -> Iterator[_Piece]:
    """The tags of a content and the text between."""
    at = 0
    if "<" in content and kind in _WITH_HTML:
        for start, end, name in _spans(content, inline=kind == "inline"):
            if at < start:
                yield content[at:start], ""
            yield content[start:end], name
            at = end
    if at < len(content):
        yield content[at:], ""


def _spans(content: str, *, inline: bool) -> Iterator[tuple[int, int, str]]:
    """Where each comment and tag begins and ends, and a tag's name. inline: in code and after a backslash is none."""
    at = 0
    lonely: set[str] = set()  # what has no end any more
    while found := _START.search(content, at):
        at, opening = found.end(), found[0]
        if opening == "<!--" and "<!--" not in lonely:
            if (end := content.find("-->", at)) >= 0:
                at = end + 3
                yield found.start(), at, _COMMENT
            else:
                lonely.add(opening)
        elif opening == "<" and (tag := _TAG.match(content, found.start(), found.start() + _MAX_TAG_CHARS)):
            at = tag.end()
            yield found.start(), at, tag[1].lower()
        elif opening[0] == "`" and inline and opening not in lonely:
            if closing := re.compile(rf"(?<!`){opening}(?!`)").search(content, at):
                at = closing.end()
            else:
                lonely.add(opening)
        elif opening[0] == "\\" and not inline:
            at = found.start() + 1
