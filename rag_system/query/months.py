"""The months in Spanish, as texts write them: one list for whoever reads a date."""

from __future__ import annotations

__all__ = ["MONTHS", "MONTH_PATTERN"]

MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
MONTH_PATTERN = rf"(?:{'|'.join(MONTHS)}|setiembre)"  # of a regular expression that ignores case; Peru drops the «p»
