"""An author and a year that stand together."""

from __future__ import annotations

import re
from typing import ClassVar

import numpy as np

from rag_system.query.text import fold
from rag_system.search.strategies.protocol import Column, Table
from rag_system.types import QueryPlan

__all__ = ["CitationCue"]


class CitationCue:
    """Author and year standing together in a chunk. Scores what others proposed; proposes nothing itself."""

    name: ClassVar[str] = "citation"
    GAP = 60  # characters between the author and the year, at most: «Arias, J., Pérez, M. y Soto, L. (2020)»

    def __init__(self, plan: QueryPlan) -> None:
        years = "|".join(str(year) for year in plan.years)
        authors = [re.escape(fold(author)) for author in plan.authors]
        self._pattern = [re.compile(rf"\b{a}\b.{{0,{self.GAP}}}?\b(?:{years})", re.DOTALL) for a in authors if years]

    def column(self, table: Table) -> Column:
        if not self._pattern:
            return np.zeros(len(table.chunks), np.float32)
        texts = [fold(chunk.text) for chunk in table.chunks]
        shares = [sum(bool(p.search(text)) for p in self._pattern) / len(self._pattern) for text in texts]
        return np.array(shares, np.float32)
