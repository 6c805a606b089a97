"""Unknown words of a question, corrected against the words that a project really uses.

The vocabulary is behind a protocol: what it holds, words or stems, comes back. Names, numbers and identifiers are never
corrected: `suspects` leaves them out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from rag_system.query.citations import find_citations
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.identifiers import without_identifiers
from rag_system.query.text import fold, stem
from rag_system.query.word_lists import STOPWORDS

__all__ = ["Vocabulary", "correct", "corrections", "rewrite_word", "suspects", "written"]

_SHORTEST = 4  # letters; shorter words have too many neighbours
_LONG = 8  # letters from which two slips are forgiven


class Vocabulary(Protocol):
    """The words of a project."""

    def unknown(self, terms: Sequence[str]) -> list[str]:
        """Those of `terms` that no document has."""
        ...

    def candidates(self, term: str) -> Iterable[tuple[str, int]]:
        """Words that look like it, each with the number of chunks that have it."""
        ...


_WORD = re.compile(r"[^\W\d_]+")


def suspects(question: str) -> list[str]:
    """The folded words of a question that a typing slip may have spoilt: no names, acronyms, numbers or identifiers.

    >>> suspects("Hola, ¿cuantas vacasiones da la Ley 29733 según Arias (2020) en SUNAT?")
    ['vacasiones']
    """
    text = without_identifiers(strip_courtesy(question))
    cited = {part for author in find_citations(text).authors for part in fold(author).split()}
    said = _WORD.findall(text)
    shouted = text.isupper()
    common = [word for index, word in enumerate(said) if shouted or word.islower() or (not index and word.istitle())]
    long_enough = (fold(word) for word in common if len(word) >= _SHORTEST)
    return list(dict.fromkeys(word for word in long_enough if word.isalpha() and word not in STOPWORDS | cited))


def corrections(question: str, vocabulary: Vocabulary) -> dict[str, str]:
    """Word as typed (folded) → stem that the project knows, for the suspects whose stem it does not know."""
    stems = {stem(word): word for word in suspects(question)}
    return {stems[wrong]: right for wrong, right in correct(stems, vocabulary).items()}


def rewrite_word(question: str, wrong: str, right: str) -> str:
    """The question with the folded word `wrong` replaced by `right`, wherever it stands alone."""
    return _WORD.sub(lambda match: right if fold(match[0]) == wrong else match[0], question)


def written(term: str, texts: Iterable[str]) -> str:
    """How the texts write a stem, most often; empty when none has it."""
    words = Counter(word.lower() for text in texts for word in _WORD.findall(text) if stem(fold(word)) == term)
    return max(words, key=lambda word: (words[word], word), default="")


def correct(terms: Iterable[str], vocabulary: Vocabulary) -> dict[str, str]:
    """Unknown term → the nearest known one; terms that are known, short, or near nothing are left out.

    Nearest by slips, then by how often the project uses it.
    """
    eligible = [term for term in dict.fromkeys(terms) if len(term) >= _SHORTEST and term.isalpha()]
    if not eligible:
        return {}
    nearest = {term: _nearest(term, vocabulary.candidates(term)) for term in vocabulary.unknown(eligible)}
    return {term: better for term, better in nearest.items() if better}


def _nearest(term: str, candidates: Iterable[tuple[str, int]]) -> str:
    allowed = 2.0 if len(term) >= _LONG else 1.0
    weighed = ((_slips(term, word), -frequency, word) for word, frequency in candidates if word != term)
    near = [found for found in weighed if found[0] <= allowed]
    return min(near)[2] if near else ""


# ---------------------------------------------------------------- distance

_SOUND_ALIKE = frozenset(
    frozenset(pair) for pair in ("bv", "sc", "sz", "cz", "gj", "yl", "iy", "ck", "qk", "xs", "nñ", "mn", "uw", "kc")
)
_HALF = 0.5  # of a slip: letters that sound alike in Spanish, and the silent h


def _swap_cost(one: str, other: str) -> float:
    if one == other:
        return 0.0
    return _HALF if frozenset((one, other)) in _SOUND_ALIKE else 1.0


def _gap_cost(letter: str) -> float:
    return _HALF if letter == "h" else 1.0


def _slips(one: str, other: str) -> float:
    """Optimal string alignment distance: a letter missing, extra, changed, or two swapped, each one slip."""
    before: list[float] = []
    row = [0.0]
    for letter in other:
        row.append(row[-1] + _gap_cost(letter))
    for i, a in enumerate(one, start=1):
        older, before, row = before, row, [row[0] + _gap_cost(a)]
        for j, b in enumerate(other, start=1):
            cost = min(before[j] + _gap_cost(a), row[j - 1] + _gap_cost(b), before[j - 1] + _swap_cost(a, b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                cost = min(cost, older[j - 2] + 1.0)
            row.append(cost)
    return row[-1]
