"""A blocking stream read with an end: whatever the network does, the reader waits no longer than it said.

The SDKs' time-outs hold from one read to the next. None of them ends a name look-up that hangs, a model that thinks for
ever, or a server that never stops.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["OutOfTime", "bounded", "is_abandoned"]

MOST_WAITING = 64  # items that have come and were not read yet: a server is read no faster than its words are
LAST_WAIT_S = 0.2  # for a thread that may be in the middle of a read

Item = TypeVar("Item")


class OutOfTime(Exception):  # noqa: N818 - a verdict on the wait, always turned into a `ProviderTimeoutError`
    """The time for the whole stream is over."""


@dataclass(frozen=True, slots=True)
class _Read(Generic[Item]):
    item: Item


@dataclass(frozen=True, slots=True)
class _Ended:
    error: BaseException | None = None


_unheard: ContextVar[threading.Event | None] = ContextVar("unheard", default=None)


def is_abandoned() -> bool:
    """Whether nobody listens any more to what this thread reads for `bounded`."""
    event = _unheard.get()
    return event is not None and event.is_set()


def bounded(stream: Callable[[], Generator[Item]], *, until: float) -> Iterator[Item]:
    """The items of `stream()` as they come; `OutOfTime` at `until` (seconds of `time.monotonic`).

    They are read in a thread of their own, which ends with the stream's next item or its own time-out once nobody
    listens any more. A daemon: a provider that never answers must not hold back the program's end.
    """
    arrived: queue.Queue[_Read[Item] | _Ended] = queue.Queue(MOST_WAITING)
    unheard = threading.Event()
    thread = threading.Thread(target=_read, args=(stream, arrived, unheard), daemon=True, name="provider")
    thread.start()
    event: _Read[Item] | _Ended | None = None
    try:
        while isinstance(event := _next(arrived, until), _Read):
            yield event.item
        if event.error is not None:
            raise event.error
    finally:
        unheard.set()
        _empty(arrived)
        event = None  # its error holds this frame: both would keep the connection open until they are collected
        thread.join(LAST_WAIT_S)


def _next(arrived: queue.Queue[_Read[Item] | _Ended], until: float) -> _Read[Item] | _Ended:
    left_s = until - time.monotonic()
    if left_s <= 0:  # whatever waits in the queue: an endless answer always has something there
        raise OutOfTime
    try:
        return arrived.get(timeout=left_s)
    except queue.Empty:
        raise OutOfTime from None


def _empty(arrived: queue.Queue[_Read[Item] | _Ended]) -> None:
    """Makes room, so that whoever waits to put something there learns that it is not wanted."""
    while True:
        try:
            arrived.get_nowait()
        except queue.Empty:
            return


def _read(
    stream: Callable[[], Generator[Item]],
    arrived: queue.Queue[_Read[Item] | _Ended],
    unheard: threading.Event,
) -> None:
    _unheard.set(unheard)
    try:
        with closing(stream()) as items:
            for item in items:
                arrived.put(_Read(item))
                if unheard.is_set():
                    break
    except BaseException as raised:  # noqa: BLE001 - handed to the reader, which raises it
        arrived.put(_Ended(raised))
    else:
        arrived.put(_Ended())
