"""`legajo check`: what a line of answers may hold, what is said of one that holds something else, and what is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.answers import read_answers
from assistant.commands import cli
from evaluation.answers import FILE, judged, totals
from rag_system.errors import InputError

SOURCE = {
    "n": 3,
    "document": "Reglamento",
    "path": "reglamento.md",
    "section": "Título I › Artículo 5",
    "page": 7,
    "text": "El préstamo es de diez (10) días hábiles. La sala cierra los feriados.",
}
ANSWER = {
    "id": "a1",
    "question": "¿Cuánto dura el préstamo?",
    "sources": [SOURCE],
    "answer": "Dura **diez días calendario** [3, 9]. La sala cierra los feriados. [3] ¿Algo más?",
}


def write(folder: Path, *rows: object) -> Path:
    file = folder / "respuestas.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


def checked(file: Path, *options: str) -> str:
    done = CliRunner().invoke(cli, ["check", "--answers", str(file), *options], prog_name="legajo")
    assert done.exit_code == 0, done.output
    return done.output


def test_the_sentences_are_told_as_they_stand_and_the_sources_by_their_numbers(tmp_path: Path) -> None:
    (row,) = map(json.loads, checked(write(tmp_path, ANSWER), "--json").splitlines())
    assert row["unsupported"] == ["Dura **diez días calendario** [3, 9]."]
    assert (row["id"], row["question"]) == ("a1", ANSWER["question"])
    assert row["citations"][-1] == {
        "n": 3,
        "document": "Reglamento",
        "path": "reglamento.md",
        "page": 7,
        "quote": "La sala cierra los feriados.",
    }


def test_a_person_reads_why(tmp_path: Path) -> None:
    right = {**ANSWER, "id": "a2", "answer": "Dura diez días hábiles [3]."}
    assert checked(write(tmp_path, ANSWER, right)) == (
        "a1:\n- Dura **diez días calendario** [3].\n    la fuente citada cuenta otra clase de días\n"
        "a2: todo tiene respaldo\n"
    )


def test_little_is_needed(tmp_path: Path) -> None:
    (kept,) = read_answers(
        write(tmp_path, {"question": "¿Y?", "answer": "Nada.", "sources": [{"n": 1, "text": "Algo."}]})
    )
    assert (kept.id, kept.documents) == ("1", {1: ""})
    assert read_answers(write(tmp_path, {**ANSWER, "sources": []}))[0].check().citations == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"answer": None},
        {"question": 5},
        {"sources": None},
        {"sources": "una"},
        {"sources": [SOURCE, SOURCE]},
        {"sources": [{**SOURCE, "n": 0}]},
        {"sources": [{**SOURCE, "n": "3"}]},
        {"sources": [{**SOURCE, "page": "7"}]},
        {"sources": [{"n": 1}]},
        {"sources": ["texto"]},
    ],
)
def test_a_line_that_is_no_answer_is_named_by_its_number(fields: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"La línea 2 de «.*» no es una respuesta: debe ser .* y «text»\."):
        read_answers(write(tmp_path, ANSWER, {**ANSWER, **fields}))


def test_flawless_answers_are_left_alone_and_mistakes_are_caught() -> None:
    answers = list(judged())
    found = totals(answers)
    assert (len(answers), found.planted.total()) == (len(FILE.read_text(encoding="utf-8").splitlines()), 70)
    assert found.falsely_marked <= 5  # of 94: three more would break this
    assert found.caught.total() >= 56  # of 70: four in five
