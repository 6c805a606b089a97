"""Spanish text analysis: the one chain that documents and questions share, so that what is indexed is what is asked.

Folding (case and accents, never the ñ), splitting into words, numbers and codes, and Snowball stems. What a question
means is decided elsewhere in this package.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

import Stemmer

from rag_system.query.word_lists import STOPWORDS

__all__ = ["analyze_terms", "fold", "matching_words", "query_terms", "stem", "tokens"]

_WORD_CACHE = 262_144  # distinct words of a large collection; about 60 MB when full
_STEM_CACHE = 16_384  # words of a few questions and the passages that answer them

_STEMMER = Stemmer.Stemmer("spanish", 0)  # 0: its own cache is off, `lru_cache` keeps whole analyses


def _base_letters() -> dict[int, str | None]:
    """Accented letters → base letter, combining marks and invisible characters → nothing. The ñ is a letter."""
    table: dict[int, str | None] = dict.fromkeys(range(0x300, 0x370))  # combining marks
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00)):
        base = "".join(c for c in unicodedata.normalize("NFD", chr(code).lower()) if not unicodedata.combining(c))
        if chr(code) not in "ñÑ" and base != chr(code):
            table[code] = base
    table |= dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))  # soft hyphen, zero-width characters
    return table


_BASE = _base_letters()
_SPANISH = tuple(zip("áéíóúü", "aeiouu", strict=True))
_UNUSUAL = re.compile(r"[^\x00-\x7fñ]")  # in a folded text: signs, letters of other alphabets, rarer accents


def fold(text: str) -> str:
    """Lower case without accents: «ADMINISTRACIÓN» → «administracion», «Año» → «año».

    >>> fold("¿Qué dice la Ley N.º 29733, Ñusta?")
    '¿que dice la ley n. 29733, ñusta?'
    """
    if text.isascii():
        return text.lower()
    folded = _compose(text).lower()
    for accented, letter in _SPANISH:
        folded = folded.replace(accented, letter)
    if folded.isascii():
        return folded
    for unusual in set(_UNUSUAL.findall(folded)):  # one by one: `translate` looks up every letter of the text
        folded = folded.replace(unusual, unusual.translate(_BASE))
    return folded


def _compose(text: str) -> str:
    """NFKC without the ordinal marks, which it would turn into letters: «n.º» is «n.», not «n.o»."""
    return unicodedata.normalize("NFKC", text.replace("º", "").replace("ª", ""))


# ---------------------------------------------------------------- words, numbers and codes

_TOKEN = re.compile(
    r"""
    [^\W_]++                                   # letters and digits of any alphabet
    (?: [-/.:,] (?: (?=\d) | (?<=\d.) )         # joined by a sign that touches a digit: 27001:2022, 004-2019-JUS
        [^\W_]++ )*+
    """,
    re.VERBOSE,
)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+|\d{1,3}(?:,\d{3})+")  # 29.733, 1,500
_AMOUNT = re.compile(r"(\d{1,3}(?:[.,]\d{3})+)[.,](\d{1,2})")  # 1.500,50
_DECIMAL = re.compile(r"\d+(?:[.,]\d+)+")  # 3,5 and the clause 8.2.1
_CODE_SIGNS = re.compile(r"[-/:,.]")
_HARD_SIGNS = re.compile(r"[-/:]")
_GLUED = re.compile(r"([a-zñ]{2,})(\d{2,})")  # iso27001


def _spell_number(raw: str) -> list[str] | None:
    """The spelling of a number that every way of writing it shares; None when it is not a plain number."""
    if _THOUSANDS.fullmatch(raw):
        return [re.sub(r"[.,]", "", raw)]
    if amount := _AMOUNT.fullmatch(raw):
        whole = re.sub(r"[.,]", "", amount[1])
        return [f"{whole}.{amount[2]}", whole]
    if _DECIMAL.fullmatch(raw):
        return [raw.replace(",", ".")]
    return None


def _spell_code(code: str) -> list[str]:
    """A code whole, then its parts: «004-2019-jus» → itself, «004», «2019», «jus»."""
    pieces = [part for part in _HARD_SIGNS.split(code) if part]
    if len(pieces) == 1:
        pieces = [part for part in _CODE_SIGNS.split(code) if part]
    parts = [spelled for piece in pieces for spelled in _spell_number(piece) or _split_glued(piece)]
    return [code, *parts]


def _split_glued(word: str) -> list[str]:
    glued = _GLUED.fullmatch(word)
    return [word, glued[1], glued[2]] if glued else [word]


@lru_cache(maxsize=_WORD_CACHE)
def _spellings(raw: str) -> tuple[str, ...]:
    """The folded words that one raw token stands for."""
    word = fold(raw)
    if word.isalpha() or word.isdigit():
        return (word,)
    if _CODE_SIGNS.search(word):
        return tuple(_spell_number(word) or _spell_code(word))
    return tuple(_split_glued(word)) if word else ()


def _composed(text: str) -> str:
    # Soft hyphens cut words in text taken from PDF files.
    return text if text.isascii() else _compose(text).replace("\u00ad", "")


def _raw_tokens(text: str) -> list[str]:
    return _TOKEN.findall(_composed(text).lower())


def tokens(text: str) -> list[str]:
    """Folded words, numbers and codes in order; stopwords stay.

    >>> tokens("La NTP-ISO/IEC 27001:2022 y la Ley 29.733")
    ['la', 'ntp', 'iso', 'iec', '27001:2022', '27001', '2022', 'y', 'la', 'ley', '29733']
    """
    return [word for raw in _raw_tokens(text) for word in _spellings(raw)]


# ---------------------------------------------------------------- stems

_IRREGULAR = {"interes": "interés"}  # Snowball takes the unaccented word for a plural

_LOST_ACCENTS = (
    # Snowball knows these endings only with their accent: folding took it, so it goes back before stemming.
    (re.compile(r"([cs])ion$"), r"\1ión"),
    (re.compile(r"logia(s?)$"), r"logía\1"),
    # «jóvenes», «exámenes»: the plural loses its accent to folding and its ending to Snowball, the singular neither.
    (re.compile(r"([a-zñ]{2})enes$"), r"\1en"),
)


@lru_cache(maxsize=_STEM_CACHE)
def stem(word: str) -> str:
    """The Snowball stem of a word, the same with and without its accents.

    >>> stem("administraciones") == stem("administración") == stem("administracion")
    True
    """
    word = fold(word)
    word = _IRREGULAR.get(word, word)
    for ending, restore in _LOST_ACCENTS:
        word = ending.sub(restore, word)
    return fold(_STEMMER.stemWord(word))


@lru_cache(maxsize=_WORD_CACHE)
def _terms(raw: str) -> tuple[str, ...]:
    return tuple(stem(word) if word.isalpha() else word for word in _spellings(raw))


def analyze_terms(text: str) -> list[str]:
    """The index terms of a document's text, in order, repeated as often as they occur."""
    return list(chain.from_iterable(map(_terms, _raw_tokens(text))))


def query_terms(text: str) -> list[str]:
    """The distinct index terms of a question: stopwords go, unless there is nothing else.

    >>> query_terms("¿Cuáles son las vacaciones del trabajador?")
    ['vacacion', 'trabaj']
    """
    words = tokens(text)
    return _distinct_stems(word for word in words if word not in STOPWORDS) or _distinct_stems(words)


def _distinct_stems(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(stem(word) if word.isalpha() else word for word in words))


def matching_words(text: str, terms: Sequence[str]) -> dict[str, str]:
    """The `terms` that a text has, in their order, each with its first spelling there.

    >>> matching_words("Las VACACIONES del trabajador", query_terms("¿vacación de trabajadores del hogar?"))
    {'vacacion': 'VACACIONES', 'trabaj': 'trabajador'}
    """
    if not terms:
        return {}
    has_none, found = set(terms).isdisjoint, dict[str, str]()
    words = dict.fromkeys(_TOKEN.findall(_composed(text)))
    analysed = zip(words, map(_terms, map(str.lower, words)), strict=True)
    for word, own in [(word, own) for word, own in analysed if not has_none(own)]:
        for term in own:
            found.setdefault(term, word)
    return {term: found[term] for term in terms if term in found}
