"""Turns text that others wrote (models, documents, people) into markup that cannot act.

Pure functions. Model Markdown becomes HTML made only of the tags below: raw HTML is shown as text, links keep their
words and lose their target, images keep their description, and formulae are drawn. Only our own markers are added.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, MutableMapping, Sequence
from functools import cache
from html import escape
from itertools import chain, pairwise, zip_longest
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from rag_system.types import mark
from ui.formulas import add_formulas

__all__ = ["answer_html", "folded", "plain_html", "plain_label"]

_MARKER = re.compile(r"\[\s*(M?\d{1,3}(?:\s*,\s*M?\d{1,3})*)\s*\]")
_MARKERS_AFTER = re.compile(rf"(?:[ \t]*{_MARKER.pattern})*")
_DOUBT = "[\ue000]"  # in brackets, so that «**» before it still closes
_DECIDES, _DECIDED = "[\ue001]", "[\ue002]"  # around the words that decide
_SIGNS = re.compile(r"\[?[\ue000-\ue002]\]?")  # also where they were not read, as in an image's words
_MARKDOWN_PUNCTUATION = re.compile(r"([\\`*_{}\[\]()<>#+!|~$:])")
_PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.DOTALL)
_CELLS, _BREAK = " | ", "<br />\n"
# Before the quote there may be the name of its place: «Según la guía, «9. Multas»: «Leve | …».
_QUOTED_ROWS = re.compile(
    r"((?:[^|«]|«[^|«»]*»)*?«)((?:[^«»<|]|</?strong>)* \| (?:[^«»<]|<br />\n|</?strong>)*)(».*)", re.DOTALL
)
_NOT_OURS = str.maketrans(dict.fromkeys("\ue000\ue001\ue002"))
_SHOWN = "shown_sources"
_CLICKABLE = "clickable"


def answer_html(
    markdown: str,
    *,
    sources: Collection[int] = (),
    unsupported: Sequence[str] = (),
    decisive: tuple[int, int] = (0, 0),
    clickable: bool = False,
) -> str:
    """HTML of an answer. `[n]`, or the `[M1]` of −1, in `sources` becomes a marker: a button, or plain in a stream.

    The sentences of `unsupported`, in their order, end in a dagger; `markdown[slice(*decisive)]` stands out.
    """
    marked = _with_signs(markdown, unsupported, decisive)
    html: str = _parser().render(marked, {_SHOWN: frozenset(sources), _CLICKABLE: clickable})
    html = _PARAGRAPH.sub(_with_tables, html)
    return _SIGNS.sub("", html)


def _with_tables(paragraph: re.Match[str]) -> str:
    """A paragraph whose quote is rows of a table (cells parted by « | », as the loaders write them), as a table.

    The words are the same: those before the quote and after it stay in paragraphs of their own.
    """
    quoted = _QUOTED_ROWS.fullmatch(paragraph.group(1))
    if quoted is None:
        return paragraph.group()
    before, quote, after = quoted.groups()
    rows = [line.split(_CELLS) for line in quote.split(_BREAK)]
    width = max(map(len, rows))
    table = "".join(f"<tr>{_cells(row, width)}</tr>" for row in rows)
    return f"<p>{before}</p>\n<table class='quoted'>{table}</table>\n<p>{after}</p>"


def _cells(row: Sequence[str], width: int) -> str:
    """The last cell of a short row, such as «(…)», takes the rest of it."""
    *most, last = row
    rest = width - len(most)
    span = f' colspan="{rest}"' if rest > 1 else ""
    return "".join(f"<td>{cell}</td>" for cell in most) + f"<td{span}>{last}</td>"


def folded(text: str) -> str:
    """A text as it is compared with what a person types to find it: without case and accents."""
    decomposed = unicodedata.normalize("NFD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def plain_html(text: str) -> str:
    """HTML of a text that has no markup: line breaks kept, everything else inert."""
    return f'<div class="legajo-plain">{escape(text)}</div>'


def plain_label(text: str) -> str:
    """A text for a widget's label, which Streamlit reads as Markdown, so that it shows as it was written."""
    return _MARKDOWN_PUNCTUATION.sub(r"\\\1", " ".join(text.split()))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True}).enable("table")
    # A definition such as «[1]: http://…» would turn our markers into links.
    parser.disable(["reference", "html_block", "html_inline"])
    add_formulas(parser)
    parser.core.ruler.push("unsigned", _without_signs)
    parser.inline.ruler.before("link", "marker", _marker_rule)
    parser.inline.ruler.before("link", "doubt", _doubt_rule)
    parser.inline.ruler.before("link", "decisive", _decisive_rule)
    for name in ("link_open", "link_close"):
        parser.add_render_rule(name, _nothing)
    parser.add_render_rule("image", _image_description)
    parser.add_render_rule("marker", _marker)
    parser.add_render_rule("doubt", _dagger)
    parser.add_render_rule("heading_open", _heading)
    parser.add_render_rule("heading_close", _heading)
    return parser


