"""Processor time and memory of this process and of PostgreSQL's, as the kernel counts them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import process_time

from psycopg import Connection

__all__ = ["Clocks", "backend_memory_mb", "own_memory_mb"]

_PIDS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"


class Clocks:
    """Reads the processor time of this process and of every backend of a database, in milliseconds.

    `database_ms` stays None where the server is another machine's, or the kernel does not tell.
    """

    def __init__(self, connection: Connection, *, embedded: bool) -> None:
        pids = [row[0] for row in connection.execute(_PIDS)] if embedded else []
        self._files = [Path(f"/proc/{pid}/schedstat") for pid in pids]
        self.sees_database = bool(pids) and all(file.exists() for file in self._files)

    def python_ms(self) -> float:
        """Of this process, all threads."""
        return process_time() * 1e3

    def database_ms(self) -> float | None:
        """Of the backends, in the kernel's nanoseconds: user and system."""
        if not self.sees_database:
            return None
        return sum(int(file.read_text(encoding="ascii").split()[0]) for file in self._files) / 1e6


def own_memory_mb() -> float | None:
    """Resident memory of this process, in MiB."""
    return _memory_mb([os.getpid()], "VmRSS")


def backend_memory_mb(connection: Connection, *, embedded: bool) -> float | None:
    """The largest private memory of a backend, in MiB: without the buffers that all share."""
    pids = [row[0] for row in connection.execute(_PIDS)] if embedded else []
    return _memory_mb(pids, "RssAnon")


def _memory_mb(pids: Sequence[int], field: str) -> float | None:
    found = []
    for pid in pids:
        with suppress(OSError):  # no such file system, or the process has gone
            lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
            found += [int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:")]
    return max(found, default=None)
