"""Reach the database: the embedded server or the one of `DATABASE_URL`, checked, migrated and behind a small pool."""

from __future__ import annotations

import logging
import re
import select
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from copy import copy
from types import TracebackType
from typing import LiteralString, Self

import psycopg
from pgvector.psycopg import register_vector
from psycopg import Connection, IsolationLevel
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolTimeout
from pydantic import SecretStr

from rag_system.errors import (
    BusyStoreError,
    ConfigurationError,
    ForbiddenError,
    IncompatibleStoreError,
    StorageError,
)
from rag_system.settings import Settings
from rag_system.storage.embedded import EmbeddedServer
from rag_system.storage.migrate import migrate, pending_migrations
from rag_system.storage.principal import APP_ROLE, NOBODY, WORKER, Principal

__all__ = ["Database", "check_compatible", "migrate_database", "open_database"]

# Failed attempts to reconnect reach the caller as a `StorageError`; the pool's own warnings would only repeat them.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)

_OLDEST_SERVER = 15  # major version
_OLDEST_PGVECTOR = (0, 8, 4)
_POOL_SIZE = 8  # the chat's threads; a server of 50 connections serves several programs
_POOL_TIMEOUT_S = 30.0
_CONNECT_TIMEOUT_S = 10
_KEEPALIVE_S = 60
_FROZEN_S = 300  # between two statements of a transaction
# For what a person waits for: a search takes milliseconds. Whoever publishes a very large document holds its project's
# row for longer, which is told to who would change the project meanwhile.
LOCK_S = 10.0  # for a row or a table that somebody else holds
STATEMENT_S = 60.0
_VERSIONS = """
    SELECT current_setting('server_version_num')::integer / 10000,
           (SELECT default_version FROM pg_available_extensions WHERE name = 'vector'),
           (SELECT extversion FROM pg_extension WHERE extname = 'vector')
"""


_ACT = """
    SELECT set_config('legajo.person', %s, true), set_config('legajo.project', %s, true),
           set_config('legajo.worker', %s, true), set_config('legajo.link', %s, true),
           set_config('lock_timeout', %s, true), set_config('statement_timeout', %s, true)
"""
_ACT_AS_ROLE = f"{_ACT}, set_config('role', '{APP_ROLE}', true)"
# Who logs in may be the owner of the tables, or anything: a transaction takes on a role that is neither.
_MAY_ACT_AS_ROLE = "SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = %s"


