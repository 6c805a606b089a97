"""One data directory of the embedded PostgreSQL: create it, start a server on it, stop that server.

Nothing here knows who uses the server; `embedded.py` decides when to start and stop, and holds the lock meanwhile.

A running server is recognised by a lock, not by its process id: the postmaster inherits an open, locked `server.alive`,
so the lock lives exactly as long as the last process of that server. A pid file left behind, or one whose number now
belongs to another process, cannot mislead, and backends that outlive a killed postmaster are waited for.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg import pq, sql
from psycopg.conninfo import make_conninfo

from rag_system.errors import EmbeddedServerError
from rag_system.memory import total_bytes
from rag_system.storage.account import ServerAccount, choose_account
from rag_system.storage.diagnosis import damaged, explain_output, explain_refusal
from rag_system.storage.password_file import PasswordFile, write_private
from rag_system.storage.principal import APP_ROLE
from rag_system.storage.run_paths import find_programs

__all__ = ["Cluster"]

_MAJOR_VERSION = "18"  # of the pinned wheel
_OWNER = "legajo"  # of the tables, and the server's superuser: migrates
_LOGIN = "legajo_login"  # of the application: owns nothing, and may what `APP_ROLE` may
_MAKE_ROLE = """
    DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {name}) THEN CREATE ROLE {role}; END IF;
    END $$
