"""A local server that speaks the embedding endpoints of Google and of OpenAI, as faithfully as our clients can tell.

The key picks the scenario: `ok`, `bad` (rejected), `short` (one vector too few), `zero` (vectors of length 0),
`words` (texts where numbers belong), `garbled` (not JSON), `moved` (307 to another address).
A model called `unknown` does not exist. While it is `down` it refuses everything.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["FakeServer", "serving"]

OPENAI_DIMENSION = 5


class FakeServer(ThreadingHTTPServer):
    """Keeps what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[dict[str, Any]] = []
        self.paths: set[str] = set()
        self.down = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


@contextmanager
def serving() -> Iterator[FakeServer]:
    with FakeServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: FakeServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.bodies.append(body)
        self.server.paths.add(self.path)
        if self.server.down:
            self._answer(503, {"error": {"message": "loading the model"}})
        elif "moved" in str(self.headers) and not self.path.startswith("/elsewhere"):
            self._answer(307, {}, location=f"/elsewhere{self.path}")
        elif self.path.endswith(":batchEmbedContents"):
            self._google(body, self.headers["x-goog-api-key"])
        elif self.path.endswith("/embeddings"):
            self._openai(body, self.headers["Authorization"].removeprefix("Bearer "))
        else:
            self._answer(404, {"error": {"message": "no such path"}})

    def _google(self, body: dict[str, Any], key: str) -> None:
        if key == "bad":
            detail = {"reason": "API_KEY_INVALID", "domain": "googleapis.com"}
            error = {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT", "details": [detail]}
            return self._answer(400, {"error": error})
        if "unknown" in self.path:
            return self._answer(404, {"error": {"code": 404, "message": "not found", "status": "NOT_FOUND"}})
        texts = [part["text"] for request in body["requests"] for part in request["content"]["parts"]]
        dimension = body["requests"][0].get("outputDimensionality", 3072)
        return self._answer(200, {"embeddings": [{"values": v} for v in self._vectors(texts, dimension, key)]})

    def _openai(self, body: dict[str, Any], key: str) -> None:
        if key == "bad":
            return self._answer(401, {"error": {"message": f"Incorrect API key provided: {key}", "code": "invalid"}})
        if body["model"] == "unknown":
            return self._answer(404, {"error": {"message": "model not found", "code": "model_not_found"}})
        if any(not text for text in body["input"]):
            return self._answer(400, {"error": {"message": "input cannot be an empty string"}})
        vectors = self._vectors(body["input"], OPENAI_DIMENSION, key)
        data = [{"object": "embedding", "index": i, "embedding": v} for i, v in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return self._answer(200, {"object": "list", "model": body["model"], "data": data[::-1], "usage": usage})

    def _vectors(self, texts: list[str], dimension: int, key: str) -> Sequence[Sequence[float | str]]:
        if key == "words":
            return [["uno"] * dimension for _ in texts]
        vectors = [[0.0] * dimension if key == "zero" else fake_vector(text, dimension) for text in texts]
        return vectors[1:] if key == "short" else vectors

    def _answer(self, status: int, body: dict[str, Any], *, location: str = "") -> None:
        garbled = self.headers.get("Authorization") == "Bearer garbled"
        data = b"<html>proxy</html>" if garbled else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("x-should-retry", "false" if self.server.down else "true")  # the SDK would wait by itself
        self.send_header("Content-Length", str(len(data)))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the tests' output clean."""


def fake_vector(text: str, dimension: int) -> list[float]:
    """A vector of the text, not of unit length."""
    return [float(byte) + 1 for byte in hashlib.shake_256(text.encode()).digest(dimension)]