class Database:
    """A migrated database, for one who acts. Lend a connection with `with db.connection() as conn:`.

    As it is opened it acts for nobody, and sees nothing: `as_person`, `as_job`, `as_worker` and `as_reader_of` give it
    somebody to act for, over the same connections. Who opened it closes it when done. A connection is checked before it
    is lent. When the embedded server died meanwhile, it is started again.

    A person may be waiting: no lock is waited for longer than `LOCK_S`, no statement longer than `STATEMENT_S`, and
    `BusyStoreError` is raised then. Work that nobody waits for takes its connections from `unhurried()`.
    """

    def __init__(self, *, conninfo: str, owner: str = "", server: EmbeddedServer | None = None) -> None:
        self._conninfo = conninfo
        self._owner = owner or conninfo  # who owns the tables
        self._server = server
        self._principal = NOBODY
        self._act: LiteralString | None = None
        self._hurried = True
        self._pool = ConnectionPool[Connection[TupleRow]](
            self._reachable,
            min_size=1,
            max_size=_POOL_SIZE,
            timeout=_POOL_TIMEOUT_S,
            configure=_configure,
            check=_check_socket if server is not None else ConnectionPool.check_connection,
            num_workers=1,
            name="legajo",
            open=True,
        )

    def __repr__(self) -> str:
        return f"Database({_public_address(self._conninfo)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def as_person(self, person: str) -> Self:
        """What a person may see and change."""
        return self._acting_for(Principal(person=person))

    def as_job(self, project: str) -> Self:
        """What a job of a project works on."""
        return self._acting_for(Principal(project=project))

    def as_worker(self) -> Self:
        """The ingestions of all projects, to find those that nobody works on."""
        return self._acting_for(WORKER)

    def as_reader_of(self, link: str) -> Self:
        """The conversation that a link shows; `link` is the SHA-256 of its secret."""
        return self._acting_for(Principal(link=link))

    def unhurried(self) -> Self:
        """The same, for work that takes as long as it takes."""
        view = copy(self)
        view._hurried = False
        return view

    def _acting_for(self, principal: Principal) -> Self:
        view = copy(self)
        view._principal = principal
        return view

    @contextmanager
    def connection(self) -> Iterator[Connection[TupleRow]]:
        """A connection in a transaction that is committed at the end, or rolled back by an exception."""
        with self.as_login() as connection:
            self._begin(connection)
            yield connection

    def _begin(self, connection: Connection[TupleRow]) -> None:
        """Say who acts and how long that may take, for this transaction alone: a pooler gives the session to somebody
        else then.
        """
        who, limits = self._principal, (LOCK_S, STATEMENT_S) if self._hurried else (0.0, 0.0)  # 0: none
        acting = (who.person, who.project, "on" if who.is_worker else "", who.link)
        connection.execute(self._statement(connection), (*acting, *(f"{each * 1000:.0f}ms" for each in limits)))

    def _statement(self, connection: Connection[TupleRow]) -> LiteralString:
        if self._act is None:
            (may,) = connection.execute(_MAY_ACT_AS_ROLE, (APP_ROLE,)).fetchone() or (False,)
            self._act = _ACT_AS_ROLE if may else _ACT
        return self._act

    @contextmanager
    def as_login(self) -> Iterator[Connection[TupleRow]]:
        """The same with no more than who logs in may: for `doctor` and tests, never for a person."""
        if self._server is not None and not self._server.is_running():
            self._server.ensure_running()  # here, so that the caller learns why it does not start
        with ExitStack() as stack:
            try:
                lent = stack.enter_context(self._pool.connection())
            except PoolTimeout:
                raise self._timeout_reason() from None
            try:
                yield lent
            except psycopg.OperationalError as error:
                raise _explain(error, self._conninfo) from error
            except psycopg.errors.InsufficientPrivilege as error:
                raise ForbiddenError from error
            except psycopg.Error as error:
                raise StorageError("La base de datos rechazó la operación. Ejecute «legajo doctor».") from error

    @contextmanager
    def as_owner(self) -> Iterator[Connection[TupleRow]]:
        """A connection of its own, of who owns the tables, in one transaction: for measures, never for a person."""
        with psycopg.connect(self._owner, prepare_threshold=None) as connection:
            register_vector(connection)
            connection.commit()
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection[TupleRow]]:
        """A connection that only reads, and sees the whole of it as it was at its first statement.

        A search reads in several steps: a document that is published between them would be half old and half new.
        """
        with self.as_login() as connection:
            connection.isolation_level, connection.read_only = IsolationLevel.REPEATABLE_READ, True  # BEGIN says both
            try:
                self._begin(connection)
                yield connection
                connection.commit()  # psycopg forgets what it prepared when it rolls back, …
            finally:
                if not connection.closed:
                    connection.rollback()  # … as it must after an error: some of it never reached the server
                    connection.isolation_level = connection.read_only = None

    def address(self) -> str:
        """Where the database is, password included, after starting the embedded server if it is down."""
        return self._reachable()

    def lend_pool(self, borrow: Callable[[ConnectionPool[Connection[TupleRow]]], object]) -> None:
        """Let a library use the same connections."""
        borrow(self._pool)

    def close(self) -> None:
        """Give back every connection and, as its last user, stop the embedded server."""
        self._pool.close()
        if self._server is not None:
            self._server.release()

    def _timeout_reason(self) -> StorageError:
        """Why no connection came: the pool itself only says that it waited."""
        try:
            _connect(self._reachable()).close()
        except StorageError as error:
            return error
        return StorageError(
            f"Las {_POOL_SIZE} conexiones con la base de datos están ocupadas: espere un momento y vuelva a intentar."
        )

    def _reachable(self) -> str:
        """Where to connect; the pool asks before each new connection, so that a dead server is started first."""
        if self._server is not None:
            self._server.ensure_running()
        return self._conninfo


