"""From a table of scores, one row a candidate and one column a strategy, to one score each. Pure functions.

Every column but `semantic` already lies in 0…1 or thereabouts; cosines are spread over the candidates first, because
their absolute value means little (those of e5 lie between 0.72 and 0.91).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rag_system.search.recipes import Fusion, Recipe

__all__ = ["fuse", "minmax"]

RRF_K = 60  # Cormack, Clarke & Büttcher 2009, §3

Column = NDArray[np.float32]


def fuse(columns: Mapping[str, Column], recipe: Recipe) -> Column:
    """The fused score of each row: 1 for the best in meaning and words alone, more where something else lifts it."""
    match recipe.fusion:
        case Fusion.WEIGHTED:
            counted = {name: minmax(c) if name in ("semantic", "lexical") else c for name, c in columns.items()}
        case Fusion.COVERAGE:
            counted = {name: minmax(c) if name == "semantic" else c for name, c in columns.items()}
        case Fusion.RECIPROCAL_RANK:
            counted = {name: _reciprocal_rank(c) for name, c in columns.items()}
    total = np.zeros(len(next(iter(columns.values()))), np.float32)
    for name, column in counted.items():
        total += np.float32(recipe.weights.get(name, 0.0)) * column
    scale = recipe.weights.get("semantic", 0.0) + recipe.weights.get("lexical", 0.0)
    return total / np.float32(max(scale, 1e-9))


def minmax(column: Column) -> Column:
    """Spread over 0…1; a constant column becomes 0."""
    low, high = (float(column.min()), float(column.max())) if len(column) else (0.0, 0.0)
    return ((column - low) / max(high - low, 1e-9)).astype(np.float32)


def _reciprocal_rank(column: Column) -> Column:
    """(k + 1) / (k + rank): 1 for the best row; rows that score 0 get 0."""
    ranks = np.empty(len(column), np.float32)
    ranks[np.argsort(-column, kind="stable")] = np.arange(1, len(column) + 1, dtype=np.float32)
    scores = np.float32(RRF_K + 1) / (RRF_K + ranks)
    return np.where(column > 0, scores, np.float32(0))
