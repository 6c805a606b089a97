"""A server that is lost in the middle of a transaction, or after a commit whose answer never arrives."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Thread

import psycopg
import pytest
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from assistant.project_assistant import ProjectAssistant
from rag_system import LOCAL_PERSON
from rag_system.errors import LostStoreError
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.opening import open_database
from tests.indexing import opened_project, upload

LEASE = b"La garantia del local se devuelve en treinta dias."
ASKED = "¿En cuántos días se devuelve la garantía?"
COMMITS = 8  # more than a turn has with its being read again


class Cutter:
    """Stands before a server, and cuts a connection once, when the server has done its commit and before it says so."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        known = conninfo_to_dict(url)
        self._server = f"{known['host']}/.s.PGSQL.{known['port']}"
        self._left = 0  # commits until the cut
        self._listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self._stack = stack
        port = self._listening.getsockname()[1]
        password = Path(str(known["passfile"])).read_text(encoding="utf-8").strip().rpartition(":")[2]
        self.url = make_conninfo(
            host="127.0.0.1", port=port, user=known["user"], password=password, dbname=known["dbname"]
        )
        Thread(target=self._serve, daemon=True).start()

    def cut_at(self, commit: int) -> None:
        """The commit of that number from now on, counted from 1."""
        self._left = commit

    @property
    def has_cut(self) -> bool:
        return self._left == 0

    def _serve(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                doomed: list[bool] = []
                for pair in ((client, server, doomed, True), (server, client, doomed, False)):
                    Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, doomed: list[bool], asks: bool) -> None:
        with suppress(OSError), source, sink:
            while data := source.recv(1 << 16):
                if asks and b"COMMIT" in data and self._left:
                    self._left -= 1
                    doomed += [True] * (self._left == 0)
                elif not asks and doomed:
                    break
                sink.sendall(data)
            for each in (source, sink):
                each.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def cutter(settings: Settings) -> Iterator[Cutter]:
    assert settings.database_url is not None
    with ExitStack() as stack:
        yield Cutter(settings.database_url.get_secret_value(), stack)


@pytest.fixture
def project(settings: Settings, cutter: Cutter) -> Iterator[ProjectAssistant]:
    """One with a document, behind the cutter."""
    through = settings.model_copy(update={"database_url": SecretStr(cutter.url)})
    with opened_project(through) as opened:
        upload(opened, "alquiler.txt", LEASE)
        yield opened


def counted(settings: Settings) -> int:
    """Answers, in what is kept of how long they took."""
    with opened_project(settings) as project:
        return sum(day.answers for day in project.metrics.days())


@pytest.mark.parametrize("commit", range(1, COMMITS + 1))
def test_a_turn_is_there_once_whichever_of_its_commits_is_not_answered(
    settings: Settings, project: ProjectAssistant, cutter: Cutter, commit: int
) -> None:
    conversation = project.new_conversation()
    cutter.cut_at(commit)
    list(project.stream(ASKED, conversation_id=conversation))
    (question, answer) = project.turns(conversation)
    assert (question.role, question.content) == ("user", ASKED)
    assert (answer.role, answer.state) == ("assistant", "complete")
    assert "treinta dias" in answer.content
    assert answer.citations
    assert counted(settings) == 1


@pytest.mark.parametrize("commit", range(1, COMMITS + 1))
def test_another_answer_is_there_once_whichever_of_its_commits_is_not_answered(
    settings: Settings, project: ProjectAssistant, cutter: Cutter, commit: int
) -> None:
    conversation = project.new_conversation()
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
