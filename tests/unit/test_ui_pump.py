"""Events arrive in order, errors arrive as raised, and silence leaves room for a stop."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import closing

import pytest

from rag_system.errors import ProviderTimeoutError
from rag_system.types import Event, Token
from ui.components.pump import pumped


def test_events_keep_their_order() -> None:
    tokens = [Token(str(number)) for number in range(200)]
    events = (token for token in tokens)
    assert [event for event in pumped(events, beat_s=5) if event] == tokens


def test_what_the_events_raise_is_raised_where_they_are_read() -> None:
    def events() -> Generator[Event]:
        yield Token("hola")
        raise ProviderTimeoutError

    with closing(pumped(events(), beat_s=5)) as arriving:
        assert next(arriving) == Token("hola")
        with pytest.raises(ProviderTimeoutError):
            next(arriving)


def test_silence_beats_and_a_stop_closes_the_events_at_their_next_word() -> None:
    speak, closed = threading.Event(), threading.Event()

    def events() -> Generator[Event]:
        try:
            speak.wait()
            yield Token("tarde")
            yield Token("nunca")
        finally:
            closed.set()

    arriving = pumped(events(), beat_s=0.01)
    assert next(arriving) is None
    arriving.close()
    speak.set()
    assert closed.wait(timeout=120)
