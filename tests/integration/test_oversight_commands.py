"""`legajo feedback`, `metrics` and `audit`, as a person and a program read them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.commands import cli
from assistant.project_assistant import ProjectAssistant
from rag_system.errors import InputError
from rag_system.settings import Settings
from tests.indexing import opened_project, upload

LAW = "# Ley 27444\n\n## Artículo 207\n\nEl término para apelar es de quince días.\n".encode()
QUESTION = "¿Cuál es el término para apelar según la ley 27444?"
Run = Callable[..., Result]


@pytest.fixture
def project(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings) as opened:
        assert upload(opened, "ley.md", LAW).status == "indexed"
        yield opened


@pytest.fixture
def run(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Run:
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))

    def invoke(*arguments: str) -> Result:
        return CliRunner().invoke(cli, arguments, catch_exceptions=False)

    return invoke


@pytest.fixture
def rated(project: ProjectAssistant) -> str:
    """The id of an opinion."""
    conversation = project.conversations.create()
    list(project.stream(QUESTION, conversation_id=conversation))
    project.feedback.rate(conversation, 1, up=True, comment="=Muy bien")
    (entry,) = project.feedback.all(limit=9)
    return entry.feedback_id


def test_opinions_are_listed(run: Run, project: ProjectAssistant, rated: str) -> None:
    shown = run("feedback", "list").stdout
    assert shown.startswith(rated[:8])
    assert QUESTION in shown
    assert "=Muy bien" in shown
    (row,) = map(json.loads, run("feedback", "list", "--json").stdout.splitlines())
    assert (row["feedback_id"], row["up"], row["paths"]) == (rated, True, ["cargados/ley.md"])


def test_opinions_are_exported_and_that_is_written_down(
    run: Run, project: ProjectAssistant, rated: str, tmp_path: Path
) -> None:
    assert run("feedback", "export", "--output", str(tmp_path / "o.csv")).exit_code == 0
    with (tmp_path / "o.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["question"], row["comment"]) == (QUESTION, "'=Muy bien")
    assert json.loads(run("feedback", "export", "--json").stdout)["comment"] == "=Muy bien"
    with pytest.raises(InputError, match="No se pudo escribir"):
        run("feedback", "export", "--output", str(tmp_path))
    listed = [json.loads(line) for line in run("audit", "--json").stdout.splitlines()]
    assert [each["action"] for each in listed if each["action"].startswith("feedback")] == ["feedback.export"] * 3
    assert run("audit").stdout.splitlines()[-2].split()[-2:] == ["document.add", "cargados/ley.md"]


def test_an_opinion_becomes_a_question_that_is_measured(
    run: Run, project: ProjectAssistant, rated: str, tmp_path: Path
) -> None:
    line = run("feedback", "to-question", rated[:8]).stdout
    named = json.loads(run("feedback", "to-question", rated[:8], "--document", "cargados/ley.md").stdout)
    assert named["gold_files"] == ["cargados/ley.md"]
    with pytest.raises(InputError):
        run("feedback", "to-question", rated[:8], "--document", "no-existe.md")
    assert json.loads(line)["question"] == QUESTION
    assert line.count("\n") == 1


def test_metrics_are_shown(run: Run, project: ProjectAssistant, rated: str) -> None:
    (day,) = map(json.loads, run("metrics", "--json").stdout.splitlines())
    assert (day["answers"], day["cited"], day["marked"]) == (1, 1, 0)
    table = run("metrics").stdout.splitlines()
    assert table[-1].split()[:7] == [day["day"], "1", "0", "0", "0", "1", "0"]
    phases = run("metrics", "--phases").stdout.splitlines()
    assert {"embedding", "retrieval"} <= {line.split()[0] for line in phases}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["feedback", "list"], "opiniones"), (["metrics"], "respuestas"), (["feedback", "export", "--json"], "")],
)
def test_where_there_is_nothing_it_is_said(
    run: Run, project: ProjectAssistant, arguments: list[str], said: str
) -> None:
    shown = run(*arguments)
    assert shown.stdout == ""
    assert said in shown.stderr
