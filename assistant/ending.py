"""The signals that end a program: one is enough, and it is heard even where Python swallows what its handler raises.

That happens to whatever is raised in a destructor. Python tells its hook of it, and the hook has it raised again soon,
also where the program waits for what never comes.
"""

from __future__ import annotations

import atexit
import signal
import sys
from collections.abc import Callable
from functools import partial
from threading import Event

__all__ = ["Ended", "end_on_signals", "hold_signals", "ignore_signals", "release_signals"]

_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_CAN_RING = hasattr(signal, "SIGALRM")
_AGAIN_S = 0.05  # from what was swallowed to what is raised again

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
    sys.unraisablehook = partial(_swallowed, sys.unraisablehook)
    atexit.register(_ask_no_more)  # Python ends deaf, and an alarm that nobody hears kills


def hold_signals() -> None:
    """Raise nothing until `release_signals`: what is begun meanwhile would be forgotten half begun.

    Blocking the signals in this thread is not enough: the kernel gives them to another, and Python raises in this one.
    """
    _held.set()


def release_signals() -> None:
    """The end of `hold_signals`: raise what was held back."""
    _held.clear()
    _end_if_asked()


def ignore_signals() -> None:
    """From here on nothing is left to interrupt but the tidying up."""
    _ask_no_more()
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)


def _hear(number: int, _frame: object) -> None:
    if not _asked:  # a second Ctrl-C must not interrupt the tidying up
        _asked.append(number)
        _end_if_asked()


def _end_if_asked() -> None:
    if _asked and not _held.is_set():
        _ask_no_more()  # what is swallowed now asks anew
        raise Ended(_asked[0])


def _swallowed(tell: Callable[[sys.UnraisableHookArgs], object], what: sys.UnraisableHookArgs) -> None:
    """Ring where it was `Ended`, which is raised in the main thread; `tell` of all else."""
    if not (isinstance(what.exc_value, Ended) and _CAN_RING):
        tell(what)
        return
    signal.signal(signal.SIGALRM, _hear_again)
    signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)


def _hear_again(_number: int, _frame: object) -> None:
    _end_if_asked()


def _ask_no_more() -> None:
    if _CAN_RING and signal.getsignal(signal.SIGALRM) is _hear_again:
        signal.setitimer(signal.ITIMER_REAL, 0)
