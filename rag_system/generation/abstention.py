"""The one sentence that says that nothing was found."""

from __future__ import annotations

import re

from rag_system.generation.markers import strip_markers
from rag_system.query.text import fold

__all__ = ["ABSTENTION", "abstain", "is_abstention"]

ABSTENTION = "No encontré información sobre eso en sus documentos."

# An abstention may be wrapped in a few words («Lo siento…», «…: no aparece la Ley 1»); an answer that adds what was
# found, and cites it, is none.
_LONGEST_EXTRA_CHARS = 160
_LONGEST_CITED_EXTRA_CHARS = 40


def abstain(lacking: str = "") -> str:
    """The fixed sentence, with what the documents lack where that is known: «…: no aparece la Ley 30407.»"""
    return f"{ABSTENTION.rstrip('.')}: {lacking}." if lacking else ABSTENTION


def is_abstention(text: str) -> bool:
    """Whether the answer is the fixed sentence: accents, case, quotes and stray markers do not matter."""
    prose = strip_markers(text)
    plain, fixed = _plain(prose), _plain(ABSTENTION)
    longest = _LONGEST_EXTRA_CHARS if prose == text else _LONGEST_CITED_EXTRA_CHARS
    return fixed in plain and len(plain) - len(fixed) <= longest


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))
