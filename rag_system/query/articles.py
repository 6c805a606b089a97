"""Articles of norms as texts name them: «el art. 240», «artículos 5 y 7», «artículo décimo segundo»."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.identifiers import extract_identifiers, family
from rag_system.query.spelled_numbers import ORDINAL, read_ordinal

__all__ = ["article_references"]

_ARTICLE = r"(?:articulos?|aritculos?|artiuclos?|articlos?|artculos?|artic|arts?)\.?°?"  # and how it is mistyped
_ARTICLE_NUMBER = r"\d{1,4}(?:°?-[a-z](?![a-zñ])|[a-z](?![a-zñ\d])|°)?(?:\.\d{1,2})*"
_ARTICLES = re.compile(
    rf"""
    (?<![a-zñ\d]) {_ARTICLE} \s* (?:n\.?°|nro\.?|num\.?)? \s*
    (?: (?P<numbers> {_ARTICLE_NUMBER}
        (?: \s*(?:,|y|e|o|al|a)\s* {_ARTICLE_NUMBER} (?![\d°]|\s*(?:de\s+)?(?:dias|meses|anos)) )* )
      | (?P<roman> [ivxl]+) (?![a-zñ\d])
      | (?P<ordinal> {ORDINAL}) (?![a-zñ]) )
    """,
    re.VERBOSE,
)
_NUMERAL = re.compile(
    r"(?<![a-zñ\d])(?:numeral|num\.|inciso|parrafo|apartado)\s*(?P<article>\d{1,4})\.\d{1,2}(?![\d.]*\d)"
)


def article_references(text: str) -> list[str]:
    """The articles that a text names: «el art. 240», «artículos 5 y 7» → `["5", "7"]`; of «artículo 23.2», the 23.

    «Numeral 23.2» names the 23 too, of a law; standards have numerals and no articles.
    """
    plain = aligned_fold(unicodedata.normalize("NFC", text))
    found = [number for match in _ARTICLES.finditer(plain) for number in _articles_of(match)]
    if not found and any(family(norm) == "norm" for norm in extract_identifiers(text)):
        found = [match["article"] for match in _NUMERAL.finditer(plain)]
    return list(dict.fromkeys(found))


def _articles_of(match: re.Match[str]) -> Iterator[str]:
    if match["ordinal"]:
        yield str(read_ordinal(match["ordinal"]))
    elif match["roman"]:
        yield match["roman"].upper()
    for number in re.findall(_ARTICLE_NUMBER, match["numbers"] or ""):
        whole = number.partition(".")[0].replace("°", "").upper()
        yield re.sub(r"(?<=\d)(?=[A-Z])", "-", whole)
