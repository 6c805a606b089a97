"""The XLM-RoBERTa tokenizer: SentencePiece's unigram model over the vocabulary that lies beside the weights.

Written out here because the `tokenizers` package needs seven times the memory (290 MB) and the loading time (0.8 s) for
this vocabulary (docs/decisions/0004). A word is split once and remembered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice

__all__ = ["BEGIN", "END", "Tokenizer", "normalise"]

BEGIN, PAD, END, UNKNOWN = range(4)  # ids of <s>, <pad>, </s> and <unk>
CONTROL = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")  # never matched in a text
WORD_START = "▁"  # stands for the space before a word

UNKNOWN_PENALTY = 10.0  # below the worst piece: SentencePiece's kUnkPenalty
REMEMBERED_WORDS = 32_768  # some 8 MB; the words of a large collection that recur
REMEMBERED_LENGTH = 40  # characters; longer «words» are addresses and binary noise

# What SentencePiece's nmt_nfkc drops, or turns into a space, before NFKC. NUL and lone surrogates are added.
_DROPPED = re.compile("[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]")
_SPACES = re.compile("[\x00\u200b-\u200f\u2581\ufeff\ufffd\ud800-\udfff]")


def normalise(text: str) -> str:
    """NFKC without control characters; what does not show is a space."""
    return unicodedata.normalize("NFKC", _SPACES.sub(" ", _DROPPED.sub("", text)))


class Tokenizer:
    """Any `str` to token ids, without special tokens. Safe to call from several threads.

    `pieces` and `scores` (log probabilities) are the vocabulary, by token id.
    """

    def __init__(self, *, pieces: Sequence[str], scores: Sequence[float]) -> None:
        self._ids = dict(zip(pieces, range(len(pieces)), strict=True))
        for name in CONTROL:
            self._ids.pop(name, None)
        self._scores = scores
        self._longest = max(map(len, self._ids))
        self._unknown_score = min(scores) - UNKNOWN_PENALTY
        self._remembered = lru_cache(REMEMBERED_WORDS)(self._segment)

    def ids(self, text: str, *, limit: int) -> list[int]:
        """The first `limit` token ids; the rest of a long text is not looked at."""
        words = (word[: limit * self._longest] for word in normalise(text).split())
        return list(islice(chain.from_iterable(map(self._pieces, words)), limit))

    def count(self, text: str) -> int:
        return sum(len(self._pieces(word)) for word in normalise(text).split())

    def _pieces(self, word: str) -> list[int]:
        return self._remembered(word) if len(word) <= REMEMBERED_LENGTH else self._segment(word)

    def _segment(self, word: str) -> list[int]:
        """The most probable split of a word into pieces (Viterbi); characters in no piece are unknown."""
        word = WORD_START + word
        lookup, scores = self._ids.get, self._scores
        best = [0.0, *[-1e300] * len(word)]  # best[end]: of the best split of word[:end]
        steps = [(0, UNKNOWN)] * (len(word) + 1)  # (start, id) of its last piece
        for start in range(len(word)):
            reached = best[start]
            for end in range(start + 1, min(start + self._longest, len(word)) + 1):
                piece = lookup(word[start:end])
                if piece is not None and reached + scores[piece] > best[end]:
                    best[end], steps[end] = reached + scores[piece], (start, piece)
            if word[start] not in self._ids and reached + self._unknown_score > best[start + 1]:
                best[start + 1], steps[start + 1] = reached + self._unknown_score, (start, UNKNOWN)
        return _path(steps)


def _path(steps: Sequence[tuple[int, int]]) -> list[int]:
    """Follow the last pieces back to the start. Neighbouring unknown characters are one token."""
    ids: list[int] = []
    end = len(steps) - 1
    while end:
        end, piece = steps[end]
        if piece != UNKNOWN or not ids or ids[-1] != UNKNOWN:
            ids.append(piece)
    return ids[::-1]
