"""The programs that the launcher starts: each ends with the block that it is needed in, whatever ends that block."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from assistant.ending import hold_signals, ignore_signals, release_signals

__all__ = ["child", "ended_first", "legajo"]

_STOP_TIMEOUT_S = 55.0  # of the longest drain and what is finished after it; then a child is killed
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LIBC = ctypes.CDLL(None)


def legajo(*arguments: str) -> list[str]:
    """The command line of the program itself."""
    return [sys.executable, "-P", "-c", "from assistant.cli import main; main()", *arguments]


@contextmanager
def child(
    command: Sequence[str], *, stdout: int = subprocess.DEVNULL, variables: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A program that ends with this block, whatever ends the block, even a killed launcher.

    `variables` are set in its environment, which other people cannot see; its command line they can.

    Signals wait until it has started: what is raised while it starts would leave it running, with nobody to end it.
    """
    hold_signals()
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        env={**os.environ, **(variables or {})},
        text=True,
        start_new_session=True,
        preexec_fn=_prepare_child,  # noqa: PLW1509  (a system call, of a library that is loaded already)
    ) as process:
        try:
            release_signals()
            yield process
        finally:
            _end(process)


@contextmanager
def ended_first(chat: subprocess.Popen[str]) -> Iterator[None]:
    """The tidying up begins with the chat: it uses the database too, and who lets go of it last has to stop it.

    From then on signals are ignored.
    """
    try:
        yield
    finally:
        ignore_signals()
        _end(chat)


def _prepare_child() -> None:
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _end(process: subprocess.Popen[str]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_TIMEOUT_S)
