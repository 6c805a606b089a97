"""What people say against what documents write: «brevete» is a «licencia de conducir», «botar» is «despido».

The table is `data/cotidianas.toml`, which a person can edit. It leads one way, from what is said to what is written,
and both ways between a verb and a noun of other roots («devolver», «devolución»).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import product, zip_longest

from rag_system.query.phrases import phrase_terms
from rag_system.query.text import tokens
from rag_system.query.word_lists import load_data

__all__ = ["everyday_words", "relatives", "with_written_words", "written_for"]

Terms = tuple[str, ...]
_LONGEST = 8  # words of the longest expression that is looked up
_PLURAL = re.compile(r"(?<=\w{2}[aeo])s$|(?<=\w{2}[lrndz])es$")
_MOST_ADDED = 2  # words beside the question: more of them would be another question


def everyday_words(text: str) -> list[str]:
    """How documents write what a text says in everyday words, without what it says itself.

    >>> everyday_words("¿me quitan el brevete si choco?")
    ['licencia de conducir']
    """
    return _other_words(text, _said_terms(text), _said())


def relatives(text: str) -> list[str]:
    """The nouns of the verbs of a text, and the reverse, where their roots differ.

    >>> relatives("¿cuándo me devuelven?")
    ['devolver', 'devolución']
    """
    return _other_words(text, phrase_terms(text), _families())


def written_for(text: str) -> list[tuple[tuple[str, ...], list[str]]]:
    """Each everyday expression of a text, as its words without accents, with all that documents call it.

    >>> written_for("¿me quitan el brevete?")
    [(('brevete',), ['licencia de conducir'])]
    """
    entries = _said()
    return [(key, entries[key]) for key in _entries_in(_said_terms(text), entries)]


@lru_cache(maxsize=16)  # each step of a search asks it of the same question
def with_written_words(question: str) -> str:
    """The question with what documents call what it speaks of, for the model that reads its meaning.

    >>> with_written_words("¿me quitan el brevete?")
    '¿me quitan el brevete? (licencia de conducir)'
    """
    written = everyday_words(question)[:_MOST_ADDED]
    return f"{question} ({', '.join(written)})" if written else question


def _said_terms(text: str) -> Terms:
    """Words as they are said, but for the plural: by stems «suelda» would be «sueldo», and «inventiva», «invento»."""
    return tuple(_PLURAL.sub("", word) for word in tokens(text))


def _other_words(text: str, said: Terms, entries: Mapping[Terms, list[str]]) -> list[str]:
    """The first words of all the entries that a text has, then the second ones: each is heard before one has two."""
    present = f" {' '.join(phrase_terms(text))} "
    in_turn = zip_longest(*(entries[key] for key in _entries_in(said, entries)))
    found = (word for turn in in_turn for word in turn if word)
    return list(dict.fromkeys(word for word in found if f" {' '.join(phrase_terms(word))} " not in present))


def _entries_in(said: Terms, entries: Mapping[Terms, list[str]]) -> Iterator[Terms]:
    """Longer entries win: «pensión del colegio» is not «colegio»."""
    position = 0
    while position < len(said):
        spans = (said[position : position + length] for length in range(_LONGEST, 0, -1))
        key = next((span for span in spans if span in entries), None)
        if key:
            yield key
        position += len(key) if key else 1


@cache
def _said() -> Mapping[Terms, list[str]]:
    entries: dict[Terms, list[str]] = {}
    for word in load_data("cotidianas.toml")["palabra"]:
        for said in (said for pattern in word["dicho"] for said in _spelled_out(pattern)):
            known = entries.setdefault(_said_terms(said), [])
            known += [written for written in word["escrito"] if written not in known]
    return entries


def _spelled_out(pattern: str) -> Iterator[str]:
    """«{mi,su} casa» → «mi casa», «su casa»."""
    parts = [part.split(",") for part in re.split(r"[{}]", pattern)]  # what stands between braces has the odd places
    return map("".join, product(*parts))


@cache
def _families() -> Mapping[Terms, list[str]]:
    """Every form → the verb and the nouns of its line, which are its first word and its last ones."""
    entries: dict[Terms, list[str]] = {}
    for line in load_data("cotidianas.toml")["familias"]["lineas"].split("\n"):
        for word in line.split():
            entries.setdefault(phrase_terms(word), []).extend(other for other in line.split() if other != word)
    return entries
