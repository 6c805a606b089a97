"""Tells a question in English: what mends Spanish words leaves its own alone."""

from __future__ import annotations

import re

from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS, words

__all__ = ["in_english"]

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(words("inglesas"))


def in_english(question: str) -> bool:
    """Whether two little words are English, or one and none is Spanish: «terms of use» may stand in a Spanish question.

    >>> in_english("Illegal access to computer systems"), in_english("¿qué dicen los terms of use?")
    (True, False)
    """
    said = set(_WORD.findall(fold(question)))
    english = len(said & _ENGLISH)
    return english >= 2 or (english == 1 and not said & STOPWORDS)
