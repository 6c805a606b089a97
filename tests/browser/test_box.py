"""The question box: open again after each answer, however busy the browser is, cheap to type in, and with its
choices in one row."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import WAIT_MS, draw_until
from tests.browser.settling import settled
from tests.browser.test_chat import QUESTION, QUOTE, ask

# A page that is busy hears nothing of what the server says, and afterwards all of it at once.
BUSY = """(() => {
    const add = WebSocket.prototype.addEventListener
    WebSocket.prototype.addEventListener = function (type, hear, ...rest) {
        const heard = type !== "message" ? hear
            : (event) => window.legajoUnheard ? legajoUnheard.push(() => hear(event)) : hear(event)
        add.call(this, type, heard, ...rest)
    }
})()"""
FEW = 60  # the box, and the hint beside it that appears with the first key
HEAR = "() => { const unheard = legajoUnheard; legajoUnheard = null; unheard.forEach((hear) => hear()) }"


class Ends:
    """How the runs of a page's script end, one after the other."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._seen: list[int] = []
        page.on("websocket", self._listen)

    def _listen(self, wire: WebSocket) -> None:
        wire.on("framereceived", self._note)

    def _note(self, said: str | bytes) -> None:
        message = ForwardMsg.FromString(said) if isinstance(said, bytes) else ForwardMsg()
        if message.WhichOneof("type") == "script_finished":
            self._seen.append(message.script_finished)

    def clear(self) -> None:
        """Forget those that were seen."""
        self._seen.clear()

    def wait_for(self, end: int) -> None:
        """The next that is so."""
        draw_until(self._page, lambda: end in self._seen, f"a run ends so: {end}")
        del self._seen[: self._seen.index(end) + 1]


def opened_beside(page: Page, script: str) -> tuple[Page, Ends]:
    """The same address in a tab whose page is prepared by a script, and how its runs end."""
    tab = page.context.new_page()
    tab.set_default_timeout(WAIT_MS)
    tab.add_init_script(script)
    ends = Ends(tab)
    tab.goto(page.url)
    return tab, ends


def test_it_opens_though_a_part_of_the_page_ran_right_after_the_answer(page: Page) -> None:
    tab, ends = opened_beside(page, BUSY)
    expect(ask(tab, QUESTION)).to_contain_text(QUOTE)
    settled(tab)
    tab.evaluate("() => { window.legajoUnheard = [] }")
    ends.clear()
    box = tab.get_by_test_id("stChatInputTextArea")
    box.fill(QUESTION)
    box.press("Enter")
    ends.wait_for(ForwardMsg.FINISHED_EARLY_FOR_RERUN)
    ends.wait_for(ForwardMsg.FINISHED_SUCCESSFULLY)
    tab.get_by_role("button", name="Me sirve", exact=True).click()
    ends.wait_for(ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
    tab.evaluate(HEAR)
    expect(tab.locator(".answer")).to_have_count(2)
    expect(box).to_be_enabled()


def test_a_key_has_few_elements_styled_anew(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    settled(page)
    traced: list[dict[str, Any]] = []
    over: list[bool] = []
    watch = page.context.new_cdp_session(page)
    watch.on("Tracing.dataCollected", lambda told: traced.extend(told["value"]))
    watch.on("Tracing.tracingComplete", lambda _: over.append(True))
    categories = {"includedCategories": ["devtools.timeline"]}
    watch.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    page.get_by_test_id("stChatInputTextArea").press_sequentially("plazo")
    watch.send("Tracing.end")
    draw_until(page, lambda: bool(over), "the trace is complete")
    watch.detach()
    styled = [each["args"].get("elementCount", 0) for each in traced if each["name"] == "UpdateLayoutTree"]
    assert 0 < max(styled) < FEW


def test_what_stands_above_the_box_stands_together_at_its_left(page: Page) -> None:
    names = ("Preguntar solo a estos documentos", "Preguntas guardadas")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        settled(page)
        scope, saved = (page.get_by_role("button", name=name).bounding_box() for name in names)
        assert scope
        assert saved
        assert 0 <= saved["x"] - (scope["x"] + scope["width"]) <= scope["width"]
        assert saved["y"] == pytest.approx(scope["y"], abs=1)
