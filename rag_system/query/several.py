"""The questions of a message that asks more than one: «¿Quién responde los reclamos y en cuántos días?». Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.query.text import query_terms

__all__ = ["several_questions"]

_PREPOSITION = r"(?:(?:a|ante|cada|con|de|desde|en|hasta|para|por|sobre)\s+)?"
_QUESTION = rf"{_PREPOSITION}(?:(?:cu[aá]l|qui[eé]n)(?:es)?|cu[aá]nt[oa]s?|cu[aá]ndo|d[oó]nde|qué|cómo)\b"
_ASKS = re.compile(rf"{_QUESTION}|\b(?:que|como)\b", re.IGNORECASE)
_ENOUGH = 2  # words that say something, for a question to be understood by itself
_SIGNS = " ¿?¡!,."
_BETWEEN = re.compile(rf"\?\s*(?:(?:y|e|o)\s+)?¿?\s*(?=\w)|,?\s+(?:y|e|o)\s+¿?(?={_QUESTION})", re.IGNORECASE)


def several_questions(question: str) -> tuple[tuple[str, str], ...]:
    """Each question as it was asked, and as it is understood without the others; none where there is only one.

    >>> several_questions("¿Quién responde los reclamos y en cuántos días?")[1]
    ('en cuántos días', 'en cuántos días responde los reclamos')
    """
    asked = [part for each in _BETWEEN.split(question) if (part := each.strip(_SIGNS))]
    if len(asked) < 2 or not all(map(_ASKS.search, asked)):
        return ()
    spoken = [" ".join(_ASKS.sub("", part).split()) for part in asked]
    return tuple((part, _understood(part, spoken[:at] + spoken[at + 1 :])) for at, part in enumerate(asked))


def _understood(part: str, others: Sequence[str]) -> str:
    """With what the others speak of, where it leaves that out."""
    return part if len(query_terms(part)) >= _ENOUGH else " ".join((part, *others))
