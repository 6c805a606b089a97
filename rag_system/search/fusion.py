"""From a table of scores, one row a candidate and one column a strategy, to one score each. Pure functions.

Meaning (`semantic`) and words (`lexical`) are what a recipe blends; every other column is a lift, which is added as it
stands. Cosines are spread over the candidates first, because their absolute value means little (those of e5 lie between
0.72 and 0.91). The best in meaning and words alone scores about 1, and more where something else lifts it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from rag_system.search.recipes import Fusion, Recipe

__all__ = ["coverage", "fuse", "minmax", "multiplicative", "reciprocal_rank", "weighted"]

RRF_K = 60  # Cormack, Clarke & Büttcher 2009, §3

Column = NDArray[np.float32]
Columns = Mapping[str, Column]
Weights = Mapping[str, float]  # strategy → weight; a missing one counts 0

_BLENDED = ("semantic", "lexical")


def fuse(columns: Columns, recipe: Recipe) -> Column:
    """The fused score of each row, by the recipe's fusion and weights."""
    return _FUSIONS[recipe.fusion](columns, recipe.weights)


def weighted(columns: Columns, weights: Weights) -> Column:
    """Σ weight · column, meaning and words each spread over 0…1."""
    return _blend(_changed(columns, minmax, *_BLENDED), weights)


def coverage(columns: Columns, weights: Weights) -> Column:
    """Σ weight · column, meaning spread over 0…1 and words as the share of the question that a row covers.

    The lexical column already is that share (`bm25.LexicalScores.coverage`): a question whose words hardly occur is
    left to its meaning, where min-max would make the best of a bad lot a 1.
    """
    return _blend(_changed(columns, minmax, "semantic"), weights)


def reciprocal_rank(columns: Columns, weights: Weights) -> Column:
    """Σ weight · (k + 1) / (k + rank), for what is blended; only order counts there. Lifts are added as they stand."""
    return _blend(_changed(columns, _reciprocal_ranks, *_BLENDED), weights)


def multiplicative(columns: Columns, weights: Weights) -> Column:
    """Words · (1 + α · meaning + β · graph) / (1 + α), plus the lifts: what shares no word can only be lifted.

    Words are relative to the best row, meaning is spread over 0…1; α and β are the weights of `semantic` and `graph`.
    """
    words, alpha = _part(columns, "lexical"), weights.get("semantic", 0.0)
    factor = 1 + alpha * minmax(_part(columns, "semantic")) + weights.get("graph", 0.0) * _part(columns, "graph")
    lifts = {name: column for name, column in columns.items() if name not in ("semantic", "graph")}
    product = words / max(float(words.max(initial=0)), 1e-9) * factor / (1 + alpha)
    return _sum({**lifts, "lexical": product.astype(np.float32)}, weights)


def minmax(column: Column) -> Column:
    """Spread over 0…1; a constant column becomes 0."""
    low, high = (float(column.min()), float(column.max())) if len(column) else (0.0, 0.0)
    return ((column - low) / max(high - low, 1e-9)).astype(np.float32)


_FUSIONS: Mapping[Fusion, Callable[[Columns, Weights], Column]] = {
    Fusion.WEIGHTED: weighted,
    Fusion.COVERAGE: coverage,
    Fusion.RECIPROCAL_RANK: reciprocal_rank,
    Fusion.MULTIPLICATIVE: multiplicative,
}


def _blend(columns: Columns, weights: Weights) -> Column:
    """The weighted sum, in units of what the best in meaning and words can have."""
    scale = sum(weights.get(name, 0.0) for name in _BLENDED)
    return _sum(columns, weights) / np.float32(max(scale, 1e-9))


def _sum(columns: Columns, weights: Weights) -> Column:
    total = np.zeros(len(next(iter(columns.values()))), np.float32)
    for name, column in columns.items():
        total += np.float32(weights.get(name, 0.0)) * column
    return total


def _changed(columns: Columns, change: Callable[[Column], Column], *names: str) -> Columns:
    return {name: change(column) if name in names else column for name, column in columns.items()}


def _part(columns: Columns, name: str) -> Column:
    """A column, or zeros where nobody filled it."""
    return columns.get(name, np.zeros(len(next(iter(columns.values()))), np.float32))


def _reciprocal_ranks(column: Column) -> Column:
    """(k + 1) / (k + rank): 1 for the best row. Equal rows share the best of their ranks; those that score 0 get 0."""
    ascending = np.sort(column)
    ranks = len(column) + 1 - np.searchsorted(ascending, column, side="right")
    scores = (RRF_K + 1) / (RRF_K + ranks)
    return np.where(column > 0, scores, 0).astype(np.float32)
