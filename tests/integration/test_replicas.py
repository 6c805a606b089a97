"""Searches on a read replica: a real standby that follows a real primary, lags, fails and comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from psycopg import Connection
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.doctor import CHECKS, examine
from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import ConfigurationError
from rag_system.settings import Settings
from rag_system.storage import replicas
from rag_system.storage.opening import open_database
from rag_system.storage.projects import get_project
from rag_system.storage.replicas import on_replica
from rag_system.types import Finished
from tests.faults.processes import free_port, until
from tests.indexing import project_of, upload
from tests.servers import Server, primary_and_standby

LEASE = "La garantía del local se devuelve en treinta días."
STORE = "El almacén atiende de 8:00 a 16:30."
ASKED = "¿En cuántos días se devuelve la garantía?"
PASSWORD = "una contraseña larga"
LENIENT_S = 3600.0
PAUSE, RESUME = "SELECT pg_wal_replay_pause()", "SELECT pg_wal_replay_resume()"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """A primary and its standby, which the tests of this file share."""
    with primary_and_standby(tmp_path_factory.mktemp("servers")) as both:
        yield both


@pytest.fixture
def replicated(servers: tuple[Server, Server], tmp_path: Path) -> Settings:
    """Settings of a program that searches on the standby, however old its last change: a busy machine makes it wait."""
    primary, standby = servers
    urls = {"database_url": SecretStr(primary.url), "database_read_url": SecretStr(standby.url)}
    return Settings(home=tmp_path, replica_lag_s=LENIENT_S, **urls)


@pytest.fixture
def assistant(
    replicated: Settings, servers: tuple[Server, Server], request: pytest.FixtureRequest
) -> Iterator[Assistant]:
    """Legajo over both, with a document in a project of the test's own that the standby has too."""
    with Assistant.open(replicated, embeddings=HashEmbeddings()) as opened:
        upload(project_of(opened, request.node.name), "alquiler.txt", LEASE.encode())
        servers[1].wait_for(servers[0])
        yield opened


def answered(assistant: Assistant, request: pytest.FixtureRequest, question: str = ASKED) -> tuple[str, dict[str, int]]:
    """The answer to a question, and what became of the reads of its search."""
    return reads_of(assistant, project_of(assistant, request.node.name), question)


def reads_of(assistant: Assistant, project: ProjectAssistant, question: str = ASKED) -> tuple[str, dict[str, int]]:
    """The same in any project."""
    before = dict(assistant.replica_reads)
    events = project.stream(question)
    (answer,) = [event.answer for event in events if isinstance(event, Finished)]
    reads = {name: count - before.get(name, 0) for name, count in assistant.replica_reads.items()}
    return answer.text, {name: count for name, count in reads.items() if count}


def test_a_replica_that_follows_is_searched(assistant: Assistant, request: pytest.FixtureRequest) -> None:
    text, reads = answered(assistant, request)
    assert "treinta días" in text
    assert reads.keys() == {"replica"}


def test_a_replica_that_has_not_seen_the_last_publication_is_not_searched(
    assistant: Assistant, servers: tuple[Server, Server], request: pytest.FixtureRequest
) -> None:
    primary, standby = servers
    standby.tell(PAUSE)
    try:
        upload(project_of(assistant, request.node.name), "almacen.txt", STORE.encode())
        text, reads = answered(assistant, request, "¿A qué hora atiende el almacén?")
    finally:
        standby.tell(RESUME)
    assert "16:30" in text
    assert reads.keys() == {"behind"}
    standby.wait_for(primary)
    text, reads = answered(assistant, request, "¿A qué hora atiende el almacén?")
    assert "16:30" in text
    assert reads.keys() == {"replica"}


def test_of_several_replicas_the_one_that_answers_is_searched(
    assistant: Assistant, replicated: Settings, servers: tuple[Server, Server], request: pytest.FixtureRequest
) -> None:
    ports = f"{free_port()},{servers[1].port}"  # nobody listens on the first
    places = {"host": "127.0.0.1,127.0.0.1", "port": ports, "user": "postgres", "dbname": "postgres"}
    url = SecretStr(make_conninfo(**places, load_balance_hosts="random"))
    several = replicated.model_copy(update={"database_read_url": url})
    with Assistant.open(several, embeddings=HashEmbeddings()) as opened:
        text, reads = answered(opened, request)
    assert "treinta días" in text
    assert reads.keys() == {"replica"}


@pytest.mark.parametrize(("allowed_s", "outcome"), [(0.0, "behind"), (LENIENT_S, "replica")])
def test_a_replica_is_searched_within_the_lag_that_is_allowed(
    replicated: Settings, servers: tuple[Server, Server], request: pytest.FixtureRequest, allowed_s: float, outcome: str
) -> None:
    primary, standby = servers
    lenient = replicated.model_copy(update={"replica_lag_s": allowed_s})
    with Assistant.open(lenient, embeddings=HashEmbeddings()) as assistant:
        upload(project_of(assistant, request.node.name), "alquiler.txt", LEASE.encode())
        standby.wait_for(primary)
        standby.tell(PAUSE)
        try:
            project_of(assistant, f"otro-{outcome}")
            _, reads = answered(assistant, request)
        finally:
            standby.tell(RESUME)
    assert reads.keys() == {outcome}


