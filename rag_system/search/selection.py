"""The final pick: the best candidates, without repeats, and no document crowding out the others. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_system.query.identifiers import same_identifier
from rag_system.query.text import fold
from rag_system.search.table import Ranking, Row

__all__ = ["Selection", "select"]

NAMED = 0.4  # metadata score from which a document counts as named: it is what was asked for, or its title says so
SHINGLE = 3  # words

Shingles = set[tuple[str, ...]]
TextOf = Callable[[Row], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was picked from a ranked list, and why it is not simply its head."""

    chosen: tuple[Row, ...]  # best first, then what was given a place; leaders of a comparison before all
    guaranteed: tuple[Row, ...] = ()  # of `chosen`: here because the question names them, not for their score
    repeats: tuple[tuple[Row, Row], ...] = ()  # passed over, each with the better one that it repeats


def select(ranking: Ranking, text_of: TextOf, *, wanted: Sequence[Row] = ()) -> Selection:
    """As many of the candidates that were kept as the request wants.

    A previous text repeats nothing that is in force, however alike: each says something else.

    From its chunk `per_document + 1` on, a document that the question does not name loses `crowding` of its score per
    chunk: others get their turn, unless it clearly leads. What the question names, by title or by each of its
    identifiers, always gets a place, and so do the `wanted` ones of the candidates. Of a comparison, the best passage
    of each norm comes first.
    """
    return _Picking(ranking, wanted).pick(text_of)


class _Picking:
    """The state of one pick."""

    def __init__(self, ranking: Ranking, wanted: Sequence[Row]) -> None:
        self._ranking = ranking
        self._recipe = ranking.request.recipe
        self._top_k = ranking.request.top_k
        self._identifiers = ranking.request.identifiers
        self._names = ranking.scores.get("metadata") or [0.0] * len(ranking.fused)
        self._wanted = wanted
        self._chosen: list[Row] = []
        self._repeats: list[tuple[Row, Row]] = []

    def pick(self, text_of: TextOf) -> Selection:
        self._take_best(text_of)
        by_score = set(self._chosen)
        self._give_places()
        return Selection(
            chosen=tuple(self._leaders_first()),
            guaranteed=tuple(row for row in self._chosen if row not in by_score),
            repeats=tuple((repeat, better) for repeat, better in self._repeats if repeat not in self._chosen),
        )

    def _take_best(self, text_of: TextOf) -> None:
        remaining, documents = list(self._ranking.kept), self._ranking.table.document_ids
        count: Counter[str] = Counter()
        seen: list[tuple[bool, Shingles]] = []
        states = self._ranking.table.states
        while remaining and len(self._chosen) < self._top_k:
            best = remaining.pop(self._best(remaining, count))
            shingles = _shingles(text_of(best))
            alike = (bool(states[best]) == was and self._repeats_it(shingles, other) for was, other in seen)
            better = next((one for one, same in zip(self._chosen, alike, strict=True) if same), None)
            if better is not None:
                self._repeats.append((best, better))
                continue
            self._chosen.append(best)
            seen.append((bool(states[best]), shingles))
            count[documents[best]] += 1

    def _repeats_it(self, shingles: Shingles, other: Shingles) -> bool:
        return _jaccard(shingles, other) >= self._recipe.duplicate_similarity

    def _best(self, ranked: Sequence[Row], count: Counter[str]) -> int:
        """Where the one with the highest effective score is, which is never above its own."""
        best, highest = 0, self._effective(ranked[0], count)
        for place, row in enumerate(ranked[1:], start=1):
            if self._ranking.fused[row] <= highest:
                break
            if (score := self._effective(row, count)) > highest:
                best, highest = place, score
        return best

    def _effective(self, row: Row, count: Counter[str]) -> float:
        if self._is_named(row):
            return self._ranking.fused[row]
        extra = max(0, count[self._ranking.table.document_ids[row]] + 1 - self._recipe.per_document)
        return self._ranking.fused[row] - self._recipe.crowding * extra

    def _give_places(self) -> None:
        kept = self._ranking.kept
        due = [next((row for row in kept if self._is(row, identifier)), None) for identifier in self._identifiers]
        due.append(next(filter(self._is_named, kept), None))
        entitled = [*self._wanted, *(row for row in due if row is not None)]
        for row in entitled:
            if row not in self._chosen and (row in self._wanted or not self._has_place(row)):
                self._give_place(row, entitled)

    def _has_place(self, row: Row) -> bool:
        """Another chunk that answers to the same names was chosen already."""
        names = [identifier for identifier in self._identifiers if self._is(row, identifier)]
        if not names:
            return any(map(self._is_named, self._chosen))
        return all(any(self._is(other, name) for other in self._chosen) for name in names)

    def _give_place(self, row: Row, entitled: Sequence[Row]) -> None:
        """Take the last place of one that has no right to it."""
        if len(self._chosen) == self._top_k:
            last = next((other for other in reversed(self._chosen) if other not in entitled), None)
            if last is None:
                return
            self._chosen.remove(last)
        self._chosen.append(row)

    def _leaders_first(self) -> Sequence[Row]:
        if len(self._identifiers) < 2:
            return self._chosen
        leaders = {next((row for row in self._chosen if self._is(row, name)), None) for name in self._identifiers}
        return sorted(self._chosen, key=lambda row: row not in leaders)

    def _is(self, row: Row, identifier: str) -> bool:
        return any(same_identifier(identifier, own) for own in self._ranking.table.identifiers[row])

    def _is_named(self, row: Row) -> bool:
        return self._names[row] >= NAMED


def _shingles(text: str) -> Shingles:
    words = fold(text).split()
    return set(zip(*(words[i:] for i in range(SHINGLE)), strict=False)) or {tuple(words)}


def _jaccard(one: Shingles, other: Shingles) -> float:
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0
