"""Processor time and memory of this process and of PostgreSQL's, as the kernel counts them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time

from psycopg import Connection

__all__ = [
    "Clocks",
    "backend_memory_mb",
    "children",
    "foreign_threads_s",
    "own_memory_mb",
    "parent",
    "peak_memory_mb",
    "processor_s",
    "tree_s",
]

_TICKS_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100  # a second, of /proc/…/stat
_HOUSEKEEPING = ("autovacuum", "background writer", "checkpointer", "logical replication", "walwriter")
_PARENT, _OWN, _WAITED = 1, slice(11, 13), slice(13, 15)  # fields of /proc/…/stat, counted from behind the name


class Clocks:
    """Reads the processor time of this process and of what PostgreSQL runs for it, in milliseconds.

    A search may use several connections of the pool, and more are made while it lasts: all processes of the server
    count but those that keep house. `database_ms` stays None where the server may be another machine's, or the kernel
    does not tell.
    """

    def __init__(self, connection: Connection, *, embedded: bool) -> None:
        self._server = parent(connection.info.backend_pid) if embedded else 0
        self._spent_ns: dict[int, int] = {}  # by process; one that has ended keeps what it was last seen with
        self._keeps_house: dict[int, bool] = {}

    def python_ms(self) -> float:
        """Of this process, all threads."""
        return process_time() * 1e3

    def database_ms(self) -> float | None:
        """User and system, to the nanosecond."""
        for pid in children(self._server) if self._server else ():
            if pid not in self._keeps_house:
                self._keeps_house[pid] = any(name in _command_line(pid) for name in _HOUSEKEEPING)
            if not self._keeps_house[pid]:
                with suppress(OSError):  # it has just ended
                    self._spent_ns[pid] = _running_ns(Path(f"/proc/{pid}"))
        return sum(self._spent_ns.values()) / 1e6 if self._spent_ns else None


def own_memory_mb() -> float | None:
    """Resident memory of this process, in MiB."""
    return _memory_mb(os.getpid(), "VmRSS")


def backend_memory_mb(connection: Connection, *, embedded: bool) -> float | None:
    """Private memory of the backend that serves a connection, in MiB: without the buffers that all share."""
    return _memory_mb(connection.info.backend_pid, "RssAnon") if embedded else None


def peak_memory_mb(pid: int) -> float | None:
    """The most resident memory that a process has had, in MiB."""
    return _memory_mb(pid, "VmHWM")


def processor_s(pid: int) -> float:
    """Processor time of a process so far, user and system, in seconds; 0 when it is gone."""
    return sum(map(int, _status(pid)[_OWN])) / _TICKS_S


def tree_s(pid: int) -> float:
    """Processor time of a process, of its children, and of those of them that have ended."""
    ended = sum(map(int, _status(pid)[_WAITED])) / _TICKS_S
    return processor_s(pid) + ended + sum(map(processor_s, children(pid)))


def parent(pid: int) -> int:
    """The process that started another one; 0 where that cannot be seen."""
    found = _status(pid)
    return int(found[_PARENT]) if found else 0


def children(pid: int, *, running: str = "") -> Iterator[int]:
    """The processes that `pid` has started and that live; only those with `running` in their command line."""
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # the thread has just ended
            for child in map(int, file.read_text(encoding="ascii").split()):
                if running in _command_line(child):
                    yield child


def foreign_threads_s() -> float:
    """Processor time so far of the threads of this process that Python did not start: those of an embedding model."""
    ours = {thread.native_id for thread in threading.enumerate()}
    total = 0
    for task in Path("/proc/self/task").glob("[0-9]*"):
        if int(task.name) not in ours:
            with suppress(OSError):  # it has just ended
                total += _running_ns(task)
    return total / 1e9


def _running_ns(task: Path) -> int:
    return int((task / "schedstat").read_text(encoding="ascii").split()[0])


def _command_line(pid: int) -> str:
    """Empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _status(pid: int) -> list[str]:
    """The fields behind the name of a process, which may hold anything; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []


def _memory_mb(pid: int, field: str) -> float | None:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:  # another operating system
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:")), None)
