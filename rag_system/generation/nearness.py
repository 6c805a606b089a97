"""Which statements of its sources a claim is nearest to: by its words, and by what stands beside its figures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache

from rag_system.generation.figures import Figure, is_among, says
from rag_system.generation.polarity import bound_of, root, roots, split_clauses
from rag_system.generation.statements import SourceText, Statement, bits
from rag_system.query.expansion import expand
from rag_system.query.text import fold

__all__ = ["Nearness"]

# Found on planted sentences (`tests/unit/generation/planted.toml`).
_CLEARLY_NEARER = 0.12  # by which another figure of the source suits the sentence's words better
_OTHER_CLAUSE = 0.3  # what a word beside a figure counts that stands in another clause of the statement
_OTHER_UNIT = 0.2  # what a figure without a unit suits less well where the claim has one
_ALIGNED = 0.8  # of the best share: statements that speak of the same
_BESIDE = 0.5  # what a word counts that stands only in the title, a heading or the next sentence


class Nearness:
    """Which statements of the sources a claim is nearest to, by words in the sense of the claim's own."""

    def __init__(
        self, text: str, words: Sequence[str], figures: Sequence[Figure], sources: Sequence[SourceText]
    ) -> None:
        self._text, self._words, self._figures = text, words, figures
        self._sources = sources
        self._spoken, self._others = _said(text)
        self._same: dict[str, frozenset[str]] = {}
        self._fitting: dict[Figure, tuple[list[tuple[float, Statement, Figure]], float]] = {}

    @cached_property
    def _holds(self) -> dict[str, list[int]]:
        """Of each word, the statements of each source that hold it, as bits."""
        return {word: [self._places(word, source) for source in self._sources] for word in self._words}

    def _places(self, word: str, source: SourceText) -> int:
        found = source.places(word)
        for other in self._others.get(word, ()):
            found |= source.places_of_all(other)
        return found

    def _same_as(self, word: str) -> frozenset[str]:
        """The words of the sources that are the word, or begin it, or begin with it."""
        if word not in self._same:
            self._same[word] = frozenset((word,)).union(*(source.related(word) for source in self._sources))
        return self._same[word]

    def _held(self, word: str, said: AbstractSet[str]) -> bool:
        return not said.isdisjoint(self._same_as(word)) or any(o <= said for o in self._others.get(word, ()))

    @cached_property
    def _weights(self) -> dict[str, float]:
        """Inverse document frequency over the statements; what none has weighs most."""
        ceiling = sum(len(source.statements) for source in self._sources) + 1
        counts = {word: sum(places.bit_count() for places in holds) for word, holds in self._holds.items()}
        return {word: math.log(1 + ceiling / (count + 0.5)) for word, count in counts.items()}

    @cached_property
    def _shares(self) -> list[list[float]]:
        return [self._shares_in(place, source) for place, source in enumerate(self._sources)]

    @cached_property
    def _best_share(self) -> float:
        return max((share for shares in self._shares for share in shares), default=0.0)

    def _shares_in(self, place: int, source: SourceText) -> list[float]:
        """The share of the claim's words that each statement holds; what stands around it counts half."""
        everywhere = (1 << len(source.statements)) - 1
        held = [0.0] * len(source.statements)
        for word, weight in self._weights.items():
            own = self._holds[word][place]
            above = source.is_in_label(word) or any(o <= source.label_roots for o in self._others.get(word, ()))
            around = everywhere if above else (own << 1 | own >> 1) & everywhere
            for statement in bits(own):
                held[statement] += weight
            for statement in bits(around & ~own):
                held[statement] += _BESIDE * weight
        whole = sum(self._weights.values()) or 1.0
        return [each / whole for each in held]

    def _counts(self, word: str, own: AbstractSet[str], around: AbstractSet[str]) -> float:
        if self._held(word, own):
            return 1.0
        return _BESIDE if self._held(word, around) else 0.0

    @cached_property
    def share(self) -> float:
        """Of the best statement; with several sources, what their best hold together."""
        shared = [(source, shares) for source, shares in zip(self._sources, self._shares, strict=True) if shares]
        if len(shared) <= 1:
            return self._best_share
        said = [source.statements[shares.index(max(shares))] for source, shares in shared]
        together = frozenset().union(*(each.roots for each in said))
        around = frozenset().union(*(source.label_roots for source in self._sources))
        held = sum(weight * self._counts(word, together, around) for word, weight in self._weights.items())
        return max(held / (sum(self._weights.values()) or 1.0), self._best_share)

    def _with_shares(self, source: SourceText) -> Iterator[tuple[Statement, float]]:
        return zip(source.statements, self._shares[self._sources.index(source)], strict=True)

    @cached_property
    def aligned(self) -> list[Statement]:
        """The statements that speak of what the claim speaks of."""
        if not self._best_share:
            return []
        least = _ALIGNED * self._best_share
        return [each for source in self._sources for each, share in self._with_shares(source) if share >= least]

    def as_said_by(self, statement: Statement) -> frozenset[str]:
        """The roots of the claim, in the spelling of the statement."""
        return self._spoken.union(*(self._same_as(word) & statement.roots for word in self._spoken))

    def heard_from(self, statement: Statement) -> frozenset[str]:
        """The roots of the statement, in the spelling of the claim."""
        known = self._spoken.union(self._words)
        return statement.roots.union(word for word in known if not statement.roots.isdisjoint(self._same_as(word)))

    # ------------------------------------------------------------ the source that a marker points at

    def shares_with(self, source: SourceText) -> float:
        """The share of the claim's words that the source has anywhere, 0…1; 1 where the claim has none."""
        return sum(self._is_in(word, source) for word in self._words) / len(self._words) if self._words else 1.0

    def _is_in(self, word: str, source: SourceText) -> bool:
        return bool(source.related(word)) or any(other <= source.roots for other in self._others.get(word, ()))

    def best_in(self, source: SourceText) -> Statement | None:
        """The statement that supports the claim best: by its words and its figures, of equals the first."""
        best = max(self._with_shares(source), key=self._support, default=None)
        return best[0] if best else None

    def _support(self, shared: tuple[Statement, float]) -> float:
        statement, share = shared
        stated = sum(is_among(figure, statement.figures) for figure in self._figures)
        return share + stated / (len(self._figures) or 1)

    # ------------------------------------------------------------ figures

    def _nearby(self, figure: Figure) -> dict[str, float]:
        """The words around a figure in its clause, nearer ones weighing more."""
        start, end = next(
            ((start, end) for start, end in split_clauses(self._text) if start <= figure.start < end),
            (0, len(self._text)),
        )
        weights: dict[str, float] = {}
        for words in (roots(self._text[start : figure.start])[::-1], roots(self._text[figure.end : end])):
            for distance, word in enumerate(words, 1):
                weights[word] = max(weights.get(word, 0.0), 1 / (1 + distance))
        unit = root(figure.unit)
        return {word: weight for word, weight in weights.items() if word in self._words and word.rstrip("s") != unit}

    def _fit(self, nearby: dict[str, float], statement: Statement, figure: Figure) -> float:
        """How well the words around a figure of the claim suit the clause of a figure of the source."""
        said = statement.clause_roots(figure)
        held = sum(weight for word, weight in nearby.items() if self._held(word, said))
        whole = sum(weight for word, weight in nearby.items() if self._held(word, statement.roots))
        return (held + _OTHER_CLAUSE * (whole - held)) / (sum(nearby.values()) or 1.0)

    def _fits(self, figure: Figure) -> tuple[list[tuple[float, Statement, Figure]], float]:
        """Where the sources state the figure, and how well the best of the others of its unit suits; looked up once."""
        if figure not in self._fitting:
            self._fitting[figure] = self._look_up(figure)
        return self._fitting[figure]

    def _look_up(self, figure: Figure) -> tuple[list[tuple[float, Statement, Figure]], float]:
        nearby = self._nearby(figure)
        same: list[tuple[float, Statement, Figure]] = []
        rival = 0.0
        for statement in (each for source in self._sources for each in source.statements):
            for stated in statement.figures:
                if says(stated, figure):
                    less = _OTHER_UNIT if figure.unit and not stated.unit else 0.0
                    same.append((self._fit(nearby, statement, stated) - less, statement, stated))
                elif stated.unit == figure.unit and not is_among(stated, self._figures):
                    rival = max(rival, self._fit(nearby, statement, stated))
        return same, rival

    def suits_another(self, figure: Figure) -> bool:
        """Whether the sources say what the claim says of the figure rather of another one of the same unit."""
        if figure.unit in {"article", "roman", "code"}:
            return False
        same, rival = self._fits(figure)
        return bool(same) and rival - max(fit for fit, _, _ in same) >= _CLEARLY_NEARER

    def bounds_clash(self, figure: Figure) -> bool:
        """Whether the claim makes a minimum of what its source gives as a maximum, or the reverse."""
        mine = bound_of(self._text, figure)
        if not mine:
            return False
        same, _ = self._fits(figure)
        best = max((fit for fit, _, _ in same), default=0.0)
        theirs = {bound_of(statement.text, stated) for fit, statement, stated in same if fit >= _ALIGNED * best}
        return bool(theirs) and theirs.isdisjoint({"", mine})


@lru_cache(maxsize=256)
def _said(text: str) -> tuple[frozenset[str], Mapping[str, Sequence[frozenset[str]]]]:
    """The roots of a text, and other words for those that have some, each as the roots that say it."""
    found: dict[str, list[frozenset[str]]] = {}
    for word in dict.fromkeys(re.findall(r"[^\W\d_]+", text)):
        if others := _expanded(word):
            found.setdefault(root(fold(word)), []).extend(others)
    return frozenset(roots(text)), found


@lru_cache(maxsize=8_192)
def _expanded(word: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(roots(other)) for other in expand(word))
