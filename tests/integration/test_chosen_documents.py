"""A search and an answer that keep to chosen documents: by program and by command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.commands import cli
from assistant.concepts import parse_tree
from assistant.project_assistant import ProjectAssistant
from rag_system import DEFAULT_PROJECT
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError
from rag_system.generation.abstention import ABSTENTION
from rag_system.outcome import collect
from rag_system.pipeline import Scope
from rag_system.scope import NOT_IN_CHOSEN
from rag_system.settings import Settings
from tests.indexing import filled, opened_project, upload

QUESTION = "¿En cuántos días se devuelve la garantía del local?"
LEASE = "La garantía del local se devuelve en treinta días."
STALL = "La garantía del puesto se devuelve en cinco días. El local no se subarrienda."
BIKES = "Las bicicletas se guardan en el sótano."
TREE = '[[conceptos]]\nnombre = "Garantía"\n'

LAW = "# Ley de Garantías\n\nLEY N.° 31999\n\nLa garantía se entrega en soles."
ABOUT_THE_LAW = "La garantía del kiosco se rige por la Ley N.° 31999, dice este aviso."

LEASE_PATH, STALL_PATH, YARD_PATH = (f"cargados/{name}.txt" for name in ("alquiler", "puesto", "patio"))


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    documents = {"alquiler.txt": LEASE, "puesto.txt": STALL, "patio.txt": BIKES}
    return filled(own_database_url, server_home, {DEFAULT_PROJECT: documents})


@pytest.fixture
def assistant(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


def _searched(assistant: ProjectAssistant, *documents: str, concept: str = "") -> set[str]:
    scope = Scope(documents=documents, concept=concept)
    _, found = assistant.pipeline.search(QUESTION, scope=scope)
    return {candidate.chunk.path for candidate in found.candidates}


def test_only_the_chosen_documents_are_searched(assistant: ProjectAssistant) -> None:
    assert _searched(assistant) >= {LEASE_PATH, STALL_PATH}
    assert _searched(assistant, STALL_PATH) == {STALL_PATH}
    assert _searched(assistant, STALL_PATH, LEASE_PATH, STALL_PATH) == {
        STALL_PATH,
        LEASE_PATH,
    }


def test_the_others_are_counted_before_anything_is_proposed(assistant: ProjectAssistant) -> None:
    _, found = assistant.pipeline.search(QUESTION, scope=Scope(documents=(STALL_PATH,)))
    assert (found.funnel.documents, found.funnel.outside, found.funnel.merged) == ((STALL_PATH,), 2, 1)
    _, everywhere = assistant.pipeline.search(QUESTION)
    assert (everywhere.funnel.documents, everywhere.funnel.outside) == ((), 0)


def test_a_concept_narrows_the_chosen_documents_further(assistant: ProjectAssistant) -> None:
    assistant.concepts.replace(parse_tree(TREE))
    assert _searched(assistant, YARD_PATH, LEASE_PATH, concept="Garantía") == {LEASE_PATH}
    assert _searched(assistant, YARD_PATH, concept="Garantía") == set()


def test_a_copy_is_searched_where_its_original_is(assistant: ProjectAssistant) -> None:
    upload(assistant, "alquiler (1).txt", LEASE.encode())
    assert _searched(assistant, "cargados/alquiler (1).txt") == {LEASE_PATH}


def test_an_answer_says_where_it_looked(assistant: ProjectAssistant) -> None:
    answer = collect(assistant.stream(QUESTION, documents=("otra/alquiler.txt",))).answer
    assert answer.error.startswith("No hay ningún documento «otra/alquiler.txt» en este proyecto.")
    answer = collect(assistant.stream(QUESTION, documents=(LEASE_PATH,))).answer
    assert "treinta días" in answer.text
    assert "Busqué solo en «alquiler.txt»." in answer.notices
    assert NOT_IN_CHOSEN not in answer.notices


def test_an_answer_that_found_nothing_offers_all(assistant: ProjectAssistant) -> None:
    answer = collect(assistant.stream(QUESTION, documents=(YARD_PATH,))).answer
    assert answer.abstained
    assert answer.notices[-1] == NOT_IN_CHOSEN
    assert NOT_IN_CHOSEN not in collect(assistant.stream("¿Quién ganó el mundial de ajedrez?")).answer.notices


@pytest.fixture
def with_a_law(assistant: ProjectAssistant) -> ProjectAssistant:
    upload(assistant, "garantias.md", LAW.encode())
    upload(assistant, "aviso.txt", ABOUT_THE_LAW.encode())
    return assistant


def test_a_law_that_was_not_chosen_is_said_to_be_in_the_library(with_a_law: ProjectAssistant) -> None:
    asked = "¿En qué moneda se entrega la garantía según la Ley 31999?"
    silent = collect(with_a_law.stream(asked, documents=(LEASE_PATH,)))
    assert silent.answer.abstained
    assert (
        f"{ABSTENTION.rstrip('.')}: la Ley 31999 está en su biblioteca, pero no entre los documentos elegidos."
        in silent.answer.text
    )
    reading = silent.search.funnel.reading
    assert reading is not None
    assert (reading.elsewhere, reading.absent) == (("ley:31999",), ())
    of_others = collect(with_a_law.stream("¿Qué se rige por la Ley 31999?", documents=("cargados/aviso.txt",))).answer
    assert (
        "La Ley 31999 está en su biblioteca, pero no entre los documentos elegidos: "
        "la respuesta sale de otros que la mencionan."
    ) in of_others.notices
    article = "¿Qué dice el artículo 9 de la Ley 31999 sobre la garantía?"
    assert "pero no entre" in collect(with_a_law.stream(article, documents=("cargados/aviso.txt",))).answer.text


def test_the_other_law_of_a_comparison_is_told_too(with_a_law: ProjectAssistant) -> None:
    upload(with_a_law, "otra.md", "# Ley de Kioscos\n\nLEY N.° 31888\n\nEl kiosco cierra a las diez.".encode())
    asked = "Compara la Ley 31999 con la Ley 31888"
    answer = collect(with_a_law.stream(asked, documents=("cargados/otra.md",))).answer
    assert "El kiosco cierra a las diez" in answer.text
    assert (
        "La Ley 31999 está en su biblioteca, pero no entre los documentos elegidos: la respuesta sale de los demás."
    ) in answer.notices


def test_a_law_outside_a_concept_is_said_to_be_in_the_library(with_a_law: ProjectAssistant) -> None:
    with_a_law.concepts.replace(parse_tree(TREE.replace("Garantía", "Sótano")))
    asked = "¿En qué moneda se entrega la garantía según la Ley 31999?"
    answer = collect(with_a_law.stream(asked, concept="Sótano")).answer
    assert "la Ley 31999 está en su biblioteca, pero no en lo que trata de «Sótano»." in answer.text


def test_the_list_of_documents_keeps_to_the_chosen(assistant: ProjectAssistant) -> None:
    answer = collect(assistant.stream("¿Qué documentos hay?", documents=(LEASE_PATH,))).answer
    assert answer.text.startswith("Eligió 1 documento de los 3 de su biblioteca:")
    assert "patio" not in answer.text


def test_the_command_takes_documents(
    settings: Settings, assistant: ProjectAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))
    monkeypatch.setattr("assistant.assistant.load_embeddings", lambda _: HashEmbeddings())
    for command in ("search", "ask"):
        arguments = [
            command,
            QUESTION,
            "--document",
            LEASE_PATH,
            "--document",
            YARD_PATH,
            "--json",
        ]
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        row = json.loads(done.stdout)
        assert {result["path"] for result in row["results"]} <= {LEASE_PATH, YARD_PATH}
        assert (row["funnel"]["documents"], row["funnel"]["outside"]) == (
            [LEASE_PATH, YARD_PATH],
            1,
        )
        with pytest.raises(
            InputError, match=r"«cargados/alquilar\.txt» en este proyecto\. Se parecen: «cargados/alquiler\.txt»"
        ):
            CliRunner().invoke(cli, [command, QUESTION, "--document", "cargados/alquilar.txt"], catch_exceptions=False)
    explained = CliRunner().invoke(cli, ["search", QUESTION, "--document", YARD_PATH, "--explain"]).stdout
    assert "2\N{NO-BREAK SPACE}fuera de los documentos elegidos" in explained
