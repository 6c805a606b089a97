"""How people type in a chat: «q docs tenes», «documntos». Only words that decide a route are mended."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["mend"]

_SHORTHAND = {
    "q": "que", "k": "que", "ke": "que", "qe": "que", "xq": "porque", "pq": "porque", "porq": "porque",
    "xk": "porque", "tb": "tambien", "tmb": "tambien", "tbn": "tambien", "dnd": "donde", "kien": "quien", "cmo": "como",
    "qien": "quien", "ay": "hay", "tiens": "tienes", "tines": "tienes", "teines": "tienes", "tenes": "tienes",
    "pueds": "puedes", "puedez": "puedes", "podes": "puedes", "grax": "gracias",
}  # fmt: skip

# Long enough that a word one slip away can hardly be another word.
_DECIDING = (
    "documentos",
    "documento",
    "archivos",
    "disponibles",
    "muestrame",
    "cargados",
    "enumerame",
    "documentacion",
)
_LETTERS = "abcdefghijklmnopqrstuvwxyzñ"


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    """Every word one slip away from a deciding word → that word."""
    table: dict[str, str] = {}
    for word in _DECIDING:
        splits = [(word[:i], word[i:]) for i in range(len(word) + 1)]
        missing = (left + right[1:] for left, right in splits if right)
        swapped = (left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1)
        changed = (left + letter + right[1:] for left, right in splits if right for letter in _LETTERS)
        extra = (left + letter + right for left, right in splits for letter in _LETTERS)
        for variants in (missing, swapped, changed, extra):
            for variant in variants:
                table.setdefault(variant, word)
    return table | {word: word for word in _DECIDING}


def mend(words: str) -> str:
    """Plain words, one for each that was typed, with shorthand and slips undone.

    >>> mend("q documntos tienes")
    'que documentos tienes'
    """
    slips = _slips()
    return " ".join(_SHORTHAND.get(word) or slips.get(word, word) for word in words.split(" "))
