"""What the style sheets of a page or a book keep from being displayed.

A sheet hides today what a script or a click may show tomorrow: tabs, menus, answers that unfold. So an element counts
as hidden only where a plain rule hides it, no other rule names it, and nothing on the page runs. Colours are not looked
at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag

from rag_system.ingestion.loaders.inline_style import hides

__all__ = ["hidden_by_sheets"]

_MAX_SHEET = 500_000  # characters; a framework has 300,000
_MAX_SELECTORS = 200  # that hide something; of a page with more, the others are passed over
_MAX_ELEMENTS = 20_000  # of a page whose sheets are looked at
_PROPERTIES = frozenset(
    "display visibility opacity font-size left right top bottom text-indent margin-left animation".split()
)
_EVERYWHERE = frozenset(("", "all", "screen"))  # media whose sheets hold for who reads on a screen
_SIMPLE = re.compile(r"(?:[\w.#-]+\s*>?\s*)+")  # no state, no attribute: what neither click nor pointer changes
_NAME = re.compile(r"[.#]([\w-]+)")
_SHEETS = 'style, link[rel~="stylesheet" i][href]:not([rel~="alternate" i])'
_CONTROLLING = frozenset(("aria-controls", "data-target", "data-bs-target", "onclick", "onchange"))


class _Rule(NamedTuple):
    """A selector, and whether what it declares hides something."""

    selector: str
    hides: bool


def hidden_by_sheets(soup: BeautifulSoup, sheet_at: Callable[[str], str]) -> frozenset[int]:
    """The `id` of each element that the page's sheets hide.

    sheet_at: gives the text of a sheet that the page links to; nothing where it is not at hand.
    """
    if soup.find(_runs) is not None:
        return frozenset()
    rules = [rule for sheet in _sheets(soup, sheet_at) for rule in _rules(sheet[:_MAX_SHEET])]
    hiding = {rule.selector for rule in rules if rule.hides}
    if not hiding or len(soup.find_all(True, limit=_MAX_ELEMENTS)) == _MAX_ELEMENTS:
        return frozenset()
    shown = frozenset(_NAME.findall(" ".join(rule.selector for rule in rules if not rule.hides)))
    return frozenset(
        id(tag)
        for selector in sorted(hiding)[:_MAX_SELECTORS]
        for tag in soup.select(selector)
        if "style" not in tag.attrs
        and shown.isdisjoint({*_NAME.findall(selector), *_names(tag)}.union(*map(_names, tag.find_all(True))))
    )


def _runs(tag: Tag) -> bool:
    """Whether something on a page may show what is hidden: a script, or what is told to."""
    return tag.name == "script" or not _CONTROLLING.isdisjoint(tag.attrs)


def _sheets(soup: BeautifulSoup, sheet_at: Callable[[str], str]) -> Iterator[str]:
    """Those that hold where a page is read on a screen."""
    for sheet in soup.select(_SHEETS):
        on_screen = str(sheet.get("media") or "").strip().lower() in _EVERYWHERE
        if on_screen and sheet.find_parent(["noscript", "svg", "template"]) is None:
            yield sheet.get_text() if sheet.name == "style" else sheet_at(str(sheet["href"]))


@lru_cache(maxsize=16)  # the chapters of a book share theirs
def _rules(sheet: str) -> tuple[_Rule, ...]:
    import tinycss2

    try:
        return tuple(_read(tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)))
    except RecursionError:  # brackets in brackets without end
        return ()


def _read(nodes: Iterable[Any]) -> Iterator[_Rule]:
    """The plain rules that hide; every other one, also for some screens alone or in a state, shows what it names."""
    import tinycss2

    for node in nodes:
        if node.type == "qualified-rule":
            said = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
            seen = [each for each in said if each.type == "declaration" and each.lower_name in _PROPERTIES]
            hidden = any(hides(f"{each.lower_name}:{tinycss2.serialize(each.value).strip()}") for each in seen)
            plain = all(each.type == "declaration" and "animation" not in each.lower_name for each in said)
            for selector in map(str.strip, tinycss2.serialize(node.prelude).split(",")):
                if (seen and not hidden) or (hidden and plain and _SIMPLE.fullmatch(selector)):
                    yield _Rule(selector, hidden)
        elif node.type == "at-rule" and node.content:
            inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
            held = node.lower_at_keyword == "media" and tinycss2.serialize(node.prelude).strip() in _EVERYWHERE
            yield from (rule for rule in _read(inner) if held or not rule.hides)


def _names(tag: Tag) -> list[str]:
    """Its identifier and classes."""
    return [name for key in ("id", "class") for name in tag.get_attribute_list(key) if name] if tag.attrs else []
