"""Which words of a message ask, and which are courtesy around them: a linear model over letters and places.

Each word has a score, above 0 where it is more likely to belong to what is asked. What asks is the stretch whose scores
sum to most, less a price for each end that is cut: where no pause stands, a cut must be surer. A little story before a
question is part of it. Taught by `training/courtesy.py`.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

__all__ = ["BUCKETS", "Figures", "asking_stretch", "figures_of_words", "message_words"]

Figures = Sequence[
    NDArray[np.int64]
]  # of one word: groups of places in the table of weights; each group weighs the same

BUCKETS = 1 << 14  # of the table of weights: what letters share a place is left to chance (feature hashing)
_REACH = 3  # words before and after that tell about a word
_OFFSETS = range(-_REACH, _REACH + 1)
_LETTERS = (3, 4)  # in a row
_WORD = re.compile(r"[^\W_]+(?:[-./:][^\W_]+)*|[^\w\s]|\n+")
_STOPS = frozenset(".?!:;¿¡…\n")
_OPENING_SIGNS, _CLOSING_SIGNS = frozenset('¿¡(«"'), frozenset('?!)»".…')
_PRICE_AT_STOP, _PRICE_AT_COMMA, _PRICE_WITHIN = 1.5, 3.0, 6.0  # in log-odds


@lru_cache(maxsize=64)
def asking_stretch(plain: str) -> tuple[int, int]:
    """Where what a message (its aligned fold) asks begins and ends; all of it, where no word is likelier to ask than
    not.
    """
    found = list(_WORD.finditer(plain))
    said = [match[0] for match in found]
    first, last = _best_stretch(said, _scores(said), [n for n, word in enumerate(said) if word[0].isalnum()])
    if first == last:
        return 0, len(plain)
    while said[first - 1 : first] and said[first - 1] in _OPENING_SIGNS:
        first -= 1
    while said[last : last + 1] and said[last] in _CLOSING_SIGNS:
        last += 1
    return found[first].start(), found[last - 1].end()


def message_words(plain: str) -> list[str]:
    """The words and the signs of a message."""
    return _WORD.findall(plain)


def figures_of_words(said: Sequence[str]) -> Iterator[Figures]:
    """What tells about each word: the letters of it and of those around it, and where question marks stand."""
    for tells in _telling(said):
        yield [_places(offset, word) for offset, word in tells]


def _telling(said: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """About each word: those around it, by how far they stand, and one made of where question marks stand."""
    padded = ["^"] * _REACH + list(said) + ["$"] * _REACH
    for i in range(len(said)):
        before, after = said[:i], said[i:]
        marks = f"{'¿' in before}{'?' in before}{'¿' in after}{'?' in after}"
        yield [*zip(_OFFSETS, padded[i : i + len(_OFFSETS)], strict=True), (_REACH + 1, marks)]


def _places(offset: int, word: str) -> NDArray[np.int64]:
    bounded = f"<{word}>"
    pieces = {bounded, *(bounded[i : i + n] for n in _LETTERS for i in range(len(bounded) - n + 1))}
    return np.array([zlib.crc32(f"{offset} {piece}".encode()) % BUCKETS for piece in sorted(pieces)], dtype=np.int64)


def _scores(said: Sequence[str]) -> list[float]:
    """In log-odds; a sign has none."""
    _, bias = _model()
    return [
        bias + sum(_weight(*each) for each in tells) if word[0].isalnum() else 0.0
        for word, tells in zip(said, _telling(said), strict=True)
    ]


@lru_cache(maxsize=16_384)
def _weight(offset: int, word: str) -> float:
    """What a word at that distance says."""
    weights, _ = _model()
    group = _places(offset, word)
    return float(weights[group].sum()) / sqrt(len(group))


def _best_stretch(said: Sequence[str], scores: Sequence[float], words: Sequence[int]) -> tuple[int, int]:
    """The stretch from one of the words to another that is worth most (Kadane's scan, with prices at its ends)."""
    sums = [0.0, *accumulate(scores)]
    best, stretch, start, start_worth = 0.0, (0, 0), 0, -inf
    for n in words:
        worth = -sums[n] - (_price(said, n) if n > words[0] else 0.0)
        if worth > start_worth:
            start, start_worth = n, worth
        worth = start_worth + sums[n + 1] - (_price(said, n + 1) if n < words[-1] else 0.0)
        if worth > best:
            best, stretch = worth, (start, n + 1)
    return stretch


def _price(said: Sequence[str], place: int) -> float:
    around = {said[place - 1][0], said[place][0]}
    if around & _STOPS:
        return _PRICE_AT_STOP
    return _PRICE_AT_COMMA if "," in around else _PRICE_WITHIN


@cache
def _model() -> tuple[NDArray[np.float64], float]:
    with files("rag_system.query").joinpath("data", "asking.npz").open("rb") as file, np.load(file) as arrays:
        return arrays["weights"].astype(np.float64), float(arrays["bias"])
