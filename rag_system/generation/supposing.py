"""The figure that a question takes for granted: «¿por qué dan 90 días para apelar?», where the documents say 15.

Such a question is read as one that asks for the figure, so that what the documents say is found, and not what else is
of 90 days. Whoever reads the answer is told that it is another figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rag_system.generation.asking import is_kind_word
from rag_system.generation.figures import Figure, is_among, read_figures
from rag_system.generation.passages import read_passage
from rag_system.generation.relevance import TermReader, topic_terms
from rag_system.query.text import fold, stem, tokens
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
_BEFORE = re.compile(r"(?:s/\.?|us\$)\s*$", re.IGNORECASE)
_AFTER = re.compile(r"[\s)]*(?:\(\d+\)\s*)?(?:%|por ciento\b|[^\W\d]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Supposed:
    """A figure that a question supposes."""

    figure: Figure
    written: str  # as in the question, with its unit: «60 días»
    asked: str  # the question with «cuántos días» in its place

    def is_denied(self, quoted: str, evidence: Iterable[Evidence]) -> bool:
        """Whether what is quoted gives another figure of the unit, and nothing that is said of the same gives it."""
        if not any(each.unit == self.figure.unit for each in read_figures(quoted)):
            return False
        return not any(is_among(self.figure, read_figures(text)) for text in (quoted, *self._of_the_same(evidence)))

    def _of_the_same(self, evidence: Iterable[Evidence]) -> Iterator[str]:
        """The sentences that have half of what the question is about, with the heading above them."""
        words = {stem(word): fold(word) for word in tokens(self.asked)}
        terms = [term for term in topic_terms(self.asked) if not is_kind_word(words.get(term, term))]
        read = TermReader(self.asked, terms)
        for item in evidence:
            headings = "\n".join(heading for chunk in item.chunks for heading in chunk.heading_path[-1:])
            near = read(headings)
            yield from (s.text for s in read_passage(item.text) if 2 * len(read(s.text) | near) >= len(terms))


def read_supposed(question: str) -> Supposed | None:
    """The figure that a question supposes; None where it supposes none, or several.

    >>> supposed = read_supposed("¿Por qué dan 90 días para apelar?")
    >>> supposed and (supposed.written, supposed.asked)
    ('90 días', 'dan cuántos días para apelar?')
    """
    opening = _SUPPOSES.match(fold(question))
    if opening is None:
        return None
    figures = [each for each in read_figures(question) if each.unit in _ASKED]
    if len({(each.value, each.unit) for each in figures}) != 1:
        return None
    start, end = _written(question, figures[0])
    asked = f"{question[opening.end() : start].lstrip()}{_ASKED[figures[0].unit]}{question[end:]}"
    return Supposed(figure=figures[0], written=question[start:end].strip(), asked=asked)


def _written(question: str, figure: Figure) -> tuple[int, int]:
    """Where a figure stands with its unit."""
    if before := _BEFORE.search(question[: figure.start]):
        return before.start(), figure.end
    after = _AFTER.match(question, figure.end)
    return figure.start, after.end() if after else figure.end
