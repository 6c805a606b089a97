"""A local server that speaks OpenAI's `/audio/transcriptions`: multipart in, JSON out.

The first word of the key is what it does: anything answers `WORDS`; `bad` refuses the key, `limit` asks to wait, `mute`
heard nothing, `broken` fails, `page` answers with a page for people; `once` refuses the key for the first time.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["WORDS", "FakeTranscriber", "running"]

WORDS = "¿Cuál es el plazo\n de respuesta?"
_ERROR = {"error": {"message": "no", "type": "invalid_request_error", "code": None}}
_REPLIES: dict[str, tuple[int, Any]] = {
    "bad": (401, _ERROR),
    "limit": (429, _ERROR),
    "broken": (500, _ERROR),
    "mute": (200, {"text": " \n"}),
    "page": (200, "<!doctype html><title>Acceso a la red</title>"),
}


class FakeTranscriber(ThreadingHTTPServer):
    """Keeps the parts of each request, by their names, for tests to look at."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.heard: list[dict[str, bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def running() -> Iterator[FakeTranscriber]:
    server = FakeTranscriber()
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeTranscriber

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        message = message_from_bytes(b"content-type: " + self.headers["content-type"].encode() + b"\r\n\r\n" + body)
        parts = {str(each.get_param("name", header="content-disposition")): each for each in message.walk()}
        payloads = {name: part.get_payload(decode=True) for name, part in parts.items()}
        self.server.heard.append({name: each for name, each in payloads.items() if isinstance(each, bytes)})
        key = self.headers["authorization"].removeprefix("Bearer ").partition("-")[0]
        if key == "once" and len(self.server.heard) == 1:
            key = "bad"
        status, reply = _REPLIES.get(key, (200, {"text": WORDS}))
        if not self.path.endswith("/audio/transcriptions"):
            status, reply = 404, _ERROR
        data = (reply if isinstance(reply, str) else json.dumps(reply)).encode()
        self.send_response(status)
        self.send_header("content-type", "text/html" if isinstance(reply, str) else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
