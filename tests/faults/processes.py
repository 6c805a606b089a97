"""Processes to stop and to kill: programs of the product, what they started, and a whole database server."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

DEADLINE_S = 600.0  # for a machine that is busy; nothing here waits for time to pass
PAUSE_S = 0.02  # between two looks

# A process that has imported what is heavy once, and has no threads of ours.
_forking = multiprocessing.get_context("forkserver")
_forking.set_forkserver_preload(["tests.faults.heavy"])


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that other processes bring about."""
    deadline, nobody = time.monotonic() + DEADLINE_S, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, f"the deadline passed: {what}"
        nobody.wait(PAUSE_S)


def free_port() -> int:
    """One of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Program:
    """A program of the product in a process of its own; see `tests.faults.program`. Its words go to `log`."""

    def __init__(self, log: Path, run: Callable[..., None], *arguments: object) -> None:
        self._process = _forking.Process(target=_logged, args=(log, run, arguments))
        self._process.start()
        self._log = log

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.is_alive()

    def wait_until_stopped(self) -> None:
        """It stopped itself at its point. That it ended instead is an error."""

        def stopped() -> bool:
            assert self.is_running, f"it ended: {self._log}"
            return _state(self.pid) == "T"

        until(stopped, f"it does not stop: {self._log}")

    def go_on(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def stop(self) -> None:
        os.kill(self.pid, signal.SIGSTOP)

    def kill(self) -> None:
        """As an exhausted memory would: no handler runs, and what it started must notice by itself."""
        children = descendants(self.pid)
        self._process.kill()
        self._process.join()
        until(lambda: not any(map(is_alive, children)), f"children of {self.pid} outlive it")

    def end(self) -> int:
        """Ask it to end, as `legajo` is asked; its exit code."""
        self._process.terminate()
        return self.wait()

    def wait(self) -> int:
        """Its exit code."""
        self._process.join(DEADLINE_S)
        assert self._process.exitcode is not None, "it does not end"
        return self._process.exitcode


def _logged(log: Path, run: Callable[..., None], arguments: tuple[object, ...]) -> None:
    with log.open("ab", buffering=0) as stream:
        for number in (1, 2):
            os.dup2(stream.fileno(), number)
    run(*arguments)


@contextmanager
def cleared_away(programs: list[Program]) -> Iterator[None]:
    """No program outlives the test, whatever happens."""
    try:
        yield
    finally:
        for program in programs:
            if program.is_running:
                program.kill()


def is_alive(pid: int) -> bool:
    return _state(pid) not in ("", "Z", "X")


def descendants(pid: int) -> list[int]:
    """The processes that it started, and theirs."""
    children = [child for child in _processes() if _parent(child) == pid]
    return children + [each for child in children for each in descendants(child)]


def kill_server(root: Path) -> None:
    """Kill every process of an embedded server at once: no shutdown, no checkpoint."""
    postmaster = int((root / "data" / "postmaster.pid").read_bytes().split(b"\n", 1)[0])
    every = [postmaster, *descendants(postmaster)]
    for pid in every:  # the postmaster first: it would only restart the others
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    until(lambda: not any(map(is_alive, every)), "processes of the server outlive it")


def _processes() -> Iterator[int]:
    return (int(entry.name) for entry in Path("/proc").glob("[0-9]*"))


def _state(pid: int) -> str:
    fields = _fields(pid)
    return fields[0] if fields else ""


def _parent(pid: int) -> int:
    fields = _fields(pid)
    return int(fields[1]) if fields else 0


def _fields(pid: int) -> list[str]:
    """Of /proc/PID/stat, those behind the name, which may hold anything; none when there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return []
