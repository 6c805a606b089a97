"""The figure that a question takes for granted: «¿por qué dan 90 días para apelar?», where the documents say 15.

Such a question is read as one that asks for the figure, so that what the documents say is found, and not what else is
of 90 days. Whoever reads the answer is told that it is another figure.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from rag_system.generation.asking import is_kind_word
from rag_system.generation.figures import Figure, is_among, read_figures
from rag_system.generation.passages import Sentence, read_passage
from rag_system.generation.terms import topic_terms
from rag_system.query.text import analyze_terms, fold, stem, tokens
from rag_system.types import Evidence

__all__ = ["Supposed", "read_supposed"]

_SUPPOSES = re.compile(r"^\W*(?:y )?(?:por que|como es que|a que se debe que|(?:(?:es|sera) )?(?:cierto|verdad) que)\b")
# How much is asked for each unit; others («artículo», dates) say which, not how much.
_ASKED = {
    "dia": "cuántos días",
    "semana": "cuántas semanas",
    "mes": "cuántos meses",
    "año": "cuántos años",
    "hora": "cuántas horas",
    "minuto": "cuántos minutos",
    "%": "qué porcentaje",
    "uit": "cuántas UIT",
    "soles": "cuánto se paga en soles",
    "kilo": "cuántos kilos",
}
# What stands between the opening and the figure of a claim about a rule: «la ley da», «el mandato dura», «son».
_RULES = re.compile(
    r"\s*(?:(?:dicen |se dice )que )?(?:(?:el|la|los|las) .+ )?(?:"
    r"(?:es|sera|son)(?: del?)?|(?:tienen?|hay) un (?:plazo|periodo|termino) de|"
    r"(?:dan?|dicen?|establecen?|fijan?|se[nñ]alan?|otorgan?|conceden?|exigen?|preven?|permiten?|duran?)"
    r"(?: un (?:plazo|periodo|termino) de)?)"
    r"(?: (?:solo|hasta|el|un|una|(?:un )?(?:maximo|minimo) de))*(?:\s*(?:s/\.?|us\$))?\s*"
)
# A case, or somebody's own affair: its figure is a fact.
_OF_A_CASE = re.compile(
    r"\b(?:con|si|hace|desde|tras|despues|luego|cuando|llev[oae]\w*|teng[oa]|tuve|trabaj(?:e|o|amos)|cumpl[ioe]\w*|"
    r"yo|me|mi|mis|mio|mia|nos|nuestr\w+|soy|estoy|somos|estamos|puedo|debo|quiero|espero|gano|vivo|"
    r"\w+(?:[aei]r|[aei]ndo)(?:me|nos)|hij[oa]s?|ni[nñ][oa]s?|bebes?|espos[oa]|marido|mujer|madre|padre|herman[oa]|"
    r"menor(?:es)? de|mayor(?:es)? de|jef[ea]|vecin[oa]|amig[oa]|"
    r"demora|retraso|atraso|espera|contrato|deuda|embarazo|recibo|sentencia)\b"
)
_FIRST_PERSON = re.compile(r"\b(?!aquí|así|allí|ahí|qué)\w{2,}[éí]\b", re.IGNORECASE)  # «trabajé», «cumplí»
# «media UIT», «1/2 UIT», «50 % de una UIT»: how much of a unit.
_PART = re.compile(
    r"\by medi[ao]\b|\bmedi[ao] (?:uit|unidad|dia|hora|a[nñ]o|mes|sol)\b|\bmitad\b|\d\s*[/⁄]\s*\d|"
    r"(?:%|por ciento)\W*(?:\([^)]*\)\W*)?de (?:una|la|1) (?:uit|unidad)\b"
)
# How many of the second make one of the first; nothing is said of what may be the same.
_SAME = (
    ("año", "mes", (12,)),
    ("año", "semana", (52,)),
    ("año", "dia", (360, 365)),
    ("mes", "semana", (4,)),
    ("mes", "dia", (30,)),
    ("semana", "dia", (7,)),
    ("dia", "hora", (24,)),
    ("hora", "minuto", (60,)),
)
_BEFORE = re.compile(r"(?:s/\.?|us\$)\s*$", re.IGNORECASE)
_AFTER = re.compile(r"[\s)]*(?:\(\d+\)\s*)?(?:%|por ciento\b|[^\W\d]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """A figure that a question supposes."""

    figure: Figure
    written: str  # as in the question, with its unit: «60 días»
    asked: str  # the question with «cuántos días» in its place

    def is_denied(self, quoted: str, evidence: Iterable[Evidence]) -> bool:
        """Whether a quoted sentence gives another figure for all that is asked, and no passage has the supposed one."""
        if not any(map(self._gives_another, read_passage(unicodedata.normalize("NFC", quoted)))):
            return False
        texts = (part for item in evidence for part in (item.text, *_headings(item)))
        return not any(self._is_in(text) for text in (quoted, *texts))

    def _gives_another(self, sentence: Sentence) -> bool:
        if _PART.search(fold(sentence.text)):
            return False
        words = {stem(word): fold(word) for word in tokens(self.asked)}
        terms = {term for term in topic_terms(self.asked) if not is_kind_word(words.get(term, term))}
        same_unit = any(each.unit == self.figure.unit for each in read_figures(sentence.text))
        return same_unit and bool(terms) and terms <= set(analyze_terms(sentence.text))

    def _is_in(self, text: str) -> bool:
        stated = read_figures(text)
        return is_among(self.figure, stated) or any(_is_the_same(self.figure, each) for each in stated)


def _headings(item: Evidence) -> Iterable[str]:
    return (heading for chunk in item.chunks for heading in chunk.heading_path)


def _is_the_same(one: Figure, other: Figure) -> bool:
    """Whether two amounts of time may be one: 12 months and a year."""
    for larger, smaller, counts in _SAME:
        long, short = (one, other) if one.unit == larger else (other, one)
        if (long.unit, short.unit) == (larger, smaller):
            return any(_number(long) * count == _number(short) for count in counts)
    return False


def _number(figure: Figure) -> float:
    """NaN, which is no number's equal, of a numeral («8.1.2»)."""
    return float(figure.value) if figure.value.count(".") <= 1 else math.nan