def _marker_rule(state: StateInline, silent: bool) -> bool:
    match = _MARKER.match(state.src, state.pos, state.posMax)
    shown = state.env.get(_SHOWN, frozenset())
    if match is None:
        return False
    numbers = [int(part.strip().replace("M", "-")) for part in match.group(1).split(",")]
    if not any(number in shown for number in numbers):
        return False
    if not silent:
        for number in numbers:
            if number in shown:
                state.push("marker", "", 0).meta = {"n": mark(number)}
    state.pos = match.end()
    return True


def _marker(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    number = tokens[index].meta["n"]
    if env.get(_CLICKABLE):
        return f'<button type="button" class="marker" data-n="{number}">{number}</button>'
    return f'<span class="marker">{number}</span>'


def _with_signs(text: str, unsupported: Sequence[str], decisive: tuple[int, int]) -> str:
    """The text, without signs of its own, with ours after each sentence in doubt and around the words that decide."""
    start, end = decisive
    signs = [(at, _DOUBT) for at in _doubted(text, unsupported)]
    signs += [(start, _DECIDES), (end, _DECIDED)] if start < end else []
    places = [0, *(at for at, _ in sorted(signs)), len(text)]
    parts = (text[first:last].translate(_NOT_OURS) for first, last in pairwise(places))
    return "".join(chain.from_iterable(zip_longest(parts, (sign for _, sign in sorted(signs)), fillvalue="")))


def _doubted(text: str, unsupported: Sequence[str]) -> Iterator[int]:
    """Where each of the sentences ends, with the markers that follow it."""
    position = 0
    for sentence in unsupported:
        words = sentence.rstrip(" |\n")  # inside the last cell of a table's row
        at = text.find(words, position)
        if words and at >= 0:
            after = _MARKERS_AFTER.match(text, at + len(words))
            position = after.end() if after else at + len(words)
            yield position


def _without_signs(state: StateCore) -> None:
    """What is read by itself, formulas and code, without our signs."""
    for token in (each for block in state.tokens for each in (block, *(block.children or ()))):
        if token.type.startswith(("math", "code", "fence")):
            token.content = _SIGNS.sub("", token.content)


def _decisive_rule(state: StateInline, silent: bool) -> bool:
    """What stands between the two signs, with what is written in it, as strong words."""
    opens = state.src.startswith(_DECIDES, state.pos)
    last = state.src.find(_DECIDED, state.pos, state.posMax) if opens else -1
    if last < 0:
        return False
    if not silent:
        whole, state.posMax = state.posMax, last
        state.pos += len(_DECIDES)
        state.push("strong_open", "strong", 1)
        state.md.inline.tokenize(state)
        state.push("strong_close", "strong", -1)
        state.posMax = whole
    state.pos = last + len(_DECIDED)
    return True


def _doubt_rule(state: StateInline, silent: bool) -> bool:
    if not state.src.startswith(_DOUBT, state.pos):
        return False
    if not silent:
        state.push("doubt", "", 0)
    state.pos += len(_DOUBT)
    return True


def _dagger(
    _self: RendererHTML, _tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: MutableMapping[str, Any]
) -> str:
    return '<span class="unsupported">†</span>'


def _nothing(
    _self: RendererHTML, _tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: MutableMapping[str, Any]
) -> str:
    return ""


def _image_description(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: MutableMapping[str, Any]
) -> str:
    return escape(tokens[index].content)


def _heading(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: MutableMapping[str, Any]
) -> str:
    """A heading inside an answer must not outrank the page's own: all become the smallest size."""
    return "<h4>" if tokens[index].nesting == 1 else "</h4>\n"
