"""Acronyms and their long forms: a text that has one is also looked for by the other.

The acronyms are in `data/siglas.toml`, which a person can edit; a project adds those that its documents define.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from rag_system.query.common_words import EVERYDAY, is_common
from rag_system.query.text import fold, stem, tokens
from rag_system.query.word_lists import STOPWORDS, load_data

__all__ = ["expand", "learn_acronyms"]

_MOST = 12  # terms that a text is given
_LONGEST = 8  # words of the longest entry that is looked up
_SHORTEST_PLURAL = 3  # letters: «pymes» is the plural of an acronym, «IGS» is not
_CAPITALS = re.compile(r"[A-ZÁÉÍÓÚÑ]{2,}")

Stems = tuple[str, ...]


def _stems(phrase: str) -> Stems:
    return tuple(stem(word) for word in tokens(phrase))


def _exactly(acronym: str) -> Stems:
    """The key of an acronym, which no other word of its stem is: «sacar» is no SAC."""
    return (f"={fold(acronym)}",)


@lru_cache(maxsize=1)
def _dictionary() -> Mapping[Stems, list[str]]:
    """Every acronym's key → its long forms, every long form's stems → its acronyms."""
    entries: dict[Stems, list[str]] = {}
    for acronym, long_forms in load_data("siglas.toml")["siglas"].items():
        entries.setdefault(_exactly(acronym), []).extend(long_forms)
        for long_form in long_forms:
            entries.setdefault(_stems(long_form), []).append(acronym)
    return entries


def expand(text: str, *, acronyms: Mapping[str, str] | None = None) -> list[str]:
    """The long forms of a text's acronyms and the acronyms of its long forms; those it already has are left out.

    `acronyms` are the project's own (`learn_acronyms`). At most 12, and of long forms in one another the longest.

    >>> expand("¿Cuándo depositan la CTS?")
    ['compensación por tiempo de servicios']
    """
    entries = _dictionary()
    if acronyms:
        entries = {**entries, **{_exactly(short): [long] for short, long in acronyms.items()}}
    words = tokens(text)
    said = [stem(word) for word in words]
    found = [term for key in _entries_in(said, entries) for term in entries[key]]
    found += [term for acronym in _acronyms_in(words, text, entries) for term in entries[_exactly(acronym)]]
    present = f" {' '.join(said)} "
    fresh = (term for term in found if f" {' '.join(_stems(term))} " not in present)
    return list(dict.fromkeys(fresh))[:_MOST]


def _acronyms_in(words: list[str], text: str, entries: Mapping[Stems, list[str]]) -> Iterator[str]:
    """The known words that may be acronyms; those that are also common words («ir») only in capitals."""
    capitals = set() if text.isupper() else {fold(word) for word in _CAPITALS.findall(text)}
    for word in words:
        singular = word.removesuffix("s") if len(word) > _SHORTEST_PLURAL else word
        known = [each for each in dict.fromkeys((word, singular)) if _exactly(each) in entries]
        if known and (word in capitals or not is_common(word, least=EVERYDAY)):
            yield from known


def _entries_in(said: list[str], entries: Mapping[Stems, list[str]]) -> Iterator[Stems]:
    position = 0
    while position < len(said):
        spans = (tuple(said[position : position + length]) for length in range(_LONGEST, 0, -1))
        key = next((span for span in spans if span in entries), None)
        if key:
            yield key
        position += len(key) if key else 1


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
