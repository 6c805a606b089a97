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

__all__ = ["ITEM_MARK", "counts_by_style", "write_list_numbers"]

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
_COUNTED_BY_STYLE = re.compile(r"list-style|counter-(?:increment|reset)", re.IGNORECASE)
_HAS_ITS_OWN = re.compile(
    r"art[íi]culo|art\.|cap[íi]tulo|t[íi]tulo|secci[óo]n|anexo|"
    r"\W{0,3}(?:\d{1,3}\s?(?:[)º°]|[.-]\s|\.[º°ª-]|[–—:](?!\d))|(?:([a-z])\1?|[ivxl]{2,5})[.)]\s|"
    r"(?:d[ée]cim[oa]\s)?(?:(?:prim|terc)er|segund|cuart|quint|sext|s[ée]ptim|octav|noven|d[ée]cim|[úu]nic)[oa]\s?[.:])",
    re.IGNORECASE,
)
_NEAR = 100  # nodes of an item among which its first words stand


def counts_by_style(soup: BeautifulSoup) -> bool:
    """Whether a style sheet in the page says how lists count."""
    return any(_COUNTED_BY_STYLE.search(sheet.get_text()) for sheet in soup("style"))


def write_list_numbers(soup: BeautifulSoup, *, styled: bool) -> None:
    """Put «b. » before the first words of an item, unless they are a number themselves.

    styled: a style sheet says how lists count; then only those are numbered that say it themselves as well. So it is
    with a list of a class, where a sheet that is not at hand may say it.
    """
    linked = soup.select_one('link[rel~="stylesheet" i]') is not None
    for numbered in soup("ol"):
        unsaid = styled or (linked and _has_class(numbered))
        for item, label in _labels(numbered, kind="" if unsaid else "1"):
            if (first := _first_words(item)) is not None and not _is_numbered(item):
                first.replace_with(NavigableString(f"{label} {first.lstrip()}"))


def _has_class(numbered: Tag) -> bool:
    """Whether a list, or one around it, is of a class."""
    return any(each.get("class") for each in (numbered, *numbered.find_parents(["ol", "ul"])))


def _labels(numbered: Tag, *, kind: str) -> Iterator[tuple[Tag, str]]:
    """The items with their numbers. kind: of a list that does not say its own."""
    items = numbered.find_all("li", recursive=False)
    own = _kind(numbered)
    counted = numbered.has_attr("start") or numbered.has_attr("reversed")
    kind = own if own is not None else "1" if counted else kind
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
    text = "".join(node for node in nodes if isinstance(node, NavigableString)).lstrip()
    return starts_item(text) or _HAS_ITS_OWN.match(text) is not None
