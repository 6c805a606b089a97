"""One connection: how it is made, what it is given, and what a person is told where it fails."""

from __future__ import annotations

import select

import psycopg
from pgvector.psycopg import register_vector
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool

from rag_system.errors import BusyStoreError, LostStoreError, StorageError

__all__ = ["LOCK_S", "STATEMENT_S", "check_socket", "configure", "connect", "explain", "first_line", "public_address"]

_KEEPALIVE_S = 60
_FROZEN_S = 300  # between two statements of a transaction
# For what a person waits for: a search takes milliseconds. Whoever publishes a very large document holds its project's
# row for longer, which is told to who would change the project meanwhile.
LOCK_S = 10.0  # for a row or a table that somebody else holds
STATEMENT_S = 60.0

_GOES_DOWN = (psycopg.errors.AdminShutdown, psycopg.errors.CrashShutdown, psycopg.errors.CannotConnectNow)


def check_socket(conn: Connection[TupleRow]) -> None:
    """Ask the embedded server only where it may be gone: its sockets end with it, and are silent until then."""
    waiting = select.poll()
    waiting.register(conn.fileno(), select.POLLIN)
    if waiting.poll(0):
        ConnectionPool.check_connection(conn)


def configure(conn: Connection[TupleRow]) -> None:
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


def connect(conninfo: str) -> Connection[TupleRow]:
    """A connection of its own, in no transaction. Raises as `explain` says."""
    try:
        # What is prepared would stay in a pooler's session, for the next program to stumble over.
        return psycopg.connect(conninfo, autocommit=True, prepare_threshold=None)
    except psycopg.OperationalError as error:
        raise explain(error, conninfo) from None


def explain(error: psycopg.OperationalError, conninfo: str) -> StorageError:
    """What the person can do about a server that is out of reach, out of space, or gone in the middle."""
    where, reason = public_address(conninfo), first_line(error)
    if isinstance(error, psycopg.errors.DiskFull):
        return StorageError(f"No queda espacio en el disco de la base de datos {where}: libere espacio y repita.")
    if "statement pooling" in reason:
        return StorageError(
            f"Delante de la base de datos {where} hay un PgBouncer con pool_mode = statement, que no admite "
            "transacciones: use transaction o session."
        )
    if isinstance(error, psycopg.errors.LockNotAvailable):
        return BusyStoreError(
            "Otra operación retiene la base de datos, quizá porque se incorpora un documento muy grande. Espere un "
            "momento y vuelva a intentar."
        )
    if isinstance(error, psycopg.errors.QueryCanceled):
        return BusyStoreError(
            f"La base de datos no terminó en {STATEMENT_S:g} s, y la operación se canceló sin cambiar nada. "
            "Vuelva a intentar cuando esté menos ocupada."
        )
    if error.sqlstate is None or isinstance(error, _GOES_DOWN):
        return LostStoreError(
            f"No se pudo usar la base de datos {where}: {reason}. Revise que el servidor esté en marcha y, si definió "
            "DATABASE_URL, que su dirección y su clave sean correctas."
        )
    return StorageError(f"La base de datos {where} no completó la operación: {reason}. Vuelva a intentar.")


def public_address(conninfo: str) -> str:
    """What may be shown of an address: hosts, ports and database, never the password."""
    parameters = conninfo_to_dict(conninfo)
    hosts, ports = (str(parameters.get(name) or "").split(",") for name in ("host", "port"))
    of_each = ports * len(hosts) if len(ports) == 1 else ports
    places = [f"{host or 'localhost'}:{port or 5432}" for host, port in zip(hosts, of_each, strict=False)]
    return f"{','.join(places)}/{parameters.get('dbname', '')}"


def first_line(error: psycopg.Error) -> str:
    """The server's or libpq's own reason, in one line; neither ever quotes the password."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0].removesuffix(".")
