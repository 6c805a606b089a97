"""The numbers that Word counts itself («Artículo 3.-», «b)», «1.2»): no paragraph holds them, but a reader sees them.

ECMA-376 part 1, 17.9: a paragraph names a list and a level; the list's definition gives each level its start, its
kind of number and its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag_system.ingestion.loaders.counting import Counts, Level, next_label
from rag_system.ingestion.loaders.docx_styles import W, value_of
from rag_system.ingestion.text import whole_number

__all__ = ["Numbering"]

_KINDS = {  # ST_NumberFormat; the others count in figures
    "bullet": "",
    "none": "",
    "lowerLetter": "a",
    "upperLetter": "A",
    "lowerRoman": "i",
    "upperRoman": "I",
    "decimalZero": "01",
    "ordinal": "1.º",
    "ordinalText": "primero",
}


class Numbering:
    """Counts through the lists of a document: ask for every numbered paragraph once, in order. Levels count from 0."""

    def __init__(self, root: Any | None) -> None:
        self._definitions: dict[str, str] = {}  # list → its definition
        self._levels: dict[str, Mapping[int, Level]] = {}
        self._restarts: dict[str, dict[int, int]] = {}  # list → level → where it starts again
        self._counts: dict[str, Counts] = {}  # by definition: two lists of the same go on counting
        if root is not None:
            self._read(root)

    def label(self, number_id: str, level: int) -> str:
        """The number of the next paragraph of a list («3.2», «b)»); empty for a bullet or an unknown list."""
        definition = self._definitions.get(number_id, "")
        levels = self._levels.get(definition, {})
        if level + 1 not in levels:
            return ""
        counts = self._counts.setdefault(definition, {})
        counts.update({each: start - 1 for each, start in self._restarts.pop(number_id, {}).items()})
        return next_label(level + 1, levels, counts)

    def _read(self, root: Any) -> None:
        for definition in root.findall(f"{W}abstractNum"):
            levels = dict(map(_read_level, definition.findall(f"{W}lvl")))
            self._levels[definition.get(f"{W}abstractNumId", "")] = levels
        linked = _linked(root)
        for number in root.findall(f"{W}num"):
            identifier, used = number.get(f"{W}numId", ""), value_of(number, "abstractNumId")
            used = self._definitions[identifier] = linked.get(used, used)
            for override in number.findall(f"{W}lvlOverride"):
                self._override(identifier, used, override)

    def _override(self, identifier: str, used: str, override: Any) -> None:
        level = whole_number(override.get(f"{W}ilvl"), 0) + 1
        if start := value_of(override, "startOverride"):
            self._restarts.setdefault(identifier, {})[level] = whole_number(start, 0)
        if (own := override.find(f"{W}lvl")) is not None:
            definition = f"{used}/{identifier}"
            known = self._levels.get(self._definitions[identifier], {})
            self._levels[definition] = {**known, level: _read_level(own)[1]}
            self._definitions[identifier] = definition


def _linked(root: Any) -> Mapping[str, str]:
    """Definitions that only name the style of a list → the one that defines this style (ECMA-376 part 1, 17.9.21)."""
    definitions = root.findall(f"{W}abstractNum")
    styles = {style: each for each in definitions if (style := value_of(each, "styleLink"))}
    places = ((each, styles.get(value_of(each, "numStyleLink"))) for each in definitions)
    key = f"{W}abstractNumId"
    return {each.get(key, ""): style.get(key, "") for each, style in places if style is not None}


def _read_level(element: Any) -> tuple[int, Level]:
    mark = element.find(f"{W}isLgl")
    return whole_number(element.get(f"{W}ilvl"), 0) + 1, Level(
        text=value_of(element, "lvlText"),
        kind=_KINDS.get(value_of(element, "numFmt"), "1"),
        start=whole_number(value_of(element, "start"), 1),
        figures=mark is not None and mark.get(f"{W}val") not in ("0", "false", "off"),
    )
