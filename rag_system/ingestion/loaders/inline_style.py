"""Which elements of a web page their own attributes hide: not displayed, without size, or in the paper's colour.

What style sheets paint is not known. So white letters without a background of their own count as hidden only where no
style sheet can have painted one.
"""

from __future__ import annotations

import re
from functools import lru_cache

from bs4 import Tag

from rag_system.ingestion.loaders.visibility import Colour, is_near, is_pale

__all__ = ["hides", "is_hidden"]

_NOT_SHOWN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?<![-\w])opacity\s*:\s*0?(?:\.0+)?\s*(?:[;!]|$)"
    r"|(?<![-\w])(?:left|right|top|bottom|text-indent|margin-left)\s*:\s*-\d{4,}"
    r"|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)",
    re.IGNORECASE,
)
_SIZE = re.compile(r"(?<![-\w])font-size\s*:\s*(\d*\.?\d+)\s*(px|pt|em|rem|%|)", re.IGNORECASE)
_LEAST = {"px": 2.7, "pt": 2.0, "em": 0.17, "rem": 0.17, "%": 17.0, "": 0.0}  # 2 points, where the usual type has 12
_COLOUR = re.compile(r"(?<![-\w])color\s*:\s*([^;!]+)", re.IGNORECASE)
_BACKGROUND = re.compile(r"(?<![-\w])background(?:-color)?\s*:\s*([^;!]+)", re.IGNORECASE)
_MAX_VALUE = 200  # characters of a colour or a background that is looked at
_PLAIN = frozenset("font span p div b i em strong u small li ul ol blockquote center body html".split())


def is_hidden(tag: Tag, *, styled: bool) -> bool:
    """Whether a reader does not see what stands in an element. styled: the page has style sheets."""
    style = str(tag.get("style") or "")
    if tag.has_attr("hidden") or (style and hides(style)):
        return True
    colour = _own_colour(tag, style)
    return colour is not None and _is_lost(tag, colour, styled) and not _repainted(tag)


def hides(style: str) -> bool:
    """Whether declarations keep their element from being seen, colours apart."""
    if _NOT_SHOWN.search(style):
        return True
    size = _SIZE.search(style)
    return size is not None and float(size[1]) <= _LEAST[size[2].lower()]


def _own_colour(tag: Tag, style: str) -> Colour | None:
    if (found := _COLOUR.search(style)) is not None:
        return _colour(found[1])
    return _colour(str(tag.get("color") or "")) if tag.name == "font" else None


def _is_lost(tag: Tag, colour: Colour, styled: bool) -> bool:
    """Whether letters of a colour do not stand out from what is behind them."""
    plain = True
    for element in (tag, *tag.parents):
        painted = _BACKGROUND.search(str(element.get("style") or "")) if element.attrs else None
        behind = painted[1] if painted else str(element.get("bgcolor") or "") if element.attrs else ""
        if behind:
            under = _colour(behind)
            return under is not None and is_near(colour, under)
        plain = plain and _is_plain(element)
    return is_pale(colour) and (plain or not styled)


def _is_plain(element: Tag) -> bool:
    """Whether a style sheet is unlikely to paint an element."""
    known = element.name in _PLAIN or element.name == "[document]"
    return known and not element.has_attr("class") and not element.has_attr("id") and not element.has_attr("background")


def _repainted(tag: Tag) -> bool:
    """Whether something inside has a colour of its own, or a background."""
    return any(
        (child.name == "font" and child.has_attr("color")) or "color" in style or "background" in style
        for child in tag.find_all(True)
        if (style := str(child.get("style") or "")) or child.name == "font"
    )


@lru_cache(maxsize=256)
def _colour(value: str) -> Colour | None:
    """The first that a value names; none of one that lets everything through."""
    from tinycss2 import parse_component_value_list
    from tinycss2.color3 import RGBA, parse_color

    if len(value) > _MAX_VALUE:
        return None
    named = (parse_color(part) for part in parse_component_value_list(value))
    colour = next((each for each in named if isinstance(each, RGBA)), None)
    return (round(255 * colour[0]), round(255 * colour[1]), round(255 * colour[2])) if colour and colour[3] else None
