"""Question files with known answers: what a line may say of its answer, and the check that it says it rightly.

`docs/how-to/medir.md` explains the fields to those who write such files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assistant.questions import AskedQuestion, read_questions
from rag_system.errors import InputError

__all__ = ["EXPECTED", "FIELDS", "gold_files", "read_gold"]

# Field → what its value must be; null says as much as leaving it out.
FIELDS: dict[str, type | tuple[type, ...]] = {
    "gold_file": str,
    "gold_files": list,
    "gold_article": (str, int),
    "answer_phrase": str,
    "require_all": bool,
    "expect": dict,
}
EXPECTED: dict[str, type] = {
    "route": str,
    "standalone_question": str,
    "standalone_contains": list,
    "standalone_excludes": list,
    "reformulated": bool,
    "citation": bool,
    "authors": list,
    "years": list,
    "identifiers": list,
}


def read_gold(path: Path) -> list[AskedQuestion]:
    """Every question of a file; one whose answer is told in a way that measures nothing raises `InputError`."""
    questions = read_questions(path)
    for question in questions:
        for name in _wrong(question):
            raise InputError(
                f"En «{path}», el campo «{name}» de la pregunta «{question.id}» no sirve para medir. Los campos y sus "
                "valores están en docs/how-to/medir.md."
            )
    return questions


def _wrong(question: AskedQuestion) -> Iterator[str]:
    said = {name: value for name, value in question.fields.items() if value is not None}
    yield from (name for name, kind in FIELDS.items() if name in said and not isinstance(said[name], kind))
    for name, value in said.get("expect", {}).items():
        if not isinstance(value, EXPECTED.get(name, ())):
            yield f"expect.{name}"


def gold_files(question: AskedQuestion) -> list[str]:
    """The paths that answer; none where nothing does."""
    row = question.fields
    return list(row.get("gold_files") or filter(None, [row.get("gold_file")]))
