"""The final pick: the best candidates, thinned so that one document does not crowd out the others. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rag_system.search.recipes import Recipe
from rag_system.types import Candidate

__all__ = ["select"]

NAMED = 0.8  # metadata score from which a document counts as named by the question


def select(candidates: Sequence[Candidate], *, recipe: Recipe, top_k: int) -> list[Candidate]:
    """The `top_k` of a ranked list, best first.

    From its chunk `per_document + 1` on, a document that the question does not name loses `crowding` of its score per
    chunk: others get their turn, unless it clearly leads. A named document always gets a place.
    """
    chosen = _thin(candidates, recipe, top_k)
    named = next((c for c in candidates if _is_named(c)), None)
    if named is not None and named not in chosen and len(chosen) == top_k:
        chosen[-1] = named
    return chosen


def _thin(candidates: Sequence[Candidate], recipe: Recipe, top_k: int) -> list[Candidate]:
    remaining, chosen = list(candidates), list[Candidate]()
    count: Counter[str] = Counter()

    def effective(candidate: Candidate) -> float:
        if _is_named(candidate):
            return candidate.score
        extra = max(0, count[candidate.chunk.document_id] + 1 - recipe.per_document)
        return candidate.score - recipe.crowding * extra

    while remaining and len(chosen) < top_k:
        best = max(remaining, key=effective)
        remaining.remove(best)
        chosen.append(best)
        count[best.chunk.document_id] += 1
    return chosen


def _is_named(candidate: Candidate) -> bool:
    return candidate.scores.get("metadata", 0.0) >= NAMED
