"""What the chat promises of where a question goes: nothing that the settings do not hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from assistant.project_assistant import ProjectAssistant
from assistant.reach import departures
from rag_system import DEFAULT_PROJECT, LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from rag_system.storage.projects import create_project
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")

STAYS = "Lo que pregunta no sale de este servidor."
LOCAL = {"llm_provider": "local"}
GOOGLE = {"llm_provider": "google", "google_api_key": "clave"}

REACHES: list[tuple[dict[str, str], tuple[str, ...]]] = [
    # settings, and the ways out
    ({}, ()),
    ({"embedding_model": "sentence-transformers:intfloat/multilingual-e5-base"}, ()),
    ({"llm_base_url": "https://ejemplo.org/v1"}, ()),  # nobody asks there
    (LOCAL, ()),
    (LOCAL | {"llm_base_url": "http://LOCALHOST:8080/v1"}, ()),
    (LOCAL | {"llm_base_url": "http://127.9.8.7/v1"}, ()),
    (LOCAL | {"llm_base_url": "http://[::1]:8080/v1"}, ()),
    (LOCAL | {"llm_base_url": "https://modelos.ejemplo.org/v1"}, ("outside",)),
    (LOCAL | {"llm_base_url": "http://192.168.1.20:11434/v1"}, ("outside",)),
    (LOCAL | {"llm_base_url": "http://0.0.0.0:11434/v1"}, ("outside",)),
    (LOCAL | {"llm_base_url": "http://localhost@ejemplo.org/v1"}, ("outside",)),
    (LOCAL | {"llm_base_url": "http://localhost.ejemplo.org/v1"}, ("outside",)),
    (LOCAL | {"llm_base_url": "http://[::1"}, ("outside",)),
    (LOCAL | {"llm_model": "gpt-oss:120b-cloud"}, ("outside",)),
    (LOCAL | {"llm_model": "gpt-oss:20b"}, ()),
    (GOOGLE, ("outside",)),
    ({"llm_provider": "google"}, ()),  # no key: quotes
    (LOCAL | {"llm_fallback": "extractive"}, ()),
    (LOCAL | {"llm_fallback": "google", "google_api_key": "clave"}, ("fallback",)),
    (LOCAL | {"llm_fallback": "groq", "groq_api_key": "clave"}, ("fallback",)),
    (LOCAL | {"llm_fallback": "openrouter", "openrouter_api_key": "clave"}, ("fallback",)),
    (LOCAL | {"llm_fallback": "local", "llm_fallback_model": "otro"}, ()),
    (LOCAL | {"llm_fallback": "local", "llm_fallback_base_url": "http://otro.ejemplo.org/v1"}, ("fallback",)),
    (GOOGLE | {"llm_fallback": "local"}, ("outside",)),
    ({"embedding_model": "google:gemini-embedding-001", "google_api_key": "clave"}, ("vectors",)),
    ({"embedding_model": " openai:bge-m3", "llm_base_url": "https://api.ejemplo.org/v1"}, ("vectors",)),
    ({"embedding_model": "openai:bge-m3", "llm_base_url": "http://localhost:11434/v1"}, ()),
    (GOOGLE | {"embedding_model": "google:gemini-embedding-001"}, ("outside", "vectors")),
    ({"database_url": "postgresql://u:c@localhost:5432/legajo"}, ()),
    ({"database_url": "postgresql:///legajo?host=/var/run/postgresql"}, ()),
    ({"database_url": "postgresql://u:c@db.ejemplo.org/legajo"}, ("database",)),
    ({"database_url": "host=127.0.0.1,10.0.0.5 dbname=legajo"}, ("database",)),
    ({"database_url": "dbname=legajo"}, ("database",)),  # the environment says where
]


@pytest.fixture(scope="module")
def database(own_database_url: str, server_home: Path) -> Iterator[Database]:
    """With a project."""
    with open_database(Settings(home=server_home, database_url=SecretStr(own_database_url))) as opened:
        person = opened.as_person(LOCAL_PERSON)
        with person.connection() as connection:
            create_project(connection, DEFAULT_PROJECT)
        yield person


@pytest.mark.parametrize(("told", "ways"), REACHES)
def test_only_what_stays_is_promised_to_stay(
    database: Database, server_home: Path, told: dict[str, Any], ways: tuple[str, ...]
) -> None:
    settings = Settings(home=server_home, **told)
    assert departures(settings) == ways
    shown = side(database, settings)
    assert (STAYS in shown) is not bool(ways)
    assert all(text(f"provider.reach.{way}") in shown for way in ways)


def test_who_sees_the_provider_reads_too_that_searching_sends_the_question_out(
    database: Database, server_home: Path
) -> None:
    out: dict[str, Any] = {"embedding_model": "google:gemini-embedding-001", "google_api_key": "clave"}
    vectors = text("provider.reach.vectors")
    assert vectors in side(database, Settings(home=server_home, **out), hidden=False)
    assert vectors not in side(database, Settings(home=server_home), hidden=False)


def script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.components.provider import provider_switch
    from ui.state import Chat

    provider_switch(assistant, Chat())


def side(database: Database, settings: Settings, *, hidden: bool = True) -> str:
    assistant = ProjectAssistant(
        database=database,
        settings=settings,
        project=DEFAULT_PROJECT,
        embeddings=HashEmbeddings,
        reranker=lambda: None,
    )
    assistant.change_project(hide_model="everybody" if hidden else "nobody")
    app = AppTest.from_function(script, kwargs={"assistant": assistant}, default_timeout=120).run()
    assert not app.exception
    return "\n".join(caption.value for caption in app.caption)
