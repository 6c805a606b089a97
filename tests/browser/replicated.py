"""Several `legajo serve` on one database, each as on a machine of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.browser.conftest import PROXIED, await_health
from tests.browser.programs import launch
from tests.faults.processes import Program, cleared_away, free_port

__all__ = ["Chat", "two_chats"]

_PLACES = ("127.0.0.2", "127.0.0.3")  # two machines with the same port, as the cookie names it


class Chat:
    """`legajo serve` on a machine of its own."""

    def __init__(self, place: str, port: int, folder: Path, variables: dict[str, str]) -> None:
        self.place = f"{place}:{port}"
        self._log = folder / f"{place}.log"
        self._options = ["--address", place, "--port", str(port), "--no-browser", "--no-worker"]
        self._options += ["--allowed-host", PROXIED]
        self._environment = {**os.environ, **variables}
        self.program = self._started()

    def _started(self) -> Program:
        return Program(self._log, launch, self._options, self._environment)

    def wait(self) -> None:
        """Until it can answer."""
        await_health(f"http://{self.place}/ready", self.program, self._log)

    def end(self) -> None:
        """As a service manager ends it."""
        self.program.end()

    def start_again(self) -> None:
        """Until it can answer."""
        self.program = self._started()
        self.wait()


@contextmanager
def two_chats(folder: Path, **variables: str) -> Iterator[tuple[Chat, Chat]]:
    """With accounts, and `variables` in their environment."""
    port, variables = free_port(), {"LEGAJO_ACCOUNTS": "password", **variables}
    one, two = (Chat(place, port, folder, variables) for place in _PLACES)
    try:
        for chat in (one, two):
            chat.wait()
        yield one, two
        for chat in (one, two):
            chat.end()
    finally:
        with cleared_away([one.program, two.program]):
            pass
