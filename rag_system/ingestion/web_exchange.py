"""One request to one server: resolved once, checked, and sent to the address that was checked.

Standard library only: `http.client` reads the answer, and this module owns the socket. Proxy variables of the
environment are not honoured: a proxy would resolve the name again, where nothing is checked.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import ssl
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from threading import Thread
from typing import cast

import truststore

from rag_system.errors import WebError
from rag_system.ingestion.addresses import Address, IpAddress, Reach

__all__ = ["BUFFER_BYTES", "Deadline", "Resolver", "Route", "WebLimits", "exchange", "system_resolver"]

Resolver = Callable[[str, int], Sequence[str]]  # host and port → IP addresses, the preferred one first; else OSError

MOST_ADDRESSES = 4  # of a name that are tried
BUFFER_BYTES = 1 << 16
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; Legajo)",  # several public registers refuse what is not «Mozilla»
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
    "Accept-Language": "es,en;q=0.5",
    "Accept-Encoding": "identity",  # a page that came packed would have to be unpacked within limits
    "Connection": "close",
}
_SLOW = "El servidor tarda demasiado en responder. Intente más tarde."
_NO_ANSWER = "El servidor no responde como una página web. Revise la dirección."


@dataclass(frozen=True, slots=True, kw_only=True)
class WebLimits:
    """How much a page may take. Times in seconds."""

    max_bytes: int  # of the page
    connect_s: float = 10.0  # to find, reach and greet a server
    read_s: float = 20.0  # longest silence
    total_s: float = 600.0  # of all, redirects included
    redirects: int = 5


class Deadline:
    """The moment at which everything must be done."""

    def __init__(self, total_s: float) -> None:
        self._end = time.monotonic() + total_s

    def left(self, most: float) -> float:
        """Seconds left, `most` at most; raises `TimeoutError` when there are none."""
        seconds = min(most, self._end - time.monotonic())
        if seconds <= 0:
            raise TimeoutError
        return seconds


def system_resolver(host: str, port: int) -> list[str]:
    """What the system knows of a name."""
    found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)  # bytes: as it is, no more IDNA
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


@cache
def _system_trust() -> ssl.SSLContext:
    """The certificates that the system trusts, an organisation's own among them."""
    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """How servers are found, which of them may be asked, and how they prove who they are."""

    policy: Reach
    resolver: Resolver = system_resolver
    tls: ssl.SSLContext | None = None  # None: the certificates that the system trusts


@contextlib.contextmanager
def exchange(
    address: Address, *, route: Route, limits: WebLimits, deadline: Deadline
) -> Iterator[http.client.HTTPResponse]:
    """Ask for a page; its head has been read, its body not.

    Whatever goes wrong, while the body is read too, raises `WebError` with a sentence for the person.
    """
    try:
        with _connect(address, route, limits, deadline) as sock:
            sock.sendall(_request(address))
            response = http.client.HTTPResponse(
                cast("socket.socket", _Timed(sock, limits.read_s, deadline)), method="GET"
            )
            with contextlib.closing(response):
                response.begin()
                yield response
    except TimeoutError:
        raise WebError(_SLOW) from None
    except ssl.SSLCertVerificationError as error:
        reason = error.verify_message
        said = f"El certificado de «{address.host}» no es válido, y por eso no se leyó la página ({reason})."
        raise WebError(said) from None
    except ssl.SSLError:
        raise WebError(f"No se pudo establecer una conexión segura con «{address.host}».") from None
    except http.client.IncompleteRead:
        raise WebError("La descarga se cortó antes de terminar. Intente de nuevo.") from None
    except http.client.HTTPException:
        raise WebError(_NO_ANSWER) from None
    except ConnectionError:
        raise WebError(f"El servidor «{address.host}» no acepta la conexión o la cortó. Intente más tarde.") from None


def _request(address: Address) -> bytes:
    headers = "".join(f"{name}: {value}\r\n" for name, value in {"Host": address.authority, **_HEADERS}.items())
    return f"GET {address.target} HTTP/1.1\r\n{headers}\r\n".encode("ascii")


# ---------------------------------------------------------------- finding and reaching


def _connect(address: Address, route: Route, limits: WebLimits, deadline: Deadline) -> socket.socket:
    ips = _checked(address, route, deadline.left(limits.connect_s))
    plain = _reach(ips, address.port, limits, deadline)
    if address.scheme == "http":
        return plain
    try:
        plain.settimeout(deadline.left(limits.connect_s))
        return (route.tls or _system_trust()).wrap_socket(plain, server_hostname=address.host)
    except BaseException:
        plain.close()
        raise


def _checked(address: Address, route: Route, seconds: float) -> list[IpAddress]:
    """What the host resolves to; one address that may not be asked condemns them all."""
    found = [address.ip] if address.ip else [ip_address(text) for text in _resolve(address, route.resolver, seconds)]
    for ip in found:
        route.policy.check(address, ip)
    return found


def _resolve(address: Address, resolver: Resolver, seconds: float) -> Sequence[str]:
    """Ask the resolver in a thread of its own: the system's has no time limit."""
    found: list[str] = []

    def ask() -> None:
        with contextlib.suppress(OSError):  # no such name
            found.extend(resolver(address.host, address.port))

    thread = Thread(target=ask, name="legajo-resolver", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError
    if not found:
        raise WebError(f"No existe el servidor «{address.host}», o no hay conexión. Revise la dirección y la red.")
    return found


def _reach(ips: Sequence[IpAddress], port: int, limits: WebLimits, deadline: Deadline) -> socket.socket:
    """Connect to the first of the addresses that answers."""
    *others, last = ips[:MOST_ADDRESSES]
    for ip in others:
        with contextlib.suppress(OSError):
            return socket.create_connection((str(ip), port), deadline.left(limits.connect_s))
    try:
        return socket.create_connection((str(last), port), deadline.left(limits.connect_s))
    except TimeoutError:
        raise
    except OSError:
        raise ConnectionRefusedError from None


# ---------------------------------------------------------------- reading in time


class _Timed:
    """A socket as `HTTPResponse` takes one: all that is read keeps to the longest silence and to the deadline."""

    def __init__(self, sock: socket.socket, read_s: float, deadline: Deadline) -> None:
        self._stream = _TimedStream(sock, read_s, deadline)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._stream, BUFFER_BYTES)


class _TimedStream(io.RawIOBase):
    def __init__(self, sock: socket.socket, read_s: float, deadline: Deadline) -> None:
        super().__init__()
        self._sock = sock
        self._read_s = read_s
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # BufferedReader passes nothing else
        self._sock.settimeout(self._deadline.left(self._read_s))
        try:
            return self._sock.recv_into(buffer)
        except (TimeoutError, ConnectionError, ssl.SSLError):
            raise
        except OSError as error:  # the network went away; told apart from a disk that is full
            raise ConnectionResetError from error
