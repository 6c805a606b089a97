"""What a person thinks of an answer, said with a thumb and kept with the conversation."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.settling import fits, settled
from tests.browser.test_chat import QUESTION, ask

Open = Callable[..., Page]


def test_a_thumb_down_asks_why_and_stays(open_page: Open, address: str) -> None:
    page = open_page(address, width=390)
    expect(ask(page, QUESTION)).to_have_count(1)
    settled(page)
    page.get_by_role("button", name="No me sirve", exact=True).click()
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
