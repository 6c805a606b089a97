"""What a heading is called: its number apart, its words comparable with those of a question. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from rag_system.query.spelled_numbers import ORDINAL, read_ordinal
from rag_system.query.task_objects import DOCUMENT, PART
from rag_system.query.text import fold, query_terms, tokens

__all__ = [
    "asks_for_section",
    "fits_heading",
    "heading_name",
    "heading_number",
    "inner_headings",
    "is_said_in",
    "looks_like_heading",
    "may_name_section",
    "subject_terms",
]

_SHORTEST_ROOT = 5  # letters that two words share from their start to be related: «metodología» and «2. Método»
_KIND = rf"(?P<kind>{PART}|sec|cap|tit)\.?"
_DIGITS = r"\d+(?:[.-]\d+)*(?:-?[a-z](?![a-zñ]))?"
_NUMBERED = re.compile(
    rf"(?:{_KIND}\s+)?(?:n[.º°o]*\s*)?(?P<number>{_DIGITS}|(?<=\s)(?:[ivxlc]+|[a-h]|preliminar|final|unic[oa]|{ORDINAL})"
    rf"|[ivxlc]+(?=[.)-]))(?![a-zñ\d,;])[\s.:)°º–—-]*"
)
_BY_ORDINAL = re.compile(rf"(?P<number>{ORDINAL})\s+{_KIND}[\s.:–—-]*")
_MERE_ORDINAL = re.compile(rf"(?:{ORDINAL}|unic[oa])\s*(?:[.:–—-]+\s*|$)")  # «PRIMERA», «Segunda.- Vigencia»
_ROMANS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SAME_KIND = {"art": "articulo", "sec": "seccion", "cap": "capitulo", "tit": "titulo"}
_QUOTES = " .:«»“”\"'*_"
_COORDINATED = re.compile(r"\s+y\s+|\s+e\s+|[,;/]\s*")
_DOCUMENTS = re.compile(rf"\b(?:{DOCUMENT})\b")


def heading_number(heading: str) -> tuple[str, str] | None:
    """What kind of part a heading numbers, and its number, in digits where it is one.

    >>> heading_number("CAPÍTULO III. Derechos"), heading_number("2.6 Hipótesis"), heading_number("Resumen")
    (('capitulo', '3'), ('', '2.6'), None)
    >>> heading_number("TÍTULO SEGUNDO. De los socios"), heading_number("tercera sección")
    (('titulo', '2'), ('seccion', '3'))
    >>> heading_number("Artículo décimo segundo.- Acuerdos"), heading_number("VIGÉSIMA PRIMERA DISPOSICIÓN")
    (('articulo', '12'), ('disposicion', '21'))
    """
    text = fold(heading).strip(_QUOTES)
    found = _BY_ORDINAL.match(text) or _NUMBERED.match(text)
    return (_singular(found["kind"] or ""), _in_digits(found["number"])) if found else None


def _in_digits(number: str) -> str:
    """A number as it is, but for one in words or in Roman figures."""
    if re.fullmatch("[ivxlc]+", number):
        return str(_roman(number))
    return str(read_ordinal(number)) if re.fullmatch(ORDINAL, number) else number


def heading_name(heading: str) -> str:
    """What a heading says besides its number, folded; empty where it is no more than that.

    >>> heading_name("Artículo 3.- Plazos"), heading_name("Segunda.- Vigencia"), heading_name("PRIMERA")
    ('plazos', 'vigencia', '')
    """
    text = fold(heading).strip(_QUOTES)
    numbered = _BY_ORDINAL.match(text) or _NUMBERED.match(text) or _MERE_ORDINAL.match(text)
    return text[numbered.end() :] if numbered else text


def _singular(kind: str) -> str:
    kind = re.sub(r"(?<=[aeiou])s$|(?<=ion)es$", "", kind)
    return _SAME_KIND.get(kind, kind)


def _roman(number: str) -> int:
    values = [_ROMANS[letter] for letter in number]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))


@lru_cache(maxsize=16_384)
def _called(heading: str) -> tuple[frozenset[str], ...]:
    """The words of a heading without its number: all of them, and of «Conclusiones y recomendaciones» each."""
    name = heading_name(heading)
    pieces = dict.fromkeys((name, *_COORDINATED.split(name)))
    return tuple(terms for piece in pieces if (terms := frozenset(_terms(piece))))


def _terms(text: str) -> Iterator[str]:
    """Its index terms but those that say only that it is of the document: «Hipótesis de la investigación»."""
    terms = query_terms(text) if text.strip() else []
    documents = {term for word in _DOCUMENTS.findall(text) for term in query_terms(word)}
    yield from ([term for term in terms if term not in documents] or terms)


def subject_terms(question: str) -> frozenset[str]:
    """The index terms of a question without those that name a document: «la tesis», «este estudio»."""
    return frozenset(_terms(fold(question)))


def fits_heading(terms: Collection[str], heading: str) -> bool:
    """Whether index terms are what a heading says: «hipótesis» and «2.6 Hipótesis», «metodología» and «5. Método».

    >>> fits_heading(subject_terms("¿cuáles son las conclusiones de la tesis?"), "8. Conclusiones y recomendaciones")
    True
    """
    return any(len(terms) == len(called) and _same(terms, called) for called in _called(heading))


def is_said_in(question: str, headings: Collection[str]) -> bool:
    """Whether a question has the very words of the name of one of these headings.

    >>> [is_said_in("¿qué es el teletrabajo?", [heading]) for heading in ("4. Teletrabajador", "3. Teletrabajo")]
    [False, True]
    """
    said = _as_words(question)
    return any(name.strip() and name in said for name in map(_as_words, map(heading_name, headings)))


def _as_words(text: str) -> str:
    """Folded, a space around each word, so that whole words are found in it."""
    return f" {' '.join(tokens(text))} "


def _same(terms: Collection[str], called: frozenset[str]) -> bool:
    return all(any(_related(term, each) for each in called) for term in terms)


def _related(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _SHORTEST_ROOT and longer.startswith(shorter))


_ASKS = re.compile(r"\b(?:cuant[oa]s?|cuando|quien(?:es)?|donde|como|por\s+que|porque|puedo|debo|si)\b")
_LONGEST_SUBJECT = 6  # terms: a heading is short


def may_name_section(question: str) -> bool:
    """Whether a question is short enough to be the name of a section."""
    return 0 < len(subject_terms(question)) <= _LONGEST_SUBJECT


def asks_for_section(question: str) -> bool:
    """Whether it asks for no one thing in that section: «¿cuáles son las hipótesis?»."""
    return may_name_section(question) and _ASKS.search(fold(question)) is None


def inner_headings(text: str) -> Iterator[tuple[int, str]]:
    """Lines of a passage that look like headings of small sections that share it, each with its place."""
    for line in re.finditer(r"[^\n]+", text):
        if looks_like_heading(line[0]):
            yield line.start(), line[0].strip()


_SAYS = re.compile(
    r"[.:;,!»”)]$|^\s*(?:[-–—•·▪*]\s|\(?[a-zñ]{1,2}[.)]\s|\(?\d{1,3}\)\s)|\s\|\s"  # a sentence, an item, a row
)
_LONGEST_HEADING = 110  # characters


def looks_like_heading(line: str) -> bool:
    """Whether a line names what follows it."""
    line = line.strip()
    short = 2 < len(line) <= _LONGEST_HEADING and not _SAYS.search(line)
    return short and (line[0].isupper() or line[0].isdigit() or line[0] == "¿")
