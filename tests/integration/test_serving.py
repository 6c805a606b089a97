"""The chat as it is served, by Streamlit behind its door: what real answers carry, and what a stranger gets."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.browser.conftest import REAL, TOKEN, await_health, served
from tests.browser.programs import serve
from tests.faults.processes import Program, cleared_away, free_port, until

STREAM = "/_stcore/stream"
UPLOAD = "/_stcore/upload_file/s/f"


class Chat:
    """What is asked of a running chat, without a browser's scruples."""

    def __init__(self, url: str, log: Path) -> None:
        self.url = url
        self.log = log
        self.place = url.removeprefix("http://")
        self.cookie = self.ask("GET", f"/?token={TOKEN}").headers["Set-Cookie"].split(";")[0]

    def ask(self, method: str, path: str, **headers: str) -> http.client.HTTPResponse:
        with closing(http.client.HTTPConnection(self.place, timeout=30)) as connection:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            return answer

    def handshake(self, host: str = "", **headers: str) -> int:
        """The status of a websocket's opening, also by the name `host`."""
        address, port = self.place.split(":")
        url = f"ws://{host or self.place}{STREAM}"
        try:
            with connect(url, sock=socket.create_connection((address, int(port))), additional_headers=headers):
                return 101
        except InvalidStatus as refused:
            return refused.response.status_code


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory, own_database_url: str, server_home: Path) -> Iterator[Chat]:
    log = tmp_path_factory.mktemp("served") / "server.log"
    with served(REAL, log, DATABASE_URL=own_database_url, LEGAJO_HOME=str(server_home)) as url:
        yield Chat(url, log)


PATHS = ["/", "/documentos", "/index.html", "/static/nada.js", "/media/nada.png", "/_stcore/host-config"]
PATHS += ["/_stcore/metrics", "/_stcore/agent/openapi.json", "/component/x/y", "/%2e%2e/etc/passwd", "/_stcore/health"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_carries_the_headers(chat: Chat, path: str) -> None:
    for headers in ({}, {"Cookie": chat.cookie}):
        answer = chat.ask("GET", path, **headers)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Server"] is None


@pytest.mark.parametrize("path", [path for path in PATHS if path != "/_stcore/health"])
def test_a_stranger_gets_no_page(chat: Chat, path: str) -> None:
    assert chat.ask("GET", path).status == 403


def test_whoever_opened_the_link_gets_the_chat(chat: Chat) -> None:
    assert chat.ask("GET", "/", Cookie=chat.cookie).status == 200
    assert chat.handshake(Cookie=chat.cookie, Origin=chat.url) == 101


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://evil.example", "null", "http://127.0.0.1"])
def test_a_foreign_page_gets_nothing_even_with_the_cookie(chat: Chat, origin: str) -> None:
    assert chat.handshake(Cookie=chat.cookie, Origin=origin) == 403
    assert chat.ask("GET", "/", Cookie=chat.cookie, Origin=origin).status == 403
    for method in ("PUT", "DELETE", "OPTIONS"):
        assert chat.ask(method, UPLOAD, Cookie=chat.cookie, Origin=origin).status == 403


def test_a_foreign_name_gets_nothing_even_with_the_cookie(chat: Chat) -> None:
    port = chat.place.split(":")[1]
    host = f"evil.example:{port}"
    assert chat.handshake(host, Cookie=chat.cookie, Origin=f"http://{host}") == 403
    assert chat.ask("GET", "/", Cookie=chat.cookie, Host=host).status == 403
    assert chat.ask("GET", f"/?token={TOKEN}", Host=host).status == 403


def test_a_stranger_neither_talks_nor_uploads(chat: Chat) -> None:
    assert chat.handshake(Origin=chat.url) == 403
    assert chat.ask("PUT", UPLOAD, Origin=chat.url).status == 403


def test_the_token_stands_in_no_log(chat: Chat) -> None:
    chat.ask("GET", f"/documentos?token={TOKEN}")
    chat.ask("GET", f"/?token={TOKEN}", Origin="http://evil.example")
    said = chat.log.read_text(encoding="utf-8")
    assert "evil.example" in said
    assert TOKEN not in said


def test_the_agent_interface_of_streamlit_is_off(chat: Chat) -> None:
    answer = chat.ask("POST", "/_stcore/agent/interact", Cookie=chat.cookie, Origin=chat.url)
    assert answer.status in (403, 404, 503)


def test_asked_to_end_it_says_so_for_a_while_and_still_serves(
    tmp_path: Path, database_url: str, server_home: Path
) -> None:
    log, port = tmp_path / "server.log", free_port()
    variables = {"LEGAJO_TOKEN": TOKEN, "DATABASE_URL": database_url, "LEGAJO_HOME": str(server_home)}
    options = ["--port", str(port), str(REAL)]
    program = Program(log, serve, options, {**os.environ, **variables, "LEGAJO_DRAIN_S": "30"})
    with cleared_away([program]):
        await_health(f"http://127.0.0.1:{port}/ready", program, log)
        chat = Chat(f"http://127.0.0.1:{port}", log)
        os.kill(program.pid, signal.SIGTERM)
        until(lambda: chat.ask("GET", "/ready").status == 503, "it does not say that it leaves")
        assert chat.ask("GET", "/", Cookie=chat.cookie).status == 200
        assert chat.handshake(Cookie=chat.cookie, Origin=chat.url) == 101
        os.kill(program.pid, signal.SIGINT)  # asked again, it waits no more
        program.wait()
        with pytest.raises(ConnectionRefusedError):
            chat.ask("GET", "/ready")


def test_asked_for_json_it_writes_nothing_else(tmp_path: Path, database_url: str, server_home: Path) -> None:
    log, told = tmp_path / "server.log", {"DATABASE_URL": database_url, "LEGAJO_HOME": str(server_home)}
    with served(REAL, log, LEGAJO_LOG_FORMAT="json", **told) as url:
        chat = Chat(url, log)
        assert chat.ask("GET", "/", Cookie=chat.cookie).status == 200
        assert chat.handshake(Cookie=chat.cookie, Origin=chat.url) == 101
        assert chat.ask("GET", "/", Host="evil.example").status == 403
    told = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert "Refused: the chat was called by the name '…'" in [each.get("message") for each in told]
    assert "evil" not in log.read_text(encoding="utf-8")
