"""Acronyms that a project's documents define: a text that has one is also looked for by its long form."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping

from rag_system.query.common_words import EVERYDAY, is_common
from rag_system.query.text import fold, stem, tokens
from rag_system.query.word_lists import STOPWORDS

__all__ = ["expand", "learn_acronyms"]

_MOST = 12  # terms that a text is given
_SHORTEST_PLURAL = 3  # letters: «pymes» is the plural of an acronym, «IGS» is not
_CAPITALS = re.compile(r"[A-ZÁÉÍÓÚÑ]{2,}")


def expand(text: str, acronyms: Mapping[str, str]) -> list[str]:
    """The long forms of a text's acronyms, as `acronyms` has them (`learn_acronyms`); at most 12, none that it has.

    >>> expand("¿Cuándo depositan la CTS?", {"CTS": "Compensación por Tiempo de Servicios"})
    ['Compensación por Tiempo de Servicios']
    """
    known = {fold(short): long_form for short, long_form in acronyms.items()}
    said = f" {' '.join(_stems(text))} "
    found = dict.fromkeys(known[acronym] for acronym in _acronyms_in(text, known))
    return [long_form for long_form in found if f" {' '.join(_stems(long_form))} " not in said][:_MOST]


def _stems(phrase: str) -> list[str]:
    return [stem(word) for word in tokens(phrase)]


def _acronyms_in(text: str, known: Container[str]) -> Iterator[str]:
    """The known words that may be acronyms; those that are also common words («ir») only in capitals."""
    capitals = set() if text.isupper() else {fold(word) for word in _CAPITALS.findall(text)}
    for word in tokens(text):
        singular = word.removesuffix("s") if len(word) > _SHORTEST_PLURAL else word
        found = [each for each in dict.fromkeys((word, singular)) if each in known]
        if found and (word in capitals or not is_common(word, least=EVERYDAY)):
            yield from found


# ---------------------------------------------------------------- acronyms that documents define

_SHORT = r"[«\"“]?(?P<short>[A-ZÁÉÍÓÚÑ]{2,10})[»\"”]?"
_LONG_FIRST = re.compile(rf"\((?:en\s+adelante,?\s+)?{_SHORT}\)")  # the long form stands before
_SHORT_FIRST = re.compile(r"\b(?P<short>[A-ZÁÉÍÓÚÑ]{2,10})\s?\((?P<long>[^()\d]{5,150})\)")
_REACH = 150  # characters that a long form may have
_FIRST_LETTERS = 3  # that a word may lend: «MINCETUR»
_LETTERS = re.compile(r"[^\W\d_]+")


def learn_acronyms(text: str) -> dict[str, str]:
    """The acronyms that a text defines: «Compensación por Tiempo de Servicios (CTS)» → `{"CTS": "Compensación por…"}`.

    The first letters must spell the acronym, so that «Ministerio (MEF)» teaches nothing.
    """
    found: dict[str, str] = {}
    defined = [
        (match["short"], text[max(0, match.start() - _REACH) : match.start()]) for match in _LONG_FIRST.finditer(text)
    ]
    defined += [(match["short"], match["long"]) for match in _SHORT_FIRST.finditer(text)]
    for short, around in defined:
        long_form = _spelling(short, _LETTERS.findall(around))
        if long_form:
            found.setdefault(short, long_form)
    return found


def _spelling(short: str, said: list[str]) -> str:
    """The last words whose initials, or failing that their first letters, spell the acronym."""
    letters = fold(short)
    plain = [fold(word) for word in said]
    for most in (1, _FIRST_LETTERS):
        for start in range(len(said) - 2, max(-1, len(said) - 3 * len(short) - 1), -1):
            if plain[start] not in STOPWORDS and _spells(letters, plain[start:], most):
                return " ".join(said[start:])
    return ""


def _spells(letters: str, words: list[str], most: int) -> bool:
    """Whether 1 to `most` letters of each word make the letters; small words may be skipped, others not."""
    spelled = {0}  # letters, in each way to read the words so far
    for word in words:
        lengths = range(1, min(most, len(word)) + 1)
        lent = {at + length for at in spelled for length in lengths if letters.startswith(word[:length], at)}
        spelled = spelled | lent if word in STOPWORDS else lent
    return len(letters) in spelled
