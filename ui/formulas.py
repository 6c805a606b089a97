"""Formulae in answers: LaTeX between its signs becomes MathML, which browsers draw themselves. Money stays money.

The library's words are not trusted: of what it makes only elements of a list are written, without their attributes,
and their text as text.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from html import escape, unescape
from typing import Any
from xml.etree.ElementTree import Element  # built here, never parsed

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.texmath import texmath_plugin

__all__ = ["ELEMENTS", "add_formulas"]

_LONGEST = 1000  # characters of a formula
ELEMENTS = frozenset(
    "math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts "
    "mtable mtr mtd mstyle mpadded mphantom menclose mfenced mprescripts none".split()
)


def add_formulas(parser: MarkdownIt) -> None:
    """Read `$…$`, `$$…$$` and LaTeX's brackets. «$100 y $200» is no formula: digits stand beside its signs."""
    dollarmath_plugin(parser, allow_space=False, allow_digits=False, allow_labels=False, double_inline=True)
    texmath_plugin(parser, delimiters="brackets")
    for name in ("math_inline", "math_inline_double", "math_block"):
        parser.add_render_rule(name, _drawn)


def _drawn(
    _self: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: MutableMapping[str, Any]
) -> str:
    token = tokens[index]
    return _mathml(token.content.strip(), token.type != "math_inline")


@lru_cache(maxsize=256)
def _mathml(latex: str, displayed: bool) -> str:
    """A formula as MathML; what is none stays as it was written."""
    from latex2mathml.converter import convert_to_element

    try:
        if len(latex) > _LONGEST:
            raise ValueError
        made = convert_to_element(latex, display="block" if displayed else "inline")
        return _written(made)
    except Exception:  # noqa: BLE001  (whatever a library meets in what somebody else wrote)
        return f"<code>${escape(latex)}$</code>"


def _written(element: Element) -> str:
    name = element.tag if element.tag in ELEMENTS else "mrow"
    shown = f' display="{element.get("display")}"' if name == "math" and element.get("display") == "block" else ""
    inside = escape(unescape(element.text or "")) + "".join(map(_written, element))
    return f"<{name}{shown}>{inside}</{name}>"