def test_a_dead_replica_costs_no_answer_and_is_searched_again(
    assistant: Assistant,
    servers: tuple[Server, Server],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected, reads_of_one = answered(assistant, request)
    assert reads_of_one.keys() == {"replica"}
    servers[1].kill()
    try:
        for _ in range(2):  # the second does not ask it
            text, reads = answered(assistant, request)
            assert text == expected
            assert reads.keys() == {"unreachable"}
    finally:
        servers[1].start()
    monkeypatch.setattr(replicas, "monotonic", lambda: float("inf"))  # it has rested
    servers[1].wait_for(servers[0])
    until(lambda: answered(assistant, request) == (expected, reads_of_one), "the replica is not searched again")


def test_a_replica_that_dies_in_the_middle_costs_one_retry(
    assistant: Assistant, replicated: Settings, servers: tuple[Server, Server], request: pytest.FixtureRequest
) -> None:
    asked: list[bool] = []

    def read(connection: Connection) -> int:
        (follows,) = connection.execute("SELECT pg_is_in_recovery()").fetchone() or (False,)
        asked.append(follows)
        if follows:
            servers[1].kill()
        return len(connection.execute("SELECT FROM chunks").fetchall())

    with open_database(replicated) as opened:
        database = opened.as_person(LOCAL_PERSON)
        with database.connection() as connection:
            projects = [get_project(connection, request.node.name)]
            (expected,) = connection.execute("SELECT count(*) FROM chunks").fetchone() or (0,)
        try:
            assert on_replica(database, projects, read) == expected > 0
        finally:
            servers[1].start()
    assert asked == [True, False]


def test_a_session_that_a_replica_has_not_seen_begin_costs_it_no_rest(
    assistant: Assistant, servers: tuple[Server, Server], request: pytest.FixtureRequest
) -> None:
    primary, standby = servers
    assistant.accounts().add("ana", PASSWORD)
    project_of(assistant, request.node.name).give_role("ana", "reader")
    standby.wait_for(primary)
    standby.tell(PAUSE)
    try:
        person = assistant.as_session(assistant.accounts().sign_in("ana", PASSWORD, address="127.0.0.1"))
        _, reads = reads_of(assistant, person.project(request.node.name))
        assert reads.keys() == {"behind"}
    finally:
        standby.tell(RESUME)
    standby.wait_for(primary)
    text, reads = reads_of(assistant, person.project(request.node.name))
    assert "treinta días" in text
    assert reads.keys() == {"replica"}


def test_who_may_see_what_is_the_same_on_a_replica(assistant: Assistant, replicated: Settings) -> None:
    there = replicated.model_copy(
        update={"database_url": replicated.database_read_url, "database_migration_url": replicated.database_url}
    )
    with open_database(there) as opened:
        for person, sees in ((LOCAL_PERSON, True), ("beto", False)):
            with opened.as_person(person).snapshot() as connection:
                assert bool(connection.execute("SELECT FROM chunks").rowcount) is sees


def test_doctor_tells_how_a_replica_does(
    assistant: Assistant, replicated: Settings, servers: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    primary, standby = servers

    def told(url: str) -> tuple[bool, str]:
        assert replicated.database_url is not None
        monkeypatch.setenv("LEGAJO_HOME", str(replicated.home))
        monkeypatch.setenv("LEGAJO_REPLICA_LAG_S", "0")
        monkeypatch.setenv("DATABASE_URL", replicated.database_url.get_secret_value())
        monkeypatch.setenv("DATABASE_READ_URL", url)
        monkeypatch.setattr("assistant.doctor.CHECKS", {k: v for k, v in CHECKS.items() if "éplica" in k})
        *_, finding = examine()
        return finding.ok, finding.detail

    assert told(standby.url) == (True, "al día")
    standby.tell(PAUSE)
    project_of(assistant, "mañana")
    ok, detail = told(standby.url)
    standby.tell(RESUME)
    assert (ok, "LEGAJO_REPLICA_LAG_S" in detail) == (False, True)
    assert "no sigue a otro" in told(primary.url)[1]
    ok, detail = told("postgresql://nadie:secreta@127.0.0.1:1/nada")
    assert (ok, "127.0.0.1:1" in detail, "secreta" in detail) == (False, True, False)


def test_an_address_that_is_none_names_its_variable(replicated: Settings) -> None:
    wrong = replicated.model_copy(update={"database_read_url": SecretStr("mysql://x/y")})
    with pytest.raises(ConfigurationError, match="DATABASE_READ_URL no es una dirección"):
        open_database(wrong)
