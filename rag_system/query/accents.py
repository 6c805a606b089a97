"""Gives a question typed without accents its accents back, for the model that reads its meaning.

Words meet at their stems with or without accents, but an embedding model reads «dias habiles» as rarer words than «días
hábiles». Only a question without any accent is mended, and only words that are hardly ever others; one in English stays
as it is, also its «extension».
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from rag_system.query.english import in_another_language
from rag_system.query.text import fold

__all__ = ["restore_accents"]

SURE = 4.0  # times as often as all its other spellings together is a word written in the one that is chosen

_WORD = re.compile(r"[^\W\d_]+")
_ACCENT = re.compile(r"[áéíóú]", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:^|¿)\W*(?:(?:a|de|en|con|por|para|desde|hasta|sobre|y|e|pero|entonces)\s+){0,2}(?P<word>[^\W\d_]+)",
    re.IGNORECASE,
)
_VERB = re.compile(r"\bse\s+(?P<word>[^\W\d_]+)")  # «se publica», not «pública»
# Only where a question begins or «¿» opens: elsewhere «que» and «como» are other words.
_INTERROGATIVES = {
    fold(word): word
    for word in "qué cuál cuáles quién quiénes cuándo cuánto cuánta cuántos cuántas cómo dónde adónde".split()
}


def restore_accents(question: str) -> str:
    """The question with its accents, as long as it has none at all; its other letters and marks stay as they are.

    >>> restore_accents("cuantos dias habiles tengo para pedir informacion publica")
    'cuántos días hábiles tengo para pedir información pública'
    """
    if _ACCENT.search(question) or in_another_language(question):
        return question
    opening = [match.start("word") for match in _OPENING.finditer(question)]
    verbs = [match.start("word") for match in _VERB.finditer(question)]

    def mended(word: re.Match[str]) -> str:
        lower = word[0].lower()
        if word.start() in opening and lower in _INTERROGATIVES:
            return _cased(word[0], _INTERROGATIVES[lower])
        return word[0] if word.start() in verbs else _cased(word[0], _usual_spellings().get(lower, lower))

    return _WORD.sub(mended, question)


def _cased(word: str, accented: str) -> str:
    if word.isupper() and len(word) > 1:
        return accented.upper()
    return accented[0].upper() + accented[1:] if word[0].isupper() else accented


@cache
def _usual_spellings() -> Mapping[str, str]:
    """Without accents → with them, of the words that are nearly always written so.

    A verb in the past («llegó») is none of them: what people type without accents lends «llego» too little.
    """
    from wordfreq import get_frequency_dict

    spellings = defaultdict[str, dict[str, float]](dict)
    for word, frequency in get_frequency_dict("es", "small").items():
        spellings[fold(word)][word] = frequency
    usual = {plain: max(of, key=lambda word: of[word]) for plain, of in spellings.items()}
    return {
        plain: word
        for plain, word in usual.items()
        if word != plain
        and not word.endswith("ó")
        and spellings[plain][word] >= SURE * (sum(spellings[plain].values()) - spellings[plain][word])
    }
