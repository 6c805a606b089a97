"""The sample documents: built from their sources, readable with the libraries the product uses, holding their facts."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import zipfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import docx
import pypdfium2
import pytest
from bs4 import BeautifulSoup

from rag_system.ingestion.loaders import extract

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / "data" / "documents"
QUESTIONS = ROOT / "tests" / "acceptance" / "questions.jsonl"
PAPER = "investigacion/gestion-documental-y-consultas-ciudadanas.pdf"
PATHS = sorted(p.relative_to(DOCUMENTS).as_posix() for p in DOCUMENTS.rglob("*") if p.is_file())
BUILT = [path for path in PATHS if path.endswith((".pdf", ".docx"))]


def _builder(name: str = "build_documents") -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _pdf_pages(path: Path) -> list[str]:
    with pypdfium2.PdfDocument(path) as pdf:
        return [page.get_textpage().get_text_range() for page in pdf]


def _docx_text(path: Path) -> str:
    document = docx.Document(str(path))
    cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


@cache
def _text(relative: str) -> str:
    path = DOCUMENTS / relative
    match path.suffix:
        case ".pdf":
            text = "\n".join(_pdf_pages(path))
        case ".docx":
            text = _docx_text(path)
        case ".html":
            text = BeautifulSoup(path.read_text(encoding="utf-8"), "lxml").get_text(" ")
        case ".pptx" | ".xlsx" | ".odt" | ".epub":
            text = "\n".join(block.text for block in extract(path).blocks)
        case _:
            text = path.read_text(encoding="utf-8")
    return _plain(text)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("*", "")).lower()


def _questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rebuilt")
    written = _builder().build(folder)
    assert sorted(path.as_posix() for path in written) == BUILT
    return folder


def _content(path: Path) -> object:
    """What must be equal: a DOCX is compressed, and compressed bytes differ between zlib versions."""
    if path.suffix == ".docx":
        with zipfile.ZipFile(path) as package:
            return {entry.filename: (entry.date_time, package.read(entry)) for entry in package.infolist()}
    return path.read_bytes()


@pytest.mark.parametrize("relative", BUILT)
def test_committed_file_is_what_its_source_builds(rebuilt: Path, relative: str) -> None:
    assert _content(rebuilt / relative) == _content(DOCUMENTS / relative), "run scripts/build_documents.py"


def test_files_of_the_other_offices_are_what_their_script_builds(tmp_path: Path) -> None:
    for relative in _builder("build_office_documents").build(tmp_path):
        built, committed = extract(tmp_path / relative), extract(DOCUMENTS / relative)
        assert (list(built.blocks), built.title) == (list(committed.blocks), committed.title), relative


def test_collection_covers_every_format_and_stays_small() -> None:
    formats = {".pdf", ".docx", ".html", ".md", ".txt", ".pptx", ".xlsx", ".csv", ".odt", ".epub"}
    assert {Path(path).suffix for path in PATHS} == formats
    assert len(PATHS) >= 10
    assert sum((DOCUMENTS / path).stat().st_size for path in PATHS) < 1_000_000


@pytest.mark.parametrize(
    ("relative", "fact"),
    [
        ("normas-iso/guia-iso-27001-2022.pdf", "93 controles"),
        ("normas-iso/guia-iso-9001-2015.docx", "septiembre de 2015"),
        ("normas-iso/resumen-iso-45001-2018.md", "OHSAS 18001:2007"),
        ("leyes/guia-ley-29733-datos-personales.md", "Decreto Supremo N.° 016-2024-JUS"),
        ("leyes/guia-ley-29783-seguridad-salud.docx", "Decreto Supremo N.° 005-2012-TR"),
        ("leyes/recursos-y-plazos-ley-27444.html", "quince (15) días perentorios"),
        (PAPER, "Documento de muestra"),
        ("interno/manual-atencion-ciudadano.docx", "Defensora del ciudadano"),
        ("interno/acta-comite-sst-2026-03.txt", "ACTA DE SESIÓN ORDINARIA N.° 03-2026"),
        ("interno/procedimiento-copias-de-respaldo.txt", "PR-OTI-007"),
        ("ayuda/preguntas-frecuentes.md", "mesa de partes virtual"),
        ("ayuda/glosario.html", "Texto Único Ordenado"),
        ("ayuda/cartilla-del-archivo.epub", "lápiz 2B"),
        ("ayuda/talleres-municipales-2026.csv", "Vivero Municipal;domingo"),
        ("interno/directiva-uso-de-vehiculos.odt", "35 galones al mes"),
        ("interno/induccion-evacuacion.pptx", "Primeros auxilios: chaleco blanco"),
        (
            "interno/plan-de-capacitacion-2026.xlsx",
            "Tecnologías | Cableado estructurado | 18/05/2026 | 20 | 0% | S/ 5,200",
        ),
    ],
)
def test_document_opens_and_says_its_fact(relative: str, fact: str) -> None:
    assert fact.lower() in _text(relative)


def test_themes_of_annex_a_add_up() -> None:
    text = _text("normas-iso/guia-iso-27001-2022.pdf")
    counts = [int(re.search(rf"controles {theme}\s+(\d+)", text).group(1)) for theme in ("de personas", "físicos")]  # type: ignore[union-attr]
    assert counts == [8, 14]
    assert 37 + 8 + 14 + 34 == 93  # organisational, people, physical, technological


def test_paper_is_long_numbered_and_says_it_is_a_sample() -> None:
    pages = _pdf_pages(DOCUMENTS / PAPER)
    assert len(pages) >= 12
    assert "documento de muestra" in _plain(pages[0])
    for number, page in enumerate(pages, start=1):
        assert re.search(rf"(^|\s){number}(\s|$)", page), f"page {number} does not show its number"
    assert all("Arancibia, Ferrándiz y Oyola" in page for page in pages[1:])


@pytest.mark.parametrize(
    ("authors", "year"),
    [
        ("Arias", 2020),
        ("Del Solar", 2016),
        ("García-Márquez et al.", 2019),
        ("Hernández y Mendoza", 2018),
        ("Instituto de Archivos Andinos", 2020),
        ("Núñez", 2015),
        ("Ocampo y Rengifo", 2021),
        ("Quintanilla et al.", 2022),
        ("Villalobos", 2017),
    ],
)
def test_work_is_cited_in_the_paper_and_listed_at_its_end(authors: str, year: int) -> None:
    body, references = _text(PAPER).split("referencias todas las referencias de esta lista son de muestra", 1)
    assert re.search(rf"{re.escape(authors.lower())},? \(?{year}", body)
    first = authors.lower().removesuffix(" et al.").split(" y ")[0]
    assert re.search(rf"{re.escape(first)}[.,][^()]*\({year}\)", references)


def test_word_files_use_real_styles() -> None:
    document = docx.Document(str(DOCUMENTS / "interno" / "manual-atencion-ciudadano.docx"))
    styles = {paragraph.style.name for paragraph in document.paragraphs if paragraph.style}
    assert {"Title", "Heading 1", "Heading 2", "List Bullet"} <= styles
    assert len(document.tables) == 3


@pytest.mark.parametrize("question", _questions(), ids=lambda q: q["id"])
def test_answer_of_each_question_stands_in_its_document(question: dict[str, Any]) -> None:
    answerable = question["type"] in {"identificador", "contenido", "cita", "seguimiento"}
    assert bool(question["gold_file"]) == answerable
    assert bool(question["history"]) == (question["type"] == "seguimiento")
    if answerable:
        assert _plain(question["answer_phrase"]) in _text(question["gold_file"])
