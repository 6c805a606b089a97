"""Answers that need no search."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rag_system.generation.replies import courtesy, inventory
from rag_system.query.plan import analyze
from rag_system.storage.documents import DocumentRow


def document(
    path: str, title: str, *identifiers: str, status: str = "indexed", project: str = "general"
) -> DocumentRow:
    return DocumentRow(
        project=project,
        document_id="1",
        path=path,
        sha256="",
        origin="",
        source="",
        container="",
        status=status,
        error="",
        format=path.rsplit(".", 1)[-1],
        given_title="",
        title=title,
        language="es",
        category="",
        identifiers=list(identifiers),
        pages=None,
        empty_pages=[],
        blank_pages=[],
        hidden_pages=[],
        ocr_pages=[],
        copy_of="",
        chunk_count=1,
        size_bytes=1,
        index_version="",
        updated_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


LIBRARY = [
    document("ley-29733.md", "Ley de Protección de Datos Personales", "ley:29733"),
    document("ley-31572.md", "Ley del Teletrabajo", "ley:31572"),
    document("iso9001.pdf", "Guía de la ISO 9001", "iso:9001@2015"),
    document("manual.docx", "Manual de atención"),
    document("vacio.pdf", "Escaneado", status="empty"),
]

LISTS = [
    ("¿qué documentos tienes?", ["Datos Personales", "Teletrabajo", "ISO 9001", "Manual"]),
    ("¿qué leyes tienes sobre teletrabajo?", ["Teletrabajo"]),
    ("lista los PDF", ["ISO 9001"]),
    ("¿tienes la ISO 9001?", ["ISO 9001"]),
    ("que manuales tienes", ["Manual"]),
]


@pytest.mark.parametrize(("question", "titles"), LISTS)
def test_the_list_holds_what_was_asked_for(question: str, titles: list[str]) -> None:
    lines = [line for line in inventory(LIBRARY, analyze(question)).splitlines() if line.startswith("- ")]
    assert len(lines) == len(titles)
    assert all(title in line for title, line in zip(titles, lines, strict=True))


@pytest.mark.parametrize(
    ("question", "opening"),
    [
        ("¿qué documentos tienes?", "Tengo 4 documentos:"),
        ("lista los PDF", "Tengo 1 documento, de 4, que corresponde a lo que pide:"),
        ("¿qué leyes tienes?", "Tengo 2 documentos, de 4, que corresponden a lo que pide:"),
        ("¿tienes la ISO 27001?", "Ninguno de los 4 documentos corresponde a lo que pide."),
    ],
)
def test_the_list_says_how_many(question: str, opening: str) -> None:
    assert inventory(LIBRARY, analyze(question)).splitlines()[0] == opening


@pytest.mark.parametrize(
    ("question", "chosen", "opening", "listed"),
    [
        ("¿qué documentos hay?", ["manual.docx", "iso9001.pdf"], "Eligió 2 documentos de los 4 de su biblioteca:", 2),
        (
            "lista los PDF",
            ["manual.docx", "iso9001.pdf"],
            "De los 2 documentos que eligió, 1 corresponde a lo que pide:",
            1,
        ),
        (
            "¿qué leyes tienes?",
            ["manual.docx", "iso9001.pdf"],
            "Ninguno de los 2 documentos que eligió corresponde a lo que pide; "
            "entre los demás de su biblioteca hay 2 que sí.",
            0,
        ),
        ("¿tienes la ISO 27001?", ["manual.docx"], "El documento que eligió no corresponde a lo que pide.", 0),
        ("¿qué documentos hay?", ["vacio.pdf"], "En los documentos que eligió no hay texto que leer.", 0),
    ],
)
def test_of_chosen_documents_only_those_are_listed(question: str, chosen: list[str], opening: str, listed: int) -> None:
    first, *rest = inventory(LIBRARY, analyze(question), chosen=chosen).splitlines()
    assert first == opening
    assert sum(line.startswith("- ") for line in rest) == listed


def test_an_empty_collection_says_so() -> None:
    assert inventory([], analyze("¿qué documentos tienes?")).startswith("Todavía no hay documentos")


def test_asked_who_it_is_it_gives_the_configured_name() -> None:
    plan = analyze("¿Quién eres?")
    assert courtesy(plan, "Amparo").startswith("Soy Amparo. ")
    assert courtesy(plan).startswith("Soy Legajo. ")