"""
_PORT = "5432"  # only a part of the socket's file name
_LONGEST_SOCKET_PATH = 107  # bytes, of sockaddr_un on Linux
_START_TIMEOUT_S = 300.0  # crash recovery of a large database takes its time
_STOP_TIMEOUT_S = 60.0
_POLL_S = 0.01
# Of the memory there is; it is taken as it is used. The vectors of a million chunks and their index want 2 GB of it: a
# search that has to fetch them from the system's cache takes two to three times as long.
_BUFFERS_SHARE, _LEAST_BUFFERS, _MOST_BUFFERS = 8, 256, 4096  # a part of it, and MiB
_LARGEST_LOG = 5 * 2**20  # bytes

# Durability stays at PostgreSQL's defaults (fsync, full_page_writes and synchronous_commit on). No parallel workers:
# they need /dev/shm, which containers keep tiny. Statements are not logged: they hold people's texts.
_CONFIGURATION = """\
listen_addresses = ''
port = {port}
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 50
shared_buffers = {buffers}MB
effective_cache_size = 1GB
work_mem = 16MB
maintenance_work_mem = 256MB
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
io_method = sync
random_page_cost = 1.1
jit = off
wal_level = minimal
max_wal_senders = 0
max_logical_replication_workers = 0
wal_compression = on
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
log_line_prefix = '%m [%p] '
log_checkpoints = off
log_min_error_statement = panic
"""


class Cluster:
    """A data directory with its socket directory, password file and log, all below `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._data = root / "data"
        self._alive = root / "server.alive"
        self._log = root / "server.log"
        self._password = PasswordFile(root / "password", role=_OWNER)
        self._login_password = PasswordFile(root / "password.login", role=_LOGIN)
        self._programs = find_programs()
        self._child: int | None = None  # the server, while it is this process's child

    # ---------------------------------------------------------------- what others ask

    def conninfo(self) -> str:
        """How libpq reaches the server as its owner. Holds no secret: libpq reads the password from its file."""
        return self._conninfo(_OWNER, self._password)

    def login(self) -> str:
        """The same for the application."""
        return self._conninfo(_LOGIN, self._login_password)

    def _conninfo(self, role: str, password: PasswordFile) -> str:
        """The empty values keep the person's PGHOSTADDR, PGPASSWORD and PGOPTIONS from leaking in."""
        return make_conninfo(
            host=str(self._socket_directory()),
            hostaddr="",
            port=_PORT,
            dbname="postgres",
            user=role,
            password="",
            passfile=str(password.path),
            options="",
            require_auth="scram-sha-256",
            connect_timeout=10,
        )

    def answers(self) -> bool:
        """Whether the server takes connections now."""
        return pq.PGconn.ping(self.conninfo().encode()) == pq.Ping.OK

    def refusal(self) -> str:
        """Why the running server refuses its owner, in its own words; empty when it does not."""
        return self._refusal(self.conninfo())

    def _refusal(self, conninfo: str) -> str:
        try:
            psycopg.connect(conninfo).close()
        except psycopg.OperationalError as error:
            return str(error)
        return ""

    def explain(self, refusal: str) -> EmbeddedServerError | None:
        """The error to show for a `refusal`; none where the next connection may succeed."""
        return explain_refusal(refusal, root=self._root, data=self._data)

    def serves(self) -> bool:
        """Whether a postmaster runs, by its files alone: takes microseconds, where `answers` costs it a process."""
        return self.is_alive() and self._postmaster() is not None

    def is_alive(self) -> bool:
        """Whether any process of a server that we started still runs."""
        try:
            descriptor = os.open(self._alive, os.O_RDONLY)
        except FileNotFoundError:
            return False
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(descriptor)
        return False

    # ---------------------------------------------------------------- start

    def ensure_running(self, notify: Callable[[str], None]) -> None:
        """Return when the server answers: attach to it, wait for one that is coming or going, or start one."""
        if self.answers():
            return
        self._wait_for(lambda: self._has_settled() or self._end_orphans(), _START_TIMEOUT_S)
        if self.is_alive():
            return
        self._reap()
        account = self._prepare(notify)
        self._remove_stale_files()
        self._start(account)

    def _prepare(self, notify: Callable[[str], None]) -> ServerAccount:
        account = choose_account(self._data)
        sockets = self._make_socket_directory(account)
        account = account.reaching(programs=self._programs, root=self._root)
        new_password = self._password.ensure()
        if not self._data.exists():
            notify("Creando la base de datos (solo la primera vez)…")
            self._initialise(account)
        else:
            self._check_data(account)
            if new_password:
                self._reset_password(account)
        self._configure(account, sockets)
        return account

    def _initialise(self, account: ServerAccount) -> None:
        """`initdb` beside the final place, then rename: a data directory is complete or absent."""
        fresh, secret = self._data.with_name("data.new"), self._root / "password.initdb"
        shutil.rmtree(fresh, ignore_errors=True)
        try:
            fresh.mkdir(mode=0o700)
            account.own(fresh)
            write_private(secret, self._password.read())
            account.own(secret)
            # PostgreSQL's text functions need a lc-ctype that knows letters beyond ASCII; the order stays bytewise.
            locale = ("--locale=C", "--lc-ctype=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
            rules = ("--auth=scram-sha-256", f"--pwfile={secret}", "--encoding=UTF8", "--data-checksums")
            command = (self._programs / "initdb", f"--pgdata={fresh}", f"--username={_OWNER}", *rules, *locale)
            done = account.run(command)
            if done.returncode != 0:
                raise explain_output(done.stderr, root=self._root, data=self._data)
            fresh.rename(self._data)
        finally:
            secret.unlink(missing_ok=True)
            shutil.rmtree(fresh, ignore_errors=True)

    def _check_data(self, account: ServerAccount) -> None:
        try:
            version = (self._data / "PG_VERSION").read_text(encoding="ascii", errors="replace").strip()
        except FileNotFoundError:
            raise damaged(self._data, "falta PG_VERSION") from None
        if not version.isdecimal():
            raise damaged(self._data, "PG_VERSION no se entiende")
        if version != _MAJOR_VERSION:
            raise EmbeddedServerError(
                f"La base de datos en {self._data} es de PostgreSQL {version} y este programa trae PostgreSQL "
                f"{_MAJOR_VERSION}: haga un respaldo con la versión de Legajo que la creó y restáurelo con esta."
            )
        owner = self._data.stat().st_uid
        if account.borrowed and owner == 0:
            account.own_tree(self._data)
        elif owner != account.uid:
            raise EmbeddedServerError(
                f"La base de datos en {self._data} pertenece a otro usuario: ejecute Legajo con el usuario que la creó "
                "o elija otra carpeta con LEGAJO_HOME."
            )

    def _configure(self, account: ServerAccount, sockets: Path) -> None:
        """Write our settings at each start, because the socket directory follows a home that was moved."""
        quoted = str(sockets).replace("'", "''")
        buffers = min(max(total_bytes() // _BUFFERS_SHARE >> 20, _LEAST_BUFFERS), _MOST_BUFFERS)
        written = _CONFIGURATION.format(port=_PORT, sockets=quoted, buffers=buffers)
        self._replace_file(account, self._data / "legajo.conf", written)
        main = self._data / "postgresql.conf"
        include = "include 'legajo.conf'\n"
        try:
            text = main.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise damaged(self._data, "falta postgresql.conf") from None
        if include not in text:
            self._replace_file(account, main, f"{text.rstrip()}\n{include}")

    def _replace_file(self, account: ServerAccount, path: Path, text: str) -> None:
        if path.exists() and path.read_text(encoding="utf-8") == text:
            return
        fresh = path.with_name(f"{path.name}.new")
        write_private(fresh, text)
        account.own(fresh)
        fresh.replace(path)

    def _remove_stale_files(self) -> None:
        """No process of ours is left, so these files belong to nobody, whatever number they hold.

        A server that somebody started by hand on this directory is still safe: PostgreSQL also finds it by its
        shared memory and refuses to start a second one.
        """
        sockets = self._socket_directory()
        for path in (self._data / "postmaster.pid", *sockets.glob(".s.PGSQL.*")):
            path.unlink(missing_ok=True)

    def _start(self, account: ServerAccount) -> None:
        if self._log.exists() and self._log.stat().st_size > _LARGEST_LOG:
            self._log.replace(self._log.with_name("server.log.1"))
        seen = self._log.stat().st_size if self._log.exists() else 0
        alive = os.open(self._alive, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(alive, fcntl.LOCK_EX)  # others hold it only while they look
            self._child = account.spawn((self._programs / "postgres", "-D", self._data), log=self._log, lock=alive)
        finally:
            os.close(alive)
        self._wait_for(self._has_settled, _START_TIMEOUT_S)
        if not self.is_alive():
            self._reap()
            with self._log.open("rb") as stream:
                stream.seek(seen)
                output = stream.read().decode(errors="replace")
            raise explain_output(output, root=self._root, data=self._data)

    def _reap(self) -> None:
        """Take leave of a server that we started and that has ended, so that no zombie stays."""
        if self._child is not None:
            with suppress(ChildProcessError):
                os.waitpid(self._child, 0)
            self._child = None

    def _has_settled(self) -> bool:
        """Whether a server that comes or goes has come or gone."""
        return self.answers() or not self.is_alive()

    def _wait_for(self, condition: Callable[[], bool], timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > deadline:
                raise EmbeddedServerError(
                    f"El PostgreSQL incluido no respondió en {timeout_s:.0f} segundos: cierre los demás programas de "
                    f"Legajo y vuelva a intentar. El registro está en {self._log}."
                )
            time.sleep(_POLL_S)

    # ---------------------------------------------------------------- stop

    def stop(self) -> None:
        """Stop the server that we started, cutting its connections, and wait until all its processes are gone."""
        if self.is_alive():
            self._signal(signal.SIGINT)  # PostgreSQL's «fast» shutdown
            try:
                self._wait_for(lambda: not self.is_alive(), _STOP_TIMEOUT_S)
            except EmbeddedServerError:
                self._signal(signal.SIGQUIT)  # «immediate»: as safe as a power cut
                self._wait_for(lambda: not self.is_alive(), _STOP_TIMEOUT_S)
        self._reap()
        if (sockets := self._socket_directory()).parent != self._root:
            with suppress(OSError):  # already gone, or somebody put something in it
                sockets.rmdir()

    def _signal(self, number: signal.Signals) -> None:
        pid = self._postmaster()
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _end_orphans(self) -> bool:
        """End the backends of a killed postmaster: idle ones end by themselves, busy ones finish their query first.

        Returns false: they may need a moment. Not to be asked while a postmaster of ours has yet to write its pid file.
        """
        home = self._data.resolve()
        for entry in Path("/proc").glob("[0-9]*") if self._postmaster() is None else ():
            with suppress(OSError):  # it ended, or it is not ours to look at
                if (entry / "cwd").readlink() == home and b"(postgres)" in (entry / "stat").read_bytes():
                    os.kill(int(entry.name), signal.SIGQUIT)
        return False

    def _postmaster(self) -> int | None:
        """The process of the pid file, unless it is gone and its number is somebody else's by now."""
        with suppress(OSError, ValueError):
            pid = int((self._data / "postmaster.pid").read_bytes().split(b"\n", 1)[0])
            status = Path(f"/proc/{pid}/stat").read_bytes()
            if b"(postgres)" in status and b") Z " not in status:
                return pid
        return None

    # ---------------------------------------------------------------- sockets

    def _socket_directory(self) -> Path:
        """Below `root`, or where that is too long for a socket's address, a short private directory in /tmp."""
        inside = self._root / "run"
        if len(os.fsencode(inside / f".s.PGSQL.{_PORT}")) <= _LONGEST_SOCKET_PATH:
            return inside
        digest = hashlib.sha256(os.fsencode(f"{os.geteuid()}:{self._root}")).hexdigest()[:16]
        return Path("/tmp") / f"legajo-{digest}"  # noqa: S108  (checked by `_make_socket_directory`)

    def _make_socket_directory(self, account: ServerAccount) -> Path:
        path = self._socket_directory()
        with suppress(FileExistsError):
            path.mkdir(mode=0o700)
        found = path.lstat()  # never through a symbolic link that somebody else laid in /tmp
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (account.uid, os.geteuid()):
            raise EmbeddedServerError(
                f"La carpeta {path} la creó otro usuario y no es segura: bórrela, o elija en LEGAJO_HOME una ruta más "
                "corta."
            )
        if stat.S_IMODE(found.st_mode) != 0o700:
            path.chmod(0o700)
        account.own(path)
        return path

    # ---------------------------------------------------------------- passwords

    def ensure_login(self) -> None:
        """Let the application in, also where its login is missing or has another password. Its owner gets in."""
        if not self._login_password.ensure() and not self._refusal(self.login()):
            return
        password = sql.Literal(self._login_password.read())
        app, login = sql.Identifier(APP_ROLE), sql.Identifier(_LOGIN)
        with psycopg.connect(self.conninfo()) as connection:
            for role in (APP_ROLE, _LOGIN):
                make = sql.SQL(_MAKE_ROLE).format(name=sql.Literal(role), role=sql.Identifier(role))
                connection.execute(make)
            connection.execute(sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(login, password))
            connection.execute(sql.SQL("GRANT {} TO {}").format(app, login))

    def put_password_aside(self) -> None:
        """The next start makes a new password and gives it to the data, which is ours: nothing is lost."""
        self._password.put_aside()

    def _reset_password(self, account: ServerAccount) -> None:
        """The data came without its password file, as from a backup of the directory alone: give it the new one."""
        statement = f"ALTER ROLE {_OWNER} PASSWORD '{self._password.read()}'"  # ours: hexadecimal digits
        self._remove_stale_files()
        done = account.run((self._programs / "postgres", "--single", "-D", self._data, "postgres"), text=statement)
        if done.returncode != 0:
            self._password.discard()
            raise explain_output(done.stderr, root=self._root, data=self._data)
