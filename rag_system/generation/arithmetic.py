"""Figures that an answer computes from those of its sources: «24 horas» is «un día», and 30 and 50 are 80 in all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, combinations

from rag_system.generation.figures import Figure
from rag_system.query.text import fold

__all__ = ["is_computed", "is_converted"]

# What a unit measures, and how much of its smallest it is.
_MEASURES: dict[str, tuple[str, float]] = {
    "%": ("share", 1),
    "fraction": ("share", 100),
    "segundo": ("time", 1),
    "minuto": ("time", 60),
    "hora": ("time", 3_600),
    "dia": ("time", 86_400),
    "semana": ("time", 7 * 86_400),
    "mes": ("months", 1),
    "año": ("months", 12),
    "milimetro": ("length", 1),
    "centimetro": ("length", 10),
    "metro": ("length", 1_000),
    "kilometro": ("length", 1_000_000),
    "mililitro": ("volume", 1),
    "litro": ("volume", 1_000),
    "gramo": ("weight", 1),
    "kilo": ("weight", 1_000),
    "tonelada": ("weight", 1_000_000),
}
_DAY, _DAYS_OF_A_MONTH, _DAYS_OF_A_YEAR = 86_400, 30, 365
# What announces that something was computed: a result, an example, a comparison, or the sum itself.
_COMPUTES = re.compile(
    r"\b(?:en total|en conjunto|total(?:es)?|es decir|o sea|esto es|equival\w+|suma\w*|diferencia|rest[ao]\w*|otr[oa]s?"
    r"|por (?:lo )?tanto|asi que|de modo que|de manera que|por lo que|por ejemplo|promedio|unos|unas|juntos|entre ambos"
    r"|apenas|mas que|menos que|contando|doble|mitad|triple|\w+rian|(?:ser|habr|tendr|deb|pod|har|quedar|saldr)ia"
    r"|si)\b|[—–]|\((?!\d+\))"
)
_SHOWN = re.compile(r"[+×=÷*]|\d\s?x\s?\d")
_EXAMPLE = re.compile(r"\b(?:por ejemplo|p\. ?ej|supong\w+|imagin\w+)\b")
_MONTHS = 12.0  # what is paid monthly is computed for a year
_MOST_TERMS = 12
_ROUNDED = 0.005  # share that rounding changes, at most


def is_converted(figure: Figure, stated: Iterable[Figure]) -> bool:
    """Whether one of the figures stated is the same in another unit."""
    return any(_same(figure, _measured(figure), _measured(other)) for other in stated if other.unit != figure.unit)


def is_computed(figure: Figure, text: str, own: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether a figure is an example, the count of what follows, or comes of others where the text computes.

    `own`: the figures of the text; `others`: those that it may have been computed from besides.
    """
    value = _value(figure)
    if _EXAMPLE.search(fold(text[: figure.start])):
        return True
    if value is None:
        return False
    if (value and value == _count(text[figure.end :])) or _is_sum_beside(value, figure, own):
        return True
    if not _COMPUTES.search(fold(text[: figure.end + 12])) and not _SHOWN.search(text):
        return False
    terms = [each for each in (*others, *own) if each is not figure and _value(each) is not None]
    kind = _MEASURES.get(figure.unit, ("", 0.0))[0]
    numbers = [(_scaled(each, kind), each.unit == "%") for each in terms]
    numbers += [(_MONTHS, False)] if re.search(r"\baños?\b|\banual", fold(text)) else []
    numbers += [(100.0, False)] if figure.unit == "%" else []  # the rest of it
    return any(_near(figure, _scaled(figure, kind), result) for result in _results(numbers))


def _count(rest: str) -> int:
    """How many are listed after the colon that follows: «tres días: el lunes, el martes y el jueves»."""
    listed = rest.partition(":")[2].partition(".")[0]
    return len(re.split(r",\s|;\s|\s(?:y|e|o)\s", listed)) if listed.strip() else 0


def _is_sum_beside(value: float, figure: Figure, own: Sequence[Figure]) -> bool:
    """Whether it is the sum of all that the text names after it."""
    after = [each for each in map(_value, (term for term in own if 0 < term.start - figure.start < 160)) if each]
    return any(total == value for total in list(accumulate(after))[1:])


def _results(numbers: Sequence[tuple[float, bool]]) -> Iterator[float]:
    """What two numbers make, each with whether it is a percentage; what one makes alone; and sums in a row."""
    for (one, is_share), (other, is_other) in combinations(dict.fromkeys(numbers), 2):
        yield from (one + other, abs(one - other), one * other)
        if is_share or is_other:
            share, whole = (one, other) if is_share else (other, one)
            yield from (whole * share / 100, whole * (100 - share) / 100)
        yield from (larger / smaller for larger, smaller in ((one, other), (other, one)) if smaller)
    values = [value for value, _ in numbers]
    yield from (result for each in dict.fromkeys(values) for result in (each * each, 2 * each, each / 2))
    for start in range(len(values)):
        for total in list(accumulate(values[start : start + _MOST_TERMS]))[1:]:
            yield from (total, 2 * values[start] - total)  # «151, de los que 33 y 22 no»: the first without the others


def _scaled(figure: Figure, kind: str) -> float:
    """In the smallest unit of a kind, where it is of that kind."""
    own, scale = _MEASURES.get(figure.unit, ("", 0.0))
    return (_value(figure) or 0.0) * (scale if kind and own == kind else 1.0)


def _value(figure: Figure) -> float | None:
    try:
        return float(figure.value)
    except ValueError:
        hour, _, minute = figure.value.partition(":")
        return int(hour) + int(minute) / 60 if figure.unit == "hour" else None


def _measured(figure: Figure) -> tuple[str, float] | None:
    kind, scale = _MEASURES.get(figure.unit, ("", 0.0))
    value = _value(figure)
    return (kind, value * scale) if kind and value is not None else None


def _same(figure: Figure, one: tuple[str, float] | None, other: tuple[str, float] | None) -> bool:
    if one is None or other is None:
        return False
    kinds = {one[0]: one[1], other[0]: other[1]}
    if kinds.keys() == {"time", "months"}:
        days, months = kinds["time"] / _DAY, kinds["months"]
        by_month, by_year = (months * _DAYS_OF_A_MONTH, days), (months / _MONTHS, days / _DAYS_OF_A_YEAR)
        return _near(figure, *by_month) or _near(figure, *by_year)
    return one[0] == other[0] and _near(figure, one[1], other[1])


def _near(figure: Figure, one: float, other: float) -> bool:
    """The same but for rounding, which leaves half of the figure's last digit open and half a percent at most.

    717 hours are no 30 days.
    """
    last_digit = 10.0 ** -len(figure.value.partition(".")[2])
    share = min(_ROUNDED, 0.5 * last_digit / max(_value(figure) or 0.0, last_digit))
    return abs(one - other) <= max(share * abs(other), 1e-9)
