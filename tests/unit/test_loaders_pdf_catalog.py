"""Files that pdfium refuses, chapters by the outline, properties and attachments."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pypdf
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.loaders import extract
from tests.hidden import SEEN, text_of


def _pages(*texts: str) -> bytes:
    canvas = Canvas(buffer := io.BytesIO(), invariant=True)
    for text in texts:
        canvas.drawString(70, 700, text)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _written(change: Callable[[pypdf.PdfWriter], object], *texts: str) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(_pages(*texts)))
    change(writer)
    writer.write(buffer := io.BytesIO())
    return buffer.getvalue()


_MAIL = b"Received: from mesa.de.partes by correo\r\n" * 40 + b"\r\n"


@pytest.mark.parametrize(
    "damaged",
    [
        _pages(SEEN).partition(b"\n")[2],
        _MAIL + _pages(SEEN),
        re.sub(rb"/Root \d+ 0 R", b"", _pages(SEEN)),
        re.sub(rb"/Root \d+ 0 R", b"/Root 99 0 R", _pages(SEEN)),
    ],
    ids=["without header", "after a mail's head", "without root", "with a wrong root"],
)
def test_what_pdfium_refuses_is_read_as_pypdf_mends_it(damaged: bytes) -> None:
    with pytest.raises(pypdfium2.PdfiumError):
        pypdfium2.PdfDocument(damaged)
    document = extract(damaged, name="a.pdf")
    assert text_of(document) == SEEN
    assert document.pages == 1


def test_what_neither_reads_is_damaged() -> None:
    with pytest.raises(UnreadableFileError, match="dañado"):
        extract(_pages(SEEN)[:-600], name="a.pdf")


def test_a_file_with_an_empty_password_is_read_with_its_outline() -> None:
    def protect(writer: pypdf.PdfWriter) -> None:
        writer.add_outline_item("Requisitos del trámite", 1)
        writer.encrypt("", "clave", algorithm="AES-256")

    blocks = list(extract(_written(protect, SEEN, "Requisitos del trámite"), name="a.pdf").blocks)
    assert [(block.page, block.text) for block in blocks] == [(1, SEEN), (2, "Requisitos del trámite")]


def test_the_outline_makes_headings_of_lines_that_look_like_others() -> None:
    canvas = Canvas(buffer := io.BytesIO(), invariant=True)
    for title, level in (("Requisitos del trámite", 0), ("Del pago de la tasa", 1)):
        canvas.bookmarkPage(title)
        canvas.addOutlineEntry(title, title, level)
        canvas.drawString(70, 700, title)
        canvas.drawString(70, 660, SEEN)
        canvas.showPage()
    canvas.save()
    document = extract(buffer.getvalue(), name="a.pdf")
    headings = [(block.page, block.level, block.text) for block in document.blocks if block.level]
    assert headings == [(1, 1, "Requisitos del trámite"), (2, 2, "Del pago de la tasa")]


def test_attachments_are_named() -> None:
    data = _written(lambda writer: writer.add_attachment("cuadro de tasas.xlsx", b"x"), SEEN)
    assert "cuadro de tasas.xlsx" in text_of(extract(data, name="a.pdf"))


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("D:20230204235901-05'00'", "2023-02-04"),  # where it was made; in Greenwich it was the fifth
        ("20230204115901", "2023-02-04"),
        ("D:20000101000000+00'00'", ""),  # what a program writes into every file
        ("D:20231304115901", ""),
        ("ayer", ""),
    ],
)
def test_when_a_file_was_made_is_told_by_its_properties(written: str, day: str) -> None:
    data = _written(lambda writer: writer.add_metadata({"/CreationDate": written, "/Author": "Ana Ríos"}), SEEN)
    document = extract(data, name="a.pdf")
    assert (document.author, document.file_date) == ("Ana Ríos", day)
