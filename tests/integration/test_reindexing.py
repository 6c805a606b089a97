"""Changing the embedding model: refused with the way out, built beside the old index, switched at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.library import Library
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import IncompatibleStoreError, StorageError
from rag_system.ingestion.accepting import Acceptor
from rag_system.ingestion.indexing import Indexer
from rag_system.ingestion.report import IngestReport, index_version
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import list_documents
from rag_system.storage.ingestions import Stage, get_ingestion
from rag_system.storage.projects import get_project
from rag_system.storage.rebuilding import accept_outdated
from tests.indexing import library_of

PROJECT = "pruebas"
TABLES = ("documents", "chunks", "embeddings", "document_terms", "segments", "entity_chunks", "files")
STAGED = ("staged_chunks", "staged_vectors", "procrastinate_jobs", "removed_chunks")


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Of an organisation whose recipe looks at what documents name."""
    return settings.model_copy(update={"entities": "rules"})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "normas"
    folder.mkdir()
    for number in range(5):
        text = f"# Norma {number}\n\n## Artículo 1. Plazo\n\nEl plazo ante la SUNAT es de {number + 3} días hábiles.\n"
        (folder / f"norma{number}.md").write_text(text, encoding="utf-8")
    (folder / "copia.md").write_text((folder / "norma0.md").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "vacio.txt").write_text(" \n", encoding="utf-8")
    return folder


def other_model() -> HashEmbeddings:
    return HashEmbeddings(model_id="otro/32/1", dimension=32)


def library(database: Database, settings: Settings, embeddings: HashEmbeddings) -> Library:
    return library_of(database=database, settings=settings, embeddings=lambda: embeddings, project=PROJECT)


def counts(database: Database, tables: tuple[str, ...]) -> dict[str, int]:
    with database.connection() as connection:
        return {
            table: len(connection.execute(f"SELECT 1 FROM {table}").fetchall())  # noqa: S608
            for table in tables
        }


def reindex(database: Database, settings: Settings, embeddings: HashEmbeddings) -> list[IngestReport]:
    return list(library(database, settings, embeddings).reindex())


def model(database: Database) -> tuple[str | None, int | None]:
    with database.connection() as connection:
        project = get_project(connection, PROJECT)
    return project.embedding_model, project.embedding_dimension


def test_another_model_takes_the_place_of_the_old_one_whole(
    database: Database, settings: Settings, folder: Path
) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    before = counts(database, TABLES)
    with pytest.raises(IncompatibleStoreError, match=f"legajo reindex --project {PROJECT}"):
        list(library(database, settings, other_model()).add([folder.parent]))
    reports = reindex(database, settings, other_model())
    assert len(reports) == 6  # copies follow their original
    assert model(database) == ("otro/32/1", 32)
    assert counts(database, TABLES) == before
    assert counts(database, STAGED) == dict.fromkeys(STAGED, 0)
    with database.connection() as connection:
        (copy,) = (each for each in list_documents(connection, PROJECT) if each.copy_of)
        sizes = connection.execute("SELECT DISTINCT vector_dims(embedding) FROM embeddings").fetchall()
        project = get_project(connection, PROJECT)
    assert ({copy.path, copy.copy_of}, copy.chunk_count) == ({"copia.md", "norma0.md"}, 1)
    assert sizes == [(32,)]
    assert project.chunk_count == 5


def test_a_broken_off_rebuild_leaves_the_old_index_and_goes_on(
    database: Database, settings: Settings, folder: Path
) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    before = counts(database, TABLES)
    steps = library(database, settings, other_model()).reindex()
    first = next(steps)
    steps.close()  # Ctrl-C
    assert first.status in ("updated", "empty")
    assert model(database) == ("hash/64/1", 64)
    assert counts(database, TABLES) == before
    reports = reindex(database, settings, other_model())
    assert first.path not in {report.path for report in reports}
    assert model(database) == ("otro/32/1", 32)


def test_what_an_older_program_built_for_another_model_is_built_anew(
    database: Database, settings: Settings, folder: Path
) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    steps = library(database, settings, other_model()).reindex()
    first = next(steps)
    steps.close()
    with database.connection() as connection:
        connection.execute(
            "UPDATE ingestions SET extracted = (extracted - 'blank_pages') || '{\"index_version\": \"1\"}'"
        )
    assert first.path in {report.path for report in reindex(database, settings, other_model())}
    assert model(database) == ("otro/32/1", 32)


def test_an_index_that_is_up_to_date_is_left_alone(database: Database, settings: Settings, folder: Path) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    assert reindex(database, settings, HashEmbeddings()) == []


