"""What a text names: norms, acronyms, authors and proper names, each as one key that every way of writing it shares.

Documents are read by their capitals; questions, which have few, by the words that may be a key: the project's documents
know which of them are. How they are told from other words is in `data/entidades.toml`, which a person can edit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag_system.query.citations import find_citations
from rag_system.query.identifiers import IdentifierMatch, by_name, find_identifiers
from rag_system.query.text import fold
from rag_system.query.word_lists import STOPWORDS, load_data

__all__ = ["LONGEST_KEY", "MOST_ENTITIES", "Mention", "extract_entities", "possible_entities"]

AUTHOR = "autor:"  # how the key of an author begins
LONGEST_NAME = 8  # words of a proper name, without its «de la»
LONGEST_KEY = 100  # characters
MOST_ENTITIES = 64  # of one text; a chunk that names more is a list of everything
_REACH = 80  # characters before a year that may name its authors
_NAME_CACHE = 65_536  # distinct names as written

_LISTS = {name: frozenset(listed.split()) for name, listed in load_data("entidades.toml").items()}
_NO_ACRONYMS = _LISTS["no_siglas"] | STOPWORDS
_GENERIC, _OPENERS, _HEADS = _LISTS["genericas"], _LISTS["aperturas"], _LISTS["cabezas"]

_U, _L = "A-ZÁÉÍÓÚÜÑ", "a-záéíóúüñ"
_NAME = re.compile(
    rf"""
    (?<!\w) [{_U}][{_L}]+
    (?: [ ] (?:[ye][ ])? (?:(?:del?|la|las|los)[ ]){{0,2}} [{_U}][{_L}]+ )+
    """,
    re.VERBOSE,
)
_CAPITALS = re.compile(rf"(?<![\w/.-])[{_U}]{{2,}}(?:-\d{{1,3}})?(?![\w°º/-])(?:[ \t]+[{_U}]+(?!\w))*")
_ACRONYM = re.compile(rf"[{_U}]{{2,12}}(?:-\d{{1,3}})?")
_NUMERAL = re.compile(r"L?X{0,3}(?:IX|IV|V?I{0,3})")
_ORDER = re.compile(r"[A-ZÁÉÍÓÚ]{4,}(?:A|E)N?SE")  # «REGÍSTRESE», «COMUNÍQUESE»
_BEFORE_HEADING, _AFTER_HEADING = re.compile(r"(?:^|\n)[\s\d.)#*-]*$"), re.compile(r"[\s.:*]*(?:\n|$)")
_CITED_YEAR = re.compile(r"[(,]\s?(?:1[5-9]|20)\d\d[a-z]?\s?(?=[),;:])")
_AND = re.compile(r" [ye] ")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Mention:
    """Words of a question that may name an entity: `key`, and the place of its words among those that say something.

    Norms and authors have no place of their own (0, 0): no longer name holds them.
    """

    key: str
    start: int = 0
    stop: int = 0

    def within(self, other: Mention) -> bool:
        """Whether a longer one holds it: «ministerio de trabajo» in «ministerio de trabajo y promoción del empleo»."""
        return other.start <= self.start < self.stop <= other.stop and self.stop - self.start < other.stop - other.start


def extract_entities(text: str) -> list[str]:
    """The distinct keys of what a document's text names: norms, acronyms, authors, proper names, in this order.

    >>> extract_entities("El OSCE aprueba, según la Ley N° 30225, lo que pide el Ministerio de Economía y Finanzas.")
    ['ley:30225', 'osce', 'ministerio economia finanzas']
    """
    norms, authors = _numbered(text), list(_authors(text))
    keys = [_norm_key(match) for match in norms]
    keys += _acronyms(text, norms)
    keys += (f"{AUTHOR}{author}" for author in authors)
    keys += (key for key in _names(text) if not set(key.split()).issubset(authors))
    return [key for key in dict.fromkeys(keys) if len(key) <= LONGEST_KEY][:MOST_ENTITIES]


def possible_entities(question: str) -> list[Mention]:
    """What a question may name, whatever its capitals: norms, authors, and every run of words that could be a key.

    >>> [mention.key for mention in possible_entities("¿qué multa la sunat?")]
    ['multa', 'sunat', 'multa sunat']
    """
    mentions = [Mention(_norm_key(match)) for match in _numbered(question)]
    mentions += (Mention(f"{AUTHOR}{fold(author)}") for author in find_citations(question).authors)
    said = _content(question)
    for length in range(1, LONGEST_NAME + 1):
        for start in range(len(said) - length + 1):
            mentions.append(Mention(" ".join(said[start : start + length]), start, start + length))
    return [mention for mention in dict.fromkeys(mentions) if len(mention.key) <= LONGEST_KEY]


def _numbered(text: str) -> list[IdentifierMatch]:
    """The norms with a number; those cited by their name are proper names and acronyms."""
    return [match for match in find_identifiers(text) if not by_name(match.canonical)]


def _norm_key(match: IdentifierMatch) -> str:
    """Without the edition, which few texts repeat."""
    return match.canonical.partition("@")[0]


def _content(text: str) -> list[str]:
    """The folded words that say something."""
    return [word for word in _WORD.findall(fold(text)) if word not in STOPWORDS]


# ---------------------------------------------------------------- acronyms


def _acronyms(text: str, norms: Iterable[IdentifierMatch]) -> Iterator[str]:
    """Single words in capitals; several in a row, or one that is a whole line, are headings."""
    taken = [(norm.start, norm.end) for norm in norms]
    for match in _CAPITALS.finditer(text):
        written = match[0]
        if any(pattern.fullmatch(written) for pattern in (_NUMERAL, _ORDER)) or not _ACRONYM.fullmatch(written):
            continue
        key = fold(written)
        inside = any(start <= match.start() < end for start, end in taken)
        if key not in _NO_ACRONYMS and not inside and not _is_heading(text, match):
            yield key


def _is_heading(text: str, match: re.Match[str]) -> bool:
    line = text.rfind("\n", 0, match.start()) + 1
    return bool(_AFTER_HEADING.match(text, match.end()) and _BEFORE_HEADING.search(text[line : match.start()]))


# ---------------------------------------------------------------- authors


def _authors(text: str) -> Iterator[str]:
    """Those of citations in print, «Hernández y Mendoza (2018)»: a name that has no capital there is a thing's."""
    for year in _CITED_YEAR.finditer(text):
        around = text[max(0, year.start() - _REACH) : year.end() + 1]
        for author in find_citations(around).authors:
            if re.search(rf"(?<!\w){re.escape(author.title())}(?!\w)", around):
                yield fold(author)


