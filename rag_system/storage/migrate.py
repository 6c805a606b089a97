"""Bring a database to this program's schema: ordered `migrations/NNNN_name.sql`, each applied once, in a transaction.

Several programs may start at the same time: an advisory lock lets one of them migrate and the others find it done. A
migration grants nothing itself: what its tables' policies speak of is granted when it was applied.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files

from psycopg import Connection
from psycopg.rows import TupleRow

from rag_system.errors import IncompatibleStoreError
from rag_system.storage.sql import queries

__all__ = ["PARTITIONED", "Migration", "migrate", "pending_migrations", "schema_birth", "shipped_migrations"]

_SQL = queries("rag_system.storage.queries", "grants.sql")
# What grows with the chunks of a project, and is partitioned by project where that is asked for.
PARTITIONED = ("file_parts", "chunks", "embeddings", "postings", "entity_chunks", "chunk_entities")
_TABLE = re.compile(rf"^CREATE TABLE ({'|'.join(PARTITIONED)}) \(\n(.*?)^\);$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")
_LOCK = 0x6C656761_6A6F  # "legajo" in ASCII: any number nobody else takes
LONGEST_WAIT_S = 30.0  # for a lock: whoever starts a program must learn why it does not start; to migrate may take long
_MAKE_TABLE = """
    CREATE TABLE IF NOT EXISTS schema_migrations (
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    )
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step of the schema's history."""

    version: int
    name: str
    sql: str

    def __str__(self) -> str:
        return f"{self.version:04d}_{self.name}"

    @property
    def checksum(self) -> str:
        """SHA-256 of the text, so that a step that was edited after it was applied does not go unnoticed."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def shipped_migrations() -> tuple[Migration, ...]:
    """The migrations of this program, in order."""
    found = []
    for file in files("rag_system.storage").joinpath("migrations").iterdir():
        if match := _FILE_NAME.fullmatch(file.name):
            sql = file.read_text(encoding="utf-8")
            found.append(Migration(version=int(match[1]), name=match[2], sql=sql))
    return tuple(sorted(found, key=lambda each: each.version))


def migrate(
    conn: Connection[TupleRow], migrations: tuple[Migration, ...] | None = None, *, partitions: int = 1
) -> list[str]:
    """Apply what is missing and return the names of what was applied; `migrations` defaults to the shipped ones.

    `partitions`: in how many parts, by project, the tables of `PARTITIONED` are made; of those there are, nothing.

    `conn` must be outside a transaction. A database that a newer program migrated, or whose applied steps differ from
    ours, raises `IncompatibleStoreError` and is left as it was.
    """
    known = shipped_migrations() if migrations is None else migrations
    applied: list[str] = []
    if not _pending(conn, known):
        return applied
    for migration in known:
        with conn.transaction():
            _limit_wait(conn)
            conn.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            if migration not in _pending(conn, known):  # another program was faster
                continue
            conn.execute(_MAKE_TABLE)
            conn.execute(migration.sql if partitions == 1 else _in_partitions(migration.sql, partitions))
            conn.execute(_SQL["grant"])
            conn.execute(
                "INSERT INTO schema_migrations (version, name, checksum) VALUES (%s, %s, %s)",
                (migration.version, migration.name, migration.checksum),
            )
            applied.append(str(migration))
    return applied


def _in_partitions(sql: str, partitions: int) -> str:
    """The same with the tables in partitions by hash of the project: by their names they are read as before."""

    def divided(table: re.Match[str]) -> str:
        name = table[1]
        parts = (
            f"CREATE TABLE {name}_{part} PARTITION OF {name} FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part});"
            for part in range(partitions)
        )
        return "\n".join((f"CREATE TABLE {name} (\n{table[2]}) PARTITION BY HASH (project_id);", *parts))

    return _TABLE.sub(divided, sql)


def pending_migrations(conn: Connection[TupleRow]) -> list[str]:
    """The names of the shipped migrations that the database lacks; raises as `migrate` does."""
    return list(map(str, _pending(conn, shipped_migrations())))


def schema_birth(conn: Connection[TupleRow]) -> datetime:
    """When the schema was made: tells a database from another one that later stands at the same address."""
    row = conn.execute("SELECT min(applied_at) FROM schema_migrations").fetchone()
    assert row is not None  # noqa: S101  (an aggregate has one row)
    born: datetime = row[0]
    return born


def _limit_wait(conn: Connection[TupleRow]) -> None:
    """For this transaction."""
    conn.execute("SELECT set_config('lock_timeout', %s, true)", (f"{round(LONGEST_WAIT_S * 1000)}ms",))


def _pending(conn: Connection[TupleRow], known: tuple[Migration, ...]) -> list[Migration]:
    """The migrations not applied yet, after checking that the applied ones are ours."""
    recorded = _recorded(conn)
    expected = {each.version: each for each in known}
    if unknown := sorted(recorded.keys() - expected.keys()):
        raise IncompatibleStoreError(
            f"La base de datos es de una versión más nueva de Legajo (migración {unknown[-1]:04d}): actualice el "
            "programa o use otra base de datos."
        )
    for version, checksum in recorded.items():
        if checksum != expected[version].checksum:
            raise IncompatibleStoreError(
                f"La migración {version:04d} aplicada a la base de datos no es la de este programa: use la versión de "
                "Legajo que creó la base de datos, o una base de datos nueva."
            )
    return [each for each in known if each.version not in recorded]


def _recorded(conn: Connection[TupleRow]) -> dict[int, str]:
    with conn.transaction():
        _limit_wait(conn)
        found = conn.execute("SELECT to_regclass('schema_migrations') IS NOT NULL").fetchone()
        if found is None or not found[0]:
            return {}
        return dict(conn.execute("SELECT version, checksum FROM schema_migrations ORDER BY version").fetchall())
