"""How people type in a chat: «q docs tenes», «pa q sirve»."""

from __future__ import annotations

import re

from rag_system.query.language import in_another_language
from rag_system.query.text import fold

__all__ = ["mend", "shorthand_in_full"]

_SHORTHAND = {
    "q": "que", "ke": "que", "qe": "que", "xq": "por que", "pq": "por que", "porq": "porque", "xk": "por que",
    "tmb": "tambien", "tbn": "tambien", "dnd": "donde", "kien": "quien", "cmo": "como", "qien": "quien", "ay": "hay",
    "tiens": "tienes", "tines": "tienes", "teines": "tienes", "tenes": "tienes", "pueds": "puedes",
    "puedez": "puedes", "podes": "puedes", "grax": "gracias", "pa": "para", "pal": "para el",
}  # fmt: skip

# A word by itself, before another one, and «pa q» at the end: no «q)» or «q.».
_ALONE = re.compile(r"(?<![^\s¿¡(])(?:[^\W\d_]{1,6}(?=\s+[^\W\d_])|q(?=[?!.\s]*$))")


def mend(words: str) -> str:
    """Plain words with shorthand in full letters.

    >>> mend("q documentos tienes")
    'que documentos tienes'
    """
    return " ".join(_SHORTHAND.get(word, word) for word in words.split(" "))


def shorthand_in_full(question: str) -> str:
    """A question with its shorthand in full letters; as it was where it is in another language.

    >>> shorthand_in_full("y pa q guardan mis datos")
    'y para que guardan mis datos'
    """
    return question if in_another_language(question) else _ALONE.sub(_in_full, question)


def _in_full(word: re.Match[str]) -> str:
    full = _SHORTHAND.get(fold(word[0]))
    if full is None or (word[0][0].isupper() and word.start() > 1):  # a name
        return word[0]
    return full.capitalize() if word[0][0].isupper() else full
