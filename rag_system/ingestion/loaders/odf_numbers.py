"""The numbers that an OpenDocument text counts itself, of headings («2.1») and lists («b)»): no paragraph holds them.

OpenDocument 1.3 part 3, 16.30 to 16.34: a level says its kind of number, what stands around it, and how many of the
levels above it shows. A list counts anew unless it says that it goes on with another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rag_system.ingestion.loaders.counting import written_number
from rag_system.ingestion.loaders.odf import name
from rag_system.ingestion.text import whole_number

__all__ = ["Counts", "OdfNumbers"]

_OUTLINE = ""  # the name of the style that headings count in
Counts = dict[int, int]  # level → its last number


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level counts."""

    kind: str
    before: str
    after: str
    start: int
    shown: int  # levels of which it shows the number: itself, and those above


class OdfNumbers:
    """Counts through a document: ask once for every heading, list and item, in order."""

    def __init__(self, roots: Iterable[Any]) -> None:
        self._levels: Mapping[tuple[str, int], _Level] = {key: level for root in roots for key, level in _levels(root)}
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
        if element.get(name("text:is-list-header")) == "true" or (_OUTLINE, level) not in self._levels:
            return ""
        return self.item(_OUTLINE, level, self._outline, element.get(name("text:start-value"), ""))

    def item(self, style: str, level: int, counts: Counts, start: str) -> str:
        """The number of an item, empty for a bullet. start: the one that it says itself, if it does (19.874)."""
        if (known := self._levels.get((style, level))) is None:
            return ""
        following = counts.get(level, known.start - 1) + 1
        counts[level] = whole_number(start, following)
        for deeper in [each for each in counts if each > level]:
            del counts[deeper]
        shown = range(max(1, level - known.shown + 1), level + 1)
        levels = [(each, self._levels[style, each]) for each in shown if (style, each) in self._levels]
        numbers = (written_number(counts.get(each, how.start), how.kind) for each, how in levels)
        return f"{known.before}{'.'.join(numbers)}{known.after}".strip()


def _levels(root: Any) -> Iterator[tuple[tuple[str, int], _Level]]:
    for style in root.iter(name("text:list-style"), name("text:outline-style")):
        outline = style.tag == name("text:outline-style")
        key = _OUTLINE if outline else style.get(name("style:name"), "")
        for level in style.iterchildren(name("text:list-level-style-number"), name("text:outline-level-style")):
            if kind := level.get(name("style:num-format"), ""):
                yield (
                    (key, whole_number(level.get(name("text:level")), 1)),
                    _Level(
                        kind=kind,
                        before=level.get(name("style:num-prefix"), ""),
                        after=level.get(name("style:num-suffix"), ""),
                        start=whole_number(level.get(name("text:start-value")), 1),
                        shown=whole_number(level.get(name("text:display-levels")), 1),
                    ),
                )
