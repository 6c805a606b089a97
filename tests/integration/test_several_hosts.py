"""An address of two servers: the one that takes what is written is found, before and after the other took its place."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.doctor import CHECKS, examine
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import StorageError
from rag_system.settings import Settings
from rag_system.types import Finished
from tests.faults.processes import until
from tests.indexing import project_of, upload
from tests.servers import Server, primary_and_standby

LEASE = "La garantía del local se devuelve en treinta días."
STORE = "El almacén atiende de 8:00 a 16:30."


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    with primary_and_standby(tmp_path) as both:
        yield both


@pytest.fixture
def several(servers: tuple[Server, Server], tmp_path: Path) -> Settings:
    """Settings that name the standby first."""
    ports = ",".join(str(server.port) for server in reversed(servers))
    places = {"host": "127.0.0.1,127.0.0.1", "port": ports, "user": "postgres", "dbname": "postgres"}
    return Settings(home=tmp_path, database_url=SecretStr(make_conninfo(**places, target_session_attrs="read-write")))


def answer(project: ProjectAssistant, question: str, conversation: str) -> str:
    """All of it."""
    events = project.stream(question, conversation_id=conversation)
    return "".join(event.answer.text for event in events if isinstance(event, Finished))


def test_the_product_goes_on_where_the_standby_takes_over(
    several: Settings, servers: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    primary, standby = servers
    assert several.database_url is not None
    monkeypatch.setenv("LEGAJO_HOME", str(several.home))
    monkeypatch.setenv("DATABASE_URL", several.database_url.get_secret_value())
    monkeypatch.setattr("assistant.doctor.CHECKS", {name: CHECKS[name] for name in ["Base de datos"]})
    with Assistant.open(several, embeddings=HashEmbeddings()) as assistant, ThreadPoolExecutor(1) as threads:
        project = project_of(assistant)
        upload(project, "alquiler.txt", LEASE.encode())
        conversation = project.conversations.create()
        assert "treinta días" in answer(project, "¿En cuántos días se devuelve la garantía?", conversation)
        assert f"127.0.0.1:{primary.port}" in found()
        standby.wait_for(primary)
        primary.kill()
        asked = threads.submit(answer, project, "¿Y cuándo se devuelve la garantía del local?", conversation)
        until(lambda: project.waits_for_database or asked.done(), "it does not wait")
        standby.tell("SELECT pg_promote()")
        assert "treinta días" in asked.result()
        upload(project, "almacen.txt", STORE.encode())
        assert "16:30" in answer(project, "¿A qué hora atiende el almacén?", conversation)
        assert len(project.turns(conversation)) == 6  # three questions, three answers
        assert f"127.0.0.1:{standby.port}" in found()


def found() -> str:
    """What doctor says of the database."""
    *_, finding = examine()
    assert finding.ok, finding.detail
    return finding.detail


def test_where_none_of_them_answers_all_are_named(several: Settings, servers: tuple[Server, Server]) -> None:
    for server in servers:
        server.stop()
    with pytest.raises(StorageError, match=f"127.0.0.1:{servers[1].port},127.0.0.1:{servers[0].port}/postgres"):
        Assistant.open(several)
