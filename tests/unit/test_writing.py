"""An answer is written whoever watches it, and however often; silence leaves room for a stop."""

from __future__ import annotations

import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor

import pytest

from rag_system.errors import ProviderTimeoutError
from rag_system.types import Event, Token
from ui.components.writing import Writing, begin, under_way


def _watched(writing: Writing) -> str:
    for _ in writing.watch(beat_s=5):
        pass
    return writing.live.draft.text


def test_all_who_watch_see_the_whole_answer() -> None:
    words = [f"palabra{number} " for number in range(200)]
    writing = begin("c-1", (Token(word) for word in words), is_held=lambda: False)
    with ThreadPoolExecutor(2) as pages:
        assert list(pages.map(_watched, [writing] * 2)) == ["".join(words)] * 2
    assert writing.live.turn.state == "stopped", "nothing said that it was whole"


def test_an_answer_can_be_found_while_it_is_written() -> None:
    go_on = threading.Event()

    def events() -> Generator[Event]:
        yield Token("hola")
        go_on.wait()

    writing = begin("c-2", events(), is_held=lambda: False)
    watching = writing.watch(beat_s=5)
    assert next(watching)
    assert under_way("c-2") is writing
    assert under_way("c-3") is None
    go_on.set()
    assert list(watching) == [False]


def test_a_failure_is_part_of_the_answer() -> None:
    def events() -> Generator[Event]:
        yield Token("hola")
        raise ProviderTimeoutError

    writing = begin("c-4", events(), is_held=lambda: False)
    assert _watched(writing) == "hola"
    assert (writing.live.turn.content, writing.live.turn.error) == ("hola", str(ProviderTimeoutError()))


def test_what_is_none_of_our_errors_is_raised_where_it_is_watched() -> None:
    def events() -> Generator[Event]:
        yield Token("hola")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        _watched(begin("c-5", events(), is_held=lambda: False))


def test_silence_beats_and_a_stop_closes_the_events_at_their_next_word() -> None:
    speak, closed = threading.Event(), threading.Event()

    def events() -> Generator[Event]:
        try:
            speak.wait()
            yield Token("tarde")
            yield Token("nunca")
        finally:
            closed.set()

    writing = begin("c-6", events(), is_held=lambda: False)
    watching = writing.watch(beat_s=0.01)
    assert next(watching) is False
    writing.stop()
    assert list(watching) == [False]
    assert under_way("c-6") is None
    speak.set()
    assert closed.wait(timeout=120)
    assert writing.live.draft.text == "tarde"
