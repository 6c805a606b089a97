"""The words of the synthetic collection: Spanish ones first, then made-up ones without end, drawn by Zipf's law."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ranks", "Words", "figures"]

Ranks = NDArray[np.int32]  # 0 is the most frequent word

# Zipf–Mandelbrot p(r) ∝ (r + shift)^−exponent, fitted to 21,927 chunks of Peruvian norms: as there, the hundredth term
# stands in a tenth of the chunks, the thousandth in a hundredth, and half of a chunk's words repeat others.
EXPONENT, SHIFT = 1.08, 3.0
MOST_WORDS = 1_000_000
WORDS_PER_ROOT = 40  # Heaps' law: about that many distinct words for each square root of the running words

_ONSETS = "b c ch d f g j l ll m n p r s t v z br cl cr dr fl gr pl pr tr".split()
_SYLLABLES = [onset + vowel for vowel in "aeiou" for onset in _ONSETS]
_ENDINGS = "r ción do miento dad nte l sta dor les nza rio".split()


class Words:
    """The vocabulary of a collection of `running` words, as ranks."""

    def __init__(self, *, running: int) -> None:
        known: list[str] = _data()["words"].split()
        size = int(min(max(WORDS_PER_ROOT * running**0.5, len(known)), MOST_WORDS))
        self.spelled = list(dict.fromkeys(known + [_invent(number) for number in range(size - len(known))]))
        weights = (np.arange(len(self.spelled)) + SHIFT) ** -EXPONENT
        self._cumulated = np.cumsum(weights / weights.sum())

    def draw(self, rng: np.random.Generator, count: int) -> Ranks:
        """Words as a text would have them: few of them often, most of them hardly ever."""
        return np.minimum(np.searchsorted(self._cumulated, rng.random(count)), len(self.spelled) - 1).astype(np.int32)

    def draw_rare(self, rng: np.random.Generator, count: int, *, above: int) -> Ranks:
        """Words of a subject: none of the `above` most frequent, the rarer the fewer."""
        low, high = np.log(above), np.log(len(self.spelled))
        return np.exp(rng.uniform(low, high, count)).astype(np.int32)


def figures() -> list[str]:
    """Ways of writing a figure, to be filled with two numbers."""
    return list(_data()["figures"])


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(files("benchmarks").joinpath("words.toml").read_text(encoding="utf-8"))


def _invent(number: int) -> str:
    """A word that can be pronounced, another for each number."""
    ending = _ENDINGS[number % len(_ENDINGS)]
    rest, syllables = number // len(_ENDINGS) + len(_SYLLABLES), ""
    while rest:
        rest, syllable = divmod(rest, len(_SYLLABLES))
        syllables += _SYLLABLES[syllable]
    return syllables + ending
