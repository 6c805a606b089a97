"""A cell's value as the sheet shows it: dates in Spanish order, percentages, decimals and currency of its format.

Number formats are written in the notation of ECMA-376 part 1, 18.8.31. What most sheets use is read: sections for
negative numbers and zero, decimals, thousands, percentages, quoted text and currency. Thousands are separated by a
comma and decimals by a point, as the format itself is written and as Peru, Mexico and Central America write them.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple

from rag_system.ingestion.text import clean_line

__all__ = ["shown"]

_GENERAL_DIGITS = 11  # significant digits that a general cell shows
_BRACKET = re.compile(r"\[(?:\$([^\]-]*)(?:-[^\]]*)?|[^\]]*)\]")  # [$S/-280A], [Red], [>100]
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')  # quoted, escaped, a space as wide as …, filled with …
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.[0#?]+)?,*|\.[0#?]+")
_SECOND = re.compile(r"s(?![^\[]*\])", re.IGNORECASE)


def shown(value: object, number_format: str) -> str:
    """What a person reads in the cell, on one line; empty for an empty cell."""
    match value:
        case None:
            return ""
        case bool():
            return "VERDADERO" if value else "FALSO"
        case datetime() | date() | time():
            return _moment(value, number_format)
        case timedelta():
            return _duration(value)
        case int() | float():
            return _number(value, number_format)
        case _:
            return clean_line(str(value))


def _moment(value: datetime | date | time, number_format: str) -> str:
    """«31/03/2026», «31/03/2026 14:30» or «14:30»; seconds where the format shows them."""
    clock = "%H:%M:%S" if _SECOND.search(number_format) else "%H:%M"
    if isinstance(value, time):
        return value.strftime(clock)
    day = f"{value.day:02d}/{value.month:02d}/{value.year:04d}"
    timed = isinstance(value, datetime) and (value.hour or value.minute or value.second)
    return f"{day} {value.strftime(clock)}" if timed else day


def _duration(value: timedelta) -> str:
    seconds = round(value.total_seconds())
    sign, seconds = ("-", -seconds) if seconds < 0 else ("", seconds)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{sign}{hours}:{minutes:02d}" + (f":{seconds:02d}" if seconds else "")


class _Section(NamedTuple):
    """One section of a number format."""

    before: str
    after: str
    decimals: int
    optional: int  # of the decimals, those that a final zero does not show (`#`)
    width: int  # digits at least, before the point
    grouped: bool
    percent: bool
    scale: int  # a comma at the end divides by a thousand
    has_digits: bool


def _number(value: float, number_format: str) -> str:
    sections = _sections(number_format)
    if sections is None:
        return _general(value)
    if len(sections) > 2 and value == 0:
        return _filled(sections[2], 0)
    if len(sections) > 1 and value < 0:
        return _filled(sections[1], -value)
    sign = "-" if value < 0 else ""
    return sign + _filled(sections[0], abs(value))


def _general(value: float) -> str:
    if isinstance(value, int) or value.is_integer():
        return str(int(value)) if abs(value) < 10**15 else f"{value:.{_GENERAL_DIGITS}g}"
    return f"{value:.{_GENERAL_DIGITS}g}"


@lru_cache(maxsize=512)
def _sections(number_format: str) -> tuple[_Section, ...] | None:
    """None for a general format, and for what is not understood (fractions, scientific notation)."""
    lowered = number_format.strip().lower()
    if lowered in ("", "general", "standard", "@") or re.search(r"e[+-]|#\s*\?|/\s*[?0-9]", lowered):
        return None
    return tuple(_section(part) for part in number_format.split(";"))


def _section(code: str) -> _Section:
    code = _BRACKET.sub(lambda match: f'"{match.group(1)}"' if match.group(1) else "", code)
    bare = _LITERAL.sub(lambda match: "\0" * len(match.group(0)), code)
    digits = _DIGITS.search(bare)
    start, end = digits.span() if digits else (len(code), len(code))
    pattern = digits.group() if digits else ""
    whole, _, decimals = pattern.rstrip(",").partition(".")
    return _Section(
        before=_literal(code[:start]),
        after=_literal(code[end:]),
        decimals=len(decimals),
        optional=len(decimals) - len(decimals.rstrip("#?")),
        width=whole.count("0"),
        grouped="," in whole,
        percent="%" in bare,
        scale=len(pattern) - len(pattern.rstrip(",")),
        has_digits=bool(digits),
    )


def _literal(code: str) -> str:
    text = _LITERAL.sub(lambda match: match.group(1) or match.group(2) or " ", code)
    return re.sub(r"\s+", " ", text)


def _filled(section: _Section, value: float) -> str:
    if not section.has_digits:
        return clean_line(section.before + section.after)
    amount = value * (100 if section.percent else 1) / 1000**section.scale
    text = f"{amount:{',' if section.grouped else ''}.{section.decimals}f}"
    if section.optional:
        whole, _, decimals = text.partition(".")
        required = section.decimals - section.optional
        decimals = decimals[:required] + decimals[required:].rstrip("0")
        text = f"{whole}.{decimals}" if decimals else whole
    if not section.grouped:
        whole, point, decimals = text.partition(".")
        text = whole.zfill(section.width) + point + decimals
    return clean_line(section.before + text + section.after)
