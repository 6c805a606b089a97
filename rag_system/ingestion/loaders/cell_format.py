"""A cell's value as the sheet shows it: dates in Spanish order, percentages, decimals and currency of its format.

Number formats are written in the notation of ECMA-376 part 1, 18.8.31. What most sheets use is read: sections for
negative numbers and zero, decimals, thousands, percentages, quoted text and currency. Thousands are separated by a
comma and decimals by a point, as the format itself is written and as Peru, Mexico and Central America write them.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta

from rag_system.ingestion.text import clean_line

__all__ = ["shown"]

_GENERAL_DIGITS = 11  # significant digits that a general cell shows
_BRACKET = re.compile(r"\[(?:\$([^\]-]*)(?:-[^\]]*)?|[^\]]*)\]")  # [$S/-280A], [Red], [>100]
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.')  # quoted, escaped, a space as wide as …, filled with …
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.[0#?]+)?,*|\.[0#?]+")
_NOT_READ = re.compile(  # a general format, fractions, scientific notation
    r"^\s*(?:general|standard|@)?\s*$|e[+-]|#\s*\?|/\s*[?0-9]", re.IGNORECASE
)
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


def _number(value: float, number_format: str) -> str:
    if _NOT_READ.search(number_format):
        return _general(value)
    sections = number_format.split(";")
    if len(sections) > 2 and value == 0:
        return _filled(sections[2], 0)
    if len(sections) > 1 and value < 0:
        return _filled(sections[1], -value)
    return ("-" if value < 0 else "") + _filled(sections[0], abs(value))


def _general(value: float) -> str:
    whole = (isinstance(value, int) or value.is_integer()) and abs(value) < 10**15
    return str(int(value)) if whole else f"{value:.{_GENERAL_DIGITS}g}"


def _filled(section: str, value: float) -> str:
    """A number as a section of a format writes it, with the words around it."""
    code = _BRACKET.sub(lambda match: f'"{match[1]}"' if match[1] else "", section)
    bare = _LITERAL.sub(lambda match: "\0" * len(match[0]), code)
    found = _DIGITS.search(bare)
    if found is None:
        return clean_line(_literal(code))
    pattern = found[0].rstrip(",")
    whole, _, decimals = pattern.partition(".")
    scale = 1000 ** (len(found[0]) - len(pattern)) / (100 if "%" in bare else 1)  # a comma at the end: thousands
    number = f"{value / scale:{',' if ',' in whole else ''}.{len(decimals)}f}"
    least = len(number) - len(decimals) + len(decimals.rstrip("#?"))  # what a final zero is not shown of
    number = number[:least] + number[least:].rstrip("0") if decimals else number
    if "," not in whole:
        front, point, back = number.partition(".")
        number = front.zfill(whole.count("0")) + point + back
    start, end = found.span()
    return clean_line(f"{_literal(code[:start])}{number.rstrip('.')}{_literal(code[end:])}")


def _literal(code: str) -> str:
    return _LITERAL.sub(lambda match: match[1] or match[2] or " ", code)
