"""The child process: errors come back as ours, and it survives what a file does to it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from pathlib import Path
from threading import Event

import pytest

from rag_system.errors import UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.children import lifeline
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.extraction import WORKER, extract_safely, time_limit_s
from rag_system.ingestion.loaders import OcrOptions, extract
from rag_system.ingestion.loaders.source import MAX_MARKUP_BYTES
from rag_system.ingestion.spool import END
from tests.reading import Reading
from tests.unit.test_loaders_odf import odf

_TEXT = "# Guía\n\nEl plazo es de diez días; vence sin prórroga."


@pytest.fixture(scope="module")
def process() -> Iterator[Reading]:
    process = Reading()
    yield process
    process.close()


def test_the_same_as_in_this_process(process: Reading, tmp_path: Path) -> None:
    file = tmp_path / "guía con espacio.md"
    file.write_text(_TEXT, encoding="utf-8")
    assert _whole(process.extract(file)) == extract(file)
    assert _whole(process.extract(_TEXT.encode(), name="a.md")) == extract(_TEXT.encode(), name="a.md")


def test_the_blocks_are_read_any_number_of_times_until_the_document_is_closed(process: Reading) -> None:
    paragraphs = [f"Párrafo {number} de la guía de atención." for number in range(5_000)]
    with process.extract("\n\n".join(paragraphs).encode(), name="a.txt") as document:
        first, second = iter(document.blocks), iter(document.blocks)
        assert [next(first).text, next(second).text, next(first).text] == [paragraphs[0], paragraphs[0], paragraphs[1]]
        assert [block.text for block in document.blocks] == paragraphs
    with pytest.raises(ValueError, match="closed"):
        list(document.blocks)


def _whole(document: ExtractedDocument) -> ExtractedDocument:
    return replace(document, blocks=tuple(document.blocks))


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("a.rar", b"Rar!" + bytes(20), UnsupportedFormatError),
        ("a.pdf", b"%PDF-1.4 roto", UnreadableFileError),
        ("a.txt", b"", UnreadableFileError),
    ],
)
def test_errors_cross_the_border(process: Reading, name: str, data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^[^\n]+$"):
        process.extract(data, name=name)
    assert process.extract(b"Sigue viva.", name="b.txt").format == "txt"


def test_nothing_of_the_folder_that_one_stands_in_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("rag_system", "json", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(1)", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with contextlib.closing(Reading()) as process:
        assert process.extract(_TEXT.encode(), name="a.md").format == "md"


def test_a_timeout_ends_the_file_and_not_the_next(process: Reading) -> None:
    with pytest.raises(UnreadableFileError, match="tomó más"):
        process.extract(_TEXT.encode() * 20_000, name="a.md", timeout_s=0.01)
    assert process.extract(_TEXT.encode(), name="a.md").format == "md"


def test_who_is_to_stop_reads_nothing_and_the_next_file_is_read(process: Reading) -> None:
    stopping = Event()
    stopping.set()
    with pytest.raises(UnreadableFileError):
        process.extract(_TEXT.encode(), name="a.md", stopping=stopping)
    assert process.extract(_TEXT.encode(), name="a.md").format == "md"


def test_memory_is_limited() -> None:
    process = Reading(memory_mb=256)
    try:
        with pytest.raises(UnreadableFileError):
            process.extract(b"<p>" + b"hola <b>a</b> " * 6_000_000, name="a.html")
        assert process.extract(_TEXT.encode(), name="a.md").format == "md"
    finally:
        process.close()


def test_a_sheet_of_many_rows_is_never_whole_in_memory() -> None:
    process = Reading(memory_mb=256)
    try:
        row = f"<table:table-row>{'<table:x/>' * 40}<table:table-cell/></table:table-row>"
        book = odf("spreadsheet", f'<table:table table:name="Plazos">{row * 50_000}</table:table>')
        assert [block.text for block in process.extract(book, name="a.ods").blocks] == ["Plazos"]
    finally:
        process.close()


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        extract_safely(tmp_path / "no-existe.pdf")


def test_a_child_that_cannot_be_started_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/existe/python")
    process = Reading()
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            process.extract(_TEXT.encode(), name="a.md")
    assert len(list(Path("/dev/fd").iterdir())) <= before
    monkeypatch.undo()
    with contextlib.closing(process):
        assert process.extract(_TEXT.encode(), name="a.md").format == "md"


@contextlib.contextmanager
def _child() -> Iterator[tuple[subprocess.Popen[bytes], Connection]]:
    """As `ExtractionProcess` starts it."""
    with contextlib.ExitStack() as held, lifeline(held) as life:
        ours, theirs = Pipe()
        ends = (life, theirs.fileno())
        command = [sys.executable, "-m", WORKER, "1024", *map(str, ends)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, pass_fds=ends) as child:
            theirs.close()
            with ours:
                yield child, ours


def test_the_child_leaves_when_nobody_asks_any_more() -> None:
    with _child() as (child, channel):
        channel.close()
        done = child.wait(), child.stdout.read() if child.stdout else b""
    assert done == (0, b"")


def _ask(channel: Connection, file: Path) -> None:
    about = {"task": "read", "name": "a.txt", "ocr": asdict(OcrOptions()), "office": False, "timeout_s": 60.0}
    with file.open("rb") as opened:
        send_handle(channel, opened.fileno(), None)
    channel.send_bytes(json.dumps(about).encode())


def test_a_request_written_while_the_child_is_busy_with_another_is_answered(tmp_path: Path) -> None:
    long, short = tmp_path / "a.txt", tmp_path / "b.txt"
    long.write_bytes(b"El plazo vence sin pr\xc3\xb3rroga.\n\n" * 20_000)
    short.write_bytes(b"Sigue viva.")
    with _child() as (_, channel):
        _ask(channel, long)
        channel.poll(None)  # more than the channel holds follows: the child waits
        _ask(channel, short)
        answers = 0
        while answers < 2:
            answers += channel.recv_bytes()[:1] == END


_BUSY_IN_C = """
import os
from rag_system.ingestion.confinement import die_with_writer
die_with_writer(0)
os.write(1, b"x")
pow(7, 1 << 50_000_000, (1 << 50_000) + 1)  # hours, without ever giving another thread a turn
"""


def test_a_child_busy_in_c_ends_with_its_parent() -> None:
    command = [sys.executable, "-c", _BUSY_IN_C]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.read(1) == b"x"
        child.stdin.close()
        assert child.wait(timeout=120) == -signal.SIGIO


def test_a_child_whose_parent_is_gone_already_does_not_begin() -> None:
    command = [sys.executable, "-c", _BUSY_IN_C]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(timeout=120) in (0, -signal.SIGIO)


_GREEDY = """
import os, signal, sys
from rag_system.ingestion.confinement import allow_time, confine
confine(memory_mb=512)
if sys.argv[1] == "memory":
    bytearray(600 * 2**20)
