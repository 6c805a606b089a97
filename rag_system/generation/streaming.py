"""A blocking stream read with an end: whatever the network does, the reader waits no longer than it said.

The SDKs' time-outs hold from one read to the next. None of them ends a name look-up that hangs, a model that thinks for
ever, or a server that says a word a minute.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["OutOfTime", "bounded"]

Item = TypeVar("Item")


class OutOfTime(Exception):  # noqa: N818 - a verdict on the wait, always turned into a `ProviderTimeoutError`
    """The time for the whole stream is over."""


@dataclass(frozen=True, slots=True)
class _Read(Generic[Item]):
    item: Item


@dataclass(frozen=True, slots=True)
class _Ended:
    error: BaseException | None = None


def bounded(stream: Callable[[], Generator[Item]], *, until: float) -> Iterator[Item]:
    """The items of `stream()` as they come; `OutOfTime` at `until` (seconds of `time.monotonic`).

    They are read in a thread of their own, which ends with the stream's next item or its own time-out once nobody
    listens any more. A daemon: a provider that never answers must not hold back the program's end.
    """
    arrived: queue.SimpleQueue[_Read[Item] | _Ended] = queue.SimpleQueue()
    unheard = threading.Event()
    threading.Thread(target=_read, args=(stream, arrived, unheard), daemon=True, name="provider").start()
    event: _Read[Item] | _Ended | None = None
    try:
        while isinstance(event := _next(arrived, until), _Read):
            yield event.item
        if event.error is not None:
            raise event.error
    finally:
        unheard.set()
        event = None  # its error holds this frame: both would keep the connection open until they are collected


def _next(arrived: queue.SimpleQueue[_Read[Item] | _Ended], until: float) -> _Read[Item] | _Ended:
    try:
        return arrived.get(timeout=max(0.0, until - time.monotonic()))
    except queue.Empty:
        raise OutOfTime from None


def _read(
    stream: Callable[[], Generator[Item]],
    arrived: queue.SimpleQueue[_Read[Item] | _Ended],
    unheard: threading.Event,
) -> None:
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
