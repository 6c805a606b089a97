"""The signals that end a program: one is enough, and it is heard even where Python swallows what its handler raises.

That happens to whatever is raised in a destructor. So a program that waits asks again: `end_if_asked`.
"""

from __future__ import annotations

import signal
from threading import Event

__all__ = ["LOOK_S", "Ended", "end_if_asked", "end_on_signals", "hold_signals", "ignore_signals", "release_signals"]

_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
LOOK_S = 5.0  # between two looks of what waits: hardly ever is anything swallowed

_asked: list[int] = []  # the first of these signals, once it came
_held = Event()


class Ended(KeyboardInterrupt):
    """A signal asked the program to end. What tidies up after Ctrl-C tidies up after the others too."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number
        self.exit_code = 128 + number  # as a shell would say it


def end_on_signals(*always: int) -> None:
    """Raise `Ended` in the main thread when one of them comes.

    What the program was started deaf to stays so, but for those of `always`: «nohup legajo …» to a closed terminal, and
    «legajo ingest … &» of a script to the Ctrl-C that is meant for another.
    """
    for number in _ENDING:
        if number in always or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _hear)


def end_if_asked() -> None:
    """Raise `Ended` once a signal came."""
    if _asked:
        raise Ended(_asked[0])


def hold_signals() -> None:
    """Raise nothing until `release_signals`: what is begun meanwhile would be forgotten half begun.

    Blocking the signals in this thread is not enough: the kernel gives them to another, and Python raises in this one.
    """
    _held.set()


def release_signals() -> None:
    """The end of `hold_signals`: raise what was held back."""
    _held.clear()
    end_if_asked()


def ignore_signals() -> None:
    """From here on nothing is left to interrupt but the tidying up."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)


def _hear(number: int, _frame: object) -> None:
    if not _asked:  # a second Ctrl-C must not interrupt the tidying up
        _asked.append(number)
        if not _held.is_set():
            end_if_asked()
