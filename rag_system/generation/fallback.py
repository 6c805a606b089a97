"""A second answerer that steps in when the first fails before its first word; after that it never does.

Words of two models are not spliced into one answer, and whoever reads it is told who wrote it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from rag_system.errors import ProviderError
from rag_system.generation.protocol import Answerer
from rag_system.types import AnswerRequest, Message, Usage

__all__ = ["FallbackAnswerer"]

_UNNAMED = "quien lo reemplaza"


class FallbackAnswerer:
    """Asks `first`, and `second` when `first` fails before a word of its answer has come.

    `second` is called with the seconds that are left of `total_s`; `label` is its name for people.
    """

    def __init__(self, *, first: Answerer, second: Callable[[float], Answerer], label: str, total_s: float) -> None:
        self._first = first
        self._second = second
        self._label = label
        self._total_s = total_s
        self._stepped_in: Answerer | None = None
        self.notices: tuple[str, ...] = ()

    @property
    def provider(self) -> str:
        """Who answered, or is going to."""
        return (self._stepped_in or self._first).provider

    @property
    def model(self) -> str:
        return (self._stepped_in or self._first).model

    @property
    def usage(self) -> Usage:
        return self._first.usage + self._stepped_in.usage if self._stepped_in else self._first.usage

    def rewrite(self, question: str, history: Sequence[Message]) -> str | None:
        return self._first.rewrite(question, history)

    def angles(self, question: str, *, most: int) -> tuple[str, ...]:
        return self._first.angles(question, most=most)

    def stream(self, request: AnswerRequest) -> Iterator[str]:
        """The first's answer; the second's when there is none."""
        started = time.monotonic()
        failed = ""
        wrote = False
        try:
            for piece in self._first.stream(request):
                wrote = True
                yield piece
        except ProviderError as error:
            if wrote:
                raise
            failed = str(error)
        if failed:
            yield from self._instead(request, failed, self._total_s - (time.monotonic() - started))

    def _instead(self, request: AnswerRequest, failed: str, left_s: float) -> Iterator[str]:
        label = self._label if not request.hides_model else _UNNAMED
        self._stepped_in = self._second(max(left_s, 0.0))
        wrote = False
        try:
            for piece in self._stepped_in.stream(request):
                if not wrote:
                    wrote, self.notices = True, (f"{failed} Esta respuesta es de {label}.",)
                yield piece
        except ProviderError as error:
            if wrote:
                raise
            raise type(error)(f"{failed} Tampoco respondió {label}: {error}") from None
