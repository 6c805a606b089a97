"""Which statements of its sources a claim is nearest to: by its words, and by what stands beside its figures."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache

from rag_system.generation.figures import Figure, is_among
from rag_system.generation.polarity import bound_of, root, roots, split_clauses
from rag_system.generation.statements import Source, Statement
from rag_system.query.expansion import expand
from rag_system.query.text import fold

__all__ = ["Nearness"]

# Found on planted sentences (`tests/unit/generation/planted.toml`).
_CLEARLY_NEARER = 0.12  # by which another figure of the source suits the sentence's words better
_OTHER_CLAUSE = 0.3  # what a word beside a figure counts that stands in another clause of the statement
_OTHER_UNIT = 0.2  # what a figure without a unit suits less well where the claim has one
_ALIGNED = 0.8  # of the best share: statements that speak of the same
_SHORTEST_ROOT = 5  # letters that two words must share from their start to be related
_BESIDE = 0.5  # what a word counts that stands only in the title, a heading or the next sentence


_NONE: frozenset[str] = frozenset()


class Nearness:
    """Which statements of the sources a claim is nearest to, by words in the sense of the claim's own."""

    def __init__(self, text: str, words: Sequence[str], figures: Sequence[Figure], sources: Sequence[Source]) -> None:
        self._text, self._words, self._figures = text, words, figures
        self._sources = sources
        self._spoken = frozenset(roots(text))
        vocabulary = sorted(frozenset[str]().union(*(source.roots for source in sources)))
        self._same = {word: _related(word, vocabulary) for word in self._spoken.union(words)}
        self._others = _other_words(text)
        self._statements = [statement for source in sources for statement in source.statements]
        self._holds = {word: [self._held(word, each.roots) for each in self._statements] for word in words}
        self._weights = self._rarity()
        self._shares = dict(self._each_share())

    def _held(self, word: str, said: AbstractSet[str]) -> bool:
        return not said.isdisjoint(self._same.get(word, ())) or any(o <= said for o in self._others.get(word, ()))

    def _rarity(self) -> dict[str, float]:
        """Inverse document frequency over the statements; what none has weighs most."""
        ceiling = len(self._statements) + 1
        return {word: math.log(1 + ceiling / (sum(holds) + 0.5)) for word, holds in self._holds.items()}

    def _each_share(self) -> Iterator[tuple[int, float]]:
        """The share of the claim's words that each statement holds; what stands around it counts half."""
        whole, first = sum(self._weights.values()) or 1.0, 0
        for source in self._sources:
            last = first + len(source.statements)
            above = {word for word in self._words if self._held(word, source.label_roots)}
            for place in range(first, last):
                held = 0.0
                for word, weight in self._weights.items():
                    holds = self._holds[word]
                    if holds[place]:
                        held += weight
                    elif word in above or any(holds[max(first, place - 1) : min(last, place + 2)]):
                        held += _BESIDE * weight
                yield id(self._statements[place]), held / whole
            first = last

    def _counts(self, word: str, own: AbstractSet[str], around: AbstractSet[str]) -> float:
        if self._held(word, own):
            return 1.0
        return _BESIDE if self._held(word, around) else 0.0

    @cached_property
    def share(self) -> float:
        """Of the best statement; with several sources, what their best hold together."""
        best = [max(source.statements, key=self._by_share, default=None) for source in self._sources]
        said = [each for each in best if each is not None]
        if len(said) <= 1:
            return max(self._shares.values(), default=0.0)
        together = frozenset().union(*(each.roots for each in said))
        around = frozenset().union(*(source.label_roots for source in self._sources))
        held = sum(weight * self._counts(word, together, around) for word, weight in self._weights.items())
        return max(held / (sum(self._weights.values()) or 1.0), max(self._shares.values(), default=0.0))

    def _by_share(self, statement: Statement) -> float:
        return self._shares[id(statement)]

    @cached_property
    def aligned(self) -> list[Statement]:
        """The statements that speak of what the claim speaks of."""
        best = max(self._shares.values(), default=0.0)
        return [each for each in self._statements if best > 0 and self._by_share(each) >= _ALIGNED * best]

    def as_said_by(self, statement: Statement) -> frozenset[str]:
        """The roots of the claim, in the spelling of the statement."""
        return self._spoken | {
            said for word in self._spoken for said in self._same.get(word, ()) if said in statement.roots
        }

    def heard_from(self, statement: Statement) -> frozenset[str]:
        """The roots of the statement, in the spelling of the claim."""
        return statement.roots | {word for word, same in self._same.items() if not statement.roots.isdisjoint(same)}

    # ------------------------------------------------------------ the source that a marker points at

    def shares_with(self, source: Source) -> float:
        """The share of the claim's words that the source has anywhere, 0…1; 1 where the claim has none."""
        return sum(self._held(word, source.roots) for word in self._words) / len(self._words) if self._words else 1.0

    def best_in(self, source: Source) -> Statement | None:
        """The statement that supports the claim best: by its words and its figures, of equals the first."""
        return max(source.statements, key=self._support, default=None)

    def _support(self, statement: Statement) -> float:
        stated = sum(is_among(figure, statement.figures) for figure in self._figures)
        return self._by_share(statement) + stated / (len(self._figures) or 1)

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
        """Where the sources state the figure, and how well the best of the others of its unit suits."""
        nearby = self._nearby(figure)
        same: list[tuple[float, Statement, Figure]] = []
        rival = 0.0
        for statement in self._statements:
            for stated in statement.figures:
                if is_among(figure, [stated]):
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


def _other_words(text: str) -> dict[str, list[frozenset[str]]]:
    """Other words for those of a text, each as the roots that say it."""
    found: dict[str, list[frozenset[str]]] = {}
    for word in dict.fromkeys(re.findall(r"[^\W\d_]+", text)):
        if others := _expanded(word):
            found.setdefault(root(fold(word)), []).extend(others)
    return found


@lru_cache(maxsize=8_192)
def _expanded(word: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(roots(other)) for other in expand(word))


def _related(word: str, vocabulary: Sequence[str]) -> frozenset[str]:
    """The words of a sorted vocabulary that are the word, or begin it, or begin with it."""
    found = {word}
    if len(word) >= _SHORTEST_ROOT:
        place = bisect_left(vocabulary, word)
        while place < len(vocabulary) and vocabulary[place].startswith(word):
            found.add(vocabulary[place])
            place += 1
        known = (word[:length] for length in range(_SHORTEST_ROOT, len(word)))
        found.update(short for short in known if _has(vocabulary, short))
    return frozenset(found)


def _has(vocabulary: Sequence[str], word: str) -> bool:
    place = bisect_left(vocabulary, word)
    return place < len(vocabulary) and vocabulary[place] == word
