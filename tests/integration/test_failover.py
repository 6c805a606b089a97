"""A primary that dies in the middle of answers, uploads and publications: Patroni, etcd and HAProxy over two servers.

It takes a minute, so it is tried by `scripts/test --slow`. With `--log-cli-level INFO` it tells how long
nothing was answered.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
from itertools import count, pairwise
from pathlib import Path
from threading import Event
from time import monotonic

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.ingestion.jobs import WorkerThread
from rag_system.settings import Settings
from rag_system.storage.account import choose_account
from rag_system.storage.run_paths import find_programs
from rag_system.types import Finished
from tests.effort import IS_SLOW
from tests.faults.processes import descendants, is_alive, until
from tests.indexing import project_of, upload
from tests.servers import free_port

PATH = f"{os.environ['PATH']}:/usr/sbin"
PROGRAMS = {name: shutil.which(name, path=PATH) for name in ("etcd", "patroni", "haproxy")}
PATRONI = """\
scope: legajo
name: {name}
restapi: {{listen: "127.0.0.1:{rest}", connect_address: "127.0.0.1:{rest}"}}
etcd3: {{hosts: "127.0.0.1:{etcd}"}}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql: {{parameters: {{fsync: "off", io_method: sync, shared_buffers: 32MB, max_connections: 60}}}}
  initdb: [{{encoding: UTF8}}, {{auth: trust}}]
postgresql:
  listen: "127.0.0.1:{port}"
  connect_address: "127.0.0.1:{port}"
  data_dir: "{folder}/data"
  bin_dir: "{programs}"
  pgpass: "{folder}/pgpass"
  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  parameters: {{unix_socket_directories: ""}}
  authentication: {{superuser: {{username: postgres}}, replication: {{username: replicator}}}}
"""
HAPROXY = """\
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:{proxy}
  option httpchk GET /primary
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
  server uno 127.0.0.1:{uno.port} port {uno.rest}
  server dos 127.0.0.1:{dos.port} port {dos.rest}
"""
LEADS = "SELECT NOT pg_is_in_recovery()"
ASKERS = 3
MORE = 3  # answers and files of each, after the primary died

pytestmark = [
    pytest.mark.skipif(not IS_SLOW, reason="takes a minute: scripts/test --slow"),
    pytest.mark.skipif(None in PROGRAMS.values(), reason="etcd, Patroni and HAProxy are not all installed"),
]


class Node:
    """A server that Patroni watches."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.folder = name, folder / name
        self.folder.mkdir()
        self.port, self.rest = free_port(), free_port()
        self.patroni: subprocess.Popen[bytes] | None = None

    def start(self, etcd: int) -> None:
        """With a data directory of its own, or one that it copies from the other."""
        programs = find_programs()
        account = choose_account(self.folder / "data").reaching(programs=programs, root=self.folder)
        configuration = self.folder / "patroni.yml"
        about = {"name": self.name, "rest": self.rest, "port": self.port, "folder": self.folder}
        configuration.write_text(PATRONI.format(**about, etcd=etcd, programs=programs), encoding="utf-8")
        account.own(self.folder)
        command = [*account._prefix(), PROGRAMS["patroni"] or "", str(configuration)]
        self.patroni = started(command, self.folder.with_suffix(".log"))

    def leads(self) -> bool:
        """Whether it takes what is written."""
        return self._tells(LEADS)

    def is_followed(self) -> bool:
        """Whether the other has all that it has said to be written."""
        return self._tells("SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')")

    def _tells(self, statement: str) -> bool:
        return tells(make_conninfo(host="127.0.0.1", port=self.port, user="postgres", dbname="postgres"), statement)

    def kill(self) -> None:
        """As a machine that loses its power."""
        if self.patroni is None:
            return
        server = self.folder / "data" / "postmaster.pid"
        postmaster = [int(server.read_text().split()[0])] if server.exists() else []
        every = [self.patroni.pid, *descendants(self.patroni.pid), *postmaster]
        every += [child for pid in postmaster for child in descendants(pid)]
        for pid in every:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.patroni.wait()
        self.patroni = None
        until(lambda: not any(map(is_alive, every)), "the node outlives its death")


def started(command: list[str], log: Path) -> subprocess.Popen[bytes]:
    """A program whose words go to a file."""
    with log.open("ab") as stream:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, cwd="/")


@contextmanager
def running(command: list[str], log: Path) -> Iterator[None]:
    program = started(command, log)
    try:
        yield
    finally:
        program.terminate()
        program.wait()


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[tuple[Node, Node, int]]:
    """Two nodes, the second of which follows the first, and the port at which HAProxy leads to who leads."""
    uno, dos, etcd, peers, proxy = Node("uno", tmp_path), Node("dos", tmp_path), free_port(), free_port(), free_port()
    clients, others = f"http://127.0.0.1:{etcd}", f"http://127.0.0.1:{peers}"
    kept = [PROGRAMS["etcd"] or "", "--data-dir", str(tmp_path / "etcd"), "--listen-client-urls", clients]
    kept += ["--advertise-client-urls", clients, "--listen-peer-urls", others]
    (tmp_path / "haproxy.cfg").write_text(HAPROXY.format(uno=uno, dos=dos, proxy=proxy), encoding="utf-8")
    with ExitStack() as stack:
        stack.enter_context(running(kept, tmp_path / "etcd.log"))
        for node in (uno, dos):
            stack.callback(node.kill)
            node.start(etcd)
            until(node.leads if node is uno else uno.is_followed, f"{node.name} does not start: {tmp_path}")
        haproxy = [PROGRAMS["haproxy"] or "", "-db", "-f", str(tmp_path / "haproxy.cfg")]
        stack.enter_context(running(haproxy, tmp_path / "haproxy.log"))
        yield uno, dos, proxy


