"""A server that is lost in the middle of a transaction, or after a commit whose answer never arrives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import Connection
from pydantic import SecretStr

from assistant.project_assistant import ProjectAssistant
from rag_system import DEFAULT_PROJECT, LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.errors import EmbeddingError, LostStoreError
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from tests.fakes.relay import Conversation, Relay
from tests.faults.processes import until
from tests.indexing import filled, opened_project

LEASE = "La garantía del local se devuelve en treinta días."
ASKED = "¿En cuántos días se devuelve la garantía?"
COMMITS = 8  # more than a turn has with its being read again


class Cutter(Relay):
    """Cuts a connection once, when the server has done its commit and before it says so."""

    left = 0  # commits until the cut

    def begun(self) -> Conversation:
        return _Watched(self)

    def cut_at(self, commit: int) -> None:
        """The commit of that number from now on, counted from 1."""
        self.left = commit


class _Watched(Conversation):
    def __init__(self, cutter: Cutter) -> None:
        self._cutter = cutter
        self._is_doomed = False

    def ends(self, said: bytes, *, by_client: bool) -> bool:
        if by_client and b"COMMIT" in said and self._cutter.left:
            self._cutter.left -= 1
            self._is_doomed = self._cutter.left == 0
        return self._is_doomed and not by_client


@pytest.fixture(scope="module")
def template(own_database_url: str, server_home: Path) -> str:
    """With a document."""
    return filled(own_database_url, server_home, {DEFAULT_PROJECT: {"alquiler.txt": LEASE}})


@pytest.fixture
def cutter(settings: Settings) -> Iterator[Cutter]:
    assert settings.database_url is not None
    with Cutter(settings.database_url.get_secret_value()) as opened:
        yield opened


@pytest.fixture
def project(settings: Settings, cutter: Cutter) -> Iterator[ProjectAssistant]:
    """Behind the cutter."""
    through = settings.model_copy(update={"database_url": SecretStr(cutter.url)})
    with opened_project(through) as opened:
        yield opened


def counted(settings: Settings) -> int:
    """Answers, in what is kept of how long they took."""
    with opened_project(settings) as project:
        return sum(day.answers for day in project.metrics.days())


@pytest.mark.parametrize("commit", range(1, COMMITS + 1))
def test_a_turn_is_there_once_whichever_of_its_commits_is_not_answered(
    settings: Settings, project: ProjectAssistant, cutter: Cutter, commit: int
) -> None:
    conversation = project.conversations.create()
    cutter.cut_at(commit)
    list(project.stream(ASKED, conversation_id=conversation))
    (question, answer) = project.turns(conversation)
    assert (question.role, question.content) == ("user", ASKED)
    assert (answer.role, answer.state) == ("assistant", "complete")
    assert "treinta días" in answer.content
    assert answer.citations
    assert counted(settings) == 1


@pytest.mark.parametrize("commit", range(1, COMMITS + 1))
def test_another_answer_is_there_once_whichever_of_its_commits_is_not_answered(
    settings: Settings, project: ProjectAssistant, cutter: Cutter, commit: int
) -> None:
    conversation = project.conversations.create()
    list(project.stream(ASKED, conversation_id=conversation))
    cutter.cut_at(commit)
    list(project.answer_again(conversation, 1))
    (_, answer) = project.turns(conversation)
    assert answer.state == "complete"
    assert answer.versions == (1, 2)
    assert counted(settings) == 2


def end(settings: Settings, connection: Connection) -> None:
    """Have the server end its side of a connection."""
    assert settings.database_url is not None
    with psycopg.connect(settings.database_url.get_secret_value()) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", (connection.info.backend_pid,))


@pytest.mark.parametrize("snapshot", [True, False])
def test_work_that_is_cut_is_begun_anew(settings: Settings, snapshot: bool) -> None:
    attempts: list[int] = []

    def work(connection: Connection) -> str:
        attempts.append(connection.info.backend_pid)
        if len(attempts) == 1:
            end(settings, connection)
        (answer,) = connection.execute("SELECT 'listo'").fetchone() or ("",)
        return str(answer)

    with open_database(settings) as opened:
        assert opened.as_person(LOCAL_PERSON).again(work, snapshot=snapshot) == "listo"
    assert len(set(attempts)) == 2


def test_a_server_that_only_reads_is_not_asked_without_a_pause(settings: Settings, database: Database) -> None:
    """As one is for a while whose place another has taken."""
    assert settings.database_url is not None
    attempts: list[int] = []

    def work(connection: Connection) -> None:
        attempts.append(connection.info.backend_pid)
        connection.execute("SET TRANSACTION READ ONLY")
        connection.execute("UPDATE projects SET top_k = top_k")

    address = settings.database_url.get_secret_value()
    with Database(conninfo=address, wait_s=1.0) as impatient, pytest.raises(LostStoreError):
        impatient.as_person(LOCAL_PERSON).again(work)
    assert 1 < len(attempts) < 10  # 0.05 + 0.1 + 0.2 + 0.4 + 0.8 s > 1 s: the sixth is the last


def test_other_work_that_is_cut_says_so_in_a_sentence(settings: Settings) -> None:
    with open_database(settings) as opened:

        def work() -> None:
            with opened.connection() as connection:
                end(settings, connection)
                connection.execute("SELECT 1")

        with pytest.raises(LostStoreError, match="base de datos"):
            work()
        with opened.connection() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


# Connections that have been asked something and are not told yet that this was all, as while a vector is waited for.
ASKED_ONLY = """
    FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event = 'ClientRead'
"""


class Losing(HashEmbeddings):
    """Has the server end the connection of the search that waits for a vector, and then may fail too."""

    def __init__(self, address: str, error: EmbeddingError | None) -> None:
        super().__init__()
        self._address = address
        self._error = error
        self._has_lost = False

    def embed_query(self, text: str) -> list[float]:
        if text == ASKED and not self._has_lost:
            self._has_lost = True
            with psycopg.connect(self._address, autocommit=True) as other:
                until(lambda: other.execute(f"SELECT {ASKED_ONLY}").rowcount == 1, "the words were looked up")
                other.execute(f"SELECT pg_terminate_backend(pid, 5000) {ASKED_ONLY}")
            if self._error:
                raise self._error
        return super().embed_query(text)


@pytest.mark.parametrize("error", [None, EmbeddingError("El texto no cabe en el modelo.")])
def test_a_search_that_is_cut_while_it_waits_for_the_vector_says_one_thing(
    settings: Settings, caplog: pytest.LogCaptureFixture, error: EmbeddingError | None
) -> None:
    assert settings.database_url is not None
    model = Losing(settings.database_url.get_secret_value(), error)
    with opened_project(settings, embeddings=model) as project:
        first, second = (project.pipeline.query(ASKED) for _ in range(2))
    assert (str(error) if error else "treinta días") in first["answer"]
    assert "treinta días" in second["answer"]
    assert caplog.text == ""
