"""The language of a text, from its most common words: enough to tell those of documents and of questions apart.

One language a document, by majority: of a bilingual one, that in which more is written. Pure.
"""

from __future__ import annotations

import re
from collections import Counter

from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS

__all__ = ["detect_language", "in_another_language"]

_WORDS = {
    "es": "el la los las del y en que por para con una se su al lo como más pero sus este esta son según",
    "en": "the of and to in is that for with as on are be this by from or an it at not which have was were what who "
    "whose how when where why does do did must shall can could should would may might will my your our their we you "
    "they if about during many much any get these those been there between without into under",
    "pt": "o os do da dos das em que e um uma não para com por se na no mais ao são pela pelo também foi ser qual "
    "quais quantos quantas meu minha seu quem quando onde tem posso pode devo você ou isso esse",
    "fr": "le les des du et est dans pour une que qui sur pas au aux par plus ne sont avec ce ces cette être leur",
    "it": "il di che è per una con del della non sono nel alla dei gli le come anche più si questo delle dal lo",
    "de": "der die und das ist nicht mit den von zu ein eine auf für im dem des sich als auch wird werden oder",
}
_VOCABULARY = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_TOKEN = re.compile(r"[^\W\d_]+")
_SAMPLES, _SAMPLE_CHARS = 40, 500  # spread over the text: a summary in another language opens many papers
_MIN_HITS = 8  # fewer common words say nothing
_MARGIN = 1.15  # another language must win over Spanish clearly

# Of a question: words that Spanish does not have.
_FOREIGN = [
    frozenset(map(fold, _VOCABULARY[language])) - STOPWORDS - frozenset("in on as da dos na".split())
    for language in ("en", "pt")
]
_SURE = 2  # words of another language, where Spanish ones stand beside them


def detect_language(text: str) -> str:
    """ISO 639-1 of a document: «es», «en», «pt», «fr», «it» or «de»; «es» when in doubt.

    >>> detect_language("The purpose of this policy is to set out the rules that apply to all of the staff")
    'en'
    """
    words = Counter(_TOKEN.findall(_sample(text).lower()))
    hits = {language: sum(words[word] for word in common) for language, common in _VOCABULARY.items()}
    best = max(hits, key=lambda language: hits[language])
    return best if hits[best] >= _MIN_HITS and hits[best] > _MARGIN * hits["es"] else "es"


def in_another_language(question: str) -> bool:
    """Whether a question is in English or in Portuguese: two of their little words, or one and none of Spanish.

    >>> in_another_language("Illegal access to computer systems"), in_another_language("¿qué dicen los terms of use?")
    (True, False)
    """
    said = set(_TOKEN.findall(fold(question)))
    known, spanish = max(len(said & words) for words in _FOREIGN), len((said & STOPWORDS).difference(*_FOREIGN))
    return (known >= _SURE and known >= spanish) or (known == 1 and not spanish)


def _sample(text: str) -> str:
    if len(text) <= _SAMPLES * _SAMPLE_CHARS:
        return text
    step = len(text) // _SAMPLES
    return " ".join(text[start : start + _SAMPLE_CHARS] for start in range(0, step * _SAMPLES, step))
