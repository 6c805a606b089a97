"""A local server that speaks as the language-model providers do: Gemini's SSE, Groq's, OpenRouter's and the plain
OpenAI-compatible one. Standard library only; nothing leaves the machine.

The scenario is the first word of the API key: `ok-anything`, `bad`, `limit`… (`SCENARIOS`). A server without keys takes
`none` as `ok`. The answer's text has a `[1]` marker, so that a chat can be driven against it::

    with running() as (server, url):
        os.environ["LLM_BASE_URL"] = url + "/openrouter/v1"   # or url for google, url + "/groq", url + "/v1"
"""

from __future__ import annotations

import json
import socket
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import urlsplit

__all__ = ["ANSWER", "PARTIAL", "SCENARIOS", "FakeProviderServer", "running", "start"]

SCENARIOS = {
    "ok": "answers",
    "bad": "rejects the key (Google with 400, the others with 401)",
    "forbidden": "403",
    "credit": "402: no credit left",
    "limit": "429 with a wait longer than anyone would sit through",
    "burst": "429 without Retry-After, always",
    "once": "429 with Retry-After 0 at the first request, then answers",
    "500": "500, always",
    "flaky": "503 at the first request, then answers",
    "unknown": "does not know the model",
    "toolong": "400: the prompt is too long",
    "cut": "drops the connection in the middle",
    "quiet": "ends the stream in the middle without a finish reason",
    "errmid": "an error event in the middle of the stream",
    "slow": "nothing for longer than a test's time-out, before the first token",
    "stall": "nothing for that long in the middle",
    "ping": "sends comments instead of words, for that long",
    "empty": "an answer without words",
    "thoughts": "spends its tokens on thoughts: no words, finish reason length",
    "think": "thinks aloud in the text before it answers, as local reasoning models do",
    "blocked": "blocked by the safety rules",
    "length": "reaches the longest answer",
    "malformed": "an event that is not JSON",
    "list": "answers with a list of phrases, as it does when asked for further angles",
}
WORDS = ("Según ", "el ", "artículo ", "5, ", "el ", "plazo ", "es ", "de ", "7 ", "días ", "hábiles ", "[1", "].")
ANSWER = "".join(WORDS)
PHRASES = ("1. plazo para ", "apelar una resolución\n", "2. «recurso de apelación, quince días»\n3. ", "feriado")
MIDDLE = 5  # words that arrive before a fault in the middle
PARTIAL = "".join(WORDS[:MIDDLE])
LONGEST_SILENCE_S = 10.0  # of `slow` and `stall`; ends at once when the client gives up or the server closes
USAGE = {"prompt_tokens": 321, "completion_tokens": 12, "total_tokens": 333}
_MIDDLE_FAULTS = frozenset({"cut", "quiet", "errmid", "stall", "malformed"})
_PROVIDER_DOWN = {"code": 502, "message": "Provider disconnected"}


class FakeProviderServer(ThreadingHTTPServer):
    """Counts the requests of each key and keeps the last body, for tests to look at."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.hits: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the scenarios."""

    def server_close(self) -> None:
        self.closing.set()
        super().server_close()


def start(port: int = 0) -> tuple[FakeProviderServer, str]:
    """Serve in the background; `server.shutdown()` and `server.server_close()` end it."""
    server = FakeProviderServer(port)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server, server.url


