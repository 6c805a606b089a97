"""The one sentence that says that nothing was found."""

from __future__ import annotations

import re
import unicodedata

from rag_system.generation.markers import strip_markers

__all__ = ["ABSTENTION", "is_abstention"]

ABSTENTION = "No encontré información sobre eso en sus documentos."

# An abstention may be wrapped in a few words («Lo siento: …»); an answer that adds what was found is none.
_LONGEST_EXTRA_CHARS = 60


def is_abstention(text: str) -> bool:
    """Whether the answer is the fixed sentence: accents, case, quotes and stray markers do not matter."""
    plain = _plain(strip_markers(text))
    fixed = _plain(ABSTENTION)
    return fixed in plain and len(plain) - len(fixed) <= _LONGEST_EXTRA_CHARS


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(re.findall(r"\w+", letters))
