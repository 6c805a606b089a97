"""What is not in force, from a file to the answer, its citation, what is kept of it and what is exported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from pydantic import SecretStr

from assistant.exporting import conversation_fields, conversation_text, exported
from assistant.project_assistant import ProjectAssistant
from assistant.rendering import answer_fields, show_answer, show_results
from assistant.view import Turn, answered
from rag_system.outcome import collect
from rag_system.settings import Settings
from rag_system.types import SearchResult, StateKind
from tests.indexing import opened_project, upload

LAW = """# Ley de Ferias

LEY N° 40112

Artículo 1.- Objeto

La ley regula las ferias de los distritos.

Artículo 2.- Plazo

La autorización de una feria se pide con cuarenta y cinco (45) días. (*)

(*) Artículo modificado por el Artículo 1 de la Ley N° 40871, publicada el 12 abril 2017, cuyo texto es el siguiente:

"Artículo 2.- Plazo

La autorización de una feria se pide con quince (15) días."

Artículo 3.- Derecho

Por cada puesto se paga un derecho de tres soles.

(*) Artículo derogado por la Ley N° 41020, publicada el 3 noviembre 2021.
""".encode()
OLD_RULES = "# Reglamento de bibliotecas\n\nDECRETO SUPREMO N° 031-2009-CUL\n\n## Artículo 1.- Carné\n\n{}\n"
NEW_RULES = """# Reglamento de bibliotecas

DECRETO SUPREMO N° 018-2020-CUL

## Artículo 1.- Carné

El carné de lector vale tres años.

## ÚNICA.- Derogación

