"""An author and a year that stand together: in the sentence that cites a work, and in the work's bibliography entry."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from rag_system.query.text import fold
from rag_system.search.strategies.protocol import Column, Table
from rag_system.types import Candidate, Chunk, QueryPlan

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
        return np.array([self._share(chunk) for chunk in table.chunks], np.float32)

    def both_sides(self, ranked: Sequence[Candidate]) -> Iterator[Candidate]:
        """The best bibliography entry and the best sentence that cites: who asks for a work wants to see both."""
        citing = [candidate for candidate in ranked if self._share(candidate.chunk)]
        for wanted in (True, False):
            yield from [candidate for candidate in citing if self._is_entry(candidate.chunk) is wanted][:1]

    def _share(self, chunk: Chunk) -> float:
        text = fold(chunk.text)
        return sum(bool(pattern.search(text)) for pattern in self._together) / max(len(self._together), 1)

    def _is_entry(self, chunk: Chunk) -> bool:
        text = fold(chunk.text)
        in_bibliography = BIBLIOGRAPHY.search(fold(chunk.section)) is not None
        return in_bibliography or any(pattern.search(text) for pattern in self._entry)