def test_what_was_cut_otherwise_is_cut_anew(database: Database, settings: Settings, folder: Path) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    shorter = settings.model_copy(update={"chunk_tokens": settings.chunk_tokens // 2})
    assert len(reindex(database, shorter, HashEmbeddings())) == len(list(folder.iterdir()))
    assert {each.status for each in library(database, shorter, HashEmbeddings()).add([folder])} == {"unchanged"}


def test_what_an_older_program_read_is_read_anew(database: Database, settings: Settings, folder: Path) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    with database.connection() as connection:
        connection.execute("UPDATE documents SET index_version = '1' WHERE path = 'norma3.md'")
    assert [report.path for report in reindex(database, settings, HashEmbeddings())] == ["norma3.md"]
    assert reindex(database, settings, HashEmbeddings()) == []


def test_scanned_pages_are_due_again_where_they_can_be_recognised(
    database: Database, settings: Settings, folder: Path
) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    with database.connection() as connection:
        connection.execute("UPDATE documents SET empty_pages = '{2, 3}', blank_pages = '{3}' WHERE path = 'norma2.md'")
        connection.execute("UPDATE documents SET empty_pages = '{4}', blank_pages = '{4}' WHERE path = 'norma3.md'")
        version = index_version(settings)
        due = {
            scans: list(accept_outdated(connection, PROJECT, index_version=version, scans=scans, but=()).values())
            for scans in (False, True)
        }
    assert due == {True: ["norma2.md"], False: []}


def test_copies_are_copies_again_when_their_original_was_read_anew(
    database: Database, settings: Settings, folder: Path
) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    tables = ("documents", "chunks", "embeddings", "entity_chunks", "files")
    before = counts(database, tables)
    with database.connection() as connection:
        connection.execute("UPDATE documents SET index_version = '1'")
    assert len(reindex(database, settings, HashEmbeddings())) == 7
    assert counts(database, tables) == before
    assert len([each for each in library(database, settings, HashEmbeddings()).all() if each.copy_of]) == 1
    assert reindex(database, settings, HashEmbeddings()) == []


def accept_newer(database: Database, settings: Settings, folder: Path) -> str:
    """Take a new edition of a document into the queue, where nobody attends to it."""
    file = folder / "norma1.md"
    file.write_text("# Norma 1\n\n## Artículo 1. Plazo\n\nEl plazo es ahora de noventa días.\n", encoding="utf-8")
    acceptor = Acceptor(database=database, embeddings=HashEmbeddings, settings=settings, project=PROJECT)
    (accepted,) = acceptor.accept(file, file.name)
    assert accepted.ingestion_id
    return accepted.ingestion_id


@pytest.mark.parametrize("embeddings", [HashEmbeddings(), other_model()], ids=["same model", "other model"])
def test_a_newer_edition_in_the_queue_outlives_a_rebuild(
    database: Database, settings: Settings, folder: Path, embeddings: HashEmbeddings
) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    newer = accept_newer(database, settings, folder)
    with database.connection() as connection:
        connection.execute("UPDATE documents SET index_version = '1' WHERE path = 'norma1.md'")
    reindex(database, settings, embeddings)
    reports = {each.path: each for each in library(database, settings, embeddings).add([folder])}
    assert reports["norma1.md"].status == "updated"
    with database.connection() as connection:
        (text,) = connection.execute(
            "SELECT text FROM chunks JOIN documents USING (project_id, document_id) WHERE path = 'norma1.md'"
        ).fetchone() or ("",)
        kept = get_ingestion(connection, PROJECT, newer)
    assert "noventa días" in text
    assert kept is not None


def test_what_was_cut_and_embedded_for_another_model_is_done_anew(
    database: Database, settings: Settings, folder: Path
) -> None:
    list(library(database, settings, HashEmbeddings()).add([folder]))
    newer = accept_newer(database, settings, folder)

    def fail(stage: Stage) -> None:
        if stage == "publish":
            raise StorageError

    old = Indexer(database=database, embeddings=HashEmbeddings, settings=settings, on_stage=fail)
    with pytest.raises(StorageError):
        old.run(PROJECT, newer)
    assert counts(database, STAGED)["staged_vectors"] == 1
    reindex(database, settings, other_model())
    Indexer(database=database, embeddings=other_model, settings=settings).run(PROJECT, newer)
    with database.connection() as connection:
        sizes = connection.execute("SELECT vector_dims(embedding), count(*) FROM embeddings GROUP BY 1").fetchall()
    assert sizes == [(32, 5)]
