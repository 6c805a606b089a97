"""Which statements of its sources a claim is nearest to: by its words, rare ones weighing more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from rag_system.generation.figures import Figure, is_among
from rag_system.generation.sources import Sources, Statement
from rag_system.generation.words import roots

__all__ = ["Nearness"]

_ALIGNED = 0.8  # of the best share: statements that speak of the same
_ABOVE = 0.5  # what a word counts that stands only in the title, a heading or the lead-in


class Nearness:
    """How near the statements of the sources come to a text that has these words, as distinct roots."""

    def __init__(self, text: str, said: Sequence[str], figures: Sequence[Figure], sources: Sources) -> None:
        self._words, self._figures, self._sources = said, figures, sources
        self._spoken = frozenset(roots(text))
        self._aligned: dict[tuple[int, ...], list[Statement]] = {}

    # ------------------------------------------------------------ words

    @cached_property
    def _places(self) -> Mapping[str, frozenset[int]]:
        """Of each word, the statements that say it."""
        return {word: self._sources.places(word) for word in self._words}

    def is_in(self, word: str, n: int) -> bool:
        """Whether a source says a word, in its text or above it."""
        statements = self._sources.statements
        return any(statements[place].n == n for place in self._sources.places(word)) or self._sources.is_in_label(
            word, n
        )

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Inverse document frequency of each word."""
        return {word: self._sources.weight(word) for word in self._words}

    def shares_with(self, n: int) -> float:
        """The share of the words that a source has anywhere, 0…1; 1 where there are none."""
        return sum(self.is_in(word, n) for word in self._words) / len(self._words) if self._words else 1.0

    # ------------------------------------------------------------ statements

    @cached_property
    def shares(self) -> Sequence[float]:
        """The share of the words that each statement holds, 0…1; what stands around it counts half."""
        whole = sum(self.weights.values()) or 1.0
        return [self._held(place, statement) / whole for place, statement in enumerate(self._sources.statements)]

    def _held(self, place: int, statement: Statement) -> float:
        held = 0.0
        for word, weight in self.weights.items():
            said = self._places[word]
            if place in said:
                held += weight
            elif self._sources.is_in_label(word, statement.n) or not statement.around.isdisjoint(
                self._sources.related(word)
            ):
                held += _ABOVE * weight
        return held

    def of(self, cited: Collection[int]) -> list[tuple[float, Statement]]:
        """The statements of some sources, each with its share."""
        pairs = zip(self.shares, self._sources.statements, strict=True)
        return [(share, statement) for share, statement in pairs if statement.n in cited]

    def best(self, cited: Collection[int]) -> float:
        return max((share for share, _ in self.of(cited)), default=0.0)

    def together(self, cited: Collection[int]) -> float:
        """What the best statement and the one that adds most to it hold: an answer puts two sentences into one."""
        whole = sum(self.weights.values()) or 1.0
        places = [place for place, each in enumerate(self._sources.statements) if each.n in cited]
        if not places:
            return 0.0
        first = max(places, key=self.shares.__getitem__)
        left = {word: weight for word, weight in self.weights.items() if first not in self._places[word]}
        added = (sum(weight for word, weight in left.items() if place in self._places[word]) for place in places)
        return max(self.shares[first], 1 - (sum(left.values()) - max(added)) / whole)

    def aligned(self, cited: Collection[int]) -> list[Statement]:
        """The statements that speak of what the claim speaks of."""
        key = tuple(cited)
        if key not in self._aligned:
            best = self.best(cited)
            self._aligned[key] = [each for share, each in self.of(cited) if share >= _ALIGNED * best] if best else []
        return self._aligned[key]

    def as_said_by(self, statement: Statement) -> frozenset[str]:
        """The roots of the claim, in the spelling of the statement."""
        return self._spoken.union(*(self._sources.related(word) & statement.roots for word in self._spoken))

    def heard_from(self, statement: Statement) -> frozenset[str]:
        """The roots of the statement, in the spelling of the claim."""
        known = self._spoken.union(self._words)
        return statement.roots.union(word for word in known if self._sources.related(word) & statement.roots)

    def best_in(self, n: int) -> Statement | None:
        """The statement of a source that supports the claim best: by its words and its figures, of equals the first."""
        best = max(self.of([n]), key=self._support, default=None)
        return best[1] if best else None

    def _support(self, shared: tuple[float, Statement]) -> float:
        share, statement = shared
        stated = sum(is_among(figure, statement.figures) for figure in self._figures)
        return share + stated / (len(self._figures) or 1)
