"""What a question asks to be told what it is, and whether a sentence says so: «¿qué es un acto administrativo?»."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile

from rag_system.query.headings import heading_name
from rag_system.query.text import fold, query_terms

__all__ = ["defined_in", "defined_in_each", "things_asked"]

Terms = frozenset[str]  # of the index

_ASKS = re.compile(  # at the start of a clause: in «el trabajador que es padre» nothing is asked
    r"(?:^|[¿,.;:!(]|\b(?:y|oye|oiga|pero|entiendo|saber|explica\w*|decir\w*|dime|digame)\s)\W*"
    r"(?:en\s+que\s+consisten?|a\s+(?:que|quien(?:es)?)\s+(?:se\s+)?(?:les?\s+)?(?:llama|dice|denomina)n?"
    r"|(?:que|quien(?:es)?)\s+(?:cosas?\s+)?"
    r"(?:es|son|significan?|quieren?\s+decir|v(?:ien|en)\w*\s+a\s+ser|se\s+(?:entiende|considera)n?)"
    # «¿qué datos se consideran sensibles?», and no «… para la auditoría»
    r"|que\s+(?:\w+\s+){1,3}se\s+(?:entiende|considera)n?\s+(?!(?:al?|con|dentro|en|para|por)\s)\w+)\b"
    r"|\bque\s+(?:cosa\s+)?(?:es|son|significan?|quieren?\s+decir|v(?:ien|en)\w*\s+a\s+ser)\W*(?:$|,)"
    r"|\bdefin(?:e|a|ir|icion(?:es)?)\b|(?<!por )\bconcepto\s+de\b|\bsignificado\b|\bsiglas?\b"
)
_ASKING = frozenset(
    query_terms(
        "cosa significa significado consiste entiende considera llama dicen denomina define definición concepto sigla "
        "quiere decir viene vendría"
    )
)
_LONGEST_THING = 8  # terms, with what the question says around it
_SOURCE = re.compile(  # «¿qué son los datos sensibles según la ley?», and no «regla según la cual …»
    r"(?:^|\s)(?:segun|conforme\s+al?|de\s+acuerdo\s+(?:con|al?))\s+(?!(?:el|la|los|las|lo)\s+(?:cual|que)\b)[^¿?,;:]+"
)
_WHERE = re.compile(r"\s+en\s+(?!(?:que|cual(?:es)?)\b)[^¿?,;:]+")

# Where what is defined ends, in a folded sentence, and what stands right before it where it comes second.
_ENDS = re.compile(
    r"(?:[:|—–]|\.-?\s|\s(?:significan?|consisten?|comprenden?|se\s+(?:define|entiende|refiere))n?\b"
    r"|\s(?:es|son)\s+(?:un[oa]?s?|el|l[ao]s?|tod[oa]s?|aquel\w*|cualquier\w*|quien(?:es)?)\b)"  # no «es gratuito»
)
_COMES = re.compile(
    r"(?:\bse\s+(?:entiende|entendera|considera|llama|denomina|define)n?\s+(?:por\s+|como\s+)?"
    r"|\b(?:llamad|denominad|entiendes|considerans?|denominas)[aeo]s?\s+(?:por\s+)?|^\W*(?:\d[\d.]*\W+)?son\s+)"
    r"(?P<thing>[^,;:(.]+)"
)
_ASIDE = re.compile(r"\s\([^()]*\)")  # «SELinux (Security-Enhanced Linux) es un sistema …»
_MARK = re.compile(r"^\W*(?:\(?(?:[a-z]|\d[\d.]*)[.)]\s+)?")


@lru_cache(maxsize=64)
def things_asked(question: str) -> tuple[Terms, ...]:
    """The index terms of what a question asks to be told what it is, and what it may mean where no text says that of
    the whole: «riesgo en la minería», «riesgo». None where it asks for something else. Where that should stand, «según
    la ley», is no part of it.

    >>> [sorted(thing) for thing in things_asked("¿Qué se entiende por acto firme en la ley?")]
    [['acto', 'firm', 'ley'], ['acto', 'firm']]
    >>> things_asked("¿cuánto cuesta?")
    ()
    """
    plain = _SOURCE.sub("", fold(question))
    if not _ASKS.search(plain):
        return ()
    readings = dict.fromkeys(frozenset(query_terms(each)) - _ASKING for each in (plain, _WHERE.sub("", plain)))
    return tuple(thing for thing in readings if 0 < len(thing) <= _LONGEST_THING)


def defined_in(asked: Terms, sentence: str, before: str = "") -> Terms:
    """Which of the terms asked about a sentence says what they are; `before` is the sentence or the heading right
    above it. What it says of a longer thing it does not say of these.

    >>> asked, *_ = things_asked("¿qué es foliar en un archivo?")
    >>> sorted(defined_in(asked, "c) Foliar: Numerar las hojas de un expediente."))
    ['foli']
    >>> sorted(defined_in(*things_asked("¿qué es el riesgo?"), "Efecto de la incertidumbre.", before="Riesgo"))
    ['riesg']
    """
    if not asked:
        return frozenset()
    first, second = _defined(sentence)
    told = [thing for thing in (first, _named(before)) if thing <= asked]
    told += [frozenset(takewhile(asked.__contains__, thing)) for thing in second]
    return max(told, key=len, default=frozenset())


def defined_in_each(question: str, sentences: Sequence[tuple[str, str]]) -> tuple[Terms, list[Terms]]:
    """What a question asks to be told what it is, in the first of its readings that a sentence defines, or else in the
    first; and which of its terms each sentence, with what stands right before it, says it of.
    """
    things = things_asked(question) or (frozenset(),)
    readings = [(thing, [defined_in(thing, *each) for each in sentences]) for thing in things]
    return next((reading for reading in readings if reading[0] in reading[1]), readings[0])


@lru_cache(maxsize=1024)
def _defined(sentence: str) -> tuple[Terms, tuple[tuple[str, ...], ...]]:
    """What stands before the verb or sign that may say what it is, and, in order, what follows «se entiende por»."""
    plain = _MARK.sub("", fold(sentence), count=1)
    told = _ASIDE.sub("", plain)
    end = _ENDS.search(told)
    head = told[: end.start()] if end else ""
    second = tuple(tuple(query_terms(found["thing"])) for found in _COMES.finditer(plain))
    return _terms(head), second


@lru_cache(maxsize=1024)
def _named(text: str) -> Terms:
    """What a heading or a headword names."""
    return _terms(heading_name(text))


def _terms(text: str) -> Terms:
    return frozenset(query_terms(text)) if text.strip() else frozenset()
