"""The words of a Spanish sentence as the check of an answer compares them, and the clauses that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rag_system.query.text import fold, stem
from rag_system.query.word_lists import STOPWORDS

__all__ = ["clauses", "root", "roots", "words"]

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_WITH_DIPHTHONG = 5  # letters; shorter ones are other words: «bien», «cien»
_DIPHTHONGS = (("ue", "o"), ("ie", "e"))
_CLAUSE_END = re.compile(
    r"[;\n|]|:(?!\d)|\s[–—]|[–—]\s|\s(?=(?:y|e|pero|sino|mientras|aunque|porque|pues|salvo|excepto)\s)"
    r"|,\s(?=(?:salvo|excepto|pero|sino|y|e|aunque|pues|porque|ya|por lo|as[ií] que|de modo|con lo|siempre que|cuando|"
    r"si|lo que|quien|en cambio|lo|le|les|se)\s)"
)


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """The stem of a folded word with its diphthong undone, so that «resuelve» meets «resolver»."""
    found = stem(word)
    if len(found) >= _SHORTEST_WITH_DIPHTHONG:
        for diphthong, vowel in _DIPHTHONGS:
            found = found.replace(diphthong, vowel)
    return found


def roots(text: str) -> list[str]:
    """The roots of the words that say something, in order; numbers are no words."""
    return [root(word) for word in words(text) if word not in STOPWORDS and not word[0].isdigit()]


def words(text: str) -> list[str]:
    """The folded words and numbers."""
    return _WORD.findall(fold(text))


def clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where the clauses of a sentence start and end."""
    start = 0
    for mark in _CLAUSE_END.finditer(text):
        if mark.start() > start:
            yield start, mark.start()
        start = mark.end()
    if start < len(text):
        yield start, len(text)
