"""The pages by which people enter, and the gate before the chat: behind it an application says «adentro»."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from assistant.assistant import Assistant
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from ui.serving.access import Access, Hosts
from ui.serving.door import Door
from ui.serving.entrance import gated
from ui.serving.gate import SESSION_HEADER
from ui.serving.headers import FORM_PATHS

PASSWORD = "una contraseña larga"
OTHER = "otra contraseña larga"
HERE = "http://127.0.0.1:8501"
SOCKET = "ws://127.0.0.1:8501/_stcore/stream"
OWN = {"Origin": HERE}
HTML = {"Accept": "text/html"}


async def _inside(request: Request) -> PlainTextResponse:
    return PlainTextResponse(f"adentro {request.headers.get(SESSION_HEADER)}")


async def _stream(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("adentro")
    await websocket.close()


INSIDE = Starlette(
    routes=[
        WebSocketRoute("/_stcore/stream", _stream),
        Route("/{path:path}", _inside, methods=["GET", "PUT", "POST", "DELETE"]),
    ]
)


@pytest.fixture
def assistant(settings: Settings) -> Iterator[Assistant]:
    """With an administrator, Ana, and Beto."""
    chosen = settings.model_copy(update={"accounts": "password"})
    with Assistant.open(chosen, embeddings=HashEmbeddings()) as opened:
        opened.accounts().add("ana", PASSWORD, administrator=True)
        opened.accounts().add("beto", PASSWORD)
        yield opened


@pytest.fixture
def browser(assistant: Assistant) -> TestClient:
    return browser_of(assistant)


def browser_of(assistant: Assistant, base: str = HERE) -> TestClient:
    access = Access(hosts=Hosts.of("127.0.0.1"), port=8501, token=None)
    chat = gated(INSIDE, assistant=assistant, cookie="legajo-8501-session")
    return TestClient(Door(chat, access=access), base_url=base, follow_redirects=False)


def enter(browser: TestClient, name: str = "ana", password: str = PASSWORD) -> int:
    origin = {"Origin": str(browser.base_url)}
    return browser.post("/entrar", data={"name": name, "password": password}, headers=origin).status_code


STRANGERS = ["/", "/documentos", "/media/x.png", "/_stcore/host-config", "/static/x.js", "/_stcore/upload_file/t/f"]


@pytest.mark.parametrize("path", STRANGERS)
def test_who_has_no_session_gets_nothing(browser: TestClient, path: str) -> None:
    for cookie in ({}, {"Cookie": "legajo-8501-session=inventada"}, {SESSION_HEADER: "inventada"}):
        assert browser.get(path, headers=cookie).status_code == 403
        answer = browser.get(path, headers={**cookie, **HTML})
        assert (answer.status_code, answer.headers["location"]) == (303, "/entrar")
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(SOCKET):
        pass


def test_who_enters_gets_the_chat(assistant: Assistant, browser: TestClient) -> None:
    assert enter(browser) == 303
    secret = browser.cookies["legajo-8501-session"]
    assert browser.get("/", headers={SESSION_HEADER: "inventada"}).text == f"adentro {secret}"
    with browser.websocket_connect(SOCKET) as stream:
        assert stream.receive_text() == "adentro"
    assistant.accounts().end_sessions("ana")
    assert browser.get("/").status_code == 403
    with pytest.raises(WebSocketDisconnect), browser.websocket_connect(SOCKET):
        pass


def test_the_cookie_is_for_nobody_else(assistant: Assistant) -> None:
    for base, secure in ((HERE, False), (HERE.replace("http", "https"), True)):
        browser = browser_of(assistant, base)
        answer = browser.post("/entrar", data={"name": "ana", "password": PASSWORD}, headers={"Origin": base})
        cookie = answer.headers["set-cookie"].lower()
        assert {"httponly", "samesite=strict"} <= set(re.split("; ?", cookie))
        assert ("secure" in re.split("; ?", cookie)) == secure


def test_an_unknown_person_and_a_wrong_password_are_told_alike(browser: TestClient) -> None:
    told = {
        browser.post("/entrar", data={"name": name, "password": OTHER}, headers=OWN).text for name in ("ana", "nadie")
    }
    assert len(told) == 1
    assert "no son correctos" in told.pop()


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://evil.example"}, {"Origin": "null"}])
def test_a_form_of_another_page_is_not_taken(browser: TestClient, headers: dict[str, str]) -> None:
    assert browser.post("/entrar", data={"name": "ana", "password": PASSWORD}, headers=headers).status_code == 403
    enter(browser)
    for path in ("/salir", "/contrasena", "/personas"):
        assert browser.post(path, data={"do": "end", "name": "ana"}, headers=headers).status_code == 403
    assert browser.get("/").status_code == 200


def test_who_leaves_has_left(assistant: Assistant, browser: TestClient) -> None:
    enter(browser)
    secret = browser.cookies["legajo-8501-session"]
    assert "Entró como ana" in browser.get("/salir").text
    assert browser.post("/salir", headers=OWN).headers["location"] == "/entrar"
    assert "legajo-8501-session" not in browser.cookies
    assert browser.get("/", headers={"Cookie": f"legajo-8501-session={secret}"}).status_code == 403


def test_an_invitation_is_opened_and_used(browser: TestClient) -> None:
    enter(browser)
    page = browser.post("/personas", data={"do": "invite", "name": "carla"}, headers=OWN).text
    found = re.search(r"http://127.0.0.1:8501(/invitacion\?clave=(\S+?))<", page)
    assert found is not None
    browser.cookies.clear()
    assert "carla" in browser.get(found[1]).text
    typed = {"new": PASSWORD, "again_field": OTHER}
    refused = browser.post(found[1], data=typed, headers=OWN).text
    assert "no son iguales" in refused
    assert f'href="{found[1]}"' in refused  # the way back to the same invitation
    assert browser.post(found[1], data={**typed, "again_field": PASSWORD}, headers=OWN).status_code == 303
    assert browser.get("/").status_code == 200
    assert browser.get(found[1]).status_code == 403


def test_one_s_own_password_is_changed_by_who_knows_it(browser: TestClient) -> None:
    enter(browser)
    typed = {"old": OTHER, "new": OTHER, "again_field": OTHER}
    assert browser.post("/contrasena", data=typed, headers=OWN).status_code == 403
    assert browser.post("/contrasena", data={**typed, "old": PASSWORD}, headers=OWN).status_code == 200
    assert browser.get("/").status_code == 200
    assert enter(browser, password=OTHER) == 303


def test_only_administrators_keep_accounts(assistant: Assistant, browser: TestClient) -> None:
    enter(browser, "beto")
    assert browser.get("/personas").status_code == 403
    for typed in ({"do": "invite", "name": "carla"}, {"do": "reset", "name": "ana"}, {"do": "end", "name": "ana"}):
        assert browser.post("/personas", data=typed, headers=OWN).status_code == 403
    assert [each.person for each in assistant.accounts().people()] == ["ana", "beto"]


def test_administrators_give_roles_and_end_sessions(assistant: Assistant, browser: TestClient) -> None:
    assistant.as_person("ana").create_project("leyes")
    theirs = browser_of(assistant)
    enter(theirs, "beto")
    enter(browser)
    given = {"do": "role", "name": "beto", "project": "leyes", "role": "reader"}
    assert browser.post("/personas", data=given, headers=OWN).status_code == 303
    assert "leyes: lector" in browser.get("/personas").text
    assert [each.project for each in assistant.as_person("beto").projects()] == ["leyes"]
    assert browser.post("/personas", data={**given, "role": "dueño"}, headers=OWN).status_code == 400
    browser.post("/personas", data={"do": "end", "name": "beto"}, headers=OWN)
    done = browser.get("/personas").text
    assert "ana · dio permiso · beto: leyes: reader" in done
    assert "ana · terminó las sesiones · beto" in done
    assert theirs.get("/").status_code == 403


def test_what_is_typed_is_shown_as_text(browser: TestClient) -> None:
    enter(browser)
    page = browser.post("/personas", data={"do": "reset", "name": "<b>x"}, headers=OWN).text
    assert "<b>x" not in page
    assert "&lt;b&gt;x" in page


def test_every_form_has_a_policy_that_lets_it_be_sent(assistant: Assistant, browser: TestClient) -> None:
    enter(browser)
    for path in FORM_PATHS:
        headers = browser.get(path).headers
        assert "form-action 'self'" in headers["content-security-policy"]
        assert "script-src" not in headers["content-security-policy"]
        assert "unsafe-inline" not in headers["content-security-policy"]  # the style of ours is known by its digest
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"


def test_a_form_has_an_end(browser: TestClient) -> None:
    assert browser.post("/entrar", data={"name": "x" * 20_000}, headers=OWN).status_code == 400


def test_a_browser_that_another_site_led_here_looks_twice(browser: TestClient) -> None:
    enter(browser)
    cookies = {"Cookie": ""}
    led = browser.get("/documentos", headers={**HTML, **cookies, "Sec-Fetch-Site": "cross-site"})
    assert 'content="0; url=/documentos"' in led.text
