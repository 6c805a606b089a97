"""How a number of a list is written: «3», «c», «III», «03», «Tercero»."""

from __future__ import annotations

__all__ = ["written_number"]

_ROMAN = tuple(
    zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split(), strict=True)
)
_MAX_ROMAN = 4_000
_ORDINALS = "primero segundo tercero cuarto quinto sexto séptimo octavo noveno".split()
_TENTHS = "décimo vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo septuagésimo octogésimo nonagésimo".split()
_MAX_WORDS = 99  # more is written in figures


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
