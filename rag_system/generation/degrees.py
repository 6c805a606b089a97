"""The degree that a question asks for: of the items of one list, those that have it go before those that do not.

«Muy grave» is not «grave», «no domiciliado» is not «domiciliado»: the words that tell them apart are too common to
weigh anything, or are a figure's. Only items of the same list are compared, and only where one of them has the degree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from rag_system.generation.word_patterns import load_data, one_of
from rag_system.query.text import fold, stem

__all__ = ["misses_degree"]

_WORDS = load_data("grados.toml")
_DEGREE = re.compile(rf"\b({one_of(_WORDS['marcas'])})\s+(\w+)")
_WORD = re.compile(r"\w+")
_LIMIT = re.compile(rf"\b({one_of(_WORDS['limites'])})[oa]s?\b")
_BOUND = re.compile(rf"\b({one_of(_WORDS['signos'])})\s+de\s+(\d+|[a-zñ]{{3,}})")


def misses_degree(question: str, terms: Iterable[str], items: Sequence[str]) -> list[bool]:
    """Of each item of a list, whether it lacks a degree that the question asks for and another item has.

    `terms`: those that say what the question is about. A word that is asked for plainly is missed by an item that has
    it only as «muy …» or «no …».

    >>> misses_degree("multa por falta muy grave", ["falt", "grav"], ["a) grave: 5 UIT", "b) muy grave: 9 UIT"])
    [True, False]
    """
    if len(items) < 2:
        return [False] * len(items)
    held = [_Degrees(item) for item in items]
    wanted = _Degrees(question)
    missed = [False] * len(items)
    for asked in (_of_terms(wanted, frozenset(terms)), wanted.limits, wanted.bounds):
        has = [any(each in degrees.all for each in asked) for degrees in held]
        if any(has):
            missed = [before or not now for before, now in zip(missed, has, strict=True)]
    told_apart = {term for degrees in held for _, term in degrees.marked}
    for term in told_apart & wanted.plain & set(terms):
        if any(term in degrees.plain for degrees in held):
            missed = [before or degrees.only_marked(term) for before, degrees in zip(missed, held, strict=True)]
    return missed


def _of_terms(degrees: _Degrees, terms: frozenset[str]) -> frozenset[str]:
    """Only those of words that matter: «no se» says nothing."""
    return frozenset(f"{word} {term}" for word, term in degrees.marked if term in terms)


class _Degrees:
    """What a text, read once, has of each kind."""

    def __init__(self, text: str) -> None:
        folded = fold(text)
        self.marked = frozenset((word, stem(of)) for word, of in _DEGREE.findall(folded))
        self.limits = frozenset(_LIMIT.findall(folded))
        self.bounds = frozenset(f"{sign} de {figure}" for sign, figure in _BOUND.findall(folded))
        self._folded = folded
        self.all = frozenset(f"{word} {of}" for word, of in self.marked) | self.limits | self.bounds

    @cached_property
    def plain(self) -> frozenset[str]:
        """The stems of the words that no «muy» or «no» stands before."""
        return frozenset(map(stem, _WORD.findall(_DEGREE.sub(" ", self._folded))))

    def only_marked(self, term: str) -> bool:
        """Whether a word stands only as «muy …» or «no …»."""
        return term not in self.plain and any(of == term for _, of in self.marked)
