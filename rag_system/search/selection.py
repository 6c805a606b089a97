"""The final pick: the best candidates, without repeats, and no document crowding out the others. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_system.query.identifiers import same_identifier
from rag_system.query.text import fold
from rag_system.search.recipes import Recipe
from rag_system.types import Candidate

__all__ = ["Selection", "select"]

NAMED = 0.4  # metadata score from which a document counts as named: it is what was asked for, or its title says so
SHINGLE = 3  # words

Shingles = set[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was picked from a ranked list, and why it is not simply its head."""

    chosen: tuple[Candidate, ...]  # best first, then what was given a place; leaders of a comparison before all
    guaranteed: tuple[Candidate, ...] = ()  # of `chosen`: here because the question names them, not for their score
    repeats: tuple[tuple[Candidate, Candidate], ...] = ()  # passed over, each with the better one that it repeats


def select(
    candidates: Sequence[Candidate],
    *,
    recipe: Recipe,
    top_k: int,
    identifiers: Sequence[str] = (),
    wanted: Sequence[Candidate] = (),
) -> Selection:
    """The `top_k` of a ranked list.

    From its chunk `per_document + 1` on, a document that the question does not name loses `crowding` of its score per
    chunk: others get their turn, unless it clearly leads. What the question names, by title or by each of its
    `identifiers`, always gets a place, and so do the `wanted` ones of the candidates. Of a comparison, the best passage
    of each norm comes first.
    """
    chosen, repeats = _thin(candidates, recipe, top_k)
    due = [next((c for c in candidates if _is(c, identifier)), None) for identifier in identifiers]
    due.append(next((c for c in candidates if _is_named(c)), None))
    entitled = [*wanted, *filter(None, due)]
    by_score = list(chosen)
    for candidate in entitled:
        here = candidate in chosen or (candidate not in wanted and _has_place(candidate, chosen, identifiers))
        if not here:
            _give_place(candidate, chosen, entitled, top_k)
    return Selection(
        chosen=tuple(_leaders_first(chosen, identifiers)),
        guaranteed=tuple(candidate for candidate in chosen if candidate not in by_score),
        repeats=tuple((repeat, better) for repeat, better in repeats if repeat not in chosen),
    )


def _leaders_first(chosen: Sequence[Candidate], identifiers: Sequence[str]) -> Sequence[Candidate]:
    if len(identifiers) < 2:
        return chosen
    leaders = [next((c for c in chosen if _is(c, identifier)), None) for identifier in identifiers]
    return [*(c for c in chosen if c in leaders), *(c for c in chosen if c not in leaders)]


def _has_place(candidate: Candidate, chosen: Sequence[Candidate], identifiers: Sequence[str]) -> bool:
    """Another chunk that answers to the same names was chosen already."""
    names = [identifier for identifier in identifiers if _is(candidate, identifier)]
    if not names:
        return any(_is_named(other) for other in chosen)
    return all(any(_is(other, name) for other in chosen) for name in names)


def _give_place(candidate: Candidate, chosen: list[Candidate], due: Sequence[Candidate], top_k: int) -> None:
    """Take the last place of one that has no right to it."""
    if len(chosen) == top_k:
        last = next((c for c in reversed(chosen) if c not in due), None)
        if last is None:
            return
        chosen.remove(last)
    chosen.append(candidate)


def _is(candidate: Candidate, identifier: str) -> bool:
    return any(same_identifier(identifier, own) for own in candidate.chunk.identifiers)


def _thin(
    candidates: Sequence[Candidate], recipe: Recipe, top_k: int
) -> tuple[list[Candidate], list[tuple[Candidate, Candidate]]]:
    remaining, chosen, repeats = list(candidates), list[Candidate](), list[tuple[Candidate, Candidate]]()
    count: Counter[str] = Counter()
    seen: list[Shingles] = []

    def effective(candidate: Candidate) -> float:
        if _is_named(candidate):
            return candidate.score
        extra = max(0, count[candidate.chunk.document_id] + 1 - recipe.per_document)
        return candidate.score - recipe.crowding * extra

    while remaining and len(chosen) < top_k:
        best = remaining.pop(_best(remaining, effective))
        shingles = _shingles(best.chunk.text)
        alike = (_jaccard(shingles, other) >= recipe.duplicate_similarity for other in seen)
        if (better := next((one for one, same in zip(chosen, alike, strict=True) if same), None)) is not None:
            repeats.append((best, better))
            continue
        chosen.append(best)
        seen.append(shingles)
        count[best.chunk.document_id] += 1
    return chosen, repeats


def _best(ranked: Sequence[Candidate], effective: Callable[[Candidate], float]) -> int:
    """Where the one with the highest effective score is, which is never above its own."""
    best, highest = 0, effective(ranked[0])
    for place, candidate in enumerate(ranked[1:], start=1):
        if candidate.score <= highest:
            break
        if (score := effective(candidate)) > highest:
            best, highest = place, score
    return best


def _is_named(candidate: Candidate) -> bool:
    return candidate.scores.get("metadata", 0.0) >= NAMED


def _shingles(text: str) -> Shingles:
    words = fold(text).split()
    return set(zip(*(words[i:] for i in range(SHINGLE)), strict=False)) or {tuple(words)}


def _jaccard(one: Shingles, other: Shingles) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0
