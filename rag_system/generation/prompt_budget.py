"""How long a text is for a model, without its tokenizer: an estimate that errs on the long side.

Every provider counts with a tokenizer of its own, and most cannot be had locally. The estimate takes five letters for a
token, two digits, one sign or one character of another script. Against the tokenizer of multilingual-e5 (250,000
pieces) on 450 passages of Spanish norms it is 26 % above at the median, and never more than 3 % below.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rag_system.query.sentences import sentence_end_before

__all__ = ["estimate_tokens", "shorten_to"]

_PIECE = re.compile(r"[A-Za-zÀ-ɏ]{1,5}|\d{1,2}|[^\W\d_]|[^\w\s]|_|\n")
_UNSPOKEN = re.compile(r"[!-~]{25,}")  # base64, long addresses: hardly a letter goes with the next
_UNSPOKEN_MORE = 0.6  # tokens a character, above what `_PIECE` counts
_RARE = re.compile(r"[\U00010000-\U0010ffff]")  # two tokens each
_CHARS_A_TOKEN = 4  # Spanish prose, and a beginning for `shorten_to`


@lru_cache(maxsize=128)
def estimate_tokens(text: str) -> int:
    """Tokens of `text`, estimated; about 1 ms for 12,000 characters. Every step that fits a passage asks again."""
    unspoken = sum(map(len, _UNSPOKEN.findall(text)))
    return len(_PIECE.findall(text)) + len(_RARE.findall(text)) + round(unspoken * _UNSPOKEN_MORE)


def shorten_to(text: str, tokens: float) -> str:
    """At most `tokens` of the beginning, ending with a sentence or, where there is none, with a word."""
    if estimate_tokens(text) <= tokens:
        return text
    room = int(tokens * _CHARS_A_TOKEN)
    while room > 0 and estimate_tokens(text[:room]) > tokens:
        room -= max(1, room // 10)
    end = sentence_end_before(text, room) or text[:room].rfind(" ")
    return text[: max(end, 0)].rstrip()
