"""The numbers that an OpenDocument text counts itself, of headings («2.1») and lists («b)»): no paragraph holds them.

OpenDocument 1.3 part 3, 16.30 to 16.34: a level says its kind of number, what stands around it, and how many of the
levels above it shows. A list counts anew unless it says that it goes on with another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from rag_system.ingestion.loaders.counting import Counts, Level, next_label
from rag_system.ingestion.loaders.odf import name
from rag_system.ingestion.text import whole_number

__all__ = ["OdfNumbers"]

_OUTLINE = ""  # the name of the style that headings count in


class OdfNumbers:
    """Counts through a document: ask once for every heading, list and item, in order."""

    def __init__(self, roots: Iterable[Any]) -> None:
        self._levels: dict[str, dict[int, Level]] = defaultdict(dict)  # by style
        for style in (
            each for root in roots for each in root.iter(name("text:list-style"), name("text:outline-style"))
        ):
            self._read(style)
        self._outline: Counts = {}
        self._lists: dict[str, Counts] = {}  # by identifier
        self._last: dict[str, Counts] = {}  # by style

    def counts(self, element: Any, style: str) -> Counts:
        """What a list has counted so far: nothing, unless it goes on with an earlier one."""
        if (followed := element.get(name("text:continue-list"))) is not None:
            counts = self._lists.get(followed, {})
        else:
            goes_on = element.get(name("text:continue-numbering")) == "true"
            counts = self._last.get(style, {}) if goes_on else {}
        self._lists[element.get(name("xml:id"), "")] = self._last[style] = counts
        return counts

    def heading(self, element: Any, level: int) -> str:
        """The number of a heading; empty where headings of its level have none."""
        if element.get(name("text:is-list-header")) == "true":
            return ""
        return self.item(_OUTLINE, level, self._outline, element.get(name("text:start-value"), ""))

    def item(self, style: str, level: int, counts: Counts, start: str) -> str:
        """The number of an item, empty for a bullet. start: the one that it says itself, if it does (19.874)."""
        levels = self._levels[style]
        said = whole_number(start, -1)
        return next_label(level, levels, counts, start=None if said < 0 else said) if level in levels else ""

    def _read(self, style: Any) -> None:
        outline = style.tag == name("text:outline-style")
        levels = self._levels[_OUTLINE if outline else style.get(name("style:name"), "")]
        for each in style.iterchildren(name("text:list-level-style-number"), name("text:outline-level-style")):
            if kind := each.get(name("style:num-format"), ""):
                level = whole_number(each.get(name("text:level")), 1)
                first = max(1, level - whole_number(each.get(name("text:display-levels")), 1) + 1)
                shown = ".".join(f"%{above}" for above in range(first, level + 1) if above == level or above in levels)
                text = f"{each.get(name('style:num-prefix'), '')}{shown}{each.get(name('style:num-suffix'), '')}"
                levels[level] = Level(text, kind, whole_number(each.get(name("text:start-value")), 1))
