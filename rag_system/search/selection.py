"""The final pick: the best candidates, without repeats, and no document crowding out the others. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rag_system.query.text import fold
from rag_system.search.recipes import Recipe
from rag_system.types import Candidate

__all__ = ["select"]

NAMED = 0.8  # metadata score from which a document counts as named by the question
SHINGLE = 3  # words

Shingles = set[tuple[str, ...]]


def select(candidates: Sequence[Candidate], *, recipe: Recipe, top_k: int) -> tuple[list[Candidate], int]:
    """The `top_k` of a ranked list, best first, and how many were passed over because they repeat a better one.

    From its chunk `per_document + 1` on, a document that the question does not name loses `crowding` of its score per
    chunk: others get their turn, unless it clearly leads. A named document always gets a place.
    """
    chosen, repeats = _thin(candidates, recipe, top_k)
    named = next((candidate for candidate in candidates if _is_named(candidate)), None)
    if named is not None and named not in chosen and len(chosen) == top_k:
        chosen[-1] = named
    return chosen, repeats


def _thin(candidates: Sequence[Candidate], recipe: Recipe, top_k: int) -> tuple[list[Candidate], int]:
    remaining, chosen = list(candidates), list[Candidate]()
    count: Counter[str] = Counter()
    seen: list[Shingles] = []
    repeats = 0

    def effective(candidate: Candidate) -> float:
        if _is_named(candidate):
            return candidate.score
        extra = max(0, count[candidate.chunk.document_id] + 1 - recipe.per_document)
        return candidate.score - recipe.crowding * extra

    while remaining and len(chosen) < top_k:
        best = max(remaining, key=effective)
        remaining.remove(best)
        shingles = _shingles(best.chunk.text)
        if any(_jaccard(shingles, other) >= recipe.duplicate_similarity for other in seen):
            repeats += 1
            continue
        chosen.append(best)
        seen.append(shingles)
        count[best.chunk.document_id] += 1
    return chosen, repeats


def _is_named(candidate: Candidate) -> bool:
    return candidate.scores.get("metadata", 0.0) >= NAMED


def _shingles(text: str) -> Shingles:
    words = fold(text).split()
    return set(zip(*(words[i:] for i in range(SHINGLE)), strict=False)) or {tuple(words)}


def _jaccard(one: Shingles, other: Shingles) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0
