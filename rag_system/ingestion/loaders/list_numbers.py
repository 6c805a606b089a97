"""The numbers that a browser writes before the items of an `<ol>`: no text of the page holds them, a reader sees them.

HTML Living Standard, 4.4.5 and 15.3.8: a list says its first number, its kind and its direction; an item may say its
own number and kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PreformattedString

from rag_system.ingestion.loaders.counting import written_number
from rag_system.ingestion.structure import starts_item

__all__ = ["ITEM_MARK", "write_list_numbers"]

ITEM_MARK = "data-mark"  # the attribute of an item with the sign after its number, where that is no full stop
_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([^;!]+)", re.IGNORECASE)
_NAMES = {  # of the kinds, as `written_number` calls them; empty where an item shows no number
    "1": "1 decimal",
    "01": "decimal-leading-zero",
    "a": "a lower-alpha lower-latin",
    "A": "A upper-alpha upper-latin",
    "i": "i lower-roman",
    "I": "I upper-roman",
    "": "none disc circle square",
}
_KINDS = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_NUMBER = re.compile(r"-?\d{1,6}")
_NEAR = 100  # nodes of an item among which its first words stand


def write_list_numbers(soup: BeautifulSoup) -> None:
    """Put «b. » before the first words of an item, unless they are a number themselves."""
    for numbered in soup("ol"):
        for item, label in _labels(numbered):
            if (first := _first_words(item)) is not None and not _is_numbered(item):
                first.replace_with(NavigableString(f"{label} {first.lstrip()}"))


def _labels(numbered: Tag) -> Iterator[tuple[Tag, str]]:
    """The items with their numbers."""
    items = numbered.find_all("li", recursive=False)
    own = _kind(numbered)
    kind = "1" if own is None else own
    step = -1 if numbered.has_attr("reversed") else 1
    number = _number(numbered, "start", len(items) if step < 0 else 1) - step
    for item in items:
        number = _number(item, "value", number + step)
        said = _kind(item)
        if shown := kind if said is None else said:
            yield item, f"{written_number(number, shown)}{item.get(ITEM_MARK, '.')}"


def _kind(tag: Tag) -> str | None:
    """What an element says of the kind of its numbers; None if nothing that is known."""
    if (style := _STYLE.search(str(tag.get("style") or ""))) is not None:
        return next((_KINDS[word] for word in style[1].lower().split() if word in _KINDS), None)
    return _KINDS.get(str(tag.get("type") or "").strip())


def _number(tag: Tag, name: str, default: int) -> int:
    value = str(tag.get(name) or "").strip()
    return int(value) if _NUMBER.fullmatch(value) else default


def _first_words(item: Tag) -> NavigableString | None:
    """The text that its number stands before; not that of an item inside it, which has its own."""
    for node in islice(item.descendants, _NEAR):
        if isinstance(node, Tag) and node.name in ("ol", "ul", "table", "pre"):
            return None
        if isinstance(node, NavigableString) and not isinstance(node, PreformattedString) and node.strip():
            return node
    return None


def _is_numbered(item: Tag) -> bool:
    nodes = islice(item.descendants, _NEAR)
    return starts_item("".join(node for node in nodes if isinstance(node, NavigableString)).lstrip())
