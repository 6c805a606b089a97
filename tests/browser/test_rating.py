"""What a person thinks of an answer, said with a thumb and kept with the conversation."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.settling import fits, settled
from tests.browser.test_chat import QUESTION, SAID, ask, ask_endlessly, goes_on, stop
from tests.fakes.provider_server import FakeProviderServer

Open = Callable[..., Page]


def thumb(page: Page, name: str, *, chosen: bool = False) -> None:
    """Click a thumb below the only answer."""
    settled(page)
    page.get_by_role("button", name=f"{name}: quitar mi opinión" if chosen else name, exact=True).click()


def test_a_thumb_down_asks_why_and_stays(open_page: Open, address: str) -> None:
    page = open_page(address, width=390)
    expect(ask(page, QUESTION)).to_have_count(1)
    thumb(page, "No me sirve")
    page.get_by_role("button", name="Desactualizada").click()
    page.get_by_role("textbox", name="Comentario (opcional)").fill("Hay una guía más nueva.")
    assert fits(page, 1280)
    assert fits(page, 390)
    page.get_by_role("button", name="Enviar", exact=True).click()
    expect(page.get_by_text("su opinión quedó guardada")).to_be_visible()
    expect(page.get_by_role("textbox", name="Comentario (opcional)")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="No me sirve: quitar mi opinión")).to_be_visible()
    expect(page.get_by_role("button", name="Me sirve", exact=True)).to_be_visible()


def test_a_second_thumb_takes_the_place_of_the_first_and_a_second_click_takes_it_back(page: Page) -> None:
    expect(ask(page, QUESTION)).to_have_count(1)
    thumb(page, "No me sirve")
    expect(page.get_by_text("¿Qué falló?")).to_be_visible()
    thumb(page, "Me sirve")
    expect(page.get_by_text("¿Qué falló?")).to_have_count(0)
    expect(page.get_by_role("button", name="No me sirve", exact=True)).to_be_visible()
    thumb(page, "Me sirve", chosen=True)
    expect(page.get_by_role("button", name="Me sirve", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="quitar mi opinión")).to_have_count(0)


def test_a_thumb_does_not_stop_an_answer_that_is_being_written(
    open_page: Open, provider_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(provider_address)
    provider.say(SAID)
    expect(ask(page, QUESTION)).to_have_count(1)
    live = ask_endlessly(page, provider)
    page.get_by_role("button", name="Me sirve", exact=True).first.click()
    goes_on(live)
    stop(page)
