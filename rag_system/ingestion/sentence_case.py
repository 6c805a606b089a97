"""A title set in capitals, as a person would write it: «Acta de sesión ordinaria N.° 03-2026».

What the document itself writes in its running text decides («jefe de la OTI», «San Jacinto»); then the looks of codes,
numerals and abbreviations. Pure: no files, no network.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set

from rag_system.ingestion.text import in_capitals, upper_ratio

__all__ = ["sentence_case"]

_SAID_CHARS = 20_000  # of running text that is asked for names and acronyms
_TOKEN = re.compile(r"[^\W_]+(?:[.\-/&'’][^\W_]+)*(?:\.?[°º])?")
_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_DOTTED = re.compile(r"[A-ZÑ](?:\.[A-ZÑ])+")  # «D.S.», «S.A.C.»
_VOWEL = re.compile(r"[AEIOUÁÉÍÓÚÜY]")
_MIDDLE = re.compile(r"(?<=[\w,;)] )[^\W\d_]{2,}")  # a word that no sentence begins with


def sentence_case(title: str, texts: Iterable[str]) -> str:
    """The title in sentence case if it is all capitals, else as it is. `texts` are the document's."""
    if not in_capitals(title) or sum(map(str.isalpha, title)) < 2:
        return title
    said = _said(texts)
    lowered = _TOKEN.sub(lambda match: _recased(match, said), title)
    at = next(index for index, character in enumerate(lowered) if character.isalpha())
    return lowered[:at] + lowered[at].upper() + lowered[at + 1 :]


def _recased(match: re.Match[str], said: Set[str]) -> str:
    token = match[0]
    opening = match.start() == 0 or match.string[match.start() - 2 : match.start()] == ". "
    if _stays(token):
        return token
    word = _word(token, said)
    return word[:1].upper() + word[1:] if opening else word


def _stays(token: str) -> bool:
    """Codes, numerals, abbreviations with a sign: «PR-OTI-007», «XXI», «N.°», «D.S»."""
    return (
        any(map(str.isdigit, token))
        or token[-1] in "°º"
        or _DOTTED.fullmatch(token) is not None
        or (len(token) > 1 and _ROMAN.fullmatch(token) is not None)
    )


def _word(token: str, said: Set[str]) -> str:
    lower = token.lower()
    if lower in said:
        return lower
    if token in said or (len(token) > 1 and not _VOWEL.search(token)):
        return token
    return lower.capitalize() if lower.capitalize() in said else lower


def _said(texts: Iterable[str]) -> frozenset[str]:
    """The words of the running text, as written inside sentences."""
    words: set[str] = set()
    size = 0
    for text in texts:
        if size >= _SAID_CHARS:
            break
        if upper_ratio(text) < 0.5:
            words.update(_MIDDLE.findall(text[:_SAID_CHARS]))
            size += len(text)
    return frozenset(words)
