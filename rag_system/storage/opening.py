"""Reach the database, the embedded server or the one of `DATABASE_URL`, checked and brought to this program's
schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from rag_system.errors import ConfigurationError, IncompatibleStoreError, StorageError
from rag_system.settings import Settings
from rag_system.storage.connecting import connect, explain, first_line, public_address
from rag_system.storage.connection import Database
from rag_system.storage.embedded import EmbeddedServer
from rag_system.storage.migrate import migrate, pending_migrations
from rag_system.storage.replicas import Replica

__all__ = ["check_compatible", "migrate_database", "open_database", "owner_address"]

_OLDEST_SERVER = 15  # major version
_OLDEST_PGVECTOR = (0, 8, 4)
_CONNECT_TIMEOUT_S = 10
_REPLICA_TIMEOUT_S = 2  # to connect, and for what is sent to arrive
_REPLICA_WAIT_S = 1.0
_VERSIONS = """
    SELECT current_setting('server_version_num')::integer / 10000,
           (SELECT default_version FROM pg_available_extensions WHERE name = 'vector'),
           (SELECT extversion FROM pg_extension WHERE extname = 'vector')
"""


def open_database(settings: Settings, *, on_progress: Callable[[str], None] | None = None) -> Database:
    """Start or reach the server, check that it fits, and bring it to this program's schema.

    Where another login owns the tables (`DATABASE_MIGRATION_URL`), that is left to `migrate_database`, and a schema
    that lacks something raises `IncompatibleStoreError`. `on_progress` hears Spanish sentences about what takes long.
    """
    if settings.database_url is not None:
        conninfo, owner_url = _complete(settings.database_url), settings.database_migration_url
        _prepare(conninfo, settings, may_migrate=owner_url is None)
        owner, replica = _complete(owner_url) if owner_url else "", _replica(settings)
        return Database(conninfo=conninfo, owner=owner, replica=replica)
    server = EmbeddedServer(settings.home / "postgresql", on_progress=on_progress)
    owner = server.acquire()
    try:
        _prepare(owner, settings)
        return Database(conninfo=server.login(), owner=owner, server=server)
    except BaseException:
        server.release()
        raise


def _replica(settings: Settings) -> Replica | None:
    """Of `DATABASE_READ_URL`. It may be down, now or later: nobody waits long for it."""
    if settings.database_read_url is None:
        return None
    impatient = {"connect_timeout": _REPLICA_TIMEOUT_S, "tcp_user_timeout": 1000 * _REPLICA_TIMEOUT_S}
    conninfo = _complete(settings.database_read_url, "DATABASE_READ_URL", **impatient)
    return Replica(Database(conninfo=conninfo, wait_s=_REPLICA_WAIT_S), lag_s=settings.replica_lag_s)


def migrate_database(settings: Settings) -> list[str]:
    """Bring the database to this program's schema as who owns the tables; the names of the migrations it lacked."""
    with owner_address(settings) as owner:
        return _prepare(owner, settings)


@contextmanager
def owner_address(settings: Settings) -> Iterator[str]:
    """How the owner of the tables reaches the database, whose embedded server runs meanwhile."""
    if settings.database_url is not None:
        yield _complete(settings.database_migration_url or settings.database_url)
        return
    with EmbeddedServer(settings.home / "postgresql") as server:
        yield server.acquire()


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


def _check_encoding(conn: psycopg.Connection) -> None:
    """Raise `IncompatibleStoreError` unless the database holds letters of every language."""
    encoding = conn.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise IncompatibleStoreError(
            f"La base de datos guarda los textos en {encoding} y Legajo necesita UTF8: cree otra con «CREATE DATABASE "
            "legajo ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0» e indíquela en DATABASE_URL."
        )


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text))


def _prepare(conninfo: str, settings: Settings, *, may_migrate: bool = True) -> list[str]:
    with connect(conninfo) as conn:
        try:
            _check_encoding(conn)
            row = conn.execute(_VERSIONS).fetchone()
            assert row is not None  # noqa: S101  (a SELECT without FROM has one row)
            check_compatible(server=row[0], available=row[1], installed=row[2])
            if may_migrate:
                return migrate(conn, partitions=settings.database_partitions)
            if lacking := pending_migrations(conn):
                raise IncompatibleStoreError(
                    f"A la base de datos {public_address(conninfo)} le faltan cambios de esta versión, hasta "
                    f"{lacking[-1]}. Ejecute «legajo migrate» y vuelva a intentar.",
                    code="unmigrated_store",
                    lacking=len(lacking),
                )
            return []
        except psycopg.OperationalError as error:
            raise explain(error, conninfo) from error
        except psycopg.Error as error:
            raise StorageError(
                f"No se pudo preparar la base de datos {public_address(conninfo)}: {first_line(error)}. "
                "Revise que el usuario pueda crear en ella tablas y extensiones, o indique en DATABASE_MIGRATION_URL "
                "uno que pueda y ejecute «legajo migrate»."
            ) from error


def _complete(secret: SecretStr, variable: str = "DATABASE_URL", **limits: int) -> str:
    """The address with time limits, where it has none. One that cannot be read is not shown: it may hold a password."""
    url = secret.get_secret_value()
    _check_at_signs(url, variable)
    try:
        parameters = conninfo_to_dict(url)
    except psycopg.Error:
        raise ConfigurationError(
            f"{variable} no es una dirección de PostgreSQL: escríbala como postgresql://usuario@servidor:5432/base."
        ) from None
    limits = {"connect_timeout": _CONNECT_TIMEOUT_S, **limits}
    return make_conninfo(url, **{name: parameters.get(name) or limit for name, limit in limits.items()})


def _check_at_signs(url: str, variable: str) -> None:
    """A password with a bare «@» or «/» is cut there: libpq takes its rest for a host, which errors would show."""
    rest = url.partition("://")[2] if url.startswith(("postgresql://", "postgres://")) else ""
    user, _, place = rest.partition("@")
    place = rest if "/" in user else place
    if "@" in place.partition("?")[0]:
        raise ConfigurationError(
            f"{variable} tiene más de una «@», o una «/» en la clave: en la clave escriba «%40» en lugar de «@» y "
            "«%2F» en lugar de «/»."
        )
