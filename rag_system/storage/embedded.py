"""The embedded PostgreSQL, shared by every process of one home directory.

Who uses the server holds a *shared* lock on `users.lock`; starting and stopping happen under an *exclusive* lock on
`server.lock`. On release, whoever gets `users.lock` exclusively was the last and stops the server. The kernel drops the
locks of a killed process, so there is no list of users to go stale: a server that a killed program left running is
reused by the next one, and stopped when that one ends.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from rag_system.errors import EmbeddedServerError
from rag_system.storage.cluster import Cluster
from rag_system.storage.diagnosis import explain_system_error, refuses_password

__all__ = ["EmbeddedServer"]

_LOCK_TIMEOUT_S = 400.0  # longer than the longest start or stop
_POLL_S = 0.01


def _silent(_message: str) -> None:
    """Nobody wants to hear of the progress."""


class EmbeddedServer:
    """A server on `root`, started by its first user and stopped by its last.

    `on_progress` hears Spanish sentences about what takes long. Safe to share between threads.
    """

    def __init__(self, root: Path, *, on_progress: Callable[[str], None] | None = None) -> None:
        self._root = root.absolute()
        self._cluster = Cluster(self._root)
        self._notify = on_progress or _silent
        self._mutex = threading.RLock()
        self._users: int | None = None  # descriptor of our shared lock
        self._owner = 0  # the process that holds it; a forked child does not

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def acquire(self) -> str:
        """Become a user of the running server, starting it if need be; how its owner connects.

        The string holds no secret. A failure is an `EmbeddedServerError` with a way out.
        """
        with self._mutex, self._translated():
            _make_private_directories(self._root)
            with self._exclusive():
                self._join()
                try:
                    self._cluster.ensure_running(self._notify)
                    self._check_usable()
                except BaseException:  # also Ctrl-C while it starts
                    self._leave_and_stop_if_last()
                    raise
            return self._cluster.conninfo()

    def login(self) -> str:
        """How the application connects, whose login owns nothing. Holds no secret either."""
        return self._cluster.login()

    def is_running(self) -> bool:
        """Whether the server runs. Takes microseconds, so that it can be asked before every query."""
        return self._cluster.serves()

    def ensure_running(self) -> str:
        """Start the server again if it died under its users; cheap when it lives. How its owner connects."""
        if self._users is not None and self._cluster.answers():
            return self._cluster.conninfo()
        return self.acquire()

    def release(self) -> None:
        """Stop being a user; the last one stops the server."""
        with self._mutex, self._translated():
            if self._users is None:
                return
            if self._owner != os.getpid():  # a forked child: the lock is its parent's
                os.close(self._users)
                self._users = None
                return
            with self._exclusive():
                self._leave_and_stop_if_last()

    def _check_usable(self) -> None:
        """Mend a password that the server does not accept; explain the damage that only a connection meets."""
        refusal = self._cluster.refusal()
        if refuses_password(refusal) and self._is_only_user():
            self._notify("La clave de la base de datos no servía: se pone una nueva; los datos no cambian.")
            self._cluster.stop()
            self._cluster.put_password_aside()
            self._cluster.ensure_running(self._notify)
            refusal = self._cluster.refusal()
        if refusal and (error := self._cluster.explain(refusal)) is not None:
            raise error
        if not refusal:
            self._cluster.ensure_login()

    def _is_only_user(self) -> bool:
        assert self._users is not None  # noqa: S101  (`_join` came first)
        alone = _try_lock(self._users, fcntl.LOCK_EX)
        fcntl.flock(self._users, fcntl.LOCK_SH)  # a failed try loses the lock too; under `server.lock` this never waits
        return alone

    def _join(self) -> None:
        if self._users is not None and self._owner == os.getpid():
            return
        self._users = os.open(self._root / "users.lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._owner = os.getpid()
        fcntl.flock(self._users, fcntl.LOCK_SH)  # never waits: it is taken exclusively only under `server.lock`
        atexit.register(self.release)

    def _leave_and_stop_if_last(self) -> None:
        try:
            if self._users is not None and _try_lock(self._users, fcntl.LOCK_EX):
                self._cluster.stop()
        finally:
            self._leave()

    def _leave(self) -> None:
        if self._users is None:
            return
        fcntl.flock(self._users, fcntl.LOCK_UN)  # not only closed: a forked child may hold a copy
        os.close(self._users)
        self._users = None
        atexit.unregister(self.release)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        descriptor = os.open(self._root / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            deadline = time.monotonic() + _LOCK_TIMEOUT_S
            while not _try_lock(descriptor, fcntl.LOCK_EX):
                if time.monotonic() > deadline:
                    raise EmbeddedServerError(
                        f"Otro programa de Legajo lleva demasiado tiempo iniciando la base de datos de {self._root}: "
                        "ciérrelo y vuelva a intentar."
                    )
                time.sleep(_POLL_S)
            yield
        finally:
            os.close(descriptor)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise explain_system_error(error, root=self._root) from error


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _make_private_directories(path: Path) -> None:
    """Make the missing part of a path, private to us; root's may be crossed by the account that PostgreSQL runs as."""
    mode = 0o711 if os.geteuid() == 0 else 0o700
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=mode, exist_ok=True)
