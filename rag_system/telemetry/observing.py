"""Who hears of what is told: where LEGAJO_LOG_FORMAT asks for it, standard error, in lines of JSON."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rag_system.settings import Settings
from rag_system.telemetry.events import EVENTS
from rag_system.telemetry.json_lines import OURS, JsonLines

__all__ = ["observed", "say"]


@contextmanager
def observed(settings: Settings) -> Iterator[None]:
    """What this process tells is heard as the settings say, until the block ends.

    Other libraries' own handlers yield: what they would write is no JSON, and may hold content.
    """
    if settings.log_format != "json":
        yield
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    for other in (root, *map(logging.getLogger, list(logging.root.manager.loggerDict))):
        for each in list(other.handlers):
            other.removeHandler(each)
        other.propagate = True
    root.addHandler(handler)
    for name in (*OURS, EVENTS):
        logging.getLogger(name).setLevel(logging.INFO)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        root.removeHandler(handler)
        for name in (*OURS, EVENTS):
            logging.getLogger(name).setLevel(logging.NOTSET)


def say(message: str, *, names: bool = False) -> None:
    """A sentence to who started the program: a line of the terminal or, where that is read by programs, of the log.

    One that `names` documents is for the terminal alone.
    """
    if any(isinstance(each.formatter, JsonLines) for each in logging.getLogger().handlers):
        if not names:
            logging.getLogger("legajo").info(message)
        return
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()
