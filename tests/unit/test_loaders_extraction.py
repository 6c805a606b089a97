"""The child process: errors come back as ours, and it survives what a file does to it."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rag_system.errors import UnreadableFileError, UnsupportedFormatError
from rag_system.ingestion.document import ExtractedDocument
from rag_system.ingestion.extraction import ExtractionProcess, extract_safely, time_limit_s
from rag_system.ingestion.loaders import extract

_TEXT = "# Guía\n\nEl plazo es de diez días; vence sin prórroga."


@pytest.fixture(scope="module")
def process() -> Iterator[ExtractionProcess]:
    process = ExtractionProcess()
    yield process
    process.close()


def test_the_same_as_in_this_process(process: ExtractionProcess, tmp_path: Path) -> None:
    file = tmp_path / "guía con espacio.md"
    file.write_text(_TEXT, encoding="utf-8")
    assert _whole(process.extract(file)) == extract(file)
    assert _whole(process.extract(_TEXT.encode(), name="a.md")) == extract(_TEXT.encode(), name="a.md")


def test_the_blocks_are_read_any_number_of_times_until_the_document_is_closed(process: ExtractionProcess) -> None:
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
        ("a.png", b"\x89PNG" + bytes(20), UnsupportedFormatError),
        ("a.pdf", b"%PDF-1.4 roto", UnreadableFileError),
        ("a.txt", b"", UnreadableFileError),
    ],
)
def test_errors_cross_the_border(process: ExtractionProcess, name: str, data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^[^\n]+$"):
        process.extract(data, name=name)
    assert process.extract(b"Sigue viva.", name="b.txt").format == "txt"


def test_a_timeout_ends_the_file_and_not_the_next(process: ExtractionProcess) -> None:
    with pytest.raises(UnreadableFileError, match="tomó más"):
        process.extract(_TEXT.encode() * 20_000, name="a.md", timeout_s=0.05)
    assert process.extract(_TEXT.encode(), name="a.md").format == "md"


def test_memory_is_limited() -> None:
    process = ExtractionProcess(memory_mb=256)
    try:
        with pytest.raises(UnreadableFileError):
            process.extract(b"<p>" + b"hola <b>a</b> " * 6_000_000, name="a.html")
        assert process.extract(_TEXT.encode(), name="a.md").format == "md"
    finally:
        process.close()


def test_deep_nesting_does_not_end_the_child(process: ExtractionProcess) -> None:
    page = b"<html><body>" + b"<div>" * 50_000 + b"hola" + b"</div>" * 50_000
    with contextlib.suppress(UnreadableFileError):
        process.extract(page, name="a.html")
    assert process.extract(b"Sigue viva.", name="b.txt").format == "txt"


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        extract_safely(tmp_path / "no-existe.pdf")


def test_the_child_leaves_when_nobody_asks_any_more() -> None:
    command = [sys.executable, "-m", "rag_system.ingestion.extraction_worker", "1024"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize(("megabytes", "seconds"), [(0, 15), (10, 55), (1000, 300)])
def test_the_time_limit_grows_with_the_file(megabytes: int, seconds: float) -> None:
    assert time_limit_s(megabytes * 2**20) == seconds
