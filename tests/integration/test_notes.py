"""Notes: documents that a person writes, found and cited like the others, and written otherwise in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from assistant.notes import is_note
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError, NotFoundError
from rag_system.ingestion.report import IngestReport
from rag_system.settings import Settings
from tests.indexing import opened_project, upload

TITLE = "Plazo de la garantía: ¿cuánto?"
PATH = "notas/Plazo de la garantía cuánto.md"
QUESTION = "¿En cuántos días se devuelve la garantía del local?"


@pytest.fixture
def project(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


def keep(project: ProjectAssistant, title: str, text: str, path: str = "") -> str:
    """The path of the note, once it is a document."""
    accepted = project.notes.save(title, text, path=path)
    assert isinstance(accepted, Mapping)
    (report,) = project.library.see_through(accepted)
    assert report.status in ("indexed", "updated")
    return report.path


def test_a_note_is_a_document_that_is_listed_found_and_cited(project: ProjectAssistant) -> None:
    assert keep(project, TITLE, "La garantía del local se devuelve en **treinta días**.") == PATH
    (listed,) = project.library.all()
    assert (listed.path, listed.title, is_note(listed.path)) == (PATH, TITLE, True)
    answer = project.ask(QUESTION)
    assert "treinta días" in answer.text
    assert [each.path for each in answer.citations] == [PATH]


def test_a_note_is_written_otherwise_in_its_place(project: ProjectAssistant) -> None:
    keep(project, TITLE, "La garantía se devuelve en treinta días.\n\n- con recibo")
    note = project.notes.read(PATH)
    assert (note.title, note.text) == (TITLE, "La garantía se devuelve en treinta días.\n\n- con recibo")
    assert keep(project, "Garantía", "La garantía del local se devuelve en diez días.", PATH) == PATH
    assert [(each.path, each.title) for each in project.library.all()] == [(PATH, "Garantía")]
    assert "diez días" in project.ask(QUESTION).text
    again = project.notes.save("Garantía", "La garantía del local se devuelve en diez días.", path=PATH)
    assert isinstance(again, IngestReport)
    assert again.status == "unchanged"


def test_two_notes_of_one_title_stand_beside_each_other(project: ProjectAssistant) -> None:
    first, second = (project.notes.save("Plazos", text) for text in ("Diez días.", "Doce días."))
    assert isinstance(first, Mapping)
    assert isinstance(second, Mapping)
    assert [*first.values(), *second.values()] == ["notas/Plazos.md", "notas/Plazos (2).md"]


@pytest.mark.parametrize(
    ("title", "text", "said"),
    [
        ("", "Algo.", "Escriba un título"),
        ("x" * 201, "Algo.", "Escriba un título"),
        ("Plazos", " \n", "Escriba la nota"),
        ("Plazos", "x" * 100_001, "Escriba la nota, de hasta 100000 caracteres"),
    ],
)
def test_what_is_no_note_is_refused(project: ProjectAssistant, title: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        project.notes.save(title, text)


def test_no_other_document_is_written_over(project: ProjectAssistant) -> None:
    upload(project, "ley.md", b"# Ley\n\nEl plazo es de quince dias.")
    for path in ("cargados/ley.md", "notas/que no hay.md"):
        with pytest.raises(NotFoundError, match="Esa nota ya no está"):
            project.notes.save("Ley", "Otra cosa.", path=path)
