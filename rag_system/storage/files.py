"""The bytes of accepted files, in parts of 1 MiB: one backup holds everything, and memory stays constant."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from psycopg import Connection

from rag_system.errors import UnreadableFileError
from rag_system.storage.sql import queries

__all__ = ["copy_file", "digest", "drop_unused_file", "read_file", "store_file"]

PART_BYTES = 1 << 20

_SQL = queries("rag_system.storage.queries", "files.sql")


def digest(stream: BinaryIO) -> tuple[str, int]:
    """SHA-256 in hex and size in bytes, in constant memory."""
    sha, size = hashlib.sha256(), 0
    for part in _parts(stream):
        sha.update(part)
        size += len(part)
    return sha.hexdigest(), size


def store_file(connection: Connection, project: str, stream: BinaryIO, *, sha256: str, size_bytes: int) -> None:
    """Keep the bytes, unless the project holds them already.

    Raises `UnreadableFileError` when they are not those that were digested.
    """
    row = {"project": project, "sha256": sha256, "size": size_bytes}
    if _is_held(connection, row):
        return
    sha = hashlib.sha256()
    for number, part in enumerate(_parts(stream)):
        sha.update(part)
        connection.execute(_SQL["store_part"], {**row, "part": number, "bytes": part}, binary=True)
    if sha.hexdigest() != sha256:
        raise UnreadableFileError("El archivo cambió mientras se leía. Vuelva a incorporarlo.")


def copy_file(connection: Connection, project: str, *, source: str, sha256: str, size_bytes: int) -> None:
    """The same with the bytes that another project holds."""
    row = {"project": project, "source": source, "sha256": sha256, "size": size_bytes}
    if not _is_held(connection, row):
        connection.execute(_SQL["copy_parts"], row)


def _is_held(connection: Connection, row: Mapping[str, object]) -> bool:
    """Whether the project holds the bytes already; else their row is there now, and waits for its parts."""
    while connection.execute(_SQL["store"], row).fetchone() is None:
        if connection.execute(_SQL["hold"], row).fetchone() is not None:
            return True
    return False


def read_file(connection: Connection, project: str, sha256: str) -> Iterator[bytes]:
    """The stored bytes, part by part; nothing when the project does not hold them."""
    part = 0
    while row := connection.execute(
        _SQL["part"], {"project": project, "sha256": sha256, "part": part}, binary=True
    ).fetchone():
        yield row[0]
        part += 1


def drop_unused_file(connection: Connection, project: str, sha256: str) -> None:
    """Forget the bytes that no document and no ingestion of the project needs any more."""
    row = {"project": project, "sha256": sha256}
    if connection.execute(_SQL["take_unused"], row).fetchone() is not None:
        connection.execute(_SQL["drop_unused"], row)


def _parts(stream: BinaryIO) -> Iterator[bytes]:
    while part := stream.read(PART_BYTES):
        yield part
