"""Stands before a PostgreSQL server and hands on what is said, until a test cuts it."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

from psycopg.conninfo import conninfo_to_dict, make_conninfo

__all__ = ["Conversation", "Relay"]


class Conversation:
    """One client's connection; a subclass may end it."""

    def ends(self, said: bytes, *, by_client: bool) -> bool:  # noqa: ARG002  (for who says otherwise)
        """Whether what one side `said` is not handed on any more, and both are left."""
        return False


class Relay:
    """Listens on a port of its own for the server of `url`, which is reached by a socket file and a password."""

    def __init__(self, url: str) -> None:
        known = conninfo_to_dict(url)
        self._server = f"{known['host']}/.s.PGSQL.{known['port']}"
        self._ends = set[socket.socket]()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._place = self._listening.getsockname()
        password = Path(str(known["passfile"])).read_text(encoding="utf-8").strip().rpartition(":")[2]
        who = {"user": known["user"], "password": password, "dbname": known["dbname"]}
        self.url = make_conninfo(host="127.0.0.1", port=self._place[1], **who)
        self._listen()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()

    def begun(self) -> Conversation:
        """What is known of a new connection."""
        return Conversation()

    def cut(self) -> None:
        """As if the server were gone: who is connected is left, and nobody is let in."""
        for each in (self._listening, *self._ends):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def mend(self) -> None:
        """As if it were back."""
        self._listening = socket.create_server(self._place)
        self._listen()

    def _listen(self) -> None:
        Thread(target=self._serve, args=(self._listening,), daemon=True).start()

    def _serve(self, listening: socket.socket) -> None:
        with suppress(OSError):  # cut
            while True:
                client, _ = listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._ends |= {client, server}
                conversation = self.begun()
                for source, sink, by_client in ((client, server, True), (server, client, False)):
                    Thread(target=_hand_on, args=(source, sink, conversation, by_client), daemon=True).start()


def _hand_on(source: socket.socket, sink: socket.socket, conversation: Conversation, by_client: bool) -> None:
    with suppress(OSError), source, sink:
        while said := source.recv(1 << 16):
            if conversation.ends(said, by_client=by_client):
                break
            sink.sendall(said)
        for each in (source, sink):
            each.shutdown(socket.SHUT_RDWR)
