"""Question files: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_system.errors import InputError
from rag_system.types import Message

__all__ = ["AskedQuestion", "read_questions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A line of a question file: `id`, `question`, optional `history`, and whatever else it holds."""

    id: str
    question: str
    history: tuple[Message, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict)


def read_questions(path: Path) -> list[AskedQuestion]:
    """Every question of a file; a line that is none raises `InputError` with its number."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # a separator that JSON allows in a text ends no line
    except (OSError, UnicodeDecodeError):
        raise InputError(f"No se pudo leer «{path}». Indique un archivo de texto UTF-8 que exista.") from None
    return [_parse(line, number, path) for number, line in enumerate(lines, 1) if line.strip()]


def _parse(line: str, number: int, path: Path) -> AskedQuestion:
    try:
        row = json.loads(line)
        history = tuple(map(_message, row.get("history") or ()))
        return AskedQuestion(
            id=str(row.get("id", number)), question=_text(row, "question"), history=history, fields=row
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InputError(
            f"La línea {number} de «{path}» no es una pregunta: debe ser un objeto JSON con «question» y, si lleva "
            "«history», con «role» (user o assistant) y «content» en cada mensaje."
        ) from None


def _message(row: Mapping[str, Any]) -> Message:
    if row["role"] not in ("user", "assistant"):
        raise ValueError(row["role"])
    return Message(role=row["role"], content=_text(row, "content"))


def _text(row: Mapping[str, Any], name: str) -> str:
    if not isinstance(text := row[name], str):
        raise TypeError(name)
    return text
