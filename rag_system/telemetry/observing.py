"""Who hears of what is told: standard error in lines of JSON, a collector of traces; each where asked for."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rag_system.settings import Settings
from rag_system.telemetry.events import EVENTS
from rag_system.telemetry.json_lines import OURS, JsonLines

__all__ = ["COLLECTOR", "observed", "say"]

COLLECTOR = "OTEL_EXPORTER_OTLP_ENDPOINT"


@contextmanager
def observed(settings: Settings) -> Iterator[None]:
    """What this process tells is heard as the settings and OTEL_EXPORTER_OTLP_ENDPOINT say, until the block ends."""
    with ExitStack() as listening:
        if settings.log_format == "json":
            listening.enter_context(_in_lines())
        if os.environ.get(COLLECTOR):
            listening.enter_context(_traced())
        yield


@contextmanager
def _in_lines() -> Iterator[None]:
    """Other libraries' own handlers yield: what they would write is no JSON, and may hold content."""
    root = logging.getLogger()
    for other in (root, *map(logging.getLogger, list(logging.root.manager.loggerDict))):
        for each in list(other.handlers):
            other.removeHandler(each)
        other.propagate = True
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.captureWarnings(True)
    try:
        with _heard(root, handler, *OURS, EVENTS):
            yield
    finally:
        logging.captureWarnings(False)


@contextmanager
def _traced() -> Iterator[None]:
    try:
        from rag_system.telemetry.traces import Spans
    except ModuleNotFoundError:
        say(f"{COLLECTOR} pide trazas, y falta con qué hacerlas: «scripts/setup --with otel».")
        yield
        return
    handler = Spans()
    try:
        with _heard(logging.getLogger(EVENTS), handler, EVENTS):
            yield
    finally:
        handler.close()


@contextmanager
def _heard(logger: logging.Logger, handler: logging.Handler, *names: str) -> Iterator[None]:
    """The handler hears a logger, and what those of the `names` tell is told from «info» on."""
    logger.addHandler(handler)
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


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
