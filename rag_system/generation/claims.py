"""Whether the sources that a sentence cites say what it says: its norms, figures and dates, its sense, its words.

The rules, in order; the first that fails is the doubt:

1. a norm that the sentence names is named by a source;
2. a figure, date, article or code of the sentence stands in a source, with the same unit, on the same side («hasta»
   is not «al menos»), and beside the words that the sentence puts it beside;
3. the sentence does not deny what the source affirms, or affirm what it denies;
4. the sentence shares enough of its words with a stretch of a source.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum
from functools import cached_property, lru_cache

from rag_system.generation.figures import Figure, is_among, read_figures
from rag_system.generation.markers import strip_markers
from rag_system.generation.polarity import bound_of, exclude_each_other, opposed, root, roots, split_clauses
from rag_system.generation.statements import Source, Statement
from rag_system.query.expansion import expand
from rag_system.query.identifiers import extract_identifiers, same_identifier, without_identifiers
from rag_system.query.text import fold

__all__ = ["Claim", "Doubt"]

# Found on planted sentences (`tests/unit/generation/planted.toml`).
_LEAST_SHARED = 0.34  # share of a sentence's words, 0…1, that a stretch of its sources must hold
_CLEARLY_NEARER = 0.12  # by which another figure of the source suits the sentence's words better
_OTHER_CLAUSE = 0.3  # what a word beside a figure counts that stands in another clause of the statement
_OTHER_UNIT = 0.2  # what a figure without a unit suits less well where the claim has one
_ALIGNED = 0.8  # of the best share: statements that speak of the same
_SHORTEST_ROOT = 5  # letters that two words must share from their start to be related
_BESIDE = 0.5  # what a word counts that stands only in the title, a heading or the next sentence


class Doubt(StrEnum):
    """Why a sentence is marked, as a person reads it."""

    NONE = ""
    IDENTIFIER = "la fuente citada no nombra esa norma"
    FIGURE = "la cifra o la fecha no está en la fuente citada"
    ANOTHER_FIGURE = "la fuente citada da esa cifra para otra cosa"
    BOUND = "la fuente citada da esa cifra como límite contrario"
    SENSE = "la fuente citada dice lo contrario"
    WORDS = "la fuente citada no lo dice"


# What says nothing that a source could say: offers, thanks, what the documents lack.
_NO_CLAIM = re.compile(
    r"^(?:con (?:mucho )?gusto|espero|gracias|claro|por supuesto|hola|buen[oa]s|le recomiendo|se recomienda revisar|"
    r"si (?:desea|necesita|requiere|tiene)\b.{0,80}\b(?:puedo|avise\w*|digame|consulte\w*|pregunte\w*|aqui estoy)|"
    r"quedo|estoy (?:aqui|a su)|en resumen|en sintesis|a continuacion|lamentablemente)\b"
    r"|\b(?:documentos|fuentes?|textos?|pasajes?|fragmentos?)\b[^.]{0,30}\bno\b[^.]{0,12}"
    r"\b(?:indica|menciona|precisa|especifica|senala|dice|contiene|incluye|trata|responde|aparece|detalla|aborda)\w*"
    r"|\bno (?:se )?(?:encontre|encuentr\w+|hall\w+|aparec\w+|hay|consta|figura|tengo)\b[^.]{0,60}"
    r"\b(?:documentos|fuentes?|informacion|pasajes?)\b"
    r"|\bno se (?:menciona|indica|especifica|precisa|detalla)\w*\b"
)
_expand = lru_cache(maxsize=4_096)(expand)
_META = frozenset(
    roots(
        """documento documentos fuente fuentes artículo artículos numeral numerales inciso literal norma ley decreto
        reglamento según señala establece indica dispone precisa menciona usted caso casos manera forma"""
    )
)


class Claim:
    """A sentence of an answer, without its markers."""

    def __init__(self, sentence: str) -> None:
        self.text = strip_markers(sentence).replace("*", "").strip()

    @property
    def says_nothing(self) -> bool:
        """Whether no source could support it: courtesy, a question, a lead-in, a heading, what is missing."""
        text = self.text
        if not text or text.startswith("#") or text.endswith(("?", ":")):
            return True
        return _NO_CLAIM.search(fold(text)) is not None or not (self.words or self.figures or self.identifiers)

    @cached_property
    def _bare(self) -> str:
        return without_identifiers(self.text)

    @cached_property
    def identifiers(self) -> list[str]:
        return extract_identifiers(self.text)

    @cached_property
    def figures(self) -> list[Figure]:
        return read_figures(self.text)

    @cached_property
    def words(self) -> list[str]:
        """The distinct roots that say something."""
        return [root for root in dict.fromkeys(roots(self._bare)) if root not in _META]

    def doubt(self, sources: Sequence[Source]) -> Doubt:
        """Why the sources do not support the sentence; `Doubt.NONE` when they do."""
        if self.says_nothing:
            return Doubt.NONE
        known = [identifier for source in sources for identifier in source.identifiers]
        if not all(any(same_identifier(asked, own) for own in known) for asked in self.identifiers):
            return Doubt.IDENTIFIER
        near = _Nearness(self, sources)
        return self._figures_doubt(sources, near) or self._sense_doubt(near) or self._words_doubt(near)

    # ------------------------------------------------------------ figures

    def _figures_doubt(self, sources: Sequence[Source], near: _Nearness) -> Doubt:
        stated = [figure for source in sources for figure in source.figures]
        if not all(is_among(figure, stated) or _is_in_words(figure, sources) for figure in self.figures):
            return Doubt.FIGURE
        for figure in self.figures:
            if near.suits_another(figure):
                return Doubt.ANOTHER_FIGURE
            if near.bounds_clash(figure):
                return Doubt.BOUND
        return Doubt.NONE

    def nearby(self, figure: Figure) -> dict[str, float]:
        """The words around a figure in its clause, nearer ones weighing more."""
        start, end = next(
            ((start, end) for start, end in split_clauses(self.text) if start <= figure.start < end),
            (0, len(self.text)),
        )
        before, after = self.text[start : figure.start], self.text[figure.end : end]
        weights: dict[str, float] = {}
        for words in (roots(before)[::-1], roots(after)):
            for distance, word in enumerate(words, 1):
                weights[word] = max(weights.get(word, 0.0), 1 / (1 + distance))
        return {
            word: weight
            for word, weight in weights.items()
            if word not in _META and word.rstrip("s") != root(figure.unit)
        }

    # ------------------------------------------------------------ sense and words

    def _sense_doubt(self, near: _Nearness) -> Doubt:
        clashes = [
            opposed(self.text, near.as_said_by(each), each.text, near.heard_from(each))
            or exclude_each_other(self.text, each.text)
            for each in near.aligned
        ]
        return Doubt.SENSE if clashes and all(clashes) else Doubt.NONE

    def _words_doubt(self, near: _Nearness) -> Doubt:
        return Doubt.WORDS if self.words and near.share < _LEAST_SHARED else Doubt.NONE


class _Nearness:
    """Which statements of the sources a claim is nearest to, by words in the sense of the claim's own."""

    def __init__(self, claim: Claim, sources: Sequence[Source]) -> None:
        self._claim = claim
        self._sources = sources
        vocabulary = sorted(frozenset().union(*(source.roots for source in sources)))
        self._same = {word: _related(word, vocabulary) for word in {*claim.words, *roots(claim.text)}}
        self._others = _other_words(claim)
        self._statements = [(source, place) for source in sources for place in range(len(source.statements))]
        self._weights = self._rarity()
        self._shares = {id(s.statements[p]): self._share_of(s, p) for s, p in self._statements}

    def _held(self, word: str, said: AbstractSet[str]) -> bool:
        return not said.isdisjoint(self._same.get(word, ())) or any(o <= said for o in self._others.get(word, ()))

    def _rarity(self) -> dict[str, float]:
        """Inverse document frequency over the statements; what none has weighs most."""
        said = [source.statements[place].roots for source, place in self._statements]
        counts = {word: sum(self._held(word, each) for each in said) for word in self._claim.words}
        return {word: math.log(1 + (len(said) + 1) / (count + 0.5)) for word, count in counts.items()}

    def _share_of(self, source: Source, place: int) -> float:
        """The share of the claim's words that a statement holds; what stands around it counts half."""
        statements = source.statements
        own = statements[place].roots
        around = source.label_roots.union(*(each.roots for each in statements[max(0, place - 1) : place + 2]))
        held = sum(weight * self._counts(word, own, around) for word, weight in self._weights.items())
        return held / (sum(self._weights.values()) or 1.0)

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
        return [
            source.statements[place]
            for source, place in self._statements
            if best > 0 and self._by_share(source.statements[place]) >= _ALIGNED * best
        ]

    def as_said_by(self, statement: Statement) -> frozenset[str]:
        """The roots of the claim, in the spelling of the statement."""
        mine = frozenset(roots(self._claim.text))
        return mine | {said for word in mine for said in self._same.get(word, ()) if said in statement.roots}

    def heard_from(self, statement: Statement) -> frozenset[str]:
        """The roots of the statement, in the spelling of the claim."""
        return statement.roots | {word for word, same in self._same.items() if not statement.roots.isdisjoint(same)}

    # ------------------------------------------------------------ figures

    def _fit(self, nearby: dict[str, float], statement: Statement, figure: Figure) -> float:
        """How well the words around a figure of the claim suit the clause of a figure of the source."""
        said = statement.clause_roots(figure)
        held = sum(weight for word, weight in nearby.items() if self._held(word, said))
        whole = sum(weight for word, weight in nearby.items() if self._held(word, statement.roots))
        return (held + _OTHER_CLAUSE * (whole - held)) / (sum(nearby.values()) or 1.0)

    def _fits(self, figure: Figure) -> tuple[list[tuple[float, Statement, Figure]], float]:
        """Where the sources state the figure, and how well the best of the others of its unit suits."""
        nearby = self._claim.nearby(figure)
        same: list[tuple[float, Statement, Figure]] = []
        rival = 0.0
        for source, place in self._statements:
            statement = source.statements[place]
            for stated in statement.figures:
                if is_among(figure, [stated]):
                    less = _OTHER_UNIT if figure.unit and not stated.unit else 0.0
                    same.append((self._fit(nearby, statement, stated) - less, statement, stated))
                elif stated.unit == figure.unit and not is_among(stated, self._claim.figures):
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
        mine = bound_of(self._claim.text, figure)
        if not mine:
            return False
        same, _ = self._fits(figure)
        best = max((fit for fit, _, _ in same), default=0.0)
        theirs = {bound_of(statement.text, stated) for fit, statement, stated in same if fit >= _ALIGNED * best}
        return bool(theirs) and theirs.isdisjoint({"", mine})


def _is_in_words(figure: Figure, sources: Iterable[Source]) -> bool:
    """«Un año» where the source says «al año»; a year that only the name of a norm carries."""
    if figure.value == "1" and figure.unit:
        return any(re.search(rf"\b{figure.unit}\b", source.folded) for source in sources)
    year = figure.value if not figure.unit else figure.value[:4] if figure.unit == "date" else ""
    dated = figure.unit != "date" or figure.value.endswith("-00-00")
    return dated and len(year) == 4 and any(re.search(rf"(?<!\d){year}(?!\d)", s.folded) for s in sources)


def _other_words(claim: Claim) -> dict[str, list[frozenset[str]]]:
    """Other words for those of the claim, each as the roots that say it."""
    found: dict[str, list[frozenset[str]]] = {}
    for word in dict.fromkeys(re.findall(r"[^\W\d_]+", claim.text)):
        own = roots(word)
        others = [frozenset(roots(other)) for other in _expand(word)] if own else []
        if others:
            found.setdefault(own[0], []).extend(others)
    return found


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
