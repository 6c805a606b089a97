"""Where the chat is served: whether that place is free, by which addresses it is reached, and whether it answers."""

from __future__ import annotations

import errno
import fcntl
import http
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address

from rag_system.errors import InputError

__all__ = ["Address"]

_PORTS_TO_SUGGEST = 50
_HERE = "127.0.0.1"
_SIOCGIFADDR = 0x8915  # linux/sockios.h
_IFREQ = struct.Struct("16s 4x 4s 232x")  # a name; after the family and port of a socket address, four bytes


@dataclass(frozen=True, slots=True)
class Address:
    """An IP address or a name of this machine, and a port."""

    host: str
    port: int

    @property
    def is_only_here(self) -> bool:
        """Whether no other machine reaches it."""
        number = self._number
        return self.host == "localhost" if number is None else number.is_loopback

    @property
    def urls(self) -> list[str]:
        """What a person opens, here or elsewhere. Nobody outside is asked what this machine is called there."""
        number = self._number
        if number is None or not number.is_unspecified:
            return [self._url(self.host)]
        return [self._url(host) for host in (_HERE, *_own_addresses())]

    @property
    def _number(self) -> IPv4Address | IPv6Address | None:
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    def _url(self, host: str) -> str:
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def check_free(self) -> None:
        """Raise `InputError`, with a port that is free, where it cannot be used."""
        problem = self._problem(self.port)
        if problem is None:
            return
        following = range(self.port + 1, min(self.port + _PORTS_TO_SUGGEST, 65536))
        free = next((each for each in following if self._problem(each) is None), None)
        advice = f"Pruebe con --port {free}." if free else "Elija otro con --port."
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
        number = self._number
        host = _HERE if number is not None and number.is_unspecified else self.host
        connection = HTTPConnection(host, self.port, timeout=2)
        try:
            connection.request("GET", "/_stcore/health")
            return connection.getresponse().status == http.HTTPStatus.OK
        except (OSError, HTTPException):
            return False
        finally:
            connection.close()


def _own_addresses() -> Iterator[str]:
    """The IPv4 address of each network that this machine stands in."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # of one without an address
                answer = fcntl.ioctl(probe, _SIOCGIFADDR, _IFREQ.pack(name.encode(), b""))
                address = IPv4Address(_IFREQ.unpack(answer)[1])
                if not address.is_loopback:
                    yield str(address)
