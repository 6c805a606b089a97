"""Records of the log as JSON, one a line: what the source says, not what it was filled with.

Arguments of a message may be words of a document, and messages of other libraries may hold anything: of arguments only
numbers and the kinds of errors are written, and of a library its name and the line of its source.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from traceback import extract_tb
from typing import Any

from rag_system.errors import LegajoError

__all__ = ["OURS", "JsonLines"]

OURS = ("rag_system", "assistant", "api", "ui", "launcher", "legajo")
_HIDDEN = "…"
_FRAMES = 12  # the innermost


class JsonLines(logging.Formatter):
    """One object a line: `time` (UTC), `level`, `logger`, then an event's fields, or a message and its error."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        fields = getattr(record, "fields", None)
        told |= _of_message(record) if fields is None else _of_event(record, fields)
        if record.exc_info and record.exc_info[1]:
            told |= _of_error(record.exc_info[1])
        return json.dumps(told, ensure_ascii=False)


def _of_event(record: logging.LogRecord, fields: Mapping[str, Any]) -> dict[str, Any]:
    watch = getattr(record, "watch", None)
    times = {"ms": watch.elapsed_ms, "phases": watch.phases} if watch else {}
    return {"event": record.getMessage(), **fields, **{name: value for name, value in times.items() if value}}


def _of_message(record: logging.LogRecord) -> dict[str, Any]:
    told: dict[str, Any] = {"event": "log"}
    if record.name.split(".")[0] in OURS:
        given = record.args if isinstance(record.args, tuple) else (record.args,) if record.args else ()
        told["message"] = str(record.msg) % tuple(map(_shown, given)) if given else str(record.msg)
    return told | {"where": f"{PurePath(record.pathname).name}:{record.lineno}"}


def _shown(value: object) -> object:
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, BaseException):
        return " ".join(map(str, _of_error(value, stack=False).values()))
    return _HIDDEN


def _of_error(error: BaseException, *, stack: bool = True) -> dict[str, Any]:
    kind = type(error)
    told: dict[str, Any] = {"error": f"{kind.__module__}.{kind.__qualname__}"}
    if isinstance(error, LegajoError) and error.code:
        told["code"] = error.code
    if stack:
        frames = extract_tb(error.__traceback__)[-_FRAMES:]
        told["stack"] = [f"{PurePath(each.filename).name}:{each.lineno} {each.name}" for each in frames]
    return told