@contextmanager
def running(port: int = 0) -> Iterator[tuple[FakeProviderServer, str]]:
    """`start`, ended with the block."""
    server, url = start(port)
    try:
        yield server, url
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeProviderServer
    wire: _Wire

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        if self.path.rstrip("/").endswith("/models"):
            models = (
                [] if self._key().startswith("empty") else [{"id": "modelo-local", "object": "model", "created": 1}]
            )
            self._send_json(200, {"object": "list", "data": models})
        else:
            self._send_json(404, {"error": {"message": "Not found", "code": 404}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        key = self._key()
        scenario = key.split("-", 1)[0]
        self.server.hits[key] += 1
        self.server.bodies.append(body)
        self.wire = _wire(urlsplit(self.path).path, body)
        if refusal := self.wire.refusal(scenario, self.server.hits[key]):
            status, error, headers = refusal
            self._send_json(status, error, headers)
        else:
            self._stream(scenario)

    def _key(self) -> str:
        bearer = (self.headers.get("authorization") or "").removeprefix("Bearer ").strip()
        key = self.headers.get("x-goog-api-key") or bearer or "ok"
        return "ok" if key in {"none", "sin-clave"} else key

    # ------------------------------------------------------------ the stream

    def _stream(self, scenario: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for comment in self.wire.greeting:
            self._chunk(comment)
        if scenario == "slow":
            self.server.closing.wait(LONGEST_SILENCE_S)
        if scenario == "ping":
            self._ping()
        for event in self._events(scenario):
            self._chunk(event)
        self._chunk(self.wire.ending)
        self.wfile.write(b"0\r\n\r\n")

    def _events(self, scenario: str) -> Iterator[str]:
        if scenario in {"empty", "thoughts", "blocked"}:
            yield from map(_event, self.wire.wordless(scenario))
            return
        if scenario == "think":
            for thought in ("<thi", "nk>\nEl plazo… [9]", "</th", "ink>\n\n"):
                yield _event(self.wire.word(thought, 1))
        for position, word in enumerate(PHRASES if scenario == "list" else WORDS):
            if position == MIDDLE and scenario in _MIDDLE_FAULTS:
                yield from self._fault(scenario)
                return
            yield _event(self.wire.word(word, position + 1))
        yield from map(_event, self.wire.last("length" if scenario == "length" else "stop"))

    def _fault(self, scenario: str) -> Iterator[str]:
        if scenario == "cut":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            raise ConnectionAbortedError
        if scenario == "stall":
            self.server.closing.wait(LONGEST_SILENCE_S)
        elif scenario == "errmid":
            yield _event(self.wire.error_event())
        elif scenario == "malformed":
            yield "data: {esto no es JSON\n\n"

    def _ping(self) -> None:
        end = time.monotonic() + LONGEST_SILENCE_S
        while time.monotonic() < end and not self.server.closing.wait(0.05):
            self._chunk(": OPENROUTER PROCESSING\n\n")

    def _chunk(self, text: str) -> None:
        data = text.encode()
        if data:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

    def _send_json(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)


def _event(value: dict[str, Any]) -> str:
    return f"data: {json.dumps(value)}\n\n"


Refusal = tuple[int, Any, dict[str, str]]


class _Wire(ABC):
    """What the wire formats share: which scenario is refused before a stream begins, and the events of a stream."""

    greeting: ClassVar[tuple[str, ...]] = ()
    ending = ""
    refusals: ClassVar[dict[str, Refusal]] = {}

    def refusal(self, scenario: str, hits: int) -> Refusal | None:
        if (scenario in {"once", "flaky"} and hits > 1) or scenario not in self.refusals:
            return None
        return self.refusals[scenario]

    @abstractmethod
    def word(self, word: str, count: int) -> dict[str, Any]:
        """The event of one word, the `count`-th."""

    @abstractmethod
    def last(self, finish: str) -> list[dict[str, Any]]:
        """The events that end a stream."""

    @abstractmethod
    def wordless(self, scenario: str) -> list[dict[str, Any]]:
        """The events of an answer without words."""

    @abstractmethod
    def error_event(self) -> dict[str, Any]:
        """The event of a failure in the middle."""


class _OpenAI(_Wire):
    """`/chat/completions` as most servers speak it."""

    ending = "data: [DONE]\n\n"
    refusals: ClassVar[dict[str, Refusal]] = {
        "bad": (401, {"error": {"message": "Invalid API Key bad-secret", "code": "invalid_api_key"}}, {}),
        "forbidden": (403, {"error": {"message": "Forbidden", "code": "forbidden"}}, {}),
        "credit": (402, {"error": {"message": "Insufficient credits", "code": 402}}, {}),
        "limit": (429, {"error": {"message": "Rate limit reached", "code": "rate_limit"}}, {"retry-after": "60"}),
        "burst": (429, {"error": {"message": "Rate limit reached", "code": "rate_limit"}}, {}),
        "once": (429, {"error": {"message": "Rate limit reached", "code": "rate_limit"}}, {"retry-after": "0"}),
        "500": (500, {"error": {"message": "Internal Server Error", "type": "server_error"}}, {}),
        "flaky": (503, {"error": {"message": "Overloaded"}}, {"retry-after": "0"}),
        "unknown": (404, {"error": {"message": "The model does not exist", "code": "model_not_found"}}, {}),
        "toolong": (400, {"error": {"message": "This model's maximum context length is 8192 tokens"}}, {}),
    }

    def __init__(self, body: dict[str, Any]) -> None:
        self._base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model")}
        self._with_usage = bool((body.get("stream_options") or {}).get("include_usage"))

    def _choice(self, delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return {**self._base, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    def word(self, word: str, count: int) -> dict[str, Any]:  # noqa: ARG002 - only Google counts
        return self._choice({"role": "assistant", "content": word})

    def last(self, finish: str) -> list[dict[str, Any]]:
        usage: list[dict[str, Any]] = [{**self._base, "choices": [], "usage": USAGE}] if self._with_usage else []
        return [self._choice({}, finish), *usage]

    def wordless(self, scenario: str) -> list[dict[str, Any]]:
        finish = {"blocked": "content_filter", "thoughts": "length"}.get(scenario, "stop")
        thoughts = [self._choice({"role": "assistant", "content": "", "reasoning": "Pienso…"})]
        return [*thoughts, *self.last(finish)]

    def error_event(self) -> dict[str, Any]:
        return {"error": {"message": "The server had an error", "type": "server_error"}}


class _Groq(_OpenAI):
    """Groq reports usage under `x_groq`, in the last chunk."""

    def last(self, finish: str) -> list[dict[str, Any]]:
        times = {"queue_time": 0.01, "prompt_time": 0.02, "completion_time": 0.1, "total_time": 0.13}
        return [{**self._choice({}, finish), "x_groq": {"id": "req_1", "usage": USAGE | times}}]


class _OpenRouter(_OpenAI):
    """OpenRouter sends comments while it waits, always reports usage, and ends with `error` when a provider fails."""

    greeting: ClassVar[tuple[str, ...]] = (": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n")
    refusals: ClassVar[dict[str, Refusal]] = {
        **_OpenAI.refusals,
        "bad": (401, {"error": {"message": "No auth credentials found", "code": 401}}, {}),
        "forbidden": (403, {"error": {"message": "Input flagged", "code": 403, "metadata": {"reasons": ["x"]}}}, {}),
        "unknown": (400, {"error": {"message": "nada/modelo is not a valid model ID", "code": 400}}, {}),
    }

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__(body)
        self._with_usage = True

    def error_event(self) -> dict[str, Any]:
        return {**self._choice({"content": ""}, "error"), "error": _PROVIDER_DOWN}


def _google_error(code: int, message: str, status: str, *details: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


def _quota(delay: str | None) -> dict[str, Any]:
    info = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
    return _google_error(429, "You exceeded your current quota.", "RESOURCE_EXHAUSTED", *([info] if delay else []))


_BAD_KEY = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    "reason": "API_KEY_INVALID",
    "domain": "googleapis.com",
}


class _Google(_Wire):
    """`:streamGenerateContent?alt=sse`. Usage is cumulative in every chunk; a wait is told in the body."""

    refusals: ClassVar[dict[str, Refusal]] = {
        "bad": (400, _google_error(400, "API key not valid. bad-secret", "INVALID_ARGUMENT", _BAD_KEY), {}),
        "forbidden": (403, _google_error(403, "Permission denied", "PERMISSION_DENIED"), {}),
        "credit": (402, _google_error(402, "Billing", "FAILED_PRECONDITION"), {}),
        "limit": (429, _quota("60s"), {}),
        "burst": (429, _quota(None), {}),
        "once": (429, _quota("0s"), {}),
        "500": (500, _google_error(500, "Internal error", "INTERNAL"), {}),
        "flaky": (503, _google_error(503, "The model is overloaded.", "UNAVAILABLE"), {"retry-after": "0"}),
        "unknown": (404, _google_error(404, "models/nada is not found", "NOT_FOUND"), {}),
        "toolong": (400, _google_error(400, "The input token count exceeds the maximum", "INVALID_ARGUMENT"), {}),
    }

    def _chunk(self, parts: list[dict[str, Any]], count: int, finish: str | None = None) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        usage = {"promptTokenCount": 321, "candidatesTokenCount": count, "totalTokenCount": 321 + count}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake", "responseId": "r1"}

    def word(self, word: str, count: int) -> dict[str, Any]:
        return self._chunk([{"text": word}], min(count, 12))

    def last(self, finish: str) -> list[dict[str, Any]]:
        return [self._chunk([{"text": ""}], 12, {"stop": "STOP", "length": "MAX_TOKENS"}[finish])]

    def wordless(self, scenario: str) -> list[dict[str, Any]]:
        if scenario == "blocked":
            return [{"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 321}}]
        finish = "MAX_TOKENS" if scenario == "thoughts" else "STOP"
        return [self._chunk([{"text": "Pienso…", "thought": True}], 0), self._chunk([], 0, finish)]

    def error_event(self) -> dict[str, Any]:
        return _google_error(503, "The service is currently unavailable.", "UNAVAILABLE")


def _wire(path: str, body: dict[str, Any]) -> _Wire:
    if ":" in path.rsplit("/", 1)[-1]:
        return _Google()
    if "groq" in path:
        return _Groq(body)
    return _OpenRouter(body) if "openrouter" in path else _OpenAI(body)
