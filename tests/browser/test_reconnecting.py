"""A page whose connection was lost comes back to life, also where nobody was doing anything on it."""

from __future__ import annotations

from playwright.sync_api import Page
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.settling import settled
from tests.browser.test_box import Ends, opened_beside
from tests.browser.test_chat import go_to

WIRES = """(() => {
    const { WebSocket } = window
    window.legajoWires = []
    window.WebSocket = class extends WebSocket {
        constructor(...place) { super(...place); legajoWires.push(this) }
    }
})()"""


def test_an_idle_page_is_drawn_anew_when_its_connection_is_back(page: Page) -> None:
    tab, ends = opened_beside(page, WIRES)
    tab.get_by_test_id("stChatInputTextArea").wait_for()
    _lose_connection(tab, ends)
    go_to(tab, "Documentos")
    _lose_connection(tab, ends)


def _lose_connection(tab: Page, ends: Ends) -> None:
    """And have it back, with a run of the whole page: the server may be another, which knows nothing of it."""
    settled(tab)
    ends.clear()
    tab.evaluate("() => legajoWires.at(-1).close()")
    ends.wait_for(ForwardMsg.FINISHED_SUCCESSFULLY)
