"""Files of questions, and of answers: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from rag_system.errors import InputError
from rag_system.types import Message

__all__ = ["AskedQuestion", "as_text", "read_questions", "read_rows"]

Row = TypeVar("Row")
Reader = Callable[[Mapping[str, Any], int], Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A line of a question file: `id`, `question`, optional `history`, and whatever else it holds."""

    id: str
    question: str
    history: tuple[Message, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)


def read_questions(path: Path) -> list[AskedQuestion]:
    """Every question of a file; a line that is none raises `InputError` with its number."""
    return read_rows(
        path,
        _question,
        "es una pregunta: debe ser un objeto JSON con «question» y, si lleva «history», con «role» (user o assistant) "
        "y «content» en cada mensaje",
    )


def read_rows(path: Path, parse: Reader[Row], wanted: str) -> list[Row]:
    """What `parse` makes of each object and the number of its line; of one that it refuses `wanted` says what it should
    be, after «no»."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # a separator that JSON allows in a text ends no line
    except (OSError, UnicodeDecodeError):
        raise InputError(f"No se pudo leer «{path}». Indique un archivo de texto UTF-8 que exista.") from None
    return [_parsed(line, number, path, parse, wanted) for number, line in enumerate(lines, 1) if line.strip()]


def _parsed(line: str, number: int, path: Path, parse: Reader[Row], wanted: str) -> Row:
    try:
        return parse(json.loads(line), number)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InputError(f"La línea {number} de «{path}» no {wanted}.") from None


def _question(row: Mapping[str, Any], number: int) -> AskedQuestion:
    history = tuple(map(_message, row.get("history") or ()))
    return AskedQuestion(id=str(row.get("id", number)), question=as_text(row, "question"), history=history, fields=row)


def _message(row: Mapping[str, Any]) -> Message:
    if row["role"] not in ("user", "assistant"):
        raise ValueError(row["role"])
    return Message(role=row["role"], content=as_text(row, "content"))


def as_text(row: Mapping[str, Any], name: str) -> str:
    """A text of a row; raises `KeyError` or `TypeError` where there is none."""
    if not isinstance(text := row[name], str):
        raise TypeError(name)
    return text
