"""From a table of scores to one score each: known sums, and what must hold for any table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rag_system.search.fusion import coverage, fuse, minmax, multiplicative, reciprocal_rank, weighted
from rag_system.search.recipes import RECIPES, Fusion, Recipe

Column = NDArray[np.float32]
Fuse = Callable[[Mapping[str, Column], Mapping[str, float]], Column]


def column(*values: float) -> Column:
    return np.array(values, np.float32)


def test_minmax_spreads_over_zero_to_one() -> None:
    assert minmax(column(0.8, 0.85, 0.9)).tolist() == pytest.approx([0, 0.5, 1], abs=1e-5)
    assert minmax(column(0.8, 0.8)).tolist() == [0, 0]
    assert minmax(column()).tolist() == []


COLUMNS = {"semantic": column(0.9, 0.8), "lexical": column(0, 2), "metadata": column(0, 1), "graph": column(1, 0)}
WEIGHTS = {"semantic": 3.0, "lexical": 1.0, "metadata": 0.4}

KNOWN = [
    # (3 · 1 + 1 · 0 + 0.4 · 0) / 4, (3 · 0 + 1 · 1 + 0.4 · 1) / 4
    (weighted, WEIGHTS, [0.75, 0.35]),
    # (3 · 1 + 1 · 0) / 4, (3 · 0 + 1 · 2 + 0.4 · 1) / 4
    (coverage, WEIGHTS, [0.75, 0.6]),
    # (3 · 61/61 + 1 · 0) / 4, (3 · 61/62 + 1 · 61/61 + 0.4 · 1) / 4
    (reciprocal_rank, WEIGHTS, [0.75, (3 * 61 / 62 + 1.4) / 4]),
    # 0/2 · (1 + 3 · 1) / 4, 2/2 · (1 + 3 · 0) / 4 + 0.4 · 1
    (multiplicative, WEIGHTS, [0, 0.65]),
    # a graph lifts: (3 + 2 · 1) / 4 in a sum, nothing in a product with no words
    (weighted, {**WEIGHTS, "graph": 2.0}, [1.25, 0.35]),
    (multiplicative, {**WEIGHTS, "graph": 2.0}, [0, 0.65]),
]


@pytest.mark.parametrize(("fusion", "weights", "expected"), KNOWN)
def test_known_sums(fusion: Fuse, weights: dict[str, float], expected: list[float]) -> None:
    assert fusion(COLUMNS, weights).tolist() == pytest.approx(expected)


def test_a_product_grows_with_the_graph() -> None:
    table = {"lexical": column(1, 1), "semantic": column(0.9, 0.8), "graph": column(0, 1)}
    # 1 · (1 + 3 · 1 + 0) / 4, 1 · (1 + 3 · 0 + 2 · 1) / 4
    assert multiplicative(table, {**WEIGHTS, "graph": 2.0}).tolist() == pytest.approx([1, 0.75])


def test_equal_rows_share_a_rank() -> None:
    fused = reciprocal_rank({"lexical": column(3, 1, 3, 2)}, {"lexical": 1.0})
    assert fused.tolist() == pytest.approx([1, 61 / 64, 1, 61 / 63])


def test_a_recipe_names_its_fusion() -> None:
    functions = {
        Fusion.WEIGHTED: weighted,
        Fusion.COVERAGE: coverage,
        Fusion.RECIPROCAL_RANK: reciprocal_rank,
        Fusion.MULTIPLICATIVE: multiplicative,
    }
    for kind in Fusion:
        recipe = Recipe(name="r", fusion=kind, weights=WEIGHTS)
        assert fuse(COLUMNS, recipe).tolist() == functions[kind](COLUMNS, WEIGHTS).tolist()


# ---------------------------------------------------------------- what holds for any table

NAMES = ("semantic", "lexical", "metadata", "article", "graph")
# Scores with few digits, so that two of them differ by more than float32 can lose.
SCORES = st.integers(0, 100).map(lambda hundredths: hundredths / 100)
Table = dict[str, Column]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rows = draw(st.integers(1, 8))
    return {name: np.array(draw(st.lists(SCORES, min_size=rows, max_size=rows)), np.float32) for name in NAMES}


recipes = st.sampled_from([replace(recipe, weights={**recipe.weights, "graph": 0.5}) for recipe in RECIPES.values()])
CLOSE = 1e-4


@given(tables(), recipes, st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(table: Table, recipe: Recipe, random: st.random.Random) -> None:
    order = list(range(len(table["semantic"])))
    random.shuffle(order)
    shuffled = {name: values[order] for name, values in table.items()}
    assert fuse(shuffled, recipe).tolist() == fuse(table, recipe)[order].tolist()


@given(tables(), recipes, st.sampled_from(NAMES), st.data())
def test_a_better_score_never_makes_a_candidate_lose(
    table: Table, recipe: Recipe, name: str, data: st.DataObject
) -> None:
    row = data.draw(st.integers(0, len(table[name]) - 1))
    raised = {**table, name: table[name].copy()}
    raised[name][row] += np.float32(data.draw(SCORES))
    before, after = fuse(table, recipe), fuse(raised, recipe)
    assert all((after[row] - after) >= (before[row] - before) - CLOSE)


@given(tables(), recipes)
def test_who_is_better_in_everything_is_not_worse_in_sum(table: Table, recipe: Recipe) -> None:
    fused = fuse(table, recipe)
    for i in range(len(fused)):
        for j in range(len(fused)):
            if all(values[i] >= values[j] for values in table.values()):
                assert fused[i] >= fused[j] - CLOSE


@given(tables(), st.sampled_from(["semantic", "lexical"]), st.sampled_from(list(Fusion)))
def test_one_column_alone_keeps_its_order(table: Table, name: str, fusion: Fusion) -> None:
    weights = {"semantic": 0.0, "lexical": 0.0, "metadata": 0.0, name: 1.0}
    if fusion is Fusion.MULTIPLICATIVE and name == "semantic":
        table, weights = {**table, "lexical": np.ones_like(table["lexical"])}, {**weights, "lexical": 1.0}
    fused = fuse(table, Recipe(name="r", fusion=fusion, weights=weights))
    assert np.array_equal(np.unique(fused, return_inverse=True)[1], np.unique(table[name], return_inverse=True)[1])


@given(tables(), recipes, st.sampled_from(NAMES), SCORES.filter(bool), SCORES.filter(bool))
def test_a_constant_column_decides_nothing(table: Table, recipe: Recipe, name: str, one: float, other: float) -> None:
    first, second = ({**table, name: np.full_like(table[name], value)} for value in (one, other))
    if recipe.fusion is Fusion.MULTIPLICATIVE and name == "graph":
        return  # a factor common to all, which scales the product but not the lifts
    scores = fuse(first, recipe), fuse(second, recipe)
    differences = [values[:, None] - values[None, :] for values in scores]
    assert np.allclose(*differences, atol=CLOSE)


@given(tables(), recipes)
def test_scores_are_finite_and_never_negative(table: Table, recipe: Recipe) -> None:
    fused = fuse(table, recipe)
    assert fused.dtype == np.float32
    assert np.isfinite(fused).all()
    assert (fused >= 0).all()
