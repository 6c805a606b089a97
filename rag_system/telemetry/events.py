"""Where it is told that something has ended. Who listens is decided in `observing`: by default, nobody."""

from __future__ import annotations

import logging
import re
from contextvars import ContextVar
from typing import Any
from uuid import uuid4

from rag_system.timing import Stopwatch

__all__ = ["EVENTS", "begin_request", "tell"]

EVENTS = "legajo.events"  # the logger's name
_OUR_KIND = re.compile(r"[A-Za-z0-9._-]{8,64}")

_logger = logging.getLogger(EVENTS)
_request: ContextVar[str] = ContextVar("request", default="")


def begin_request(wanted: str = "") -> str:
    """The id that whatever is told in this context carries from now on: the `wanted` one where it can be one."""
    request = wanted if _OUR_KIND.fullmatch(wanted) else uuid4().hex
    _request.set(request)
    return request


def tell(event: str, *, outcome: str, watch: Stopwatch, **fields: Any) -> None:
    """That an `event` is over, how it ended, and what took its time. A field without a value is left out.

    `fields` are names of the program's own, numbers and ids: what was asked, written or called stands in none.
    """
    if _logger.isEnabledFor(logging.INFO):
        known = {"request": _request.get() or uuid4().hex, "outcome": outcome, **fields}
        told = {name: value for name, value in known.items() if value not in (None, "")}
        _logger.info(event, extra={"fields": told, "watch": watch})
