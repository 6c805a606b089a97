"""The list of documents for a person."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from assistant.listing import COLUMNS, HEADER, document_lines
from assistant.summaries import DocumentSummary

LAW = DocumentSummary(
    document_id="1",
    path="leyes/ley-29783.pdf",
    title="Ley de Seguridad y Salud en el Trabajo",
    format="pdf",
    category="leyes",
    pages=45,
    chunks=1_148,
    size_bytes=1,
    status="indexed",
    error="",
    identifiers=(),
    updated_at=datetime(2026, 1, 1, tzinfo=UTC),
)


def test_pages_chunks_path_and_title_in_a_line() -> None:
    assert f"{HEADER}\n{document_lines(LAW)}" == (
        " págs.   frag.  documento\n    45    1148  leyes/ley-29783.pdf · Ley de Seguridad y Salud en el Trabajo"
    )


@pytest.mark.parametrize(
    ("what", "below"),
    [
        ({"status": "empty", "chunks": 0, "empty_pages": (1, 2)}, "sin texto"),
        ({"empty_pages": (3,)}, "página 3 sin texto"),
        ({"empty_pages": (3, 7)}, "páginas 3 y 7 sin texto"),
        ({"ocr_pages": (1, 2, 3)}, "páginas 1–3 con OCR"),
        ({"hidden_pages": (0,), "copy_of": "otra.pdf"}, "se omitió texto oculto; copia de «otra.pdf»"),
    ],
)
def test_what_is_to_be_known_stands_below(what: dict[str, object], below: str) -> None:
    first, second = document_lines(replace(LAW, **what)).split("\n")  # type: ignore[arg-type]
    assert second == " " * first.index("leyes") + below


def test_no_line_is_wider_than_a_terminal() -> None:
    many = replace(LAW, title="Texto único ordenado " * 9, empty_pages=tuple(range(1, 400, 3)), copy_of="a/b " * 30)
    lines = document_lines(many).split("\n")
    assert max(map(len, lines)) <= COLUMNS
    assert lines[0].endswith("ordenado…")


def test_a_path_is_told_whole_and_stays_in_its_line() -> None:
    path = "normas/" + "reglamento-de-la-ley-" * 5 + "\x1b[2J\n.pdf"
    (line,) = document_lines(replace(LAW, path=path, pages=None)).split("\n")
    assert line.startswith("     –    1148  normas/reglamento-de-la-ley-")
    assert line.endswith(".pdf")
    assert line.isprintable()
