"""The door of the chat as a browser meets it: who has no link, who comes from elsewhere, foreign pages."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page, expect

from launcher.link import shown_in_browser
from tests.browser.conftest import WAIT_MS, link_to

TRIES = """
async chat => {
    const settled = (start, good, bad) => new Promise(done => {
        start[good] = () => done("answered");
        start[bad] = () => done("refused");
    });
    const asked = (path, how) =>
        fetch(chat + path, {credentials: "include", ...how}).then(() => "answered", () => "refused");
    const image = new Image();
    const shown = settled(image, "onload", "onerror");
    image.src = chat + "/favicon.png";
    return {
        socket: await settled(new WebSocket(chat.replace("http", "ws") + "/_stcore/stream"), "onopen", "onerror"),
        page: await asked("/", {}),
        unread: await asked("/", {mode: "no-cors"}),
        upload: await asked("/_stcore/upload_file/s/f", {method: "PUT", body: "x"}),
        image: await shown,
    };
}
"""


class _Elsewhere(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        chat = self.path.partition("?")[2]
        self.wfile.write(f"<title>otra</title><iframe src='{chat}'></iframe><a href='{chat}'>chat</a>".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """A page at another port of this machine: its browser holds the chat's cookie for it too."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def fresh(browser: Browser) -> Iterator[Page]:
    """A browser that never opened the link."""
    with browser.new_context(locale="es-PE", reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        yield page


def chat_of(page: Page) -> None:
    page.get_by_test_id("stChatInputTextArea").wait_for()


def test_without_the_link_a_person_is_told_where_it_is(fresh: Page, address: str) -> None:
    fresh.goto(f"{address}/documentos")
    expect(fresh.get_by_role("heading")).to_have_text("Abra Legajo con su enlace")
    expect(fresh.get_by_role("link", name="Abrir el chat")).to_be_visible()
    assert fresh.get_by_test_id("stApp").count() == 0


def test_the_token_leaves_the_address_and_a_tab_more_needs_no_link(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address)
    assert "token" not in page.url
    assert page.evaluate("document.cookie").find("legajo-") == -1
    another = page.context.new_page()
    another.goto(address)
    chat_of(another)


def test_the_page_that_a_start_opens_leads_to_the_chat(
    fresh: Page, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with shown_in_browser(link_to(address)):
        fresh.goto(opened[0])
        chat_of(fresh)
    assert "token" not in fresh.url


def test_a_link_on_another_site_leads_to_the_chat(fresh: Page, address: str, elsewhere: str) -> None:
    fresh.goto(f"{elsewhere.replace('127.0.0.1', 'localhost')}/?{link_to(address)}")
    fresh.get_by_role("link", name="chat").click()
    chat_of(fresh)


def test_a_page_of_another_port_gets_nothing_though_the_cookie_comes_along(
    open_page: Callable[..., Page], address: str, elsewhere: str
) -> None:
    guest = open_page(address).context
    page = guest.new_page()
    page.goto(f"{elsewhere}/?{address}")
    tried = page.evaluate(TRIES, address)
    assert set(tried.values()) == {"refused"}, tried
    assert page.frames[1].url.startswith("chrome-error:")
