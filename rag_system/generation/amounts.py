"""Whether the figures of a sentence are those of the sources that it cites, and of the same thing there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag_system.generation.arithmetic import is_computed, is_converted
from rag_system.generation.doubts import Doubt
from rag_system.generation.figures import Figure, is_among, read_figures
from rag_system.generation.nearness import Nearness
from rag_system.generation.sense import bound_of
from rag_system.generation.sources import Sources, Statement
from rag_system.generation.words import clauses, roots

__all__ = ["Amounts"]

# Found on the part `dev` of the judged answers (`evaluation/respuestas.jsonl`).
_CLEARLY_NEARER = 0.5  # by which another figure of the sources suits the words beside the sentence's better
_OTHER_CLAUSE = 0.3  # what a word beside a figure counts that stands in another clause of the statement
_OTHER_ARTICLE = 0.25  # of share: by which another article says the sentence better

_NO_MEASURE = ("", "article", "code", "date", "weekday")
# «Cada quince días» is «quincenal».
_EVERY = {
    ("15", "dia"): "quincena",
    ("7", "dia"): "semana",
    ("2", "mes"): "bimestr",
    ("3", "mes"): "trimestr",
    ("6", "mes"): "semestr",
    ("12", "mes"): "a(?:ñ|nu)",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Amounts:
    """The figures of a sentence, which follows the text `before` and has these words."""

    text: str
    before: str
    figures: Sequence[Figure]
    words: Sequence[str]
    near: Nearness
    sources: Sources

    def doubts(self, cited: Collection[int]) -> Iterator[Doubt]:
        """What speaks against them."""
        stated = [figure for n in cited for figure in self.sources.figures[n]]
        for figure in self.figures:
            yield self._stated(figure, stated, cited)
        yield from (self._beside_another(figure, cited) for figure in self.figures)
        yield self._in_another_article(cited)
        yield from (self._bound(figure, cited) for figure in self.figures)

    # ------------------------------------------------------------ whether it is stated

    def _stated(self, figure: Figure, stated: Sequence[Figure], cited: Collection[int]) -> Doubt:
        counted = not figure.unit and "." not in figure.value
        alike = [each for each in self._aligned(cited) if counted and not each.unit and each.of == figure.of]
        if is_among(figure, stated) or self._is_in_words(figure, cited) or is_converted(figure, stated):
            return Doubt.NONE
        if figure.of and any(each.value == figure.value and each.unit == "dia" == figure.unit for each in stated):
            return Doubt.KIND
        asked = read_figures(self.sources.question)
        if is_among(figure, asked) or is_converted(figure, asked) or self._is_computed(figure, asked):
            return Doubt.NONE
        return Doubt.NONE if counted and not alike else Doubt.FIGURE

    def _aligned(self, cited: Collection[int]) -> list[Figure]:
        return [figure for statement in self.near.aligned(cited) for figure in statement.figures]

    def _is_computed(self, figure: Figure, asked: Sequence[Figure]) -> bool:
        statements = self.near.aligned(self.sources.evidence)
        aligned = [each for statement in statements for each in statement.figures if each.value not in statement.part]
        return is_computed(figure, self.text, self.figures, [*read_figures(self.before), *asked, *aligned])

    def _is_in_words(self, figure: Figure, cited: Collection[int]) -> bool:
        """«Un año» where the source says «al año»; a year that only a norm's name carries; an article by its place."""
        if figure.unit == "article":
            return any(figure.value in each.part for each in self.sources.statements if each.n in cited)
        if figure.unit == "code":
            said = re.escape(figure.value)
        elif figure.value == "1" and figure.unit:
            said = rf"\b{figure.unit}\b"
        elif every := _EVERY.get((figure.value, figure.unit)):
            said = rf"\b{every}"
        elif re.fullmatch(r"\d{4}(?:-00-00)?", figure.value) and figure.unit in ("", "date"):
            said = rf"(?<!\d){figure.value[:4]}(?!\d)"
        else:
            return False
        return any(re.search(said, self.sources.folded[n].replace("\u2010", "-")) for n in cited)

    # ------------------------------------------------------------ whether it is of the same thing

    def _beside_another(self, figure: Figure, cited: Collection[int]) -> Doubt:
        """Whether what stands beside the figure stands, in the sources, beside another of the same unit."""
        beside = self._words_beside(figure)
        if figure.unit in _NO_MEASURE or len(beside) < 2:
            return Doubt.NONE
        same, rivals = [], [0.0]
        for statement in (each for each in self.sources.statements if each.n in cited):
            for stated in statement.figures:
                if is_among(figure, [stated]):
                    same.append(self._fit(beside, statement, stated))
                elif stated.unit == figure.unit and not is_among(stated, self.figures):
                    rivals.append(self._fit(beside, statement, stated))
        return Doubt.ANOTHER_FIGURE if same and max(rivals) - max(same) >= _CLEARLY_NEARER else Doubt.NONE

    def _words_beside(self, figure: Figure) -> dict[str, float]:
        """The words around a figure in its clause, nearer ones weighing more."""
        start, end = _clause_at(self.text, figure)
        weights: dict[str, float] = {}
        for side in (roots(self.text[start : figure.start])[::-1], roots(self.text[figure.end : end])):
            for distance, word in enumerate(side, 1):
                if word in self.words:
                    weights[word] = max(weights.get(word, 0.0), 1 / (1 + distance))
        return weights

    def _fit(self, beside: Mapping[str, float], statement: Statement, figure: Figure) -> float:
        """How much of the words beside the figure stands beside one of a source; elsewhere in it counts less."""
        start, end = _clause_at(statement.text, figure)
        own = frozenset(roots(statement.text[start:end]))
        held = [(weight, self.sources.related(word)) for word, weight in beside.items()]
        near = sum(weight for weight, related in held if related & own)
        whole = sum(weight for weight, related in held if related & statement.roots)
        return (near + _OTHER_CLAUSE * (whole - near)) / sum(beside.values())

    def _in_another_article(self, cited: Collection[int]) -> Doubt:
        """Whether another article than the one that the sentence names says it."""
        named = {each.value for each in self.figures if each.unit == "article"}
        shared = self.near.of(cited)
        within = [share for share, each in shared if named & (each.part | each.articles)]
        if not within or len(self.words) < 2 or not any(each.part for _, each in shared):
            return Doubt.NONE
        return Doubt.ARTICLE if self.near.best(cited) - max(within) >= _OTHER_ARTICLE else Doubt.NONE

    def _bound(self, figure: Figure, cited: Collection[int]) -> Doubt:
        """Whether it is a limit on the other side."""
        stated = [(each.text, other) for each in self.near.aligned(cited) for other in each.figures]
        side, sides = bound_of(self.text, figure), {bound_of(*each) for each in stated if is_among(figure, [each[1]])}
        return Doubt.BOUND if side and sides and sides.isdisjoint({"", side}) else Doubt.NONE


def _clause_at(text: str, figure: Figure) -> tuple[int, int]:
    return next(((start, end) for start, end in clauses(text) if start <= figure.start < end), (0, len(text)))
