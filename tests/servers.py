"""PostgreSQL servers of a test's own: a primary and those that follow it, from the embedded one's programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from rag_system.storage.account import choose_account
from rag_system.storage.run_paths import find_programs
from tests.faults.processes import free_port, kill_server, until

__all__ = ["Server", "primary_and_standby"]

CONFIGURATION = """\
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 32MB
max_connections = 60
io_method = sync
fsync = off
"""


class Server:
    """A server in a folder, which lets everybody of this machine in."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._data = folder / "data"
        self._programs = find_programs()
        self._account = choose_account(self._data).reaching(programs=self._programs, root=folder)
        self._account.own(folder)
        self.port = free_port()
        self.url = make_conninfo(host="127.0.0.1", port=self.port, user="postgres", dbname="postgres")

    def make(self) -> None:
        """A fresh one, that others may follow."""
        self._run("initdb", f"--pgdata={self._data}", "--username=postgres", "--auth=trust", "--encoding=UTF8")
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as stream:
            stream.write(CONFIGURATION)

    def follow(self, primary: Server) -> None:
        """One that has what the primary has, and is told of all that comes."""
        self._run("pg_basebackup", f"--dbname={primary.url}", f"--pgdata={self._data}", "-R", "--checkpoint=fast")

    def start(self) -> None:
        log = self._folder / "log"
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(log), "-o", f"-p {self.port}", "start")

    def stop(self) -> None:
        """At once, where it runs."""
        if (self._data / "postmaster.pid").exists():
            self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def kill(self) -> None:
        """As a machine that loses its power."""
        kill_server(self._folder)
        (self._data / "postmaster.pid").unlink()

    def tell(self, statement: str) -> object:
        """The first value that it answers."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            (value,) = connection.execute(statement).fetchone() or (None,)  # type: ignore[call-overload]
        return value

    def wait_for(self, primary: Server) -> None:
        """Until it has followed to where the primary is now."""
        there = primary.tell("SELECT pg_current_wal_flush_lsn()::text")
        until(
            lambda: self.tell(f"SELECT pg_last_wal_replay_lsn() >= '{there}'::pg_lsn") is True,
            "the standby does not follow",
        )

    def _run(self, program: str, *arguments: str) -> None:
        done = self._account.run([self._programs / program, *arguments])
        assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def primary_and_standby(folder: Path) -> Iterator[tuple[Server, Server]]:
    """Two servers, the second of which follows the first."""
    primary, standby = Server(folder / "primary"), Server(folder / "standby")
    try:
        primary.make()
        primary.start()
        standby.follow(primary)
        standby.start()
        yield primary, standby
    finally:
        standby.stop()
        primary.stop()
