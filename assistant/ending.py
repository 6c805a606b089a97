"""The signals that end a program: one is enough, and it is heard even where Python swallows what its handler raises.

That happens to whatever is raised in a destructor. So a program that waits asks again: `end_if_asked`.
"""

from __future__ import annotations

import signal

__all__ = ["ENDING", "LOOK_S", "Ended", "end_if_asked", "end_on_signals", "ignore_signals"]

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
LOOK_S = 5.0  # between two looks of what waits: hardly ever is anything swallowed

_asked: list[int] = []  # the first of these signals, once it came


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
    for number in ENDING:
        if number in always or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _hear)


def end_if_asked() -> None:
    """Raise `Ended` once a signal came."""
    if _asked:
        raise Ended(_asked[0])


def ignore_signals() -> None:
    """From here on nothing is left to interrupt but the tidying up."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def _hear(number: int, _frame: object) -> None:
    if not _asked:  # a second Ctrl-C must not interrupt the tidying up
        _asked.append(number)
        end_if_asked()
