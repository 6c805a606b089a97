"""Scanned pages: which are, and what Tesseract makes of them; with a small program in its place, and with itself."""

from __future__ import annotations

import fcntl
import io
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.document import BlockKind, ExtractedDocument
from rag_system.ingestion.loaders import OcrOptions, extract
from rag_system.ingestion.loaders.scans import is_garbled
from tests.fakes.tesseract import has_spanish, install
from tests.reading import Reading

_OFF = OcrOptions(mode="off")
_TEXT = (
    "Artículo 12.- Plazo de conservación",
    "Los libros y registros se conservan durante cinco años, contados",
    "desde el uno de enero del año siguiente a la fecha de vencimiento.",
)


def _page(texts: Sequence[str]) -> Image.Image:
    """A page with nothing but a picture of text."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    canvas.setFont("Times-Roman", 13)
    for index, text in enumerate(texts):
        canvas.drawString(60, 760 - 18 * index, text)
    canvas.save()
    with pypdfium2.PdfDocument(buffer.getvalue()) as document:
        return document[0].render(scale=200 / 72, grayscale=True).to_pil().convert("L")


def _scan(*pages: Sequence[str], stamp: Sequence[str] = (), text_mode: int = 0) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for texts in pages:
        canvas.drawImage(ImageReader(_page(texts)), 0, 0, *A4)
        for index, text in enumerate(stamp):
            words = canvas.beginText(60, 40 + 12 * index)
            words.setFont("Helvetica", 8)
            words.setTextRenderMode(text_mode)
            words.textOut(text)
            canvas.drawText(words)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _read(data: bytes, ocr: OcrOptions = _OFF) -> ExtractedDocument:
    return extract(data, name="a.pdf", ocr=ocr)


# ---------------------------------------------------------------- which pages


@pytest.mark.parametrize(
    "stamp",
    [
        (),
        ("12",),
        ("Firmado digitalmente por: QUISPE MAMANI Rosa FAU 20100000001 soft", "Motivo: Soy el autor del documento"),
        ("Esta es una copia auténtica imprimible de un documento electrónico archivado en la entidad.",),
        ("COPIA",),
    ],
)
def test_a_picture_with_a_stamp_is_a_scanned_page(stamp: Sequence[str]) -> None:
    document = _read(_scan(_TEXT, _TEXT, stamp=stamp))
    assert (document.pages, tuple(document.empty_pages), tuple(document.blocks)) == (2, (1, 2), ())


@pytest.mark.parametrize("text_mode", [0, 3])
def test_text_over_a_picture_counts_seen_or_unseen(text_mode: int) -> None:
    document = _read(_scan(_TEXT, stamp=_TEXT[::-1], text_mode=text_mode))
    assert not document.empty_pages
    assert "cinco años" in " ".join(block.text for block in document.blocks)


_SPANISH = " ".join([*_TEXT, "Vencido ese plazo se pueden destruir, salvo que exista un procedimiento en trámite."] * 3)
_SHIFTED = "".join(chr(ord(letter) - 29) if "a" <= letter <= "z" else letter for letter in _SPANISH)


@pytest.mark.parametrize(
    ("raw", "garbled"),
    [
        (_SPANISH, False),
        (_SHIFTED, True),  # a font that counts its glyphs from 29: «la ley» is «OD OH\\»
        ("\ue012\ue044\ue051 \ue043" * 40, True),
        ("\x0f\x12\x01\x03\x05" * 40, True),
        ("Γραφείο και υπηρεσίες του δήμου " * 20, False),
        ("الحكومة والمواطنون في البلاد " * 20, False),
        ("El registro es público\x02\r\ny gratuito. " * 10, False),  # hyphens, as pdfium marks them
        ("2024 15,30 118,00 7 221,45 " * 60, False),
        ("", False),
    ],
)
def test_characters_that_are_not_what_the_page_shows(raw: str, garbled: bool) -> None:
    assert is_garbled(raw) is garbled


# ---------------------------------------------------------------- with a program in Tesseract's place


@pytest.fixture
def programs() -> Iterator[Path]:
    """A folder from which every account may run programs."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_only_the_pages_without_text_are_recognised(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = install(programs, monkeypatch, ("Artículo 1.- Objeto", 95.2), ("El plazo ~~ vence en marzo.", 91.0))
    written = _scan(_TEXT, stamp=_TEXT[::-1])
    with pypdfium2.PdfDocument(_scan(_TEXT)) as document, pypdfium2.PdfDocument(written) as other:
        document.import_pages(other)
        document.save(both := io.BytesIO())
    process = Reading()
    try:
        read = process.extract(both.getvalue(), name="a.pdf")
    finally:
        process.close()
    assert (tuple(read.empty_pages), tuple(read.ocr_pages)) == ((), (1,))
    first = [(block.kind, block.text) for block in read.blocks if block.page == 1]
    assert first == [(BlockKind.HEADING, "Artículo 1.- Objeto"), (BlockKind.TEXT, "El plazo ~~ vence en marzo.")]
    assert not seen.exists()
    _read(both.getvalue(), OcrOptions())
    # 595 × 842 points at 300 dpi; once
    assert seen.read_text(encoding="utf-8") == "stdin stdout -l spa --dpi 300 --psm 3 tsv|P5 2481 3508 \n"


