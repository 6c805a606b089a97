"""What the pipeline asks of whoever writes the answer: a language model, or the extractive answerer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from rag_system.types import AnswerRequest, Usage

if TYPE_CHECKING:
    from rag_system.generation.chat_models import ThinChat

__all__ = ["Answerer", "Around"]


class Answerer(Protocol):
    """Writes an answer piece by piece, with `[n]` markers that point at the request's evidence.

    `stream` raises a `ProviderError` when it fails, also midway: what was yielded before stays valid.
    """

    @property
    def provider(self) -> str:
        """Its name in the settings."""
        ...

    @property
    def model(self) -> str:
        """The model's name; empty where there is none."""
        ...

    @property
    def usage(self) -> Usage:
        """What was asked of the model so far, as far as its provider reports it."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """Spanish sentences that the person must read with the answer: that somebody else wrote it, and why."""
        ...

    @property
    def side_model(self) -> Callable[[], ThinChat] | None:
        """Gives the model, to be asked a short question besides (`side_calls`); None where there is none."""
        ...

    def stream(self, request: AnswerRequest) -> Iterator[str]:
        """The answer in pieces, as they come."""
        ...


class Around:
    """As the answerer that it stands around, but for what it writes."""

    def __init__(self, answerer: Answerer) -> None:
        self._answerer = answerer
        self._told: tuple[str, ...] = ()  # what a person must read besides

    @property
    def provider(self) -> str:
        return self._answerer.provider

    @property
    def model(self) -> str:
        return self._answerer.model

    @property
    def usage(self) -> Usage:
        return self._answerer.usage

    @property
    def notices(self) -> tuple[str, ...]:
        return (*self._answerer.notices, *self._told)

    @property
    def side_model(self) -> Callable[[], ThinChat] | None:
        return self._answerer.side_model
