"""What a provider says, read with distrust: text that can be shown and stored, counts that are counts.

The SDKs check little of what arrives: a server may put a list, an object or half a character where a text belongs.
"""

from __future__ import annotations

import math
from typing import Any

from rag_system.generation.failures import Kind, Verdict

__all__ = ["AnswerText", "read_cost", "read_count", "read_finish", "sendable"]

LONGEST_TOKEN = 20  # characters: about four times what a token of Spanish prose has
SHORTEST_LIMIT = 4_000  # characters, of the limit below: a server counts its tokens as it likes
LARGEST_COUNT = 2**31 - 1  # tokens: what the database's integer holds


class AnswerText:
    """The texts of one answer; longer than `max_tokens` could ever be, it is ended with a `Verdict`."""

    def __init__(self, max_tokens: int) -> None:
        self._left = max(max_tokens * LONGEST_TOKEN, SHORTEST_LIMIT)

    def read(self, content: Any) -> str:
        """A text, a list of parts with texts, or nothing; anything else is a `Verdict`."""
        text = _text(content)
        self._left -= len(text)
        if self._left < 0:
            raise Verdict(Kind.LENGTH_EMPTY)
        return _storable(text)


def _text(content: Any) -> str:
    match content:
        case None:
            return ""
        case str():
            return content
        case list():
            return "".join(_part(part) for part in content)
    raise Verdict(Kind.MALFORMED)


def _part(part: Any) -> str:
    """One of a message's parts, as OpenAI's API writes them; a part that is no text, such as thoughts, is not shown."""
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise Verdict(Kind.MALFORMED)
    return _text(part.get("text")) if part["type"] == "text" else ""


def _storable(text: str) -> str:
    """Without what neither UTF-8 nor the database takes: halves of surrogate pairs, and NUL."""
    return sendable(text).replace("\x00", "")


def sendable(text: str) -> str:
    """The text as UTF-8 can carry it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def read_finish(reason: Any) -> str | None:
    """Why an answer ended; none while it has not."""
    if reason is None or isinstance(reason, str):
        return reason
    raise Verdict(Kind.MALFORMED)


def read_count(value: Any) -> int | None:
    """A number of tokens, if it is one."""
    return value if isinstance(value, int) and 0 <= value <= LARGEST_COUNT else None


def read_cost(value: Any) -> float | None:
    """Dollars, if they are."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) and value >= 0 else None
