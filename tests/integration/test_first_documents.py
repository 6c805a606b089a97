"""What the launcher takes in at its start, and when it does so again. The indexing command is a script of the test."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from launcher.documents import SAMPLES, index_news
from rag_system.settings import Settings
from rag_system.storage.connection import Database

Start = Callable[[], int]  # opens the launcher once more: how often it has indexed so far


def line(name: str, error: str = "") -> str:
    return json.dumps({"path": name, "status": "failed" if error else "indexed", "error": error})


WHOLE = "".join(f"{line(name)}\n" for name in ("a.txt", "b.txt", "c.txt"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "documentos"
    path.mkdir()
    for name in ("a.txt", "b.txt", "c.txt", ".oculto"):
        (path / name).write_text("El plazo es de diez días.", encoding="utf-8")
    return path


@pytest.fixture
def starting(
    folder: Path, tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, int], Start]:
    """A launcher whose indexing command says `output` and ends with `status`."""

    def prepare(output: str, status: int) -> Start:
        log, said = tmp_path / "runs", tmp_path / "said"
        said.write_text(output, encoding="utf-8")
        script = tmp_path / "python"
        script.write_text(f"#!/bin/sh\necho >>'{log}'\ncat '{said}'\nexit {status}\n", encoding="utf-8")
        script.chmod(0o700)
        monkeypatch.setattr(sys, "executable", str(script))

        def start() -> int:
            index_news(folder, Settings(home=tmp_path / "casa"), database)
            return len(log.read_text(encoding="utf-8"))

        return start

    return prepare


def test_a_folder_that_was_taken_in_is_left_alone(starting: Callable[[str, int], Start]) -> None:
    start = starting(WHOLE, 0)
    assert (start(), start()) == (1, 1)


def test_with_accounts_nobody_is_given_samples(
    tmp_path: Path, database: Database, capfd: pytest.CaptureFixture[str]
) -> None:
    """They would be in a project that nobody sees."""
    index_news(SAMPLES, Settings(home=tmp_path, accounts="password"), database)
    assert capfd.readouterr().err == ""


def test_a_file_that_cannot_be_read_is_told_and_not_tried_again(
    starting: Callable[[str, int], Start], capfd: pytest.CaptureFixture[str]
) -> None:
    start = starting(WHOLE.replace(line("b.txt"), line("b.txt", "El archivo está dañado.")), 1)
    assert (start(), start()) == (1, 1)
    assert "b.txt: El archivo está dañado." in capfd.readouterr().err


BROKEN_OFF = [
    (line("a.txt") + "\n", 1),  # the second file failed in a way nobody foresaw
    (line("a.txt") + "\n", -9),
    (line("a.txt") + "\n" + line("b.txt")[:20], -9),  # killed while it wrote
    (line("a.txt") + "\n", 0),
]


@pytest.mark.parametrize(("output", "status"), BROKEN_OFF)
def test_files_without_a_report_are_tried_at_the_next_start(
    output: str, status: int, starting: Callable[[str, int], Start], capfd: pytest.CaptureFixture[str]
) -> None:
    start = starting(output, status % 256)
    assert (start(), start()) == (1, 2)
    assert "de 3 archivos" in capfd.readouterr().err
    start = starting(WHOLE, 0)
    assert (start(), start()) == (3, 3)


def test_indexing_that_reports_nothing_ends_the_launcher(starting: Callable[[str, int], Start]) -> None:
    with pytest.raises(SystemExit):
        starting("", 1)()


def test_files_are_taken_in_again_when_they_would_be_read_differently(
    starting: Callable[[str, int], Start], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = starting(WHOLE, 0)
    start()
    monkeypatch.setattr("rag_system.ingestion.report._PROGRAM", "siguiente")
    assert (start(), start()) == (2, 2)
