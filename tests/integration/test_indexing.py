"""From a file to a searchable document in a real PostgreSQL."""

from __future__ import annotations

import io
import logging
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from assistant.ingesting import hidden_line
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import IncompatibleStoreError, InputError, UnreadableFileError
from rag_system.ingestion import extraction
from rag_system.ingestion.accepting import count_hidden, find_files
from rag_system.ingestion.report import IngestProgress, IngestReport
from rag_system.settings import OcrMode, Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import list_documents
from rag_system.storage.files import read_file, store_file
from rag_system.storage.projects import create_project, get_project
from rag_system.storage.publishing import remove_document
from rag_system.storage.segments import count_segments, merge_segments
from rag_system.storage.vocabulary import project_acronyms
from tests.indexing import Indexing

PROJECT = "pruebas"

GUIDE = """# Guía de vacaciones

## Artículo 1. Descanso anual

El trabajador tiene derecho a treinta días calendario de descanso por cada año completo de servicios.

## Artículo 2. Récord

Debe cumplir el récord vacacional que señala la norma.
"""


class CountingEmbeddings(HashEmbeddings):
    """The test model, with a list of what it was asked to embed."""

    def __init__(self, *, model_id: str = "hash/64/1") -> None:
        super().__init__(model_id=model_id)
        self.embedded: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.embedded += texts
        return super().embed_documents(texts)


@pytest.fixture
def embeddings() -> CountingEmbeddings:
    return CountingEmbeddings()


