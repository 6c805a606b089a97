"""Names that people give to things, as a text may write them: the same words, in order, side by side. Pure.

Stricter than the terms of a search: there «marco» may stand for «marca», because many words are weighed together; here
one word decides alone.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rag_system.query.text import stem, tokens

__all__ = ["phrase_terms"]

# A stem of so few letters is that of unlike words (casa and caso, marca and marco, pena and pene): the word itself
# counts then, in the singular.
SHORT_STEM = 4
_FOREIGN_PLURAL = re.compile(r"([bcdfgklmnprtvwxz])s$")  # «récords», «clubs»: Snowball keeps their ending
_WORD_CACHE = 65_536


def phrase_terms(text: str) -> tuple[str, ...]:
    """The comparable words of a text in order, stopwords too; the same with and without accents, capitals and plurals.

    >>> phrase_terms("Récord vacacional") == phrase_terms("RECORDS VACACIONALES")
    True
    >>> phrase_terms("marcas") == phrase_terms("marca") != phrase_terms("marco")
    True
    """
    return tuple(map(_term, tokens(text)))


@lru_cache(maxsize=_WORD_CACHE)
def _term(word: str) -> str:
    if not word.isalpha():
        return word
    stemmed = _FOREIGN_PLURAL.sub(r"\1", stem(word))
    return stemmed if len(stemmed) > SHORT_STEM else _singular(word)


def _singular(word: str) -> str:
    """One spelling for a short word and its plural: «leyes» → «ley», «luces» → «luz», «clases» and «clase» → «clas»."""
    if word.endswith("ces"):
        return f"{word[:-3]}z"
    if word.endswith("ses"):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and word[-2] not in "iu":  # «país», «bonus» are no plurals
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
