"""The `legajo` command: runs one of `commands.py` and ends well, whatever happens.

An error is one line and a non-zero exit. Ctrl-C, SIGTERM and SIGHUP let the command release the database first.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from rag_system.errors import LegajoError

__all__ = ["main"]

_ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class _Ended(KeyboardInterrupt):
    """A signal asked the command to end. What tidies up after Ctrl-C tidies up after the others too."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.exit_code = 128 + number  # as a shell would say it


def main() -> None:
    """Run a command; whatever goes wrong is told in one line, with a non-zero exit."""
    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # «nohup legajo …» stays deaf to a closed terminal
            signal.signal(number, _end)
    try:
        _run()
    except LegajoError as error:
        _fail(str(error), 1)
    except _Ended as ended:
        _fail("Interrumpido.", ended.exit_code)
    except BrokenPipeError:  # the reader of our output has gone: «legajo documents | head»
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    finally:
        _ignore_signals()  # nothing is left to interrupt but the tidying up at exit


def _run() -> None:
    # Imported here, so that an interruption of the imports ends as cleanly as any other.
    import click

    from assistant.commands import cli
    from assistant.usage import in_spanish

    try:
        with cli.make_context("legajo", sys.argv[1:]) as context:
            cli.invoke(context)
    except click.exceptions.Exit as end:
        raise SystemExit(end.exit_code) from None
    except click.ClickException as error:
        _fail(in_spanish(error), error.exit_code)


def _end(number: int, _frame: object) -> NoReturn:
    _ignore_signals()  # a second Ctrl-C must not interrupt the tidying up
    raise _Ended(number)


def _ignore_signals() -> None:
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)


def _fail(message: str, code: int) -> NoReturn:
    with suppress(OSError):  # the terminal may be gone
        sys.stderr.write(f"legajo: {message}\n")
        sys.stderr.flush()
    raise SystemExit(code)