# ---------------------------------------------------------------- proper names


def _names(text: str) -> Iterator[str]:
    for match in _NAME.finditer(text):
        yield from _name_keys(match[0])


@lru_cache(maxsize=_NAME_CACHE)
def _name_keys(written: str) -> tuple[str, ...]:
    """The keys of a run of capitalised words: none, one, or several joined by «y»."""
    return tuple(key for piece in _pieces(written) if (key := _name_key(piece)))


def _pieces(written: str) -> Iterator[str]:
    """Cut where a new name begins after «y»: «Ministerio de Salud y Ministerio de Educación» are two."""
    start = 0
    for joint in _AND.finditer(written):
        following = _content(written[joint.end() :])
        if following and following[0] in _HEADS:
            yield written[start : joint.start()]
            start = joint.end()
    yield written[start:]


def _name_key(piece: str) -> str:
    """Two words at least that say something, one of them more than «Decreto Supremo» does."""
    said = _content(piece)
    while said and said[0] in _OPENERS:
        said.pop(0)
    head = next((place for place, word in enumerate(said[:-1]) if word in _HEADS), 0)
    said = said[head:]  # «Sentencia del Tribunal Constitucional», «Nuevo Código Procesal Penal»
    if not 2 <= len(said) <= LONGEST_NAME or all(word in _GENERIC for word in said):
        return ""
    return " ".join(said)
