"""Recipes are data: which strategies count how much, how scores are fused, and how the ranking is thinned out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rag_system.errors import ConfigurationError
from rag_system.search.bm25 import Bm25

__all__ = ["RECIPES", "Fusion", "Recipe", "get_recipe"]


class Fusion(StrEnum):
    """How the scores of the strategies become one. See `search.fusion`."""

    WEIGHTED = "weighted"
    COVERAGE = "coverage"
    RECIPROCAL_RANK = "reciprocal_rank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One way to retrieve."""

    name: str
    fusion: Fusion = Fusion.WEIGHTED
    weights: Mapping[str, float] = field(default_factory=dict)  # strategy → weight; a missing one counts 0
    bm25: Bm25 = Bm25()
    candidates: int = 50  # of each strategy
    min_score: float = 0.05  # of the fused score, 0…1
    per_document: int = 3  # chunks of one document before others get their turn
    crowding: float = 0.04  # what each further chunk of a document loses of its score; 1 is a hard limit
    duplicate_similarity: float = 0.6  # Jaccard of three-word shingles from which a chunk repeats a better one


# What lifts a candidate beyond meaning and words, alike in every recipe.
LIFTS = {"expansion": 0.2, "citation": 0.6, "article": 1.0}

RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            name="default",
            fusion=Fusion.COVERAGE,
            weights={"semantic": 1.0, "lexical": 0.6, "metadata": 0.5, **LIFTS},
        ),
        # The original system's: additive metadata and expansion, a hard limit per document.
        Recipe(
            name="nisira",
            weights={"semantic": 0.6, "lexical": 0.4, "metadata": 0.3, **LIFTS},
            crowding=1.0,
        ),
        Recipe(
            name="rrf",
            fusion=Fusion.RECIPROCAL_RANK,
            weights={"semantic": 1.0, "lexical": 1.0, "metadata": 0.5, **LIFTS},
        ),
    )
}


def get_recipe(name: str) -> Recipe:
    """The recipe called `name`; an unknown one raises `ConfigurationError` listing those there are."""
    if name not in RECIPES:
        known = ", ".join(RECIPES)
        raise ConfigurationError(f"No existe la receta «{name}». Elija una de estas: {known}.")
    return RECIPES[name]