@pytest.fixture
def indexer(database: Database, embeddings: CountingEmbeddings, settings: Settings) -> Indexing:
    return Indexing(database=database, embeddings=embeddings, settings=settings, project=PROJECT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "guias").mkdir()
    (tmp_path / "guias" / "vacaciones.md").write_text(GUIDE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def sightless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A program in Tesseract's place that sees no letter; the child that reads files is started anew, to find it."""
    program = tmp_path / "programas" / "tesseract"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nif [ "$1" = --list-langs ]; then echo spa; fi\n', encoding="ascii")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    extraction._shared.close()
    yield
    extraction._shared.close()


def run(indexer: Indexing, *paths: Path) -> list[IngestReport]:
    return indexer.run(*paths)


def count(database: Database, table: str) -> int:
    with database.connection() as connection:
        rows = connection.execute(f"SELECT 1 FROM {table} WHERE project_id = %s", [PROJECT])  # noqa: S608
        return len(rows.fetchall())


def test_a_new_file_is_indexed_with_its_place_and_facts(indexer: Indexing, database: Database, folder: Path) -> None:
    (report,) = run(indexer, folder)
    assert (report.path, report.status, report.error) == ("guias/vacaciones.md", "indexed", "")
    with database.connection() as connection:
        (document,) = list_documents(connection, PROJECT)
        project = get_project(connection, PROJECT)
    assert (document.title, document.category, document.format) == ("Guía de vacaciones", "guias", "md")
    assert document.chunk_count == report.chunks == count(database, "chunks") == count(database, "embeddings") > 0
    assert (project.embedding_model, project.embedding_dimension) == ("hash/64/1", 64)


def test_an_unchanged_file_is_skipped(indexer: Indexing, embeddings: CountingEmbeddings, folder: Path) -> None:
    first = run(indexer, folder)
    embeddings.embedded.clear()
    (again,) = run(indexer, folder)
    assert (again.status, again.chunks) == ("unchanged", first[0].chunks)
    assert embeddings.embedded == []


def test_a_changed_file_replaces_its_old_version_and_embeds_only_what_changed(
    indexer: Indexing, embeddings: CountingEmbeddings, database: Database, folder: Path
) -> None:
    (first,) = run(indexer, folder)
    embeddings.embedded.clear()
    file = folder / "guias" / "vacaciones.md"
    file.write_text(GUIDE.replace("récord vacacional", "récord de asistencia"), encoding="utf-8")
    (second,) = run(indexer, folder)
    assert (second.status, second.chunks) == ("updated", first.chunks)
    assert len(embeddings.embedded) == 1
    assert "récord de asistencia" in embeddings.embedded[0]
    assert count(database, "documents") == 1
    assert count(database, "chunks") == count(database, "embeddings") == second.chunks
    assert count(database, "files") == 1


def test_a_copy_of_a_file_is_not_embedded_twice(
    indexer: Indexing, embeddings: CountingEmbeddings, folder: Path
) -> None:
    run(indexer, folder)
    embeddings.embedded.clear()
    (folder / "copia.md").write_text(GUIDE, encoding="utf-8")
    reports = {report.path: report.status for report in run(indexer, folder)}
    assert reports == {"copia.md": "indexed", "guias/vacaciones.md": "unchanged"}
    assert embeddings.embedded == []


def test_copies_that_come_together_are_embedded_once(
    indexer: Indexing, embeddings: CountingEmbeddings, database: Database, tmp_path: Path
) -> None:
    for number in range(6):
        (tmp_path / f"copia{number}.md").write_text(GUIDE, encoding="utf-8")
    reports = run(indexer, tmp_path)
    assert sorted(bool(report.copy_of) for report in reports) == [False, True, True, True, True, True]
    assert len(embeddings.embedded) == count(database, "chunks") == 2


def test_a_copy_inherits_what_its_original_defined(indexer: Indexing, database: Database, tmp_path: Path) -> None:
    text = "# Archivo\n\nLa Comisión de Archivo Vecinal (CAV) guarda los planos.\n"
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    original = next(report for report in run(indexer, tmp_path) if not report.copy_of)
    with database.connection() as connection:
        assert remove_document(connection, PROJECT, original.document_id)
        assert project_acronyms(connection, [PROJECT], ["cav"]) == {"cav": "Comisión de Archivo Vecinal"}


def test_the_bytes_are_kept(indexer: Indexing, database: Database, folder: Path) -> None:
    content = GUIDE.encode() + b"\n" * (3 << 19)  # more than one part of 1 MiB
    (folder / "guias" / "vacaciones.md").write_bytes(content)
    run(indexer, folder)
    with database.connection() as connection:
        (document,) = list_documents(connection, PROJECT)
        assert b"".join(read_file(connection, PROJECT, document.sha256)) == content
    assert count(database, "file_parts") == 2


BAD_FILES = [
    ("vacio.txt", b"", "failed", "vacío"),
    ("roto.pdf", b"%PDF-1.4 nada", "failed", "dañado"),
    ("foto.png", b"\x89PNG\r\n\x1a\n" + bytes(64), "failed", "imagen está dañada"),
    ("espacios.txt", b" \n \n", "empty", "no tiene texto"),
]


@pytest.mark.parametrize(("name", "content", "status", "reason"), BAD_FILES)
def test_a_bad_file_is_reported_and_the_rest_goes_on(
    indexer: Indexing, database: Database, folder: Path, name: str, content: bytes, status: str, reason: str
) -> None:
    (folder / name).write_bytes(content)
    reports = {report.path: report for report in run(indexer, folder)}
    assert reports[name].status == status
    assert reason in reports[name].error
    assert reports["guias/vacaciones.md"].status == "indexed"
    assert count(database, "chunks") == reports["guias/vacaciones.md"].chunks


@pytest.mark.parametrize(
    ("mode", "told", "untold"),
    [("auto", "se intentó leer con OCR y no se halló texto", "Páselo"), ("off", "Páselo por un OCR", "se intentó")],
)
def test_another_recognition_is_advised_only_where_none_was_tried(
    mode: OcrMode,
    told: str,
    untold: str,
    database: Database,
    settings: Settings,
    tmp_path: Path,
    sightless: None,
) -> None:
    Image.new("L", (90, 120), 128).save(tmp_path / "foto.pdf")
    asked = settings.model_copy(update={"ocr": mode})
    indexer = Indexing(database=database, embeddings=HashEmbeddings(), settings=asked, project=PROJECT)
    (first,), (again,) = run(indexer, tmp_path / "foto.pdf"), run(indexer, tmp_path / "foto.pdf")
    assert (first.status, again.status) == ("empty", "unchanged")
    assert told in first.error == again.error
    assert untold not in first.error


def test_removing_a_document_leaves_nothing_behind(indexer: Indexing, database: Database, folder: Path) -> None:
    (report,) = run(indexer, folder)
    with database.connection() as connection:
        assert remove_document(connection, PROJECT, report.document_id)
        assert not remove_document(connection, PROJECT, report.document_id)
        merge_segments(connection, PROJECT, more_than=0)
        assert get_project(connection, PROJECT).chunk_count == 0
    for table in ("documents", "chunks", "embeddings", "files", "file_parts", "document_terms", "postings", "segments"):
        assert count(database, table) == 0, table


def test_a_run_of_many_files_leaves_one_segment(indexer: Indexing, database: Database, tmp_path: Path) -> None:
    for i in range(12):
        (tmp_path / f"nota{i:02}.txt").write_text(f"Nota número {i}: el plazo es de {i} días.", encoding="utf-8")
    run(indexer, tmp_path)
    with database.connection() as connection:
        assert count_segments(connection, PROJECT) == 1
        rows = connection.execute("SELECT length(chunk_ids) FROM postings WHERE term = 'plaz'").fetchall()
    assert rows == [(12 * 4,)]


def test_another_model_is_refused_with_the_way_out(
    indexer: Indexing, database: Database, settings: Settings, folder: Path
) -> None:
    run(indexer, folder)
    other = CountingEmbeddings(model_id="otro/64/1")
    (folder / "nuevo.txt").write_text("Texto nuevo con otro modelo.", encoding="utf-8")
    strange = Indexing(database=database, embeddings=other, settings=settings, project=PROJECT)
    with pytest.raises(IncompatibleStoreError, match="LEGAJO_EMBEDDING_MODEL"):
        run(strange, folder)
    assert count(database, "documents") == 1


def test_progress_names_the_stages(indexer: Indexing, folder: Path) -> None:
    seen: list[IngestProgress] = []
    indexer.run(folder, on_progress=seen.append)
    assert {(at.path, at.files_total) for at in seen} == {("guias/vacaciones.md", 1)}


@pytest.fixture
def tricky_folder(tmp_path: Path) -> Path:
    outside = tmp_path / "fuera"
    outside.mkdir()
    (outside / "secreto.txt").write_text("secreto", encoding="utf-8")
    inside = tmp_path / "dentro"
    (inside / ".git").mkdir(parents=True)
    (inside / ".git" / "config.txt").write_text("x", encoding="utf-8")
    (inside / "notas").mkdir()
    (inside / "notas" / ".borrador.md").write_text("x", encoding="utf-8")
    (inside / "a b ñ.txt").write_text("texto", encoding="utf-8")
    (inside / "enlace.txt").symlink_to(outside / "secreto.txt")
    return inside


def test_hidden_files_and_links_out_of_the_folder_are_left_out(tricky_folder: Path) -> None:
    assert [path for _, path in find_files([tricky_folder])] == ["a b ñ.txt"]


def test_what_is_hidden_is_counted_unentered_and_taken_when_it_is_named(tricky_folder: Path) -> None:
    assert count_hidden([tricky_folder]) == 2
    hidden = [tricky_folder / ".git", tricky_folder / "notas" / ".borrador.md"]
    assert [path for _, path in find_files(hidden)] == ["config.txt", ".borrador.md"]
    assert count_hidden(hidden) == 0
    assert hidden_line([str(tricky_folder)]).startswith("Archivos y carpetas ocultos que se omiten: 2 ")
    assert hidden_line([*map(str, hidden), "https://www.gob.pe/.oculto/a.html"]) == ""


def test_links_in_a_circle_are_no_files_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "dentro").mkdir()
    for name, target in {"ida.txt": "vuelta.txt", "vuelta.txt": "ida.txt", "dentro/arriba": "..", "yo": "yo"}.items():
        (tmp_path / name).symlink_to(target)
    assert find_files([tmp_path]) == []
    ((_, path),) = find_files([tmp_path / "ida.txt"])
    assert path == "ida.txt"  # accepting it tells that it cannot be read


