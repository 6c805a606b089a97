"""A second answerer that steps in when the first fails before its first word; after that it never does.

Words of two models are not spliced into one answer, and whoever reads it is told who wrote it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from rag_system.errors import ProviderError
from rag_system.generation.protocol import Answerer, Around
from rag_system.types import AnswerRequest, Usage

__all__ = ["FallbackAnswerer"]

_UNNAMED = "quien lo reemplaza"


class FallbackAnswerer(Around):
    """Asks `first`, and `second` when `first` fails before a word of its answer has come.

    `second` is called with the seconds that are left of `total_s`; `label` is its name for people.
    """

    def __init__(self, *, first: Answerer, second: Callable[[float], Answerer], label: str, total_s: float) -> None:
        super().__init__(first)
        self._first = first
        self._second = second
        self._label = label
        self._total_s = total_s

    @property
    def usage(self) -> Usage:
        spent = self._first.usage
        return spent if self._answerer is self._first else spent + self._answerer.usage

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
        self._answerer = self._second(max(left_s, 0.0))
        wrote = False
        try:
            for piece in self._answerer.stream(request):
                if not wrote:
                    wrote, self._told = True, (f"{failed} Esta respuesta es de {label}.",)
                yield piece
        except ProviderError as error:
            if wrote:
                raise
            raise type(error)(f"{failed} Tampoco respondió {label}: {error}") from None
