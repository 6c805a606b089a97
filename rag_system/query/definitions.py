"""What a question asks to be told what it is, and whether a sentence says so: «¿qué es un acto administrativo?»."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from rag_system.query.headings import heading_name
from rag_system.query.text import fold, query_terms

__all__ = ["defined_in", "thing_asked"]

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
def thing_asked(question: str) -> frozenset[str]:
    """The index terms of what a question asks to be told what it is; none where it asks for something else. Where that
    should stand, «según la ley», is no part of it.

    >>> sorted(thing_asked("¿Qué se entiende por acto administrativo?")), sorted(thing_asked("¿cuánto cuesta?"))
    (['acto', 'administr'], [])
    """
    plain = _SOURCE.sub("", fold(question))
    terms = frozenset(query_terms(plain)) - _ASKING if _ASKS.search(plain) else frozenset[str]()
    return terms if len(terms) <= _LONGEST_THING else frozenset()


def defined_in(asked: frozenset[str], sentence: str, before: str = "") -> frozenset[str]:
    """Which of the terms asked about a sentence says what they are; `before` is the sentence or the heading right
    above it. What it says of a longer thing it does not say of these.

    >>> asked = thing_asked("¿qué es foliar en un archivo?")
    >>> sorted(defined_in(asked, "c) Foliar: Numerar las hojas de un expediente."))
    ['foli']
    >>> sorted(defined_in(thing_asked("¿qué es el riesgo?"), "Efecto de la incertidumbre.", before="Riesgo"))
    ['riesg']
    """
    if not asked:
        return frozenset()
    first, second = _defined(sentence)
    told = [thing for thing in (first, _named(before)) if thing <= asked]
    told += [frozenset(takewhile(asked.__contains__, thing)) for thing in second]
    return max(told, key=len, default=frozenset())


@lru_cache(maxsize=1024)
def _defined(sentence: str) -> tuple[frozenset[str], tuple[tuple[str, ...], ...]]:
    """What stands before the verb or sign that may say what it is, and, in order, what follows «se entiende por»."""
    plain = _MARK.sub("", fold(sentence), count=1)
    told = _ASIDE.sub("", plain)
    end = _ENDS.search(told)
    head = told[: end.start()] if end else ""
    second = tuple(tuple(query_terms(found["thing"])) for found in _COMES.finditer(plain))
    return _terms(head), second


@lru_cache(maxsize=1024)
def _named(text: str) -> frozenset[str]:
    """What a heading or a headword names."""
    return _terms(heading_name(text))


def _terms(text: str) -> frozenset[str]:
    return frozenset(query_terms(text)) if text.strip() else frozenset()
