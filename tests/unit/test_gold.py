"""Question files with known answers: what their lines may say, what is refused, and that their page has it all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from assistant.gold import EXPECTED, FIELDS, gold_files, read_gold
from rag_system.errors import InputError

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "medir.md"


def write(folder: Path, **fields: object) -> Path:
    file = folder / "preguntas.jsonl"
    file.write_text(json.dumps({"id": "a1", "question": "¿Plazo?", **fields}), encoding="utf-8")
    return file


RIGHT: list[dict[str, object]] = [
    {},
    {"gold_file": "leyes/a.pdf", "answer_phrase": "quince (15) días", "gold_article": 23},
    {"gold_file": None, "answer_phrase": None, "expect": None},
    {"gold_files": ["a.pdf", "b.pdf"], "require_all": True, "gold_article": "23"},
    {"expect": {"route": "retrieve", "years": [2020], "reformulated": False, "standalone_excludes": ["hola"]}},
    {"note": "a word of one's own"},
]


@pytest.mark.parametrize("fields", RIGHT)
def test_what_a_line_may_say(fields: dict[str, object], tmp_path: Path) -> None:
    (question,) = read_gold(write(tmp_path, **fields))
    assert question.fields == {"id": "a1", "question": "¿Plazo?", **fields}


WRONG: list[tuple[dict[str, object], str]] = [
    ({"gold_file": ["a.pdf"]}, "gold_file"),
    ({"gold_files": "a.pdf"}, "gold_files"),  # its letters would be taken for files
    ({"gold_article": ["23"]}, "gold_article"),
    ({"answer_phrase": 15}, "answer_phrase"),
    ({"require_all": "no"}, "require_all"),
    ({"expect": ["retrieve"]}, "expect"),
    ({"expect": {"rout": "retrieve"}}, "expect.rout"),
    ({"expect": {"years": 2020}}, "expect.years"),
    ({"expect": {"inventory": {}}}, "expect.inventory"),
]


@pytest.mark.parametrize(("fields", "name"), WRONG)
def test_what_measures_nothing_is_named(fields: dict[str, object], name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"el campo «{re.escape(name)}» de la pregunta «a1»"):
        read_gold(write(tmp_path, **fields))


def test_the_page_names_every_field_and_its_example_is_read(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [name for name in (*FIELDS, *EXPECTED) if f"`{name}" not in page and f'"{name}"' not in page] == []
    lines = [line for line in page.splitlines() if line.startswith("{")]
    file = tmp_path / "preguntas.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert [gold_files(question) for question in read_gold(file)] == [["leyes/ley-27444.pdf"], [], []]
