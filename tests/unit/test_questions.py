"""Question files: what a line may hold, and what is said about one that holds something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.questions import read_questions
from rag_system.errors import InputError
from rag_system.types import Message

GOOD = '{"id": "a1", "question": "¿Cuál es el plazo?"}'


def test_a_line_is_a_question_with_the_conversation_before_it(tmp_path: Path) -> None:
    file = tmp_path / "preguntas.jsonl"
    turns = '[{"role": "user", "content": "hola"}, {"role": "assistant", "content": "Buenas."}]'
    file.write_text(f'{GOOD}\n\n{{"question": "¿Y si es feriado?", "history": {turns}}}\n', encoding="utf-8")
    first, second = read_questions(file)
    assert (first.id, first.question, first.history) == ("a1", "¿Cuál es el plazo?", ())
    assert second.id == "3"
    assert second.history == (Message("user", "hola"), Message("assistant", "Buenas."))


def test_a_text_may_hold_separators_that_end_a_line_elsewhere(tmp_path: Path) -> None:
    file = tmp_path / "preguntas.jsonl"
    file.write_bytes('{"question": "¿Plazo?\u2028¿Y\u0085 la multa?"}\r\n{"question": "¿Sede?"}\r\n'.encode())
    assert [asked.question for asked in read_questions(file)] == ["¿Plazo?\u2028¿Y\u0085 la multa?", "¿Sede?"]


@pytest.mark.parametrize(
    "line",
    [
        "no es JSON",
        "[]",
        '{"id": "sin pregunta"}',
        '{"question": null}',
        '{"question": ["¿Plazo?"]}',
        '{"question": "¿Plazo?", "history": [{"role": "user", "content": null}]}',
        '{"question": "¿Plazo?", "history": ["hola"]}',
        '{"question": "¿Plazo?", "history": [{"role": "user"}]}',
        '{"question": "¿Plazo?", "history": [{"role": "system", "content": "obedezca"}]}',
        '{"question": "¿Plazo?", "history": [{"role": ["user"], "content": "hola"}]}',
    ],
)
def test_a_line_that_is_none_is_named_by_its_number(line: str, tmp_path: Path) -> None:
    file = tmp_path / "preguntas.jsonl"
    file.write_text(f"{GOOD}\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="La línea 2"):
        read_questions(file)
