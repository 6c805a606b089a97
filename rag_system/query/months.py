"""The months in Spanish, as texts write them: one list for whoever reads a date."""

from __future__ import annotations

from datetime import date

__all__ = ["MONTHS", "MONTH_PATTERN", "in_words"]

MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
MONTH_PATTERN = rf"(?:{'|'.join(MONTHS)}|setiembre)"  # of a regular expression that ignores case; Peru drops the «p»


def in_words(day: date) -> str:
    """A day as people write it.

    >>> in_words(date(2023, 2, 4))
    '4 de febrero de 2023'
    """
    return f"{day.day} de {MONTHS[day.month - 1]} de {day.year}"
