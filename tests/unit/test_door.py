"""Who the door of the chat lets in. Behind it stands an application that says «adentro» to whoever reaches it."""

from __future__ import annotations

import logging
import re

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from ui.serving.access import Access, Hosts
from ui.serving.door import Door

TOKEN = "un-secreto-de-la-prueba"
HERE = "http://127.0.0.1:8501"
SOCKET = "ws://127.0.0.1:8501"
LINK = f"/?token={TOKEN}"


async def _inside(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("adentro")


async def _failing(_request: Request) -> PlainTextResponse:
    raise RuntimeError


async def _stream(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("adentro")
    await websocket.close()


METHODS = ["GET", "PUT", "DELETE", "POST"]
INSIDE = Starlette(
    routes=[
        Route("/fallo", _failing),
        WebSocketRoute("/_stcore/stream", _stream),
        Route("/{path:path}", _inside, methods=METHODS),
    ]
)


def client(token: str | None = TOKEN, *, address: str = "127.0.0.1", others: tuple[str, ...] = ()) -> TestClient:
    access = Access(hosts=Hosts.of(address, *others), port=8501, token=token)
    door = Door(INSIDE, access=access)
    return TestClient(door, base_url=HERE, follow_redirects=False, raise_server_exceptions=False)


@pytest.fixture
def stranger() -> TestClient:
    return client()


@pytest.fixture
def guest() -> TestClient:
    """A browser that has opened the link."""
    opened = client()
    assert opened.get(LINK).status_code == 303
    return opened


EVERYWHERE = "0.0.0.0"  # noqa: S104

# address listened on, other names, `Host`, whether it is ours
CALLED = [
    ("127.0.0.1", (), "127.0.0.1:8501", True),
    ("127.0.0.1", (), "localhost:8501", True),
    ("127.0.0.1", (), "LOCALHOST.:8501", True),
    ("127.0.0.1", (), "[::1]:8501", True),
    ("127.0.0.1", (), "localhost:3000", True),  # through a tunnel; a browser cannot be made to lie here
    ("127.0.0.1", (), "localhost", True),
    ("127.0.0.1", (), "evil.example:8501", False),
    ("127.0.0.1", (), "localhost.evil.example", False),
    ("127.0.0.1", (), "127.0.0.1.evil.example", False),
    ("127.0.0.1", (), "10.0.0.7:8501", False),
    ("127.0.0.1", (), "localhost:8501@evil.example", False),
    ("127.0.0.1", (), "localhost/evil.example", False),
    ("127.0.0.1", (), "", False),
    ("127.0.0.1", ("chat.empresa.pe",), "chat.empresa.pe", True),
    ("127.0.0.1", ("Chat.Empresa.pe",), "chat.empresa.pe:8443", True),
    ("127.0.0.1", ("chat.empresa.pe",), "otro.chat.empresa.pe", False),
    ("192.168.1.5", (), "192.168.1.5:8501", True),
    ("192.168.1.5", (), "localhost:8501", False),
    ("servidor", (), "servidor:8501", True),
    (EVERYWHERE, (), "192.168.1.5:8501", True),  # whatever its own addresses are; an address cannot be rebound
    (EVERYWHERE, (), "localhost:8501", True),
    (EVERYWHERE, (), "servidor:8501", False),
    (EVERYWHERE, (), "evil.example:8501", False),
    ("::", (), "[2001:db8::7]:8501", True),
]


@pytest.mark.parametrize(("address", "others", "host", "ours"), CALLED)
def test_only_our_names_are_answered(address: str, others: tuple[str, ...], host: str, ours: bool) -> None:
    assert Hosts.of(address, *others).include(host) is ours
    answer = client(None, address=address, others=others).get("/", headers={"Host": host})
    assert (answer.status_code, answer.text == "adentro") == ((200, True) if ours else (403, False))


# `Host`, `Origin`, whether the page is ours
ASKED_FROM = [
    ("127.0.0.1:8501", "http://127.0.0.1:8501", True),
    ("localhost:8501", "http://localhost:8501", True),
    ("chat.empresa.pe", "https://chat.empresa.pe", True),
    ("127.0.0.1:8501", "http://127.0.0.1:3000", False),
    ("localhost:8501", "http://localhost:3000", False),
    ("localhost:8501", "http://localhost", False),
    ("localhost:8501", "http://127.0.0.1:8501", False),
    ("localhost:8501", "http://evil.example", False),
    ("localhost:8501", "http://localhost:8501.evil.example", False),
    ("localhost:8501", "http://evil.example#localhost:8501", False),
    ("localhost:8501", "null", False),
    ("localhost:8501", "", False),
]


@pytest.mark.parametrize(("host", "origin", "ours"), ASKED_FROM)
@pytest.mark.parametrize("method", METHODS)
def test_only_our_pages_may_ask(method: str, host: str, origin: str, ours: bool) -> None:
    door = client(None, others=("chat.empresa.pe",))
    answer = door.request(method, "/_stcore/upload_file/s/f", headers={"Host": host, "Origin": origin})
    assert answer.status_code == (200 if ours else 403)


@pytest.mark.parametrize(("host", "origin", "ours"), ASKED_FROM)
def test_only_our_pages_may_open_a_websocket(host: str, origin: str, ours: bool) -> None:
    assert _stream_says(client(None, others=("chat.empresa.pe",)), Host=host, Origin=origin) == (
        "adentro" if ours else "refused"
    )


def _stream_says(door: TestClient, **headers: str) -> str:
    try:
        with door.websocket_connect(f"{SOCKET}/_stcore/stream", headers=headers) as socket:
            return socket.receive_text()
    except WebSocketDisconnect:
        return "refused"


PATHS = [
    "/",
    "/documentos",
    "/media/abc.png",
    "/static/js/index.js",
    "/_stcore/upload_file/s/f",
    "/_stcore/host-config",
]


@pytest.mark.parametrize("path", PATHS)
def test_without_the_link_a_page_says_where_it_is(stranger: TestClient, path: str) -> None:
    answer = stranger.get(path)
    assert answer.status_code == 403
    assert "scripts/start" in answer.text
    assert '<html lang="es">' in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", PATHS)
def test_the_link_is_exchanged_for_a_cookie_that_is_enough(guest: TestClient, path: str) -> None:
    assert guest.get(path).text == "adentro"


def test_a_websocket_needs_the_cookie_too(stranger: TestClient, guest: TestClient) -> None:
    assert (_stream_says(stranger), _stream_says(guest)) == ("refused", "adentro")


def test_the_token_does_not_open_a_websocket(stranger: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect), stranger.websocket_connect(f"{SOCKET}/_stcore/stream?token={TOKEN}"):
        pass


def test_health_is_told_to_anybody_who_knows_our_name(stranger: TestClient) -> None:
    assert stranger.get("/_stcore/health").status_code == 200
    assert stranger.get("/_stcore/health", headers={"Host": "evil.example"}).status_code == 403


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(stranger: TestClient) -> None:
    cookie = stranger.get(LINK).headers["Set-Cookie"]
    assert re.fullmatch(r"legajo-8501=[0-9a-f]{64}; HttpOnly; Path=/; SameSite=strict", cookie)
    assert TOKEN not in cookie


def test_behind_tls_the_cookie_stays_there() -> None:
    door = client(others=("chat.empresa.pe",))
    answer = door.get(f"https://chat.empresa.pe{LINK}")
    assert "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize(
    ("link", "place"),
    [
        (LINK, "/"),
        (f"/documento?d=a%26b&token={TOKEN}&p=ley", "/documento?d=a%26b&p=ley"),
        (f"//evil.example/?token={TOKEN}", "/evil.example/"),
        (f"/%5Cevil.example/?token={TOKEN}", "/evil.example/"),
    ],
)
def test_the_token_leaves_the_address_and_leads_nowhere_else(stranger: TestClient, link: str, place: str) -> None:
    answer = stranger.get(f"{HERE}{link}")
    assert (answer.status_code, answer.headers["Location"]) == (303, place)


def test_a_link_on_another_site_goes_on_from_a_page_of_ours(stranger: TestClient) -> None:
    answer = stranger.get(LINK, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (200, True)
    assert '<meta http-equiv="refresh" content="0; url=/">' in answer.text
    assert TOKEN not in answer.text


@pytest.mark.parametrize("token", ["", "otro", TOKEN[:-1], f"{TOKEN}x", TOKEN.upper(), "%ff", "ñ"])
def test_another_token_opens_nothing(stranger: TestClient, token: str) -> None:
    answer = stranger.get(f"/?token={token}")
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)


def test_another_cookie_opens_nothing(stranger: TestClient, guest: TestClient) -> None:
    right = guest.cookies["legajo-8501"]
    for name, value in (
        ("legajo-8501", ""),
        ("legajo-8501", TOKEN),
        ("legajo-8501", right[:-1]),
        ("legajo-8502", right),
    ):
        assert stranger.get("/", headers={"Cookie": f"{name}={value}"}).status_code == 403


def test_each_start_and_each_port_has_its_own_cookie() -> None:
    hosts = Hosts.of("127.0.0.1")
    cookies = {
        Access(hosts=hosts, port=port, token=token).cookie for port in (8501, 8502) for token in (TOKEN, "otro secreto")
    }
    assert len(cookies) == 4


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
WORDS = ("frame-ancestors 'none'", "connect-src 'self'", "img-src 'self' data:", "object-src 'none'")


@pytest.mark.parametrize("path", [*PATHS, "/_stcore/health", "/fallo", LINK])
def test_every_answer_says_what_a_browser_may_do_with_it(stranger: TestClient, guest: TestClient, path: str) -> None:
    for answer in (stranger.get(path), guest.get(path), guest.get(path, headers={"Host": "evil.example"})):
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in policy
        if path.startswith("/media/"):
            assert policy.startswith("default-src 'none'")
            assert "sandbox" in policy
        else:
            assert [word for word in WORDS if word not in policy] == []
            assert "'unsafe-eval'" not in policy


def test_what_a_request_says_is_not_taken_for_markup(stranger: TestClient) -> None:
    answer = stranger.get("/", headers={"Origin": "http://<script>alert(1)</script>"})
    assert "&lt;script&gt;" in answer.text
    assert "<script" not in answer.text


def test_the_token_stands_in_no_log(stranger: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="ui")
    stranger.get(LINK)
    stranger.get(LINK, headers={"Host": "evil.example"})
    stranger.get(LINK, headers={"Origin": "http://evil.example"})
    said = [record.getMessage() for record in caplog.records if record.name.startswith("ui")]
    assert len(said) == 2
    assert TOKEN not in "".join(said)
    assert TOKEN not in repr(Access(hosts=Hosts.of("127.0.0.1"), port=1, token=TOKEN))
