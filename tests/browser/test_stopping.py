"""An answer can be stopped whenever its question was sent, also just before the end of the run before it arrives."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import draw_until, link_to
from tests.browser.test_chat import QUESTION, SAID
from tests.fakes.provider_server import FakeProviderServer, counted


class SlowConnection:
    """What the server says once an answer is whole is held back until it is let through."""

    def __init__(self) -> None:
        self.is_over = False  # on the server, for as long as its words are held back
        self._held: list[str | bytes] | None = None
        self._deliver: Callable[[str | bytes], None]

    def attach(self, browser: WebSocketRoute) -> None:
        server = browser.connect_to_server()
        browser.on_message(server.send)
        server.on_message(self._hear)
        self._deliver = browser.send

    def let_through(self) -> None:
        held, self._held = self._held, None
        for message in held or ():
            self._deliver(message)

    def _hear(self, message: str | bytes) -> None:
        said = ForwardMsg.FromString(message) if isinstance(message, bytes) else ForwardMsg()
        ends = said.WhichOneof("type") == "script_finished"
        if self._held is not None:
            self._held.append(message)
            self.is_over = self.is_over or ends
            return
        self._deliver(message)
        if ends and said.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN and not self.is_over:
            self._held = []


@pytest.fixture
def slow(open_page: Callable[..., Page], provider_address: str) -> tuple[Page, SlowConnection]:
    """The chat behind a slow connection, in a tab of its own."""
    connection, tab = SlowConnection(), open_page(provider_address).context.new_page()
    tab.route_web_socket("**/_stcore/stream*", connection.attach)
    tab.goto(link_to(provider_address))
    return tab, connection


def test_what_is_asked_as_an_answer_ends_can_be_stopped(
    slow: tuple[Page, SlowConnection], provider: FakeProviderServer
) -> None:
    page, connection = slow
    provider.say(SAID)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(QUESTION)
    box.press("Enter")
    draw_until(page, lambda: connection.is_over, "the answer is whole")
    provider.play("endless")
    box.fill(QUESTION)
    box.press("Enter")
    connection.let_through()
    expect(page.locator(".legajo-live")).to_contain_text(counted(3))
    page.get_by_role("button", name="Detener").click()
    expect(page.get_by_text("Respuesta detenida")).to_be_visible(timeout=60_000)