elif sys.argv[1] == "disk":
    with open(sys.argv[2], "wb") as file:
        file.write(bytes(100 * 2**20))
elif sys.argv[1] == "files":
    kept = [open(os.devnull) for _ in range(500)]
elif sys.argv[1] == "processor":
    allow_time(0.2)
    signal.setitimer(signal.ITIMER_REAL, 0)
    while True:
        pass
"""


@pytest.mark.parametrize(
    ("resource", "end"),
    [("memory", b"MemoryError"), ("disk", b"File too large"), ("files", b"Too many open files"), ("processor", b"")],
)
def test_a_greedy_child_is_stopped(resource: str, end: bytes, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", _GREEDY, resource, str(tmp_path / "a")]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == (-signal.SIGXCPU if resource == "processor" else 1)
    assert end in done.stderr


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_markup_too_large_for_its_parser_is_refused(process: Reading, tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.write(_TEXT.encode() * 200)
        file.truncate(MAX_MARKUP_BYTES + 1)
    with pytest.raises(UnreadableFileError, match="supera 24 MB"):
        process.extract(tmp_path / name)


def test_what_is_no_file_is_not_opened(process: Reading, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "tubería.txt")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s.txt"))
        for path in (tmp_path / "tubería.txt", tmp_path / "s.txt", tmp_path, Path("/dev/zero")):
            for read in (process.extract, extract):
                with pytest.raises(UnreadableFileError, match="No es un archivo"):
                    read(path)
    with pytest.raises(UnreadableFileError, match="nombre"):
        process.extract(Path("a\0b.txt"))


def test_a_link_that_a_person_names_is_followed(process: Reading, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(_TEXT, encoding="utf-8")
    (tmp_path / "enlace.md").symlink_to(tmp_path / "a.md")
    assert _whole(process.extract(tmp_path / "enlace.md")) == extract(tmp_path / "a.md")


@pytest.mark.parametrize(("megabytes", "seconds"), [(0, 15), (1, 20), (10, 65), (1000, 1800)])
def test_the_time_limit_grows_with_the_file(megabytes: int, seconds: float) -> None:
    assert time_limit_s(megabytes * 2**20) == seconds
