"""The bytes of a provider's answer, watched below its SDK: comments are silence, and an end comes when it must.

An SDK shows nothing before a line is whole, so what never makes one would be read for ever: comments that hold off the
read time-out, a line without an end, the answer to a question that nobody waits for any more.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import httpx2

from rag_system.generation.failures import Kind, Verdict
from rag_system.generation.streaming import is_abandoned

__all__ = ["LARGEST_ANSWER_BYTES", "hooks"]

LARGEST_ANSWER_BYTES = 64 * 2**20  # of 100,000 tokens, thoughts included, each in an event of half a kilobyte


class _Listened(httpx.SyncByteStream, httpx2.SyncByteStream):
    """A response's bytes, for either library."""

    def __init__(self, stream: httpx.SyncByteStream | httpx2.SyncByteStream, silence_s: float) -> None:
        self._stream = stream
        self._silence_s = silence_s

    def __iter__(self) -> Iterator[bytes]:
        heard, size = time.monotonic(), 0
        for part in self._stream:
            size += len(part)
            if size > LARGEST_ANSWER_BYTES or is_abandoned():
                raise Verdict(Kind.TOO_MUCH)
            if any(line and not line.startswith(b":") for line in part.splitlines()):
                heard = time.monotonic()
            elif time.monotonic() - heard > self._silence_s:
                raise Verdict(Kind.TIMEOUT)
            yield part

    def close(self) -> None:
        self._stream.close()


def hooks(silence_s: float) -> dict[str, list[Callable[[Any], None]]]:
    """`event_hooks` for a client of httpx or httpx2; nothing but comments for `silence_s` seconds ends a stream.

    OpenRouter sends «: OPENROUTER PROCESSING» while a model queues, which would hold off the read time-out for ever.
    """

    def listen(response: Any) -> None:
        response.stream = _Listened(response.stream, silence_s)

    return {"response": [listen]}