def open_database(settings: Settings, *, on_progress: Callable[[str], None] | None = None) -> Database:
    """Start or reach the server, check that it fits, and bring it to this program's schema.

    Where another login owns the tables (`DATABASE_MIGRATION_URL`), that is left to `migrate_database`, and a schema
    that lacks something raises `IncompatibleStoreError`. `on_progress` hears Spanish sentences about what takes long.
    """
    if settings.database_url is not None:
        conninfo, owner_url = _complete(settings.database_url), settings.database_migration_url
        _prepare(conninfo, may_migrate=owner_url is None)
        return Database(conninfo=conninfo, owner=_complete(owner_url) if owner_url else "")
    server = EmbeddedServer(settings.home / "postgresql", on_progress=on_progress)
    owner = server.acquire()
    try:
        _prepare(owner)
        return Database(conninfo=server.login(), owner=owner, server=server)
    except BaseException:
        server.release()
        raise


def migrate_database(settings: Settings) -> list[str]:
    """Bring the database to this program's schema as who owns the tables; the names of the migrations it lacked."""
    if settings.database_url is not None:
        return _prepare(_complete(settings.database_migration_url or settings.database_url))
    with EmbeddedServer(settings.home / "postgresql") as server:
        return _prepare(server.acquire())


def check_compatible(*, server: int, available: str | None, installed: str | None) -> None:
    """Raise `IncompatibleStoreError` unless the server's major version and its pgvector are new enough."""
    wanted = ".".join(map(str, _OLDEST_PGVECTOR))
    if server < _OLDEST_SERVER:
        raise IncompatibleStoreError(
            f"El servidor es PostgreSQL {server} y Legajo necesita PostgreSQL {_OLDEST_SERVER} o posterior: "
            "actualícelo, indique otro en DATABASE_URL, o quite DATABASE_URL para usar el incluido."
        )
    if installed is None and available is None:
        raise IncompatibleStoreError(
            f"El servidor no tiene pgvector: instale pgvector {wanted} o posterior en él, indique otro en "
            "DATABASE_URL, o quite DATABASE_URL para usar el incluido."
        )
    if _version(installed or available or "") >= _OLDEST_PGVECTOR:
        return
    if _version(available or "") >= _OLDEST_PGVECTOR:
        raise IncompatibleStoreError(
            f"La base de datos usa pgvector {installed} y Legajo necesita {wanted} o posterior: ejecute en ella "
            "«ALTER EXTENSION vector UPDATE» y vuelva a intentar."
        )
    raise IncompatibleStoreError(
        f"El servidor tiene pgvector {installed or available} y Legajo necesita {wanted} o posterior: actualícelo, "
        "indique otro servidor en DATABASE_URL, o quite DATABASE_URL para usar el incluido."
    )


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _prepare(conninfo: str, *, may_migrate: bool = True) -> list[str]:
    with _connect(conninfo) as conn:
        try:
            row = conn.execute(_VERSIONS).fetchone()
            assert row is not None  # noqa: S101  (a SELECT without FROM has one row)
            check_compatible(server=row[0], available=row[1], installed=row[2])
            if may_migrate:
                return migrate(conn)
            if lacking := pending_migrations(conn):
                raise IncompatibleStoreError(
                    f"A la base de datos {_public_address(conninfo)} le faltan cambios de esta versión, hasta "
                    f"{lacking[-1]}. Ejecute «legajo migrate» y vuelva a intentar.",
                    code="unmigrated_store",
                    lacking=len(lacking),
                )
            return []
        except psycopg.OperationalError as error:
            raise _explain(error, conninfo) from error
        except psycopg.Error as error:
            raise StorageError(
                f"No se pudo preparar la base de datos {_public_address(conninfo)}: {_first_line(error)}. "
                "Revise que el usuario pueda crear en ella tablas y extensiones, o indique en DATABASE_MIGRATION_URL "
                "uno que pueda y ejecute «legajo migrate»."
            ) from error


