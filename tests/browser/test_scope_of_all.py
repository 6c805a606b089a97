"""Two projects beside each other: questions to both, and documents that go from one to the other."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.settling import fits, settled
from tests.browser.test_chat import ask, go_to

Open = Callable[..., Page]
QUESTION, LEASE = "¿Cuándo se paga el alquiler?", "Contratos · Contrato de alquiler"


def test_an_answer_out_of_all_projects_says_of_which_each_source_is(open_page: Open, address: str) -> None:
    page = open_page(address, width=390)
    expect(ask(page, QUESTION)).to_contain_text("No encontré información sobre eso")
    scope = page.get_by_test_id("stBottom")
    settled(page)
    scope.get_by_role("button", name="Preguntar solo a estos documentos").click()
    page.get_by_text("Todos mis proyectos", exact=True).click()
    expect(scope.get_by_text("En todos mis proyectos")).to_be_visible()
    page.keyboard.press("Escape")
    ask(page, QUESTION)
    expect(page.locator(".document-name").last).to_have_text(LEASE)
    page.locator(".opener").last.click()
    card = page.locator(".card")
    expect(card.locator(".file").first).to_contain_text("Contratos · alquiler.md")
    assert "w=contratos" in (card.get_by_role("link", name="Abrir el documento").get_attribute("href") or "")
    assert fits(page, 390)
    assert fits(page, 1280)
    page.reload()
    expect(page.locator(".document-name").last).to_have_text(LEASE)


def test_a_document_is_copied_from_its_menu(page: Page) -> None:
    go_to(page, "Documentos")
    row = page.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("link", name="Manual de teletrabajo"))
    row.get_by_role("button", name="Opciones").click()
    page.get_by_role("combobox", name="Copiar o mover a otro proyecto").click()
    page.get_by_role("option", name="Contratos").click()
    page.get_by_role("button", name="Copiar", exact=True).click()
    expect(page.get_by_text("Se copió «teletrabajo.md» a «Contratos».")).to_be_visible()