def test_a_file_that_is_named_twice_is_taken_once(folder: Path) -> None:
    inside = folder / "guias" / "vacaciones.md"
    assert [path for _, path in find_files([folder, inside, inside])] == ["guias/vacaciones.md"]


def test_two_runs_at_once_both_finish(
    database: Database, embeddings: CountingEmbeddings, settings: Settings, tmp_path: Path
) -> None:
    def index(name: str) -> list[str]:
        folder = tmp_path / name
        folder.mkdir()
        for i in range(12):
            (folder / f"{name}{i}.txt").write_text(f"Nota {i} de {name}: el plazo es de {i} días.", encoding="utf-8")
        own = Indexing(database=database, embeddings=embeddings, settings=settings, project=PROJECT)
        return [report.status for report in own.run(folder)]

    with ThreadPoolExecutor(max_workers=3) as pool:
        statuses = list(pool.map(index, ["ana", "beto", "carla"]))
    assert statuses == [["indexed"] * 12] * 3
    assert count(database, "documents") == 36


def test_a_word_that_fits_no_index_row_is_no_obstacle(indexer: Indexing, database: Database, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("palabra " + "x" * 9000 + " fin", encoding="utf-8")
    (tmp_path / "b.txt").write_text("Otra nota.", encoding="utf-8")
    assert [report.status for report in run(indexer, tmp_path)] == ["indexed", "indexed"]


def test_a_name_that_is_not_utf8_is_reported_and_the_rest_goes_on(indexer: Indexing, tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/roto-\xff.txt")).write_text("texto", encoding="utf-8")
    (tmp_path / "sano.txt").write_text("Un texto sano.", encoding="utf-8")
    reports = {report.status: report for report in run(indexer, tmp_path)}
    assert "UTF-8" in reports["failed"].error
    reports["failed"].path.encode()
    assert reports["indexed"].path == "sano.txt"


def test_bytes_that_changed_while_they_were_read_are_not_stored(database: Database) -> None:
    with database.connection() as connection:
        create_project(connection, PROJECT)
    with pytest.raises(UnreadableFileError, match="cambió"), database.connection() as connection:
        store_file(connection, PROJECT, io.BytesIO(b"abc"), sha256="0" * 64, size_bytes=3)
    assert count(database, "files") == 0


@pytest.mark.parametrize("project", ["", "  ", "a\0b", "x" * 200, "línea\nnueva", "\ud800"])
def test_an_unusable_project_name_gets_a_clear_error(database: Database, project: str) -> None:
    with database.connection() as connection, pytest.raises(InputError, match="proyecto"):
        create_project(connection, project)


class DefectiveEmbeddings(HashEmbeddings):
    """Stumbles over its own code."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise KeyError(texts[0])


def test_a_defect_of_ours_is_told_in_a_sentence_and_its_traceback_to_who_asks_for_the_log(
    database: Database, settings: Settings, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    indexing = Indexing(database=database, embeddings=DefectiveEmbeddings(), settings=settings, project=PROJECT)
    with caplog.at_level(logging.INFO, "rag_system.ingestion.indexing"):
        (report,) = run(indexing, folder)
    assert re.search(r"error propio en este archivo \(KeyError, test_indexing\.py:\d+\)\.", report.error)
    (logged,) = (record for record in caplog.records if record.exc_info)
    assert logged.levelno < logging.WARNING  # from there on Python writes to the terminal what nobody asked for
