"""How well a passage would answer, whatever it is about: rules and figures over headers, formulas and navigation.

Pure functions over texts and the question; the words and patterns are in `data/calidad.toml`, which a person can edit.
The prior is small and capped: it decides between candidates that meaning and words hold for equal.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from rag_system.types import Chunk

__all__ = ["asked_for", "density", "filler_share", "repeated", "score_quality"]

# What each part is worth. Found by trial on development questions over legal texts.
ASKED = 1.0  # holds a figure or a date of the kind that the question asks for
DENSITY = 0.3  # of a passage full of rules and figures
REPEATED = 0.5  # lost by a passage that stands in several documents
SCRAP = 0.5  # lost by a heading or a date that stands alone

FULL_OF_RULES = 8  # words of duty and figures from which a passage counts as full
SCRAP_WORDS = 6  # a passage of fewer says nothing by itself
SHORT_LINE = 120  # characters; a longer line is told by its first words alone
FIRST_WORDS = 12  # characters
REPEATED_IN = 3  # documents; two may well be two versions of one norm

Pattern = re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Datum:
    """A kind of figure or date."""

    asked: Pattern
    answer: Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class _Filler:
    """A kind of line that answers nothing, unless the question is about it."""

    line: Pattern
    wanted: Pattern
    weight: float


def _alternatives(text: str) -> str:
    return "|".join(line for line in text.split("\n") if line)


_DATA: dict[str, Any] = tomllib.loads((files("rag_system.search") / "data" / "calidad.toml").read_text("utf-8"))
_PIECES = {name: f"(?:{_alternatives(text)})" for name, text in _DATA["piezas"].items()}


def _pattern(text: str, shape: str = "{}") -> Pattern:
    alternatives = _alternatives(text)
    for name, piece in _PIECES.items():
        alternatives = alternatives.replace(f"{{{name}}}", piece)
    return re.compile(shape.format(f"(?:{alternatives})"))


_WORD = r"\b{}"
_START = r"(?<!\w){}"  # also before a sign: «$ 20»
_LINE = r"[^\w._…]*+{}\W*$"  # possessive: a line of signs alone is passed over once
_DATUMS = tuple(
    _Datum(asked=_pattern(kind["pregunta"], _WORD), answer=_pattern(kind["respuesta"], _START))
    for kind in _DATA["datos"].values()
)
_FILLERS = tuple(
    _Filler(
        line=_pattern(kind["renglones"], _LINE), wanted=_pattern(kind["salvo"], _WORD), weight=kind.get("peso", 1.0)
    )
    for kind in _DATA["relleno"].values()
)
_DUTIES = frozenset(_DATA["mandato"]["palabras"].split())
_ACCENTS = tuple(zip("áéíóúü", "aeiouu", strict=True))
_FIGURE = re.compile(r"\d[\d.,/-]*")


def score_quality(question: str, chunks: Sequence[Chunk]) -> list[float]:
    """A value in −1…1 for each chunk: 0 says nothing for or against it."""
    folded, texts = _plain(question), [_plain(chunk.text) for chunk in chunks]
    datum, fillers = asked_for(folded), _unwanted(folded)
    again = repeated(texts, [chunk.document_id for chunk in chunks])
    scores = []
    for text, chunk, twice in zip(texts, chunks, again, strict=True):
        value = DENSITY * density(text) - filler_share(text, fillers) - REPEATED * twice
        value -= SCRAP * (len(text) < 80 and len(text.split()) < SCRAP_WORDS)
        value += ASKED * bool(datum and (datum(text) or datum(_plain(chunk.section))))
        scores.append(max(-1.0, min(value, 1.0)))
    return scores


def _plain(text: str) -> str:
    """Lower case without the accents of Spanish: `fold` is exact for any text, and ten times slower."""
    plain = text.lower()
    for accented, letter in _ACCENTS:
        plain = plain.replace(accented, letter)
    return plain


def asked_for(question: str) -> Callable[[str], Any] | None:
    """Finds in a folded text a figure or date of the kind that the folded question asks for; None when it asks none."""
    return next((datum.answer.search for datum in _DATUMS if datum.asked.search(question)), None)


def density(text: str) -> float:
    """0…1: how much a folded text rules, in words of duty and in figures."""
    telling = len(_FIGURE.findall(text))
    if telling < FULL_OF_RULES:
        telling += sum(map(_DUTIES.__contains__, text.split()))
    return min(telling / FULL_OF_RULES, 1.0)


def _unwanted(question: str) -> list[_Filler]:
    return [filler for filler in _FILLERS if not filler.wanted.search(question)]


def filler_share(text: str, fillers: Sequence[_Filler] = _FILLERS) -> float:
    """0…1: the share of a folded text that stands in lines that answer nothing."""
    lines = text.split("\n")
    found = sum(len(line) * _filler_weight(line, fillers) for line in lines)
    return found / max(sum(map(len, lines)), 1)


def _filler_weight(line: str, fillers: Sequence[_Filler]) -> float:
    head = line if len(line) <= SHORT_LINE else line[:FIRST_WORDS]
    return next((filler.weight for filler in fillers if filler.line.match(head)), 0.0)


def repeated(texts: Sequence[str], documents: Sequence[str]) -> list[bool]:
    """Which texts stand word by word in several documents: headers, formulas and navigation."""
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for text, document in zip(texts, documents, strict=True):
        homes[text].add(document)
    return [len(homes[text]) >= REPEATED_IN for text in texts]
