"""Processor time and memory of this process and of PostgreSQL's, as the kernel counts them."""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time

from psycopg import Connection

__all__ = ["Clocks", "backend_memory_mb", "own_memory_mb"]


class Clocks:
    """Reads the processor time of this process and of the backend that serves a connection, in milliseconds.

    One search at a time uses one connection of the pool, always the same. `database_ms` stays None where the server may
    be another machine's, or the kernel does not tell.
    """

    def __init__(self, connection: Connection, *, embedded: bool) -> None:
        file = Path(f"/proc/{connection.info.backend_pid}/schedstat")
        self._file = file if embedded and file.exists() else None

    def python_ms(self) -> float:
        """Of this process, all threads."""
        return process_time() * 1e3

    def database_ms(self) -> float | None:
        """Of the backend, user and system, to the nanosecond."""
        return int(self._file.read_text(encoding="ascii").split()[0]) / 1e6 if self._file else None


def own_memory_mb() -> float | None:
    """Resident memory of this process, in MiB."""
    return _memory_mb(os.getpid(), "VmRSS")


def backend_memory_mb(connection: Connection, *, embedded: bool) -> float | None:
    """Private memory of the backend that serves a connection, in MiB: without the buffers that all share."""
    return _memory_mb(connection.info.backend_pid, "RssAnon") if embedded else None


def _memory_mb(pid: int, field: str) -> float | None:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:  # another operating system
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:")), None)
