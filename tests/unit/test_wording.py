"""What the search calls by a name has one for people: no more names, and no fewer. Pages and times read as said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ingesting import report_line
from assistant.wording import REASONS, ROUTES, STRATEGIES, duration, page_ranges, remarks
from rag_system.ingestion.report import IngestReport
from rag_system.search import funnel, searching
from rag_system.search.reranking import RERANK
from rag_system.types import Route

SEARCH = Path(funnel.__file__).parent


def written_in(path: Path, pattern: str) -> set[str]:
    return set(re.findall(pattern, path.read_text(encoding="utf-8")))


def test_every_strategy_has_a_name() -> None:
    files = (SEARCH / "strategies").glob("*.py")
    assert {name for file in files for name in written_in(file, r'name: ClassVar\[str\] = "(\w+)"')} | {RERANK} == set(
        STRATEGIES
    )


def test_every_reason_has_a_name() -> None:
    found = Path(searching.__file__)
    reasons = written_in(found, r'\("(\w+)", \w+\(') | written_in(found, r'\.rejected, "(\w+)":')
    assert reasons | written_in(Path(funnel.__file__), r'(?m)^ +"(\w+)":') == set(REASONS)


def test_every_route_has_a_name() -> None:
    assert set(ROUTES) == {route.value for route in Route}


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ((), ""),
        ((3,), "3"),
        ((3, 4), "3 y 4"),
        ((3, 5, 6, 7), "3 y 5–7"),
        ((1, 2, 3), "1–3"),
        ((9, 1, 2, 4, 9), "1, 2, 4 y 9"),
        ((1, 2, 3, 7, 11, 12, 13, 14), "1–3, 7 y 11–14"),
        (tuple(range(1, 17, 2)), "1, 3, 5, 7, 9, 11, 13 y 15"),
        (tuple(range(1, 19, 2)), "1, 3, 5, 7, 9, 11, 13, 15 y otra"),
        (tuple(range(1, 1000, 2)), "1, 3, 5, 7, 9, 11, 13, 15 y otras 492"),  # 500 odd pages
    ],
)
def test_pages_are_told_in_ranges(pages: tuple[int, ...], expected: str) -> None:
    assert page_ranges(pages) == expected


@given(st.sets(st.integers(1, 5000), max_size=300))
def test_the_ranges_of_pages_are_never_long(pages: set[int]) -> None:
    assert len(page_ranges(pages)) < 120


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0, "menos de un minuto"),
        (59.9, "menos de un minuto"),
        (61, "cerca de 1 min"),
        (95, "unos 2 min"),
        (3600, "unos 60 min"),
        (5400, "unas 2 h"),
        (4 * 3600 + 100, "unas 4 h"),
    ],
)
def test_times_are_told_as_estimates(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected


def said(**known: Any) -> list[str]:
    return remarks(IngestReport(path="a.pdf", status="indexed", **known))


def test_what_should_be_known_of_a_document_is_said() -> None:
    assert said() == []
    assert said(copy_of="leyes/a.pdf") == ["Mismo contenido que «leyes/a.pdf»."]
    (scanned,) = said(empty_pages=(3, 5, 6, 7))
    assert scanned.startswith("Sin texto en las páginas 3 y 5–7: parecen escaneadas. Para buscar en ellas, instale")
    scan, read = said(empty_pages=(3,), ocr_pages=(4, 5))
    assert scan.startswith("Sin texto en la página 3: parece escaneada. Para buscar en ella, instale Tesseract")
    assert read == "Las páginas 4 y 5 se leyeron con OCR: puede haber errores de lectura."
    assert said(empty_pages=(2, 6), blank_pages=(2, 6)) == [
        "Sin texto en las páginas 2 y 6: están en blanco o solo muestran imágenes."
    ]
    scan, blank = said(empty_pages=(2, 6), blank_pages=(6,))
    assert scan.startswith("Sin texto en la página 2: parece escaneada.")
    assert blank == "Sin texto en la página 6: está en blanco o solo muestra imágenes."
    assert said(hidden_pages=(3, 7)) == [
        "Se omitió texto oculto en las páginas 3 y 7: no lo ve quien lee el documento."
    ]
    assert said(hidden_pages=(0,)) == ["Se omitió texto oculto: no lo ve quien lee el documento."]


def test_each_remark_of_a_report_is_a_sentence_of_its_own() -> None:
    report = IngestReport(path="a.pdf", status="indexed", pages=3, chunks=9, hidden_pages=(2,), copy_of="b.pdf")
    told = report_line(report)
    assert "(3 páginas; 9 fragmentos. Se omitió" in told
    assert "el documento. Mismo contenido" in told
