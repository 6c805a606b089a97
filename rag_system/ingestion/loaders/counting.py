"""The numbers of lists that an office document counts itself, and how they are written: «3», «c», «III», «Tercero»."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Counts", "Level", "next_label", "written_number"]

Counts = dict[int, int]  # level from 1 → its last number

_ROMAN = tuple(
    zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split(), strict=True)
)
_MAX_ROMAN = 4_000
_ORDINALS = "primero segundo tercero cuarto quinto sexto séptimo octavo noveno".split()
_TENTHS = "décimo vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo septuagésimo octogésimo nonagésimo".split()
_MAX_WORDS = 99  # more is written in figures
_PLACE = re.compile(r"%(10|[1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """How a level of a list counts."""

    text: str = ""  # «Artículo %1.-»: `%1` stands for the number of the first level
    kind: str = "1"  # as `written_number` takes it; empty where it shows no number
    start: int = 1
    figures: bool = False  # the levels above are written in figures, however they count


def next_label(level: int, levels: Mapping[int, Level], counts: Counts, *, start: int | None = None) -> str:
    """Count an item, and write what stands before it: «3.2», «b)»; nothing where it shows no number.

    start: the number that the item says itself, if it does.
    """
    known = levels[level]
    counts[level] = counts.get(level, known.start - 1) + 1 if start is None else start
    for deeper in [each for each in counts if each > level]:
        del counts[deeper]

    def number(place: re.Match[str]) -> str:
        at = int(place[1]) if int(place[1]) in levels else int(place[1][0])  # where there are nine, «%10» is 10, 20, 30
        how, after = levels.get(at, Level()), place[1].removeprefix(str(at))
        own = written_number(counts.get(at, how.start), "1" if known.figures else how.kind) if how.kind else ""
        return own + after

    return _PLACE.sub(number, known.text).strip() if known.kind else ""


def written_number(number: int, kind: str) -> str:
    """`kind` is «1», «01», «a», «A», «i», «I», «1.º» or «primero»; anything else counts in figures."""
    match kind:
        case "a" | "A":
            letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 % 10 + 1) if number > 0 else str(number)
            return letters if kind == "a" else letters.upper()
        case "i" | "I":
            return _roman(number) if kind == "I" else _roman(number).lower()
        case "01":
            return f"{number:02d}"
        case "1.º":
            return f"{number}.º"
        case "primero" if 0 < number <= _MAX_WORDS:
            return _ordinal(number).capitalize()
        case _:
            return str(number)


def _ordinal(number: int) -> str:
    """As norms in Spanish number their articles: «décimo primero», not «undécimo»."""
    tens, units = divmod(number, 10)
    words = [_TENTHS[tens - 1]] if tens else []
    return " ".join([*words, _ORDINALS[units - 1]] if units else words)


def _roman(number: int) -> str:
    if not 0 < number < _MAX_ROMAN:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        text += letters * times
    return text
