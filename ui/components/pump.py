"""Reads an answer's events in a thread of its own, so that a page waiting for a silent provider can still be stopped.

Streamlit stops a run only at its next `st` call. A provider may think for many seconds before its first word: without
a beat in between, the stop button would wait as long.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import closing
from queue import Empty, SimpleQueue

from rag_system.types import Event

__all__ = ["pumped"]


class _End:
    """The events are over."""


def pumped(events: Generator[Event], *, beat_s: float) -> Generator[Event | None]:
    """The events as they come, and None whenever `beat_s` seconds passed without one.

    What the events raise is raised here. When this generator is closed early, `events` is closed too, as soon as its
    next event arrives: a generator cannot be closed while it waits in another thread.
    """
    pump = _Pump(events)
    threading.Thread(target=pump.run, name="legajo-answer", daemon=True).start()
    try:
        while not isinstance(event := pump.next(beat_s), _End):
            yield event
    finally:
        pump.stopped.set()


class _Pump:
    def __init__(self, events: Generator[Event]) -> None:
        self.stopped = threading.Event()
        self._events = events
        self._queue: SimpleQueue[Event | _End | BaseException] = SimpleQueue()

    def run(self) -> None:
        try:
            with closing(self._events):
                for event in self._events:
                    self._queue.put(event)
                    if self.stopped.is_set():
                        break
        except BaseException as error:  # noqa: BLE001  (raised again by the thread that reads)
            self._queue.put(error)
        else:
            self._queue.put(_End())

    def next(self, beat_s: float) -> Event | _End | None:
        try:
            item = self._queue.get(timeout=beat_s)
        except Empty:
            return None
        if isinstance(item, BaseException):
            raise item
        return item
