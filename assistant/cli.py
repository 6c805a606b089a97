"""The `legajo` command: runs one of `commands.py` and ends well, whatever happens.

An error is one line and a non-zero exit. Ctrl-C, SIGTERM and SIGHUP let the command release the database first.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn

from assistant.ending import Ended, end_on_signals, ignore_signals
from rag_system.errors import LegajoError

__all__ = ["main"]


def main() -> None:
    """Run a command; whatever goes wrong is told in one line, with a non-zero exit."""
    end_on_signals()
    try:
        _run()
    except LegajoError as error:
        _fail(str(error), 1)
    except Ended as ended:
        _fail("Interrumpido.", ended.exit_code)
    except BrokenPipeError:  # the reader of our output has gone: «legajo documents | head»
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(0) from None
    finally:
        ignore_signals()


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


def _fail(message: str, code: int) -> NoReturn:
    with suppress(OSError):  # the terminal may be gone
        sys.stderr.write(f"legajo: {message}\n")
        sys.stderr.flush()
    raise SystemExit(code)
