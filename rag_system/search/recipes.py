"""Recipes are data: which strategies count how much, how scores are fused, and how the ranking is thinned out.

The table in `docs/reference/recipes.md` is generated from this one (`scripts/recipes_table.py`), and a test keeps both
equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rag_system.errors import ConfigurationError
from rag_system.search.bm25 import Bm25

__all__ = ["RECIPES", "Fusion", "Recipe", "get_recipe"]


class Fusion(StrEnum):
    """How the scores of the strategies become one. See `search.fusion`."""

    WEIGHTED = "weighted"
    COVERAGE = "coverage"
    RECIPROCAL_RANK = "reciprocal_rank"
    MULTIPLICATIVE = "multiplicative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One way to retrieve."""

    name: str
    about: str = ""  # what it is and where it comes from, in one English sentence
    fusion: Fusion = Fusion.WEIGHTED
    weights: Mapping[str, float] = field(default_factory=dict)  # strategy → weight; without one it is not even asked
    bm25: Bm25 = Bm25()
    candidates: int = 50  # of each strategy
    by_identifier: bool = True  # the norms that a question names choose its documents
    min_score: float = 0.05  # of the fused score, 0…1
    min_similarity: float = -1.0  # raw cosine, −1…1; models differ in what it means
    per_document: int = 3  # chunks of one document before others get their turn
    crowding: float = 0.01  # what each further chunk of a document loses of its score; 1 is a hard limit
    duplicate_similarity: float = 0.6  # Jaccard of three-word shingles from which a chunk repeats a better one
    rerank: int = 0  # best candidates that a reranker reads again, where one is configured; 0 means none
    passage_chars: int = 0  # a hit brings neighbours up to this length, see `search.passages`; 0 means none
    top_k: int | None = None  # results where nobody asks for a number; None leaves it to the settings

    def uses(self, strategy: str) -> bool:
        """Whether the strategy counts at all."""
        return self.weights.get(strategy, 0.0) != 0

    def limited(self, top_k: int | None, min_similarity: float | None) -> Recipe:
        """The same with what a project says of these; None leaves them as they are."""
        said = {"top_k": top_k, "min_similarity": min_similarity}
        return replace(self, **{name: limit for name, limit in said.items() if limit is not None})  # type: ignore[arg-type]


# What lifts a candidate beyond meaning and words, alike in every recipe that looks at more than vectors.
LIFTS = {
    "expansion": 0.2,
    "angles": 0.2,
    "conversation": 0.5,
    "definition": 0.5,
    "citation": 0.6,
    "article": 1.0,
    "heading": 2.0,
}

RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            name="default",
            about="What wins on the development questions: meaning, plus the share of the question's words covered.",
            fusion=Fusion.COVERAGE,
            weights={"semantic": 1.0, "lexical": 0.6, "metadata": 1.0, **LIFTS},
            passage_chars=1800,
        ),
        Recipe(
            name="nisira",
            about="The first original's: 0.6/0.4, additive metadata and expansion, a hard limit per document.",
            weights={"semantic": 0.6, "lexical": 0.4, "metadata": 0.6, **LIFTS},
            crowding=1.0,
        ),
        Recipe(
            name="lumen",
            about="0.7/0.3 over 50 candidates, which a reranker reads again where one is configured.",
            weights={"semantic": 0.7, "lexical": 0.3, "metadata": 0.6, **LIFTS},
            rerank=50,
        ),
        Recipe(
            name="lume",
            about="Words first: BM25 with headings counted twice, multiplied by meaning and by related entities.",
            fusion=Fusion.MULTIPLICATIVE,
            weights={"lexical": 1.0, "semantic": 5.0, "graph": 1.0, "metadata": 0.6, **LIFTS},
        ),
        Recipe(
            name="rrf",
            about="Reciprocal rank fusion with k = 60.",
            fusion=Fusion.RECIPROCAL_RANK,
            weights={"semantic": 1.0, "lexical": 1.0, "metadata": 1.0, **LIFTS},
        ),
        Recipe(
            name="tomori",
            about="Vectors alone: the six nearest passages with a cosine of at least 0.5.",
            weights={"semantic": 1.0},
            by_identifier=False,
            min_score=0.0,
            min_similarity=0.5,
            crowding=0.0,
            top_k=6,
        ),
    )
}


def get_recipe(name: str) -> Recipe:
    """The recipe called `name`; an unknown one raises `ConfigurationError` listing those there are."""
    if name not in RECIPES:
        known = ", ".join(RECIPES)
        said = f"No existe la receta «{name}». Elija una de estas: {known}."
        raise ConfigurationError(said, code="unknown_recipe", recipe=name)
    return RECIPES[name]
