"""The numbers that Word counts itself («Artículo 3.-», «b)», «1.2»): no paragraph holds them, but a reader sees them.

ECMA-376 part 1, 17.9: a paragraph names a list and a level; the list's definition gives each level its start, its
kind of number and its text, where `%1` stands for the number of the first level.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from docx.oxml.ns import qn

from rag_system.ingestion.loaders.counting import written_number
from rag_system.ingestion.loaders.wordml import value_of
from rag_system.ingestion.text import whole_number

__all__ = ["Numbering"]

_PLACE = re.compile(r"%([1-9])")
_UNCOUNTED = frozenset(("bullet", "none"))
_KINDS = {  # ST_NumberFormat; the others count in figures
    "lowerLetter": "a",
    "upperLetter": "A",
    "lowerRoman": "i",
    "upperRoman": "I",
    "decimalZero": "01",
    "ordinal": "1.º",
    "ordinalText": "primero",
}


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level counts."""

    start: int = 1
    kind: str = "bullet"  # ST_NumberFormat
    text: str = ""
    figures: bool = False  # the numbers of the levels above are written in figures, however they count


class Numbering:
    """Counts through the lists of a document: ask for every numbered paragraph once, in order."""

    def __init__(self, root: Any | None) -> None:
        self._abstract: dict[str, str] = {}  # list → its definition
        self._levels: dict[str, Mapping[int, _Level]] = {}
        self._restarts: dict[str, dict[int, int]] = {}  # list → level → where it starts again
        self._counts: dict[str, dict[int, int]] = {}  # by definition: two lists of the same go on counting
        self._begun: set[tuple[str, int]] = set()
        if root is not None:
            self._read(root)

    def label(self, number_id: str, level: int) -> str:
        """The number of the next paragraph of a list («3.2», «b)»); empty for a bullet or an unknown list."""
        definition = self._abstract.get(number_id)
        levels = self._levels.get(definition or "", {})
        if definition is None or level not in levels:
            return ""
        counts = self._counts.setdefault(definition, {})
        self._restart(number_id, counts)
        counts[level] = counts.get(level, levels[level].start - 1) + 1
        for deeper in [number for number in counts if number > level]:
            del counts[deeper]
        if levels[level].kind in _UNCOUNTED:
            return ""
        figures = levels[level].figures
        return _PLACE.sub(lambda at: _number_at(int(at[1]) - 1, levels, counts, figures=figures), levels[level].text)

    def _restart(self, number_id: str, counts: dict[int, int]) -> None:
        for level, start in self._restarts.get(number_id, {}).items():
            if (number_id, level) not in self._begun:
                self._begun.add((number_id, level))
                counts[level] = start - 1

    def _read(self, root: Any) -> None:
        for definition in root.findall(qn("w:abstractNum")):
            levels = {
                whole_number(level.get(qn("w:ilvl")), 0): _read_level(level)
                for level in definition.findall(qn("w:lvl"))
            }
            self._levels[definition.get(qn("w:abstractNumId"), "")] = levels
        linked = _linked(root)
        for number in root.findall(qn("w:num")):
            identifier, used = number.get(qn("w:numId"), ""), value_of(number, "w:abstractNumId")
            used = self._abstract[identifier] = linked.get(used, used)
            for override in number.findall(qn("w:lvlOverride")):
                self._override(identifier, used, override)

    def _override(self, identifier: str, used: str, override: Any) -> None:
        level = whole_number(override.get(qn("w:ilvl")), 0)
        if start := value_of(override, "w:startOverride"):
            self._restarts.setdefault(identifier, {})[level] = whole_number(start, 0)
        if (own := override.find(qn("w:lvl"))) is not None:
            definition = f"{used}/{identifier}"
            known = self._levels.get(self._abstract[identifier], {})
            self._levels[definition] = {**known, level: _read_level(own)}
            self._abstract[identifier] = definition


def _linked(root: Any) -> Mapping[str, str]:
    """Definitions that only name the style of a list → the one that defines this style (ECMA-376 part 1, 17.9.21)."""
    definitions = root.findall(qn("w:abstractNum"))
    styles = {style: each for each in definitions if (style := value_of(each, "w:styleLink"))}
    places = ((each, styles.get(value_of(each, "w:numStyleLink"))) for each in definitions)
    key = qn("w:abstractNumId")
    return {each.get(key, ""): style.get(key, "") for each, style in places if style is not None}


def _read_level(element: Any) -> _Level:
    level = _Level(kind=value_of(element, "w:numFmt") or "decimal", text=value_of(element, "w:lvlText"))
    mark = element.find(qn("w:isLgl"))
    figures = mark is not None and mark.get(qn("w:val")) not in ("0", "false", "off")
    return replace(level, start=whole_number(value_of(element, "w:start"), 1), figures=figures)


def _number_at(level: int, levels: Mapping[int, _Level], counts: Mapping[int, int], *, figures: bool) -> str:
    known = levels.get(level, _Level(kind="decimal"))
    if known.kind in _UNCOUNTED:
        return ""
    return written_number(counts.get(level, known.start), "1" if figures else _KINDS.get(known.kind, "1"))