def read_supposed(question: str) -> Supposed | None:
    """The figure that a question supposes; None where it supposes none, or several.

    >>> supposed = read_supposed("¿Por qué dan 90 días para apelar?")
    >>> supposed and (supposed.written, supposed.asked)
    ('90 días', 'dan cuántos días para apelar?')
    """
    question = unicodedata.normalize("NFC", question)
    folded = fold(question)
    opening = _SUPPOSES.match(folded)
    if opening is None or len(folded) != len(question):  # places in one are places in the other
        return None
    rest = question[opening.end() :]
    if _OF_A_CASE.search(fold(rest)) or _FIRST_PERSON.search(rest) or _PART.search(fold(rest)):
        return None
    figures = [each for each in read_figures(question) if each.unit in _ASKED]
    if len({(each.value, each.unit) for each in figures}) != 1:
        return None
    if figures[0].unit == "uit" and "." in figures[0].value:  # which others write as a part of one
        return None
    start, end = _written(question, figures[0])
    if not _RULES.fullmatch(folded, opening.end(), figures[0].start):
        return None
    asked = f"{question[opening.end() : start].lstrip()}{_ASKED[figures[0].unit]}{question[end:]}"
    return Supposed(figure=figures[0], written=question[start:end].strip(), asked=asked)


def _written(question: str, figure: Figure) -> tuple[int, int]:
    """Where a figure stands with its unit."""
    if before := _BEFORE.search(question[: figure.start]):
        return before.start(), figure.end
    after = _AFTER.match(question, figure.end)
    return figure.start, after.end() if after else figure.end
