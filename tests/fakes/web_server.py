"""A local web server whose pages misbehave as those of the web do. Standard library only, but for its certificates."""

from __future__ import annotations

import datetime
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from rag_system.ingestion.addresses import Address, IpAddress, Reach

__all__ = ["HERE", "PAGE", "HereToo", "Page", "WebServer", "certificate", "running"]

PAGE = """<!doctype html><html lang="es"><head><title>Ley 29733</title></head><body><main>
<h1>Ley de protección de datos personales</h1><p>Artículo 1. El plazo es de diez días hábiles.</p></main></body></html>
""".encode()

Page = Callable[["Visit"], None]
HERE = "127.0.0.1"


class HereToo(Reach):
    """The usual rules, and one address of this machine, on any port, where the tests' servers are."""

    def check(self, address: Address, ip: IpAddress) -> None:
        if ip != ip_address(HERE):
            super().check(address, ip)


class Visit(BaseHTTPRequestHandler):
    """One request; a page writes its answer."""

    server: WebServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.server.heads.append(dict(self.headers))
        self.close_connection = True
        self.server.pages[self.path](self)

    def answer(
        self,
        body: bytes = PAGE,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        """A complete answer; `length` is what it announces instead of the truth."""
        self.send_response(status)
        head = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(body) if length is None else length),
        }
        for name, value in {**head, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def stall(self) -> None:
        """Say nothing more until the server closes."""
        self.wfile.flush()
        self.server.closing.wait()

    def drip(self) -> None:
        """Send a letter at a time, sooner than any silence is noticed, for ever."""
        while not self.server.closing.wait(0.01):
            self.wfile.write(b".")
            self.wfile.flush()

    def hold_back(self, until: threading.Event, body: bytes) -> None:
        """Send a blank at a time, sooner than any silence is noticed, and the page once it may be sent."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        while not (until.wait(0.1) or self.server.closing.is_set()):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing."""


class WebServer(ThreadingHTTPServer):
    """Remembers the paths and the heads of what it was asked."""

    daemon_threads = True

    def __init__(self, pages: dict[str, Page], *, host: str, port: int) -> None:
        super().__init__((host, port), Visit)
        self.pages = pages
        self.asked: list[str] = []
        self.heads: list[dict[str, str]] = []
        self.closing = threading.Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the tests."""


@contextmanager
def running(
    pages: dict[str, Page], *, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
) -> Iterator[WebServer]:
    """A server in a thread of its own, until the end of the block."""
    server = WebServer(pages, host=host, port=port)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def certificate(folder: Path, name: str) -> Path:
    """A PEM file with a key and a certificate that it signs itself, for the server called `name`."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return file