def _check_socket(conn: Connection[TupleRow]) -> None:
    """Ask the embedded server only where it may be gone: its sockets end with it, and are silent until then."""
    waiting = select.poll()
    waiting.register(conn.fileno(), select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(conn)


def _configure(conn: Connection[TupleRow]) -> None:
    """What each connection of the pool is given once; a pooler in between would give it to somebody else."""
    register_vector(conn)
    if _is_pooled(conn):
        conn.prepare_threshold = None
    else:
        # A machine that loses its power in the middle of a publication would hold the project's row for two hours, and
        # a process that is frozen there, for as long as it is.
        conn.execute("SELECT set_config('tcp_keepalives_idle', %s, false)", (str(_KEEPALIVE_S),))
        conn.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, false)", (f"{_FROZEN_S}s",))
    conn.commit()


def _is_pooled(conn: Connection[TupleRow]) -> bool:
    """Whether a pooler such as PgBouncer stands before the server: the process that it names is not the server's."""
    (pid,) = conn.execute("SELECT pg_backend_pid()").fetchone() or (0,)
    return bool(pid != conn.info.backend_pid)


def _connect(conninfo: str) -> Connection[TupleRow]:
    try:
        # What is prepared would stay in a pooler's session, for the next program to stumble over.
        return psycopg.connect(conninfo, autocommit=True, prepare_threshold=None)
    except psycopg.OperationalError as error:
        raise _explain(error, conninfo) from None


def _explain(error: psycopg.OperationalError, conninfo: str) -> StorageError:
    """What the person can do about a server that is out of reach, out of space, or gone in the middle."""
    where, reason = _public_address(conninfo), _first_line(error)
    if isinstance(error, psycopg.errors.DiskFull):
        return StorageError(f"No queda espacio en el disco de la base de datos {where}: libere espacio y repita.")
    if "statement pooling" in reason:
        return StorageError(
            f"Delante de la base de datos {where} hay un PgBouncer con pool_mode = statement, que no admite "
            "transacciones: use transaction o session."
        )
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return BusyStoreError(
            f"Otra operación retiene la base de datos {where}, quizá porque se incorpora un documento muy grande. "
            "Espere un momento y vuelva a intentar."
        )
    if isinstance(error, psycopg.errors.QueryCanceled):
        return BusyStoreError(
            f"La base de datos {where} no terminó en {STATEMENT_S:g} s, y la operación se canceló sin cambiar nada. "
            "Vuelva a intentar cuando esté menos ocupada."
        )
    if error.sqlstate is None:
        return StorageError(
            f"No se pudo usar la base de datos {where}: {reason}. Revise que el servidor esté en marcha y, si definió "
            "DATABASE_URL, que su dirección y su clave sean correctas."
        )
    return StorageError(f"La base de datos {where} no completó la operación: {reason}. Vuelva a intentar.")


def _complete(secret: SecretStr) -> str:
    """The address with a time limit. One that cannot be read is not shown: it may hold a password."""
    url = secret.get_secret_value()
    _check_at_signs(url)
    try:
        parameters = conninfo_to_dict(url)
    except psycopg.Error:
        raise ConfigurationError(
            "DATABASE_URL no es una dirección de PostgreSQL: escríbala como postgresql://usuario@servidor:5432/base."
        ) from None
    return make_conninfo(url, connect_timeout=parameters.get("connect_timeout") or _CONNECT_TIMEOUT_S)


def _check_at_signs(url: str) -> None:
    """A password with a bare «@» or «/» is cut there: libpq takes its rest for a host, which errors would show."""
    rest = url.partition("://")[2] if url.startswith(("postgresql://", "postgres://")) else ""
    user, _, place = rest.partition("@")
    place = rest if "/" in user else place
    if "@" in place.partition("?")[0]:
        raise ConfigurationError(
            "DATABASE_URL tiene más de una «@», o una «/» en la clave: en la clave escriba «%40» en lugar de «@» y "
            "«%2F» en lugar de «/»."
        )


def _public_address(conninfo: str) -> str:
    """What may be shown of an address: host, port and database, never the password."""
    parameters = conninfo_to_dict(conninfo)
    host, port = parameters.get("host", "localhost"), parameters.get("port", 5432)
    return f"{host}:{port}/{parameters.get('dbname', '')}"


def _first_line(error: psycopg.Error) -> str:
    """The server's or libpq's own reason, in one line; neither ever quotes the password."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].removesuffix(".")
