"""What kind of request a message is, and whether it leans on the turns before: a linear model of its letters and words.

A question to the documents, small talk, noise, the list of documents, a task, something to keep. Multinomial logistic
regression over hashed n-grams (letters of a word, words in a row); norms, numbers, file names and quotations are masked
first, so that nothing of the matter is learned. Taught by `training/requests.py`.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from math import sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.identifiers import blotted, find_identifiers
from rag_system.types import TaskKind

__all__ = [
    "BUCKETS",
    "FILE_NAME",
    "KINDS",
    "LEANS",
    "Kind",
    "Reading",
    "SmallTalk",
    "features",
    "masked_words",
    "read_kind",
]

SmallTalk = Literal["greeting", "thanks", "farewell", "about", "acknowledgement"]
Kind = Literal["question", "noise", "inventory", "remember"] | SmallTalk | TaskKind

KINDS: tuple[Kind, ...] = (
    "question", "noise", "inventory", "remember", *get_args(SmallTalk), *get_args(TaskKind),
)  # fmt: skip
Figures = tuple[NDArray[np.int64], NDArray[np.float64]]

BUCKETS = 1 << 15  # of the table of weights: which n-grams share a place is left to chance (feature hashing)
LEANS = 0.5  # the probability of leaning on the turns before from which on it counts
_LETTERS, _WORDS = (2, 3, 4, 5), (1, 2, 3)  # in a row
_MOST_WORDS = 60
_WORD = re.compile(r"[a-z0-9ñ]+|[@#$]")
_QUOTED = re.compile(r"«[^»]{1,200}»|\"[^\"]{1,200}\"|“[^”]{1,200}”")
FILE_NAME = r"[\w.-]+\.(?:pdf|docx?|odt|txt|md|html?|pptx?|xlsx?|csv|epub)\b"
_FILE = re.compile(FILE_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a message is most likely to be."""

    kind: Kind
    probability: float  # of that kind
    follows: float  # the probability that it leans on the turns before


@lru_cache(maxsize=256)
def read_kind(message: str) -> Reading:
    """The likeliest kind of a message."""
    shares, follows = _scores(features(masked_words(message)))
    best = int(np.argmax(shares))
    return Reading(kind=KINDS[best], probability=float(shares[best]), follows=follows)


def masked_words(message: str) -> list[str]:
    """The plain words of a message: a norm is «@», a file or a quotation «$», a number «#»."""
    composed = unicodedata.normalize("NFC", message)
    plain = re.sub(r"[@#$]", " ", aligned_fold(composed))
    plain = blotted(plain, (norm for norm in find_identifiers(composed) if norm.end > norm.start), "@")
    plain = _FILE.sub(" $ ", _QUOTED.sub(" $ ", plain))
    return ["#" if word.isdigit() else word for word in _WORD.findall(plain)][:_MOST_WORDS]


def features(words: Sequence[str]) -> Figures:
    """The places of a message's n-grams in the table, and the weight of each: letters and words count alike."""
    groups = [sorted(set(_letters(words))), sorted(set(_in_a_row(words)))]
    places = [zlib.crc32(gram.encode()) % BUCKETS for group in groups for gram in group]
    weights = [1 / sqrt(len(group)) for group in groups for _ in group]
    return np.array(places, dtype=np.int64), np.array(weights)


def _letters(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        bounded = f"<{word}>"
        yield from (bounded[i : i + n] for n in _LETTERS for i in range(len(bounded) - n + 1))


def _in_a_row(words: Sequence[str]) -> Iterator[str]:
    bounded = ["^", *words, "$$"]
    for n in _WORDS:
        yield from (" ".join((str(n), *bounded[i : i + n])) for i in range(len(bounded) - n + 1))
    yield f"length {min(len(words), 12)}"


def _scores(found: Figures) -> tuple[NDArray[np.float64], float]:
    """The probability of each kind, and that of leaning on the turns before."""
    places, weights = found
    table, bias = _model()
    logits = weights @ table[places] + bias
    kinds = np.exp(logits[:-1] - logits[:-1].max())
    return kinds / kinds.sum(), float(1 / (1 + np.exp(-logits[-1])))


@cache
def _model() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A row of weights for each place, a column for each kind and one for leaning; and what each has at least."""
    with files("rag_system.query").joinpath("data", "kinds.npz").open("rb") as file, np.load(file) as arrays:
        return arrays["weights"] * arrays["scale"].astype(np.float64), arrays["bias"].astype(np.float64)