class People:
    """Who ask and who bring files, until they are told to stop."""

    def __init__(self, project: ProjectAssistant) -> None:
        self._project = project
        self.over = Event()
        self.asked: dict[str, list[str]] = {project.conversations.create(): [] for _ in range(ASKERS)}
        self.answered_at: list[float] = []
        self.brought: list[str] = []

    def ask(self, conversation: str) -> None:
        """One question after the other; each gets its whole answer."""
        for number in count(1):
            if self.over.is_set():
                return
            question = f"¿En cuántos días se devuelve la garantía del local {number}?"
            events = self._project.stream(question, conversation_id=conversation)
            (answer,) = [event.answer for event in events if isinstance(event, Finished)]
            assert not answer.error, answer.error
            self.answered_at.append(monotonic())
            self.asked[conversation].append(question)

    def bring(self) -> None:
        """One file after the other, as soon as the one before is accepted."""
        for number in count(1):
            if self.over.is_set():
                return
            text = "\n\n".join(f"# Punto {n}\n\nEl plazo {n} de la nota {number} es de {n} días." for n in range(20))
            (accepted,) = self._project.library.accept_stream(f"nota{number}.md", BytesIO(text.encode()))
            assert accepted.report is None
            self.brought.append(accepted.path)

    @property
    def least(self) -> int:
        """What each of them has done at least."""
        return min(len(self.brought), *map(len, self.asked.values()))


def test_nothing_is_lost_when_the_primary_dies(nodes: tuple[Node, Node, int], tmp_path: Path) -> None:
    uno, dos, port = nodes
    url = make_conninfo(host="127.0.0.1", port=port, user="postgres", dbname="postgres")
    settings = Settings(home=tmp_path, database_url=SecretStr(url))
    until(lambda: all(tells(url, LEADS) for _ in range(4)), "HAProxy leads to who follows")
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant, ThreadPoolExecutor(ASKERS + 1) as threads:
        project = project_of(assistant)
        upload(project, "alquiler.txt", b"La garantia del local se devuelve en treinta dias.")
        with WorkerThread(assistant.worker()):
            people = People(project)
            doing = [threads.submit(people.ask, conversation) for conversation in people.asked]
            doing.append(threads.submit(people.bring))
            try:
                busy(people, doing, MORE)
                uno.kill()
                until(lambda: project.waits_for_database or done(doing), "nobody waits")
                until(lambda: dos.leads() or done(doing), "nobody takes over")
                busy(people, doing, people.least + MORE)
            finally:
                people.over.set()
            for each in doing:
                each.result()
            until(lambda: not project.library.ingestions(), "the queue is not worked on")
        assert not project.waits_for_database
        check_nothing_is_lost(people, project, url)
    pause = max(after - before for before, after in pairwise(sorted(people.answered_at)))
    answers, files = len(people.answered_at), len(people.brought)
    logging.getLogger(__name__).info("%d answers, %d files; %.1f s without an answer", answers, files, pause)


def tells(url: str, statement: str) -> bool:
    """What a server says; False where it does not answer."""
    with suppress(psycopg.Error), psycopg.connect(url, connect_timeout=2) as connection:
        return bool((connection.execute(statement).fetchone() or (False,))[0])  # type: ignore[call-overload]
    return False


def done(doing: list) -> bool:  # type: ignore[type-arg]
    """Whether somebody has given up."""
    return any(each.done() for each in doing)


def busy(people: People, doing: list, least: int) -> None:  # type: ignore[type-arg]
    """Until each of them has done so much."""
    until(lambda: people.least >= least or done(doing), "they do not get on")


def check_nothing_is_lost(people: People, project: ProjectAssistant, url: str) -> None:
    for conversation, questions in people.asked.items():
        turns = project.turns(conversation)
        assert [turn.content for turn in turns if turn.role == "user"] == questions
        answers = [turn for turn in turns if turn.role == "assistant"]
        assert [(turn.state, "treinta" in turn.content) for turn in answers] == [("complete", True)] * len(questions)
    chunks = {each.path: each.chunks for each in project.library.all()}
    assert all(chunks[path] for path in people.brought)
    with psycopg.connect(url) as connection:
        halves = connection.execute(
            "SELECT path FROM documents d WHERE chunk_count <> (SELECT count(*) FROM chunks c JOIN embeddings e "
            "USING (project_id, chunk_id) WHERE c.project_id = d.project_id AND c.document_id = d.document_id)"
        ).fetchall()
    assert not halves
