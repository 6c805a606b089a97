"""A local server that speaks as the language-model providers do: Gemini's SSE, Groq's, OpenRouter's and the plain
OpenAI-compatible one. Standard library only; nothing leaves the machine.

The scenario is the first word of the API key: `ok-anything`, `bad`, `limit`… (`SCENARIOS`); where that is `played`, the
one that was last given to `play`. A server without keys takes `none` as `ok`. The answer's text has a `[1]` marker, so
that a chat can be driven against it::

    with running() as (server, url):
        os.environ["LLM_BASE_URL"] = url + "/openrouter/v1"   # or url for google, url + "/groq", url + "/v1"
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count, repeat
from typing import Any
from urllib.parse import urlsplit

from tests.fakes.provider_wires import Wire, wire

__all__ = ["ANSWER", "PARTIAL", "SCENARIOS", "FakeProviderServer", "counted", "running", "start"]

SCENARIOS = {
    "ok": "answers",
    "bad": "rejects the key (Google with 400, the others with 401)",
    "forbidden": "403",
    "credit": "402: no credit left",
    "quota": "429 insufficient_quota; Google: the free quota of the day is used up",
    "limit": "429 with a wait longer than anyone would sit through",
    "dated": "429 with a Retry-After that is a date, an hour from now",
    "burst": "429 without Retry-After, always",
    "once": "429 with Retry-After 0 at the first request, then answers",
    "past": "429 with a Retry-After that is a date gone by at the first request, then answers",
    "500": "500, always",
    "503": "503, always",
    "529": "529, always",
    "flaky": "503 at the first request, then answers",
    "html": "200 and a page for people, as a proxy's log-in answers",
    "echo": "rejects the key and repeats it",
    "unknown": "does not know the model",
    "toolong": "400: the prompt is too long",
    "cut": "drops the connection in the middle",
    "cutfirst": "drops the connection before the first word at the first request, then answers",
    "errfirst": "an error event before the first word at the first request, then answers",
    "quiet": "ends the stream in the middle without a finish reason",
    "errmid": "an error event in the middle of the stream",
    "slow": "nothing for longer than a test's time-out, before the first token",
    "late": "nothing before the first token until the test sets `server.go`, then answers",
    "held": "nothing in the middle until the test sets `server.go`, then goes on",
    "stall": "nothing for that long in the middle",
    "endless": "words that are counted (`counted`), one every 200 ms, until the client hangs up",
    "musing": "thoughts instead of words, for that long",
    "ping": "sends comments instead of words, for that long",
    "empty": "an answer without words",
    "thoughts": "spends its tokens on thoughts: no words, finish reason length",
    "think": "thinks aloud in the text before it answers, as local reasoning models do",
    "blocked": "blocked by the safety rules: Google the question, the others the answer",
    "refused": "blocked by the safety rules: the answer, before its first word",
    "censored": "blocked by the safety rules in the middle",
    "length": "reaches the longest answer",
    "malformed": "an event that is not JSON, in the middle",
    "garbage": "an event that is not JSON, before the first word",
    "latin1": "an event that is not UTF-8, before the first word",
    "latin1mid": "an event that is not UTF-8, in the middle",
    "parts": "the words as lists of parts with texts",
    "numbers": "a list of numbers where the words belong",
    "object": "an object where the words belong",
    "objectmid": "an object where the words belong, in the middle",
    "reasons": "an object where the reason of the end belongs",
    "nothing": "an event that is `null`",
    "deep": "an event of more brackets than a parser follows",
    "halves": "half a character and a NUL among the words",
    "counts": "texts and objects where the numbers of tokens belong",
    "flood": "words as fast as they can be sent, for that long",
    "line": "one line that never ends, for that long",
    "moved": "307 to another address",
    "list": "answers with a list of phrases, as it does when asked for further angles",
    "fact": "answers with what it was told to remember, and cites it",
    "scripted": "answers what `server.script` says to the body; nothing is an empty answer",
}
WORDS = ("Según ", "el ", "artículo ", "5, ", "el ", "plazo ", "es ", "de ", "7 ", "días ", "hábiles ", "[1", "].")
ANSWER = "".join(WORDS)
PHRASES = ("1. plazo para ", "apelar una resolución\n", "2. «recurso de apelación, quince días»\n3. ", "feriado")
FACT_WORDS = ("El expediente ", "se presenta en mesa de partes ", "[M", "1].")
MIDDLE = 5  # words that arrive before a fault in the middle
PARTIAL = "".join(WORDS[:MIDDLE])
LONGEST_SILENCE_S = 10.0  # of `slow` and `stall`; ends at once when the client gives up or the server closes
LONGEST_S = 120.0  # of `endless`, `late` and `held`, likewise
_FIRST_FAULTS = {
    "cutfirst": "cut",
    "errfirst": "errmid",
    "garbage": "malformed",
    "latin1": "latin1mid",
    **{each: each for each in ("numbers", "object", "reasons", "nothing", "deep", "flood", "line")},
}
_MIDDLE_FAULTS = frozenset(
    {"cut", "quiet", "errmid", "stall", "malformed", "endless", "censored", "latin1mid", "objectmid"}
)
_STRANGE = {"numbers": [1, 2], "object": {"texto": "El plazo"}, "objectmid": {"texto": "El plazo"}}
_NO_JSON = "data: {esto no es JSON\n\n"
HALVES = "plazo\ud83d\x00 "
_PAGE = b"<!doctype html><title>Acceso a la red</title><form>Usuario</form>"


class FakeProviderServer(ThreadingHTTPServer):
    """Counts the requests of each key and keeps the last body, for tests to look at."""

    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.hits: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.closing = threading.Event()
        self.go = threading.Event()  # for `late` and `held`
        self.redirected: list[dict[str, Any]] = []  # bodies that were sent on after a redirect
        self.script: Callable[[dict[str, Any]], str] = lambda _: ANSWER
        self.models: Sequence[str] = ("modelo-local",)  # that it offers
        self._played = "ok"

    def play(self, scenario: str) -> None:
        """What keys that begin with `played` meet from now on, as if for the first time."""
        self._played = scenario
        self.hits.clear()
        self.go.clear()

    def say(self, text: str) -> None:
        """What they meet is this answer."""
        self.script = lambda _: text
        self.play("scripted")

    def scenario(self, key: str) -> str:
        word = key.split("-", 1)[0]
        return self._played if word == "played" else word

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the scenarios."""

    def server_close(self) -> None:
        self.closing.set()
        super().server_close()


