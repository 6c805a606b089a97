"""An author and a year that stand together: in the sentence that cites a work, and in the work's bibliography entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import numpy as np

from rag_system.query.text import fold
from rag_system.search.table import Column, Row, Table
from rag_system.types import QueryPlan

__all__ = ["CitationCue"]

BIBLIOGRAPHY = re.compile(r"\b(?:referencias|bibliografi|fuentes? (?:consultad|bibliografic)|obras citadas)")
YEAR = r"\b(?:1[5-9]|20)\d\d[a-z]?\b"
ENTRY = r"^\W*{author}[^\n(]{{0,80}}[(,.]\s*(?:{years})"  # opens a line: «Arias, J. y Covinos, M. (2020). Proyecto…»


class CitationCue:
    """Author and year standing together in a chunk. Scores what others proposed; proposes nothing itself."""

    name: ClassVar[str] = "citation"
    GAP = 60  # characters between the author and the year, at most: «Arias, J., Pérez, M. y Soto, L. (2020)»

    def __init__(self, plan: QueryPlan) -> None:
        years = "|".join(str(year) for year in plan.years)
        authors = [re.escape(fold(author)) for author in plan.authors if years]
        together = rf"(?:(?!{YEAR}).){{0,{self.GAP}}}(?:{YEAR}[,;y\s]+)*(?:{years})"  # no other work in between
        self._together = [re.compile(rf"\b{author}\b{together}", re.DOTALL) for author in authors]
        self._entry = [re.compile(ENTRY.format(author=a, years=years), re.MULTILINE) for a in authors]

    def column(self, table: Table) -> Column:
        """The share of the authors who stand with a year, 0…1."""
        return np.array([self._share(fold(text)) for text in table.texts], np.float32)

    def both_sides(self, ranked: Iterable[Row], table: Table) -> Iterator[Row]:
        """The best bibliography entry and the best sentence that cites: who asks for a work wants to see both."""
        texts = {row: fold(table.texts[row]) for row in ranked}
        citing = [row for row, text in texts.items() if self._share(text)]
        for wanted in (True, False):
            yield from [row for row in citing if self._is_entry(texts[row], table.heading_paths[row]) is wanted][:1]

    def _share(self, text: str) -> float:
        return sum(bool(pattern.search(text)) for pattern in self._together) / max(len(self._together), 1)

    def _is_entry(self, text: str, heading_path: Sequence[str]) -> bool:
        in_bibliography = BIBLIOGRAPHY.search(fold(" › ".join(heading_path))) is not None
        return in_bibliography or any(pattern.search(text) for pattern in self._entry)
