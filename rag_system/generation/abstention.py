"""The one sentence that says that nothing was found."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.generation.markers import strip_markers
from rag_system.query.text import fold

__all__ = ["ABSTENTION", "abstain", "is_abstention"]

ABSTENTION = "No encontré información sobre eso en sus documentos."

# An abstention may be wrapped in a few words («Lo siento…», «…: no aparece la Ley 1»); an answer that adds what was
# found, and cites it, is none.
_LONGEST_EXTRA_CHARS = 160
_LONGEST_CITED_EXTRA_CHARS = 40


def abstain(lacking: str = "", *, searched: Sequence[str] = ()) -> str:
    """The fixed sentence, with what the documents lack and the words that were searched, where they are known.

    >>> abstain("entre ellos no está la Ley 30407", searched=["protección", "animal"])
    'No encontré información sobre eso en sus documentos: entre ellos no está la Ley 30407. Busqué: protección, animal.'
    """
    said = f"{ABSTENTION.rstrip('.')}: {lacking}." if lacking else ABSTENTION
    return f"{said} Busqué: {', '.join(searched)}." if searched else said


def is_abstention(text: str) -> bool:
    """Whether the answer is the fixed sentence: accents, case, quotes and stray markers do not matter."""
    prose = strip_markers(text)
    plain, fixed = _plain(prose), _plain(ABSTENTION)
    longest = _LONGEST_EXTRA_CHARS if prose == text else _LONGEST_CITED_EXTRA_CHARS
    return fixed in plain and len(plain) - len(fixed) <= longest


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", fold(text)))
