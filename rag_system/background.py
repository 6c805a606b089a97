"""Work begun in another thread, whose result is asked for later. A program that ends waits for none of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

__all__ = ["begin"]

Result = TypeVar("Result")


def begin(work: Callable[[], Result]) -> Future[Result]:
    """Call `work` in a daemon thread of its own; its result, or what it raised, is the future's."""
    future: Future[Result] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  (whoever asks for the result gets it)
            future.set_exception(error)

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return future
