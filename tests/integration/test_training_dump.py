"""What lessons are taught against: the chunks of a project and their vectors, in files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rag_system import DEFAULT_PROJECT
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from tests.indexing import opened_project
from training.dump import main

TEXT = "# Reglamento\n\n## Plazos\n\nSe apela en quince días.\n\n## Horario\n\nSe atiende de ocho a cinco.\n"


def test_every_chunk_of_a_project_is_written_with_its_vector(
    settings: Settings, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "reglamento.md").write_text(TEXT, encoding="utf-8")
    with opened_project(settings, embeddings=HashEmbeddings()) as project:
        assert [report.status for report in project.library.add([tmp_path / "reglamento.md"])] == ["indexed"]
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))
    monkeypatch.setenv("DATABASE_URL", database_url)
    main(DEFAULT_PROJECT, tmp_path / "dumped")
    chunks = [json.loads(line) for line in (tmp_path / "dumped.jsonl").read_text("utf-8").splitlines()]
    assert "quince días" in " ".join(chunk["text"] for chunk in chunks)
    assert {chunk["path"] for chunk in chunks} == {"reglamento.md"}
    assert len(np.load(tmp_path / "dumped.npy")) == len(chunks)
