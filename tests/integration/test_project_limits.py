"""How much a file and a project may become, in a real PostgreSQL: told in a sentence, with nothing left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion import proportions
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from tests.indexing import Indexing, library_of

PROJECT = "pruebas"


def sections(subject: str, number: int) -> str:
    """So many chunks: each section is longer than half of one."""
    return "\n\n".join(f"# {subject} {each}\n\n{f'El plazo de {subject} vence hoy. ' * 60}" for each in range(number))


def indexing(database: Database, settings: Settings) -> Indexing:
    return Indexing(database=database, embeddings=HashEmbeddings(), settings=settings, project=PROJECT)


def staged(database: Database) -> int:
    with database.as_login() as connection:
        (rows,) = connection.execute("SELECT count(*) FROM staged_chunks").fetchone() or (0,)
    return int(rows)


def test_a_file_of_more_chunks_than_its_bytes_explain_is_refused(
    database: Database, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proportions, "_FREE_CHUNKS", 2)
    monkeypatch.setattr(proportions, "_BYTES_A_CHUNK", 1_000_000)
    (tmp_path / "a.md").write_text(sections("apelar", 6), encoding="utf-8")
    (tmp_path / "b.md").write_text("El plazo es de diez días.", encoding="utf-8")
    refused, taken = indexing(database, settings).run(tmp_path)
    assert (refused.status, taken.status) == ("failed", "indexed")
    assert "daría más de 2 fragmentos" in refused.error
    assert staged(database) == 0


def test_a_project_takes_no_more_than_its_limit(database: Database, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(sections("apelar", 3), encoding="utf-8")
    (first,) = indexing(database, settings).run(tmp_path)
    limit = first.chunks + 1
    small = settings.model_copy(update={"max_project_chunks": limit})
    (tmp_path / "b.md").write_text(sections("pagar", 3), encoding="utf-8")
    again, refused = indexing(database, small).run(tmp_path)
    assert (again.status, refused.status) == ("unchanged", "failed")
    assert f"más de {limit} fragmentos, su límite" in refused.error
    assert "LEGAJO_MAX_PROJECT_CHUNKS" in refused.error
    assert staged(database) == 0
    (tmp_path / "a.md").write_text(
        sections("reclamar", 3), encoding="utf-8"
    )  # a newer version takes the place of the old
    newer, _ = indexing(database, small).run(tmp_path)
    assert newer.status == "updated"
    library = library_of(database=database, settings=small, embeddings=HashEmbeddings, project=PROJECT)
    assert library.count() == 1
