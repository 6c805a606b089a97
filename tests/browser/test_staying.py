"""An answer outlives its page: it goes on behind a reload, another page and a second window."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import KEY
from tests.browser.test_adding import upload
from tests.browser.test_chat import (
    QUESTION,
    QUOTE,
    SAID,
    ask,
    ask_endlessly,
    go_to,
    goes_on,
    open_source,
    settled,
    stop,
)
from tests.fakes.provider_server import FakeProviderServer, counted


@pytest.fixture(autouse=True)
def patient() -> None:
    expect.set_options(timeout=60_000)


def test_an_answer_goes_on_behind_another_page_and_a_reload_and_is_stopped_from_a_second_window(
    open_page: Callable[..., Page], provider_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(provider_address)
    live = ask_endlessly(page, provider)
    go_to(page, "Documentos")
    expect(page.get_by_role("heading", name="Documentos")).to_be_visible()
    page.get_by_role("link", name="Conversación").click()
    expect(live).to_contain_text(counted(5))
    goes_on(live)
    page.reload()
    expect(live).to_contain_text(counted(10))
    goes_on(live)
    other = page.context.new_page()
    other.set_default_timeout(60_000)
    other.goto(page.url)
    expect(other.locator(".legajo-live")).to_contain_text(counted(15))
    goes_on(other.locator(".legajo-live"))
    stop(other)
    for window in (page, other):
        expect(window.get_by_text("Respuesta detenida")).to_be_visible()
        expect(window.locator(".answer")).to_contain_text(counted(15))
    assert provider.hits[KEY] == 1


def test_two_windows_of_a_conversation_agree(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    asked: list[str | bytes] = []  # of the server, by a page that is only looked at

    def note(sent: str | bytes) -> None:
        asked.append(sent)

    page.once("websocket", lambda wire: wire.on("framesent", note))
    page.reload()
    expect(page.locator(".answer")).to_have_count(1)
    settled(page)
    other = page.context.new_page()
    other.set_default_timeout(60_000)
    other.goto(page.url)
    expect(other.locator(".answer")).to_have_count(1)
    asked.clear()
    expect(ask(other, "¿Qué equipo entrega la organización en teletrabajo?")).to_have_count(2)
    expect(page.locator(".answer").last).to_contain_text("disco cifrado")
    assert asked == []


def test_a_file_that_comes_with_a_question_is_what_is_asked(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(
        [upload("equipos.txt", "El equipo se devuelve la noche siguiente.")]
    )
    expect(page.get_by_test_id("stChatInputSubmitButton")).to_be_enabled()
    answer = ask(page, "¿Cuándo se devuelve el equipo?")
    expect(answer).to_have_text(re.compile(r"«El equipo se devuelve la noche siguiente\.»\s*1\s*$"))
    scope = page.get_by_test_id("stBottom")
    expect(scope.get_by_text("Solo en «equipos.txt»")).to_be_visible()
    settled(page)
    scope.get_by_role("button", name="Preguntar a todos").click()
    expect(scope.get_by_text("En todos los documentos")).to_be_visible()


def test_a_document_is_read_beside_its_answer(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    settled(page)
    open_source(page).get_by_role("link", name="Abrir el documento").click()
    beside = page.locator(".st-key-legajo_beside")
    expect(beside.get_by_role("img", name="Página 2 de 3")).to_be_visible()
    expect(beside.locator("mark")).to_have_count(4)  # lines
    expect(beside.get_by_text("Cita 1 de 1")).to_be_visible()
    expect(page.locator(".answer")).to_be_visible()
    settled(page)
    beside.get_by_role("button", name="Siguiente", exact=True).click()
    expect(beside.get_by_text("Página 3 de 3")).to_be_visible()
    settled(page)
    page.set_viewport_size({"width": 390, "height": 800})
    assert beside.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 800}
    page.keyboard.press("Escape")
    expect(beside).to_have_count(0)


def test_keys_lead_where_the_mouse_does(
    open_page: Callable[..., Page], provider_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(provider_address)
    provider.say(SAID)
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    settled(page)
    box = page.get_by_test_id("stChatInputTextArea")
    box.blur()
    page.keyboard.press("/")
    expect(box).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Su pregunta")).to_have_value(QUESTION)
    settled(page)
    page.get_by_role("button", name="Cancelar").click()
    settled(page)
    page.keyboard.press("Control+k")
    expect(page.locator(".st-key-legajo_conversations button, .st-key-legajo_find input").first).to_be_focused()
    ask_endlessly(page, provider)
    page.keyboard.press("Escape")
    expect(page.get_by_text("Respuesta detenida").first).to_be_visible()
