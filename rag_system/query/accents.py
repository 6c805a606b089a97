"""Gives a question typed without accents its accents back, for the model that reads its meaning.

Words meet at their stems with or without accents, but an embedding model reads «dias habiles» as rarer words than «días
hábiles». Only a question without any accent is mended, and only words that can hardly be others; one in English stays
as it is, also its «extension». The lists are in `data/acentos.toml`, which a person can edit.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rag_system.query.english import in_another_language
from rag_system.query.text import fold
from rag_system.query.word_lists import load_data

__all__ = ["restore_accents"]

_WORD = re.compile(r"[^\W\d_]+")
_ACCENT = re.compile(r"[áéíóú]", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:^|¿)\W*(?:(?:a|de|en|con|por|para|desde|hasta|sobre|y|e|pero|entonces)\s+){0,2}(?P<word>[^\W\d_]+)",
    re.IGNORECASE,
)
_VERB = re.compile(r"\bse\s+(?P<word>[^\W\d_]+ic[oa])\b", re.IGNORECASE)  # «se publica», not «pública»
_IN_ION = re.compile(r"[cs]ion$")
_IN_IA = re.compile(r"(?:log|graf|fon|nom|metr|arqu)ia(?P<plural>s?)$")
_IN_ICO = re.compile(r"(?P<start>.*?)(?P<vowels>[aeiou]+)(?P<rest>[^aeiou]+ic[oa]s?)$")
_ACUTE = str.maketrans("aeiou", "áéíóú")


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
        return word[0] if word.start() in verbs else _accented(word[0], opens=word.start() in opening)

    return _WORD.sub(mended, question)


def _accented(word: str, *, opens: bool) -> str:
    lower = word.lower()
    if opens and lower in _words("interrogativas"):
        return _cased(word, _words("interrogativas")[lower])
    if lower in _words("corrientes"):
        return _cased(word, _words("corrientes")[lower])
    if _IN_ION.search(lower) and len(lower) > 5:
        return _cased(word, f"{lower[:-2]}ón")
    if found := _IN_IA.search(lower):
        return _cased(word, f"{lower[: -2 - len(found['plural'])]}ía{found['plural']}")
    if lower not in _words("llanas_en_ico") and (found := _IN_ICO.match(lower)) and len(lower) > 4:
        return _cased(word, found["start"] + _stressed(found["vowels"]) + found["rest"])
    return word


def _stressed(vowels: str) -> str:
    """The vowels before «-ico» with the accent on the open one: «eu» → «éu» in «terapéutico»."""
    at = next((i for i, vowel in reversed(list(enumerate(vowels))) if vowel in "aeo"), len(vowels) - 1)
    return vowels[:at] + vowels[at].translate(_ACUTE) + vowels[at + 1 :]


def _cased(word: str, accented: str) -> str:
    if word.isupper() and len(word) > 1:
        return accented.upper()
    return accented[0].upper() + accented[1:] if word[0].isupper() else accented


@lru_cache(maxsize=4)
def _words(name: str) -> dict[str, str]:
    """Without accents → with them, of a list of the data."""
    return {fold(word): word for word in load_data("acentos.toml")[name].split()}
