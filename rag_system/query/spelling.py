"""Unknown words of a question, corrected against the words that a project really uses.

The vocabulary is behind a protocol: what it holds, words or stems, comes back. It is only asked for words that were
spelled out beforehand and for those that share a beginning, so that the cost does not grow with the vocabulary. Names,
numbers and identifiers are never corrected: `suspects` leaves them out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from math import inf
from typing import Protocol

from rag_system.query.citations import find_citations
from rag_system.query.common_words import is_common
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.identifiers import without_identifiers
from rag_system.query.language import in_another_language
from rag_system.query.text import fold, stem

__all__ = ["Vocabulary", "correct", "corrections", "rewrite_word", "suspects", "usual_spelling"]

_SHORTEST = 4  # letters; shorter words have too many neighbours
_LONGEST = 30  # letters; longer runs are no words, and would have millions of neighbours
_LONG = 8  # letters from which two slips are forgiven
_SURE = 3  # letters at the beginning of a long word that are right where there are two slips
_LIKENESS = (
    0.7  # least resemblance, 0…1, of a typed word and the one it is replaced by («vacasion», «vacaciones»: 0.78)
)
_DISTINCT = 5  # letters that only one of two words has, at most, for two slips to explain it


class Vocabulary(Protocol):
    """The words of a project, each with the number of chunks that have it."""

    def frequencies(self, words: Collection[str]) -> Mapping[str, int]:
        """Those of `words` that a document has."""
        ...

    def beginning(self, beginnings: Sequence[str], *, shortest: int, longest: int) -> Mapping[str, int]:
        """Words of so many letters that have one of the beginnings; not all, where there are very many."""
        ...


_WORD = re.compile(r"[^\W\d_]+")


def suspects(question: str) -> list[str]:
    """The folded words of a question that a typing slip may have spoilt: no names, acronyms, numbers or identifiers.

    Nor forms of common words, whatever the documents have. One in English has none: what is near its words is not what
    was meant.

    >>> suspects("Hola, ¿cuantas vacasiones da la Ley 29733 según Arias (2020) en SUNAT?")
    ['vacasiones']
    """
    if in_another_language(question):
        return []
    text = without_identifiers(strip_courtesy(question))
    cited = {part for author in find_citations(text).authors for part in fold(author).split()}
    said = _WORD.findall(text)
    shouted = text.isupper()
    no_names = [word for index, word in enumerate(said) if shouted or word.islower() or (not index and word.istitle())]
    long_enough = dict.fromkeys(fold(word) for word in no_names if len(word) >= _SHORTEST)
    return [word for word in long_enough if word.isalpha() and word not in cited and not is_common(word)]


def corrections(question: str, vocabulary: Vocabulary) -> dict[str, str]:
    """Word as typed (folded) → stem that the project knows, for the suspects whose stem it does not know."""
    stems = {stem(word): word for word in suspects(question)}
    return {stems[wrong]: right for wrong, right in correct(stems, vocabulary).items()}


def rewrite_word(question: str, wrong: str, right: str) -> str:
    """The question with the folded word `wrong` replaced by `right`, wherever it stands alone."""
    return _WORD.sub(lambda match: right if fold(match[0]) == wrong else match[0], question)


def usual_spelling(term: str, texts: Iterable[str], *, instead_of: str = "") -> str:
    """How the texts write a stem, most often; empty when none has it, or none that resembles what was typed.

    Two stems a slip apart may be of words that have nothing to do with each other: «prompt», «prometidos».
    """
    words = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    of_stem = (word for word in words if stem(word) == term)  # few: resemblance costs more
    alike = (word for word in of_stem if not instead_of or _resemblance(fold(word), instead_of) >= _LIKENESS)
    return max(alike, key=lambda word: (words[word], word), default="")


def _resemblance(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def correct(terms: Iterable[str], vocabulary: Vocabulary) -> dict[str, str]:
    """Unknown term → the nearest known one; terms that are known, short, very long, or near nothing are left out.

    Nearest by slips, then by how often the project uses it. The first letter is right, or sounds like the right one.
    """
    eligible = [term for term in dict.fromkeys(terms) if _SHORTEST <= len(term) <= _LONGEST and term.isalpha()]
    known = vocabulary.frequencies(eligible) if eligible else {}
    near = {term: _one_slip_away(term) for term in eligible if term not in known}
    found = vocabulary.frequencies(set().union(*near.values())) if near else {}
    nearest = {term: _nearest(term, {word: found[word] for word in near[term] & found.keys()}, 1.0) for term in near}
    if far := [term for term, better in nearest.items() if not better and len(term) >= _LONG]:
        lengths = [len(term) for term in far]
        alike = vocabulary.beginning([t[:_SURE] for t in far], shortest=min(lengths) - 2, longest=max(lengths) + 2)
        nearest |= {term: _nearest(term, _of_similar_letters(term, alike), 2.0) for term in far}
    return {term: better for term, better in nearest.items() if better}


def _nearest(term: str, candidates: Mapping[str, int], allowed: float) -> str:
    weighed = ((_slips(term, word, allowed), -frequency, word) for word, frequency in candidates.items())
    near = [found for found in weighed if found[0] <= allowed]
    return min(near)[2] if near else ""


def _of_similar_letters(term: str, words: Mapping[str, int]) -> dict[str, int]:
    """Cheaply: those that two slips could make of it."""
    letters = set(term)
    return {
        word: frequency
        for word, frequency in words.items()
        if abs(len(word) - len(term)) <= 2 and len(letters.symmetric_difference(word)) <= _DISTINCT
    }


# ---------------------------------------------------------------- what a slip makes of a word

_ALPHABET = "abcdefghijklmnñopqrstuvwxyz"


def _one_slip_away(term: str) -> set[str]:
    """What one whole slip or two halves make of a term: some 400 words of 8 letters, few of which exist."""
    half = set(_half_slips(term))
    return half.union(_whole_slips(term), *map(_half_slips, half)) - {term}


def _half_slips(term: str) -> Iterator[str]:
    """Each letter for one that sounds like it, and the silent h put in or taken out."""
    for i, letter in enumerate(term):
        yield from (term[:i] + other + term[i + 1 :] for other in _ALIKE.get(letter, ()))
        yield term[:i] + "h" + term[i:]
        if letter == "h":
            yield term[:i] + term[i + 1 :]


def _whole_slips(term: str) -> Iterator[str]:
    """A letter missing, extra, changed, or two swapped; not the first."""
    for i in range(1, len(term) + 1):
        before, after = term[:i], term[i:]
        yield from (before + letter + after for letter in _ALPHABET)
        yield from (before + letter + after[1:] for letter in _ALPHABET if after)
        yield before + after[1:]
    for i, (one, other) in enumerate(pairwise(term)):
        if i:
            yield term[:i] + other + one + term[i + 2 :]


# ---------------------------------------------------------------- distance

_SOUND_ALIKE = frozenset(
    frozenset(pair) for pair in ("bv", "sc", "sz", "cz", "gj", "yl", "iy", "ck", "qk", "xs", "nñ", "mn", "uw", "kc")
)
_ALIKE = {
    letter: "".join(sorted(other for pair in _SOUND_ALIKE if letter in pair for other in pair - {letter}))
    for letter in frozenset().union(*_SOUND_ALIKE)
}
_HALF = 0.5  # of a slip: letters that sound alike in Spanish, and the silent h


def _swap_cost(one: str, other: str) -> float:
    if one == other:
        return 0.0
    return _HALF if frozenset((one, other)) in _SOUND_ALIKE else 1.0


def _gap_cost(letter: str) -> float:
    return _HALF if letter == "h" else 1.0


def _slips(one: str, other: str, most: float) -> float:
    """Optimal string alignment distance: a letter missing, extra, changed, or two swapped, each one slip.

    Infinite as soon as it is certain to be more than `most`.
    """
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
        if min(row) > most and min(before) > most:
            return inf
    return row[-1]
