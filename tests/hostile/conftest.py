"""A project that holds every hostile document, read by the real loaders, once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from tests.fakes.provider_server import FakeProviderServer, running
from tests.hostile.documents import DOCUMENTS
from tests.indexing import opened_project

_DATABASE = "hostile"


@pytest.fixture(scope="session")
def attacked(server: str, server_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of a program whose project `general` holds the documents."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {_DATABASE}")
    settings = Settings(home=server_home, database_url=SecretStr(make_conninfo(server, dbname=_DATABASE)))
    folder = tmp_path_factory.mktemp("ajenos")
    for document in DOCUMENTS:
        (folder / document.name).write_bytes(document.data)
    with opened_project(settings, embeddings=HashEmbeddings()) as assistant:
        reports = list(assistant.library.add([folder]))
    assert [(report.path, report.error) for report in reports if report.status != "indexed"] == []
    assert len(reports) == len(DOCUMENTS)
    return settings


@pytest.fixture
def assistant(attacked: Settings) -> Iterator[ProjectAssistant]:
    """Answers with literal quotes."""
    with opened_project(attacked, embeddings=HashEmbeddings()) as opened:
        yield opened


@pytest.fixture
def provider() -> Iterator[FakeProviderServer]:
    with running() as (server, _):
        yield server


@pytest.fixture
def talking(attacked: Settings, provider: FakeProviderServer) -> Iterator[ProjectAssistant]:
    """Answers with a language model, which is `provider`."""
    asked = attacked.model_copy(
        update={"llm_provider": "local", "llm_base_url": f"{provider.url}/v1", "llm_model": "modelo-de-prueba"}
    )
    with opened_project(asked, embeddings=HashEmbeddings()) as opened:
        yield opened
