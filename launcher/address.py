"""Where the chat is served: whether that place is free, what a person opens, and whether it answers."""

from __future__ import annotations

import errno
import http
import socket
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException

from rag_system.errors import InputError

__all__ = ["Address"]

_PORTS_TO_SUGGEST = 50
_HERE = ("127.0.0.1", "0.0.0.0", "localhost")  # noqa: S104


@dataclass(frozen=True, slots=True)
class Address:
    """An IP address or a name of this machine, and a port."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{'localhost' if self.host in _HERE else self.host}:{self.port}"

    def check_free(self) -> None:
        """Raise `InputError`, with a port that is free, where it cannot be used."""
        problem = self._problem(self.port)
        if problem is None:
            return
        following = range(self.port + 1, min(self.port + _PORTS_TO_SUGGEST, 65536))
        free = next((each for each in following if self._problem(each) is None), None)
        advice = f"Pruebe con «scripts/start --port {free}»." if free else "Elija otro con --port."
        raise InputError(f"No se puede usar el puerto {self.port} en {self.host} ({problem}). {advice}")

    def _problem(self, port: int) -> str | None:
        try:
            family, kind, protocol, _, place = socket.getaddrinfo(self.host, port, type=socket.SOCK_STREAM)[0]
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(place)
        except PermissionError:
            return "está reservado al administrador"
        except OSError as error:
            busy = error.errno == errno.EADDRINUSE
            return "está ocupado por otro programa" if busy else "no es una dirección de este equipo"
        return None

    def is_healthy(self) -> bool:
        """Whether the chat answers there."""
        connection = HTTPConnection("127.0.0.1" if self.host in _HERE else self.host, self.port, timeout=2)
        try:
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()
