"""Tells a question in English or in Portuguese: what mends Spanish words leaves its own alone."""

from __future__ import annotations

import re

from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS, words

__all__ = ["in_another_language", "in_english"]

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(words("inglesas"))
_PORTUGUESE = frozenset(words("portuguesas"))
_SURE = 2  # words of another language, where Spanish ones stand beside them


def in_english(question: str) -> bool:
    """Whether two little words are English, or one and none is Spanish: «terms of use» may stand in a Spanish question.

    >>> in_english("Illegal access to computer systems"), in_english("¿qué dicen los terms of use?")
    (True, False)
    """
    return _is_in(_ENGLISH, question)


def in_another_language(question: str) -> bool:
    """Whether the question is in English or in Portuguese, which the documents' words do not answer.

    >>> in_another_language("Quais são os direitos do trabalhador?"), in_another_language("¿qué derechos tengo?")
    (True, False)
    """
    return in_english(question) or _is_in(_PORTUGUESE, question)


def _is_in(language: frozenset[str], question: str) -> bool:
    said = set(_WORD.findall(fold(question)))
    known = len(said & language)
    spanish = len((said & STOPWORDS) - language)
    return (known >= _SURE and known >= spanish) or (known == 1 and not spanish)
