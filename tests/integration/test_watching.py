"""A real folder, the system's notices of its changes, and the documents that follow."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread

import pytest

from assistant.ingesting import follow, report_line, report_row
from assistant.library import UPLOADS
from assistant.project_assistant import ProjectAssistant
from assistant.watching import Removed, Rhythm, watch
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError
from rag_system.ingestion.report import IngestReport
from rag_system.settings import Settings
from tests.indexing import opened_project, upload

PROJECT = "vigilado"
QUICK = Rhythm(settle_s=0.05)
PATIENCE_S = 120  # longest wait for something that must come


def text(number: int) -> str:
    return f"# Directiva {number}\n\nEl plazo para el trámite número {number} es de {number} días hábiles.\n"


@pytest.fixture
def assistant(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "normas"
    root.mkdir()
    (root / "uno.md").write_text(text(1), encoding="utf-8")
    return root


class Watching:
    """A watch in a thread of its own; what it reports is waited for."""

    def __init__(self, assistant: ProjectAssistant, *folders: Path) -> None:
        self.said: SimpleQueue[str] = SimpleQueue()
        self._reports: SimpleQueue[IngestReport | Removed] = SimpleQueue()
        self._stop = Event()
        self._assistant, self._folders = assistant, folders
        self._thread = Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for report in watch(self._assistant, self._folders, stop=self._stop, tell=self.said.put, rhythm=QUICK):
            self._reports.put(report)

    def next(self, count: int = 1) -> set[tuple[str, str]]:
        """Path and status of the next reports."""
        reports = [self._reports.get(timeout=PATIENCE_S) for _ in range(count)]
        return {(report.path, report.status) for report in reports}

    def sentence(self) -> str:
        return self.said.get(timeout=PATIENCE_S)

    def end(self) -> list[tuple[str, str]]:
        """Stop; what nobody asked for."""
        self._stop.set()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        rest = []
        while not self._reports.empty():
            report = self._reports.get()
            rest.append((report.path, report.status))
        return rest


Start = Callable[..., Watching]


@pytest.fixture
def start(assistant: ProjectAssistant) -> Iterator[Start]:
    started: list[Watching] = []

    def starter(*folders: Path) -> Watching:
        started.append(Watching(assistant, *folders))
        return started[-1]

    yield starter
    for each in started:
        each.end()


def paths(assistant: ProjectAssistant) -> set[str]:
    return {document.path for document in assistant.library.all()}


def test_added_changed_and_removed_files_are_followed(assistant: ProjectAssistant, folder: Path, start: Start) -> None:
    watching = start(folder)
    assert watching.next() == {("uno.md", "indexed")}
    (folder / "sub").mkdir()
    (folder / "sub" / "dos.md").write_text(text(2), encoding="utf-8")
    assert watching.next() == {("sub/dos.md", "indexed")}
    (folder / "uno.md").write_text(text(3), encoding="utf-8")
    assert watching.next() == {("uno.md", "updated")}
    (folder / "uno.md").unlink()
    assert watching.next() == {("uno.md", "removed")}
    assert paths(assistant) == {"sub/dos.md"}
    assert watching.end() == []


def test_renamed_files_and_folders_are_followed(assistant: ProjectAssistant, folder: Path, start: Start) -> None:
    (folder / "a").mkdir()
    (folder / "a" / "dos.md").write_text(text(2), encoding="utf-8")
    watching = start(folder)
    assert watching.next(2) == {("uno.md", "indexed"), ("a/dos.md", "indexed")}
    (folder / "uno.md").rename(folder / "primero.md")
    assert watching.next(2) == {("primero.md", "indexed"), ("uno.md", "removed")}
    (folder / "a").rename(folder / "b")
    assert watching.next(2) == {("b/dos.md", "indexed"), ("a/dos.md", "removed")}
    outside = folder.parent / "b"
    (folder / "b").rename(outside)
    assert watching.next() == {("b/dos.md", "removed")}
    outside.rename(folder / "c")
    assert watching.next() == {("c/dos.md", "indexed")}
    assert watching.end() == []
    assert paths(assistant) == {"primero.md", "c/dos.md"}


def test_what_happened_while_nobody_watched_is_caught_up_with(
    assistant: ProjectAssistant, folder: Path, start: Start
) -> None:
    for number in (2, 3):
        (folder / f"{number}.md").write_text(text(number), encoding="utf-8")
    watching = start(folder)
    watching.next(3)
    assert watching.end() == []
    (folder / "2.md").unlink()
    (folder / "3.md").write_text(text(33), encoding="utf-8")
    (folder / "4.md").write_text(text(4), encoding="utf-8")
    watching = start(folder)
    expected = {("uno.md", "unchanged"), ("3.md", "updated"), ("4.md", "indexed"), ("2.md", "removed")}
    assert watching.next(4) == expected
    assert watching.end() == []
    assert paths(assistant) == {"uno.md", "3.md", "4.md"}


def test_only_documents_of_the_folder_are_removed(
    assistant: ProjectAssistant, folder: Path, tmp_path: Path, start: Start
) -> None:
    other = tmp_path / "otra"
    other.mkdir()
    (other / "ajeno.md").write_text(text(7), encoding="utf-8")
    (folder / UPLOADS).mkdir()
    (folder / UPLOADS / "copia.md").write_text(text(8), encoding="utf-8")
    list(assistant.library.add([other]))
    upload(assistant, "subido.md", text(9).encode())
    upload(assistant, "copia.md", text(8).encode())
    watching = start(folder)
    assert watching.next(2) == {("uno.md", "indexed"), (f"{UPLOADS}/copia.md", "unchanged")}
    shutil.rmtree(folder / UPLOADS)
    (folder / "uno.md").unlink()
    assert watching.next() == {("uno.md", "removed")}
    assert watching.end() == []
    assert paths(assistant) == {"ajeno.md", f"{UPLOADS}/subido.md", f"{UPLOADS}/copia.md"}


def test_a_document_that_was_there_before_the_watch_follows_too(
    assistant: ProjectAssistant, folder: Path, start: Start
) -> None:
    list(assistant.library.add([folder]))
    watching = start(folder)
    assert watching.next() == {("uno.md", "unchanged")}
    (folder / "uno.md").unlink()
    assert watching.next() == {("uno.md", "removed")}


@pytest.mark.parametrize(
    "name",
    ["~$uno.docx", ".uno.md.swp", "uno.md.part", "uno.pdf.crdownload", "uno.tmp", "uno.md~", "Thumbs.db", ".oculto.md"],
)
def test_what_is_not_a_document_yet_is_left_alone(folder: Path, start: Start, name: str) -> None:
    watching = start(folder)
    watching.next()
    (folder / name).write_text(text(2), encoding="utf-8")
    (folder / "dos.md").write_text(text(2) + "\n", encoding="utf-8")
    assert watching.next() == {("dos.md", "indexed")}
    (folder / name).rename(folder / "tres.md")
    assert watching.next() == {("tres.md", "indexed")}
    assert watching.end() == []


def test_a_file_that_is_being_written_ends_whole(assistant: ProjectAssistant, folder: Path, start: Start) -> None:
    watching = start(folder)
    watching.next()
    with (folder / "largo.md").open("w", encoding="utf-8") as file:
        for number in range(200):
            file.write(text(number))
            file.flush()
            os.fsync(file.fileno())
    size, known = (folder / "largo.md").stat().st_size, 0
    while known != size:  # one report where the machine is quick enough for the pieces to hold no pause
        watching.next()
        known = {each.path: each.size_bytes for each in assistant.library.all()}["largo.md"]
    assert watching.end() == []


def test_a_file_that_cannot_be_read_is_told_once_and_the_rest_goes_on(folder: Path, start: Start) -> None:
    watching = start(folder)
    watching.next()
    (folder / "roto.pdf").write_bytes(b"\x00\x01\x02" * 100)
    assert watching.next() == {("roto.pdf", "failed")}
    (folder / "dos.md").write_text(text(2), encoding="utf-8")
    assert watching.next() == {("dos.md", "indexed")}
    (folder / "roto.pdf").unlink()
    (folder / "dos.md").unlink()
    assert watching.next() == {("dos.md", "removed")}
    assert watching.end() == []


def test_a_folder_that_goes_away_removes_nothing_and_is_waited_for(
    assistant: ProjectAssistant, folder: Path, start: Start
) -> None:
    watching = start(folder)
    watching.next()
    away = folder.parent / "lejos"
    folder.rename(away)
    assert "ya no está" in watching.sentence()
    assert paths(assistant) == {"uno.md"}
    (away / "dos.md").write_text(text(2), encoding="utf-8")
    away.rename(folder)
    assert "está de nuevo" in watching.sentence()
    assert watching.next(2) == {("uno.md", "unchanged"), ("dos.md", "indexed")}
    assert watching.end() == []


def test_an_empty_folder_is_taken_for_a_disk_that_is_missing(
    assistant: ProjectAssistant, folder: Path, start: Start
) -> None:
    watching = start(folder)
    watching.next()
    watching.end()
    (folder / "uno.md").unlink()
    watching = start(folder)
    assert "está vacía" in watching.sentence()
    assert watching.end() == []
    assert paths(assistant) == {"uno.md"}


def test_several_folders_are_followed(assistant: ProjectAssistant, folder: Path, tmp_path: Path, start: Start) -> None:
    other = tmp_path / "otra"
    other.mkdir()
    watching = start(folder, other)
    assert watching.next() == {("uno.md", "indexed")}
    (other / "dos.md").write_text(text(2), encoding="utf-8")
    assert watching.next() == {("dos.md", "indexed")}
    (folder / "uno.md").unlink()
    assert watching.next() == {("uno.md", "removed")}
    assert paths(assistant) == {"dos.md"}


def test_folders_that_cannot_be_watched_are_told(assistant: ProjectAssistant, folder: Path, tmp_path: Path) -> None:
    def first(*folders: Path) -> object:
        return next(iter(watch(assistant, folders, stop=Event(), tell=str)))

    with pytest.raises(InputError, match="No existe la carpeta"):
        first(tmp_path / "nada")
    with pytest.raises(InputError, match="No existe la carpeta"):
        first(folder / "uno.md")


def test_two_folders_with_a_file_of_one_name_are_followed_apart(
    assistant: ProjectAssistant, folder: Path, tmp_path: Path, start: Start
) -> None:
    (other := tmp_path / "otra").mkdir()
    (other / "uno.md").write_text(text(2), encoding="utf-8")
    watching = start(folder, other)
    assert watching.next(2) == {("uno.md", "indexed"), ("uno (2).md", "indexed")}
    (other / "uno.md").write_text(text(3), encoding="utf-8")
    assert watching.next() == {("uno (2).md", "updated")}
    (folder / "uno.md").unlink()
    assert watching.next() == {("uno.md", "removed")}
    (other / "uno.md").unlink()
    assert watching.next() == {("uno (2).md", "removed")}
    assert paths(assistant) == set()


def test_what_an_archive_brought_goes_with_it(assistant: ProjectAssistant, folder: Path, start: Start) -> None:
    with zipfile.ZipFile(folder / "normas.zip", "w") as package:
        package.writestr("dos.md", text(2))
    watching = start(folder)
    assert watching.next(2) == {("uno.md", "indexed"), ("normas.zip/dos.md", "indexed")}
    with zipfile.ZipFile(folder / "normas.zip", "w") as package:
        package.writestr("tres.md", text(3))
    assert watching.next(2) == {("normas.zip/tres.md", "indexed"), ("normas.zip/dos.md", "removed")}
    watching.end()
    (folder / "normas.zip").unlink()
    watching = start(folder)
    assert watching.next(2) == {("uno.md", "unchanged"), ("normas.zip/tres.md", "removed")}
    assert paths(assistant) == {"uno.md"}


# ---------------------------------------------------------------- the command


def test_an_interruption_ends_the_watch_with_what_was_done(assistant: ProjectAssistant, folder: Path) -> None:
    lines: list[str] = []
    said: list[str] = []

    def show(report: IngestReport | Removed) -> None:
        lines.append(report_line(report))
        raise KeyboardInterrupt

    follow(assistant, [str(folder)], show=show, tell=said.append)
    assert lines == ["incorporado  uno.md  (1 fragmento)"]
    assert said[-1] == "Se dejó de vigilar. Archivos: incorporado: 1."
    assert paths(assistant) == {"uno.md"}


def test_a_removed_document_has_a_line_like_the_others() -> None:
    removed = Removed(path="uno.md")
    row = {"path": "uno.md", "status": "removed", "pages": None, "chunks": 0, "error": ""}
    assert (report_row(removed), report_line(removed)) == (row, "quitado      uno.md")


def test_web_addresses_are_not_watched(assistant: ProjectAssistant) -> None:
    with pytest.raises(InputError, match="direcciones web"):
        follow(assistant, ["https://www.gob.pe"], show=print, tell=print)
