"""How well each passage would answer, whatever it is about."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rag_system.search.quality import score_quality
from rag_system.search.strategies.protocol import Column, Table
from rag_system.types import QueryPlan

__all__ = ["QualityPrior"]


class QualityPrior:
    """Rules and figures over headers, formulas and navigation. Scores what others proposed; proposes nothing itself."""

    name: ClassVar[str] = "quality"
    READ = 24  # candidates, the best by the other columns: those behind are out of the prior's small reach

    def __init__(self, plan: QueryPlan, fused: Column) -> None:
        self._question = plan.standalone_question
        self._read = np.argsort(-fused, kind="stable")[: self.READ]

    def column(self, table: Table) -> Column:
        """−1…1; 0 for what was not read."""
        scores = np.zeros(len(table.chunks), np.float32)
        scores[self._read] = score_quality(self._question, [table.chunks[i] for i in self._read])
        return scores