def test_a_page_that_looks_like_another_is_recognised_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = install(tmp_path, monkeypatch, ("Segunda parte del expediente", 95.0))
    document = _read(_scan(_TEXT, _TEXT[:2], _TEXT), OcrOptions())
    assert tuple(document.ocr_pages) == (1, 2, 3)
    assert [block.page for block in document.blocks] == [1, 2, 3]
    assert len(seen.read_text(encoding="utf-8").splitlines()) == 2


_ORPHAN = """#!{python}
import fcntl, os, signal, sys, time
held = open({held!r})
fcntl.flock(held, fcntl.LOCK_EX)
if "--list-langs" in sys.argv:
    print("spa")
else:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep({seconds})
"""
_LONG_S = 60


def test_a_program_ends_with_the_child_that_asked_it(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held, program = programs / "held", programs / "tesseract"
    held.touch()
    python = Path(sys.executable).resolve()
    program.write_text(_ORPHAN.format(python=python, held=str(held), seconds=_LONG_S), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    began = time.monotonic()
    process = Reading()
    with pytest.raises(UnreadableFileError):
        process.extract(_scan(_TEXT), name="a.pdf")
    process.close()
    with held.open("r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # free once the program is gone
    assert time.monotonic() - began < _LONG_S


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [("mUj 1l ~x qq ii wr tt lk", 22.0)],  # each word unsure
        [("reflejo del agua en la laguna", 48.0)],  # sure enough one by one, and not together
        [("p. 3", 96.0)],  # too little
    ],
)
def test_a_page_of_noise_stays_without_text(
    lines: Sequence[tuple[str, float]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, *lines)
    document = _read(_scan(_TEXT), OcrOptions())
    assert (tuple(document.empty_pages), tuple(document.ocr_pages), tuple(document.blocks)) == ((1,), (), ())
    assert tuple(document.blank_pages) == (1,)


def test_a_program_that_fails_leaves_the_page_without_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    (tmp_path / "tesseract").write_text('#!/bin/sh\n[ "$1" = --list-langs ] && echo spa && exit 0\nexit 1\n')
    document = _read(_scan(_TEXT), OcrOptions())
    assert (tuple(document.empty_pages), tuple(document.blank_pages)) == ((1,), ())


@pytest.mark.parametrize("languages", ["spa", "spa+quz"])
def test_without_the_program_or_its_language_a_file_that_must_be_recognised_says_so(
    languages: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if languages == "spa":
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        install(tmp_path, monkeypatch, ("Texto seguro de una página", 95.0))
    assert tuple(_read(_scan(_TEXT), OcrOptions(languages=languages)).empty_pages) == (1,)
    with pytest.raises(UnreadableFileError, match=r"Tesseract con el idioma"):
        _read(_scan(_TEXT), OcrOptions(mode="on", languages=languages))


# ---------------------------------------------------------------- with Tesseract


@pytest.mark.skipif(not has_spanish(), reason="Tesseract with Spanish is not installed")
def test_tesseract_reads_a_scanned_page_in_spanish() -> None:
    document = _read(_scan(_TEXT), OcrOptions())
    assert (tuple(document.empty_pages), tuple(document.ocr_pages)) == ((), (1,))
    assert [(block.kind, block.text, block.page) for block in document.blocks] == [
        (BlockKind.HEADING, _TEXT[0], 1),
        (BlockKind.TEXT, " ".join(_TEXT[1:]), 1),
    ]