Derógase el Decreto Supremo N° 031-2009-CUL.
""".encode()
LABEL = "texto anterior a la reforma de 2017 (Ley N° 40871)"
QUESTION = "¿Con cuántos días se pide la autorización de una feria?"
BEFORE = "¿Con cuántos días se pedía antes la autorización de una feria?"


@pytest.fixture(scope="module")
def assistant(own_database_url: str, server_home: Path) -> Iterator[ProjectAssistant]:
    with opened_project(Settings(home=server_home, database_url=SecretStr(own_database_url))) as project:
        upload(project, "LEY-40112.md", LAW)
        yield project


def asked(assistant: ProjectAssistant, question: str) -> Turn:
    outcome = collect(assistant.stream(question, provider="extractive"))
    return answered(outcome.answer, outcome.search.funnel)


def searched(assistant: ProjectAssistant, question: str) -> SearchResult:
    _, found = assistant.pipeline.search(question)
    return found


def test_what_is_in_force_answers(assistant: ProjectAssistant) -> None:
    answer = asked(assistant, QUESTION)
    assert "quince (15) días" in answer.content
    assert "cuarenta y cinco" not in answer.content
    assert [each.state for each in answer.citations] == [None]
    first, *_ = searched(assistant, QUESTION).candidates
    assert first.chunk.state is None


def test_what_was_answers_where_it_is_asked_for_and_is_called_so_everywhere(assistant: ProjectAssistant) -> None:
    answer = asked(assistant, BEFORE)
    assert (
        f"artículo 2, {LABEL}: «La autorización de una feria se pide con cuarenta y cinco (45) días." in answer.content
    )
    state = answer.citations[0].state
    assert state is not None
    assert (state.kind, state.by, state.year) == (StateKind.PREVIOUS, "Ley N° 40871", 2017)
    assert state.told.startswith("(*) Artículo modificado por el Artículo 1 de la Ley N° 40871")
    assert answer.sources[0].state == state
    assert f"[{LABEL}]" in show_answer(answer)
    assert f"[{LABEL}]" in show_results(searched(assistant, BEFORE))
    assert answer_fields(answer)["citations"][0]["state"] == {
        **{"kind": "previous", "label": LABEL, "by": "Ley N° 40871", "year": 2017},
        "told": state.told,
    }


def test_what_was_repealed_is_called_so(assistant: ProjectAssistant) -> None:
    said = asked(assistant, "¿Cuánto se paga de derecho por cada puesto?").content
    assert (
        "artículo 3, texto derogado en 2021 (Ley N° 41020): «Por cada puesto se paga un derecho de tres soles." in said
    )


def test_a_conversation_keeps_it_and_its_exports_say_it(assistant: ProjectAssistant) -> None:
    conversation = assistant.conversations.create()
    collect(assistant.stream(BEFORE, conversation_id=conversation, provider="extractive"))
    turns = assistant.turns(conversation)
    assert turns[1].citations[0].state is not None
    assert turns[1].citations[0].state.label == LABEL
    assert f", Artículo 2.- Plazo, {LABEL}\n" in conversation_text(turns, title="Ferias")
    fields = json.loads(json.dumps(conversation_fields(turns, title="Ferias")))
    assert fields["messages"][1]["citations"][0]["state"]["label"] == LABEL
    assert exported(turns, title="Ferias", format="docx").startswith(b"PK")


# ---------------------------------------------------------------- by another document of the project


@pytest.fixture
def library(settings: Settings) -> Iterator[ProjectAssistant]:
    with opened_project(settings) as project:
        yield project


OLD = OLD_RULES.format("El carné de lector vale un año.").encode()
CARD = "¿Cuántos años vale el carné de lector?"
REPEALED = "texto derogado en 2020 (D.S. 018-2020-CUL)"


def labels(assistant: ProjectAssistant) -> dict[str, str]:
    found = searched(assistant, CARD).candidates
    return {each.chunk.file_name: each.chunk.state.label if each.chunk.state else "" for each in found}


def test_a_norm_that_another_one_repeals_is_not_in_force_while_both_are_there(library: ProjectAssistant) -> None:
    upload(library, "DS-031-2009-CUL.md", OLD)
    assert labels(library) == {"DS-031-2009-CUL.md": ""}
    assert "vale un año" in asked(library, CARD).content
    report = upload(library, "DS-018-2020-CUL.md", NEW_RULES)
    assert labels(library) == {"DS-018-2020-CUL.md": "", "DS-031-2009-CUL.md": REPEALED}
    answer = asked(library, CARD).content
    assert "vale tres años" in answer
    assert "vale un año" not in answer
    was = asked(library, "¿Cuántos años valía antes el carné de lector?").content
    assert f"artículo 1, {REPEALED}: «El carné de lector vale un año." in was
    passage = searched(library, "carné del reglamento derogado").candidates[0].chunk
    read = library.passage(passage.chunk_id)
    assert read is not None
    assert read.state == passage.state
    library.library.remove(report.document_id)
    assert labels(library) == {"DS-031-2009-CUL.md": ""}


def test_a_copy_that_inherits_the_chunks_inherits_what_they_repeal(library: ProjectAssistant) -> None:
    upload(library, "DS-031-2009-CUL.md", OLD)
    first = upload(library, "DS-018-2020-CUL.md", NEW_RULES)
    copy = upload(library, "DS-018-2020-CUL copia.md", NEW_RULES)
    assert copy.copy_of == first.path
    library.library.remove(first.document_id)
    assert labels(library)["DS-031-2009-CUL.md"] == REPEALED


def test_a_projects_repeals_are_its_own(library: ProjectAssistant, settings: Settings) -> None:
    upload(library, "DS-031-2009-CUL.md", OLD)
    with opened_project(settings, project="otro") as other:
        upload(other, "DS-018-2020-CUL.md", NEW_RULES)
        assert labels(library) == {"DS-031-2009-CUL.md": ""}


def test_what_an_older_program_read_is_read_anew(library: ProjectAssistant, settings: Settings) -> None:
    """As a database that the migration came to: chunks without a state, and documents of another index version."""
    upload(library, "LEY-40112.md", LAW)
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url.get_secret_value()) as connection:
        connection.execute("UPDATE chunks SET state = NULL")
        connection.execute("UPDATE documents SET index_version = '11/400/80'")
    assert asked(library, BEFORE).citations[0].state is None
    assert [report.status for report in library.library.reindex()] == ["updated"]
    assert asked(library, BEFORE).citations[0].state is not None
