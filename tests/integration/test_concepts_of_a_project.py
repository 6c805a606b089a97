"""A project's concepts from the file a person writes to the documents and the answers: by program and by command."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.commands import cli
from assistant.commands.concepts import concepts
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import InputError
from rag_system.settings import Settings
from tests.indexing import opened_project, upload

TREE = """\
[[conceptos]]
nombre = "Jornada y descansos"

[[conceptos]]
nombre = "Vacaciones"
padre = "Jornada y descansos"
alias = ["descanso vacacional"]
"""
REST = "El descanso vacacional dura treinta días.".encode()
FINE = "La multa se paga en diez días.".encode()


@pytest.fixture
def assistant(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def run(settings: Settings, assistant: ProjectAssistant, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs a command on the assistant's database, with its model."""
    assert settings.database_url is not None
    monkeypatch.setenv("DATABASE_URL", settings.database_url.get_secret_value())
    monkeypatch.setenv("LEGAJO_HOME", str(settings.home))
    monkeypatch.setattr("assistant.assistant.load_embeddings", lambda _: HashEmbeddings())

    assert cli.commands["concepts"] is concepts

    def invoke(*arguments: str) -> str:
        done = CliRunner().invoke(cli, arguments, catch_exceptions=False)
        assert done.exit_code == 0
        return done.stdout

    return invoke


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "conceptos.toml"
    path.write_text(TREE, encoding="utf-8")
    return str(path)


def test_documents_are_tagged_as_they_come_change_and_go(
    assistant: ProjectAssistant, run: Callable[..., str], file: str
) -> None:
    run("concepts", "--file", file)
    rest = upload(assistant, "descansos.txt", REST)
    upload(assistant, "multas.txt", FINE)
    about = assistant.concepts.documents("Jornada y descansos")
    assert about == {rest.document_id: 1}
    upload(assistant, "descansos.txt", FINE + b" Y otra.")
    assert assistant.concepts.documents("Vacaciones") == {}
    copy = upload(assistant, "descansos.txt", REST)
    assert assistant.concepts.documents("Vacaciones") == {copy.document_id: 1}
    assistant.library.remove(copy.document_id)
    assert [each.documents for each in assistant.concepts.overview()] == [0, 0]


def test_a_copy_is_about_what_its_content_is_about(
    assistant: ProjectAssistant, run: Callable[..., str], file: str
) -> None:
    run("concepts", "--file", file)
    both = {upload(assistant, name, REST).document_id for name in ("a.txt", "b.txt")}
    assert assistant.concepts.documents("Vacaciones").keys() == both
    assert [(each.documents, each.chunks) for each in assistant.concepts.overview()] == [(2, 1)] * 2
    first = next(each for each in assistant.library.all() if each.path.endswith("a.txt"))
    assistant.library.remove(first.document_id)
    assert [(each.documents, each.chunks) for each in assistant.concepts.overview()] == [(1, 1)] * 2


def test_the_command_shows_replaces_and_exports(
    assistant: ProjectAssistant, run: Callable[..., str], file: str
) -> None:
    upload(assistant, "descansos.txt", REST)
    assert "no tiene conceptos" in run("concepts")
    assert run("concepts", "--file", file).splitlines() == [
        "Jornada y descansos: 1 documento, 1 fragmento",
        "  Vacaciones (descanso vacacional): 1 documento, 1 fragmento",
    ]
    assert json.loads(run("concepts", "--json").splitlines()[1]) == {
        "name": "Vacaciones",
        "parent": "Jornada y descansos",
        "aliases": ["descanso vacacional"],
        "depth": 1,
        "documents": 1,
        "chunks": 1,
    }
    assert run("concepts", "--export") == TREE


def test_a_wrong_file_is_told_and_the_old_tree_stays(run: Callable[..., str], file: str) -> None:
    run("concepts", "--file", file)
    Path(file).write_text('[[conceptos]]\nnombre = "Multa"\npadre = "Sanción"\n', encoding="utf-8")
    with pytest.raises(InputError, match="«Multa» está dentro de «Sanción», que no existe"):
        run("concepts", "--file", file)
    assert run("concepts", "--export") == TREE


def test_a_search_and_an_answer_keep_to_a_concept(
    assistant: ProjectAssistant, run: Callable[..., str], file: str
) -> None:
    upload(assistant, "descansos.txt", REST)
    upload(assistant, "multas.txt", FINE)
    run("concepts", "--file", file)
    question = "¿Cuántos días dura la multa?"
    first = json.loads(run("search", question, "--json"))["results"]
    assert {result["document"] for result in first} == {"descansos.txt", "multas.txt"}
    only = json.loads(run("search", question, "--concept", "vacación", "--json"))["results"]
    assert [(result["document"], result["concepts"]) for result in only] == [
        ("descansos.txt", [{"name": "Vacaciones", "confidence": 0.8}])
    ]
    answer = json.loads(run("ask", question, "--concept", "Vacaciones", "--json"))
    assert {result["document"] for result in answer["results"]} == {"descansos.txt"}
    assert "trata de «Vacaciones» 80" in run("search", "¿Cuánto dura el descanso vacacional?", "--explain")
    for command in ("search", "ask"):
        with pytest.raises(InputError, match="No existe el concepto «Vacasiones»"):
            run(command, question, "--concept", "Vacasiones")