def counted(last: int) -> str:
    """The words of an endless answer, from the first to the one of that number."""
    return " ".join(f"palabra{number}" for number in range(1, last + 1))


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
    wire: Wire

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_GET(self) -> None:
        if self.path.rstrip("/").endswith("/models"):
            offered = () if self._key().startswith("empty") else self.server.models
            models = [{"id": name, "object": "model", "created": 1, "name": name.title()} for name in offered]
            self._send_json(200, {"object": "list", "data": models})
        else:
            self._send_json(404, {"error": {"message": "Not found", "code": 404}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
        key = self._key()
        scenario = self.server.scenario(key)
        self.server.hits[key] += 1
        self.server.bodies.append(body)
        self.wire = wire(urlsplit(self.path).path, body)
        if self.path.startswith("/elsewhere"):
            self.server.redirected.append(body)
        if scenario == "moved":
            self._send(307, b"", {"location": f"/elsewhere{self.path}"})
        elif scenario == "html":
            self._send(200, _PAGE, {"content-type": "text/html"})
        elif scenario == "echo":
            status, error, _ = self.wire.refusals["bad"]
            told = json.dumps(error).replace("bad-secret", key).replace("credentials", f"credentials {key}")
            self._send(status, told.encode(), {"content-type": "application/json"})
        elif refusal := self.wire.refusal(scenario, self.server.hits[key]):
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
        if scenario == "late":
            self.server.go.wait(LONGEST_S)
        if scenario == "ping":
            self._go_on(repeat(": OPENROUTER PROCESSING\n\n"))
        if scenario == "musing":
            self._go_on(repeat(_event(self.wire.thought())))
        for event in self._events(scenario):
            self._chunk(event)
        self._chunk(self.wire.ending)
        self.wfile.write(b"0\r\n\r\n")

    def _events(self, scenario: str) -> Iterator[str | bytes]:
        if scenario in _FIRST_FAULTS and self.server.hits[self._key()] == 1:
            yield from self._fault(_FIRST_FAULTS[scenario])
            return
        if scenario in {"empty", "thoughts", "blocked", "refused"}:
            yield from map(_event, self.wire.wordless(scenario))
            return
        if scenario == "think":
            for thought in ("<thi", "nk>\nEl plazo… [9]", "</th", "ink>\n\n"):
                yield _event(self.wire.word(thought, 1))
        for position, word in enumerate(self._words(scenario)):
            if position == MIDDLE and scenario in _MIDDLE_FAULTS:
                yield from self._fault(scenario)
                return
            if position == MIDDLE and scenario == "held":
                self.server.go.wait(LONGEST_S)
            yield _event(self.wire.word(self._shaped(word, scenario), position + 1))
        if scenario == "halves":
            yield _event(self.wire.word(HALVES, 13))
        if scenario == "counts":
            yield _event(self.wire.miscounted())
        yield from map(_event, self.wire.last("length" if scenario == "length" else "stop"))

    def _words(self, scenario: str) -> Sequence[str]:
        if scenario == "scripted":
            return re.findall(r"\S+\s*|\s+", self.server.script(self.server.bodies[-1]))
        return {"list": PHRASES, "fact": FACT_WORDS}.get(scenario, WORDS)

    def _shaped(self, word: str, scenario: str) -> Any:
        parts = [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Pienso…"}]},
            {"type": "text", "text": word},
        ]
        return parts if scenario == "parts" else word

    def _fault(self, scenario: str) -> Iterator[str | bytes]:
        if scenario == "cut":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            raise ConnectionAbortedError
        if scenario == "stall":
            self.server.closing.wait(LONGEST_SILENCE_S)
        elif scenario == "endless":
            words = (_event(self.wire.word(f"palabra{number} ", 1)) for number in count(1))
            self._go_on(words, pause_s=0.2, longest_s=LONGEST_S)
        elif scenario == "censored":
            yield from map(_event, self.wire.last("blocked"))
        elif scenario == "errmid":
            yield _event(self.wire.error_event())
        elif scenario == "flood":
            self._go_on(repeat(_event(self.wire.word("y ", 1)) * 20), pause_s=0)
        elif scenario == "line":
            self._chunk("data: {")
            self._go_on(repeat(" " * 20_000))
        elif scenario != "quiet":
            yield self._strange(scenario)

    def _strange(self, scenario: str) -> str | bytes:
        """An event that no reader of the format expects."""
        if scenario in _STRANGE:
            return _event(self.wire.word(_STRANGE[scenario], 1))
        if scenario == "reasons":
            return _event(self.wire.ended_by({"por": "fin"}))
        if scenario == "latin1mid":
            return _event(self.wire.word("aquí", 1), escaped=False).encode("latin-1")
        return {"nothing": "data: null\n\n", "deep": f"data: {'[' * 200_000}\n\n"}.get(scenario, _NO_JSON)

    def _go_on(self, events: Iterable[str], *, pause_s: float = 0.02, longest_s: float = LONGEST_SILENCE_S) -> None:
        end = time.monotonic() + longest_s
        for event in events:
            if time.monotonic() >= end or self.server.closing.wait(pause_s):
                return
            self._chunk(event)

    def _chunk(self, text: str | bytes) -> None:
        data = text if isinstance(text, bytes) else text.encode()
        if data:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.flush()

    def _send_json(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), {"content-type": "application/json", **(headers or {})})

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        for name, text in headers.items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(data)


def _event(value: dict[str, Any], *, escaped: bool = True) -> str:
    return f"data: {json.dumps(value, ensure_ascii=escaped)}\n\n"
