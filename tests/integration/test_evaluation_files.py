"""Question files measured over a real project: a row a recipe, and one more without accents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.evaluation import evaluate_files
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import LegajoError
from rag_system.settings import Settings
from tests.indexing import opened_project

TEXT = "# Ley N.° 27444\n\n## Artículo 207. Recursos\n\nEl término para apelar es de quince días.\n"
OTHER = "# Manual\n\nEl horario de atención es de ocho a cinco.\n"
SEARCHED = [
    {
        "id": "1",
        "question": "¿Cuál es el término para apelar según la ley 27444?",
        "gold_file": "LEY-27444.md",
        "gold_article": "207",
        "answer_phrase": "quince días",
    },
    {"id": "2", "question": "¿Qué horario de atención hay?", "gold_file": "manual.md", "answer_phrase": "ocho a cinco"},
]


@pytest.fixture
def assistant(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def stocked(assistant: ProjectAssistant, tmp_path: Path) -> ProjectAssistant:
    folder = tmp_path / "documentos"
    folder.mkdir()
    (folder / "LEY-27444.md").write_text(TEXT, encoding="utf-8")
    (folder / "manual.md").write_text(OTHER, encoding="utf-8")
    assert [report.status for report in assistant.library.add([folder])] == ["indexed", "indexed"]
    return assistant


def write(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_row_a_recipe_and_another_without_accents(stocked: ProjectAssistant, tmp_path: Path) -> None:
    file = write(tmp_path / "preguntas.jsonl", *SEARCHED)
    rows = list(evaluate_files(stocked.pipeline, [file], recipes=["default", "rrf"], unaccented=True))
    assert [(row["set"], row["recipe"], row["questions"]) for row in rows] == [
        ("preguntas", "default", 2),
        ("preguntas", "rrf", 2),
        ("preguntas sin tildes", "default", 2),
        ("preguntas sin tildes", "rrf", 2),
    ]
    perfect = ("file@1", "phrase@1", "mrr", "ndcg@10", "answered", "phrase_in_answer", "cited_gold_file")
    assert all(row[score] == 1.0 for row in rows for score in perfect)
    assert all(isinstance(row["search_ms"], float) and row["search_ms"] > 0 for row in rows)


def test_what_is_only_understood_is_measured_once(stocked: ProjectAssistant, tmp_path: Path) -> None:
    file = write(tmp_path / "rutas.jsonl", {"id": "1", "question": "hola", "expect": {"route": "trivial"}})
    rows = list(evaluate_files(stocked.pipeline, [file], recipes=["default", "rrf"], unaccented=True))
    assert rows == [{"set": "rutas", "recipe": "–", "questions": 1, "route": 1.0, "exact": 1.0}]


def test_a_search_that_fails_is_no_measurement(stocked: ProjectAssistant, settings: Settings, tmp_path: Path) -> None:
    file = write(tmp_path / "preguntas.jsonl", *SEARCHED)
    with (
        opened_project(settings, embeddings=HashEmbeddings(model_id="otro/64/1")) as other,
        pytest.raises(LegajoError, match="otro/64/1"),
    ):
        list(evaluate_files(other.pipeline, [file], recipes=["default"]))
