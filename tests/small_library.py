"""What a chat is tried with: a project with a guide, which is a PDF of three pages, a manual and a law; another with a
lease.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import psycopg
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system.storage.projects import Role
from tests.indexing import project_of, upload

__all__ = ["GUIDE", "LAW", "MANUAL", "Opening", "damaged", "take_in"]

GUIDE, MANUAL, LAW = "guias/guia_iso_27001.pdf", "manuales/teletrabajo.md", "leyes/ley_de_consultas.md"
_TITLE = "Guía de seguridad de la información (ISO/IEC 27001:2022)"
_BIG, _MIDDLE, _SMALL = ("Helvetica-Bold", 16), ("Helvetica-Bold", 13), ("Helvetica", 10)
_PAGES = (
    (
        (_BIG, "Capítulo 1. Alcance"),
        (_SMALL, "La guía se aplica a las oficinas de la organización y a quienes la visitan."),
    ),
    (
        (_BIG, "Capítulo 3. Controles"),
        (_MIDDLE, "3.2 Control de acceso"),
        (_SMALL, "El acceso a los sistemas se concede según la necesidad de cada puesto."),
        (_SMALL, "Los permisos se revisan cada seis meses y se retiran el mismo día en que una"),
        (_SMALL, "persona deja la organización. Las cuentas compartidas no se permiten, salvo"),
        (_SMALL, "autorización escrita del responsable de seguridad."),
    ),
    (
        (_BIG, "Capítulo 5. Auditoría"),
        (_SMALL, "La auditoría interna se realiza al menos una vez al año."),
        (_SMALL, "Sus hallazgos se comunican a la dirección en un plazo de quince días."),
    ),
)
_MANUAL = """# Manual de teletrabajo

## Equipos

La organización entrega a cada persona en teletrabajo un equipo con disco cifrado.
El equipo se devuelve dentro de los cinco días siguientes al fin del contrato.
"""
_LAW = """# Ley de consultas

## Artículo 5. Plazo de respuesta

El plazo es de 7 días hábiles, contados desde que se recibe la consulta.

## Artículo 6. Prórroga

El plazo se prorroga una sola vez, por 5 días hábiles, cuando la consulta es compleja.
"""


_LEASE = """# Contrato de alquiler

## Renta

El alquiler se paga dentro de los cinco primeros días de cada mes.
"""


class Opening(Protocol):
    """Opens a project of the library."""

    def __call__(self, project: str = ..., *, role: Role = ..., **values: Any) -> ProjectAssistant: ...


@contextmanager
def damaged(database_url: str) -> Iterator[None]:
    """A database where no question can be recorded."""
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute("ALTER TABLE messages ADD CONSTRAINT damaged CHECK (role <> 'user') NOT VALID")
        try:
            yield
        finally:
            owner.execute("ALTER TABLE messages DROP CONSTRAINT damaged")


def take_in(assistant: Assistant, folder: Path) -> None:
    """Index them, by way of files in an empty folder."""
    for path, content in {GUIDE: _guide(), MANUAL: _MANUAL.encode(), LAW: _LAW.encode()}.items():
        file = folder / path
        file.parent.mkdir()
        file.write_bytes(content)
    reports = list(project_of(assistant).library.add([folder]))
    assert [each.status for each in reports] == ["indexed"] * 3
    contracts = project_of(assistant, "contratos")
    contracts.change_project(name="Contratos")
    assert upload(contracts, "alquiler.md", _LEASE.encode()).status == "indexed"


def _guide() -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    canvas.setTitle(_TITLE)
    for lines in _PAGES:
        height = 760.0
        for (font, size), words in lines:
            canvas.setFont(font, size)
            canvas.drawString(60, height, words)
            height -= 1.4 * size + (12 if size > 10 else 0)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
