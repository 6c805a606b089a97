"""Tags on documents: put on, taken off, kept by what comes back, and a way to say where a question looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from assistant.tags import grouped
from rag_system import DEFAULT_PROJECT
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ForbiddenError, InputError
from rag_system.pipeline import Scope
from rag_system.settings import Settings
from tests.indexing import filled, opened_project, upload

LEASE, STALL, YARD = (f"cargados/{name}.txt" for name in ("alquiler", "puesto", "patio"))
WORDS = {
    "alquiler.txt": "La garantía del local se devuelve en treinta días.",
    "puesto.txt": "La garantía del puesto se devuelve en cinco días.",
    "patio.txt": "Las bicicletas se guardan en el sótano.",
}


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    return filled(own_database_url, server_home, {DEFAULT_PROJECT: WORDS})


@pytest.fixture
def project(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


def test_a_tag_is_there_while_a_document_bears_it(project: ProjectAssistant) -> None:
    assert project.tags.add("  Garantías ", [LEASE, "cargados/otro.txt"]) == "Garantías"
    assert project.tags.add("garantias", [STALL]) == "Garantías"
    assert project.tags.all() == {"Garantías": (LEASE, STALL)}
    project.tags.take("Garantías", [LEASE])
    project.tags.take("Garantías", [STALL, YARD])
    assert project.tags.all() == {}
    assert [(each.action, each.object) for each in project.audit()][:2] == [
        ("document.tag", STALL),
        ("document.tag", LEASE),
    ]


@pytest.mark.parametrize("tag", ["", " \n", "x" * 61])
def test_what_is_no_tag_is_refused(project: ProjectAssistant, tag: str) -> None:
    with pytest.raises(InputError, match="Escriba una etiqueta, de hasta 60 caracteres"):
        project.tags.add(tag, [LEASE])


def test_a_document_keeps_its_tags_through_another_version_and_when_it_comes_back(project: ProjectAssistant) -> None:
    project.tags.add("Locales", [LEASE])
    assert upload(project, "alquiler.txt", b"La garantia se devuelve en diez dias.").status == "updated"
    assert project.tags.all() == {"Locales": (LEASE,)}
    (document,) = (each for each in project.library.all() if each.path == LEASE)
    project.library.remove(document.document_id)
    assert project.tags.all() == {}
    project.shelf.restore(LEASE)
    list(project.library.see_through({each.ingestion_id: each.path for each in project.library.ingestions()}))
    assert project.tags.all() == {"Locales": (LEASE,)}


def test_a_question_keeps_to_the_documents_of_a_tag(project: ProjectAssistant) -> None:
    project.tags.add("Mercado", [STALL, YARD])
    scope = Scope(documents=project.tags.all()["Mercado"])
    _, found = project.pipeline.search("¿En cuántos días se devuelve la garantía?", scope=scope)
    assert {candidate.chunk.path for candidate in found.candidates} == {STALL}


TAGS = {"Contratos": ("a", "b", "c"), "Locales": ("a", "b"), "Uno": ("d",)}


@pytest.mark.parametrize(
    ("chosen", "named", "rest"),
    [
        ("abc", ["Contratos"], ""),  # «Locales» is part of it
        ("ab", ["Locales"], ""),
        ("abd", ["Locales"], "d"),  # a tag of one document is that document
        ("ac", [], "ac"),
        ("", [], ""),
    ],
)
def test_chosen_documents_are_told_by_their_tags(chosen: str, named: list[str], rest: Sequence[str]) -> None:
    tags: Mapping[str, Sequence[str]] = TAGS
    assert grouped([*chosen], tags) == (named, [*rest])


def test_who_only_reads_sees_tags_and_changes_none(project: ProjectAssistant, settings: Settings) -> None:
    project.tags.add("Locales", [LEASE])
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        assistant.accounts().add("ana", "una contraseña larga")
        project.give_role("ana", "reader")
        of_ana = assistant.as_person("ana").project("general").tags
        assert of_ana.all() == {"Locales": (LEASE,)}
        with pytest.raises(ForbiddenError):
            of_ana.take("Locales", [LEASE])
