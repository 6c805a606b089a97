"""Tags: put on documents in the library, chosen there, and chosen as the place where a question looks."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.test_chat import QUESTION, ask, go_to, settled
from tests.browser.test_faults import shoot

GUIDE, MANUAL = "Guía de seguridad de la información", "Manual de teletrabajo"


def row(page: Page, title: str) -> Locator:
    return page.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("link", name=title))


def choose(page: Page, name: str) -> None:
    settled(page)
    page.get_by_test_id("stButtonGroup").get_by_role("radio", name=name).click()
    settled(page)


def test_tags_group_documents_and_are_where_a_question_looks(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    go_to(page, "Documentos")
    page.get_by_role("button", name="Etiquetar los 2 que se ven").click()
    box = page.get_by_role("combobox", name="Etiqueta")
    box.fill("Normas internas")
    box.press("Enter")
    page.get_by_role("button", name="Ponerla").click()
    for title in (GUIDE, MANUAL):
        expect(row(page, title).locator(".legajo-tags")).to_have_text("Normas internas")
    settled(page)
    row(page, MANUAL).get_by_role("button", name="Opciones").click()
    box = page.get_by_role("combobox", name="Etiquetas")
    box.fill("Personal")
    box.press("Enter")
    expect(row(page, MANUAL).locator(".legajo-tags li")).to_have_text(["Normas internas", "Personal"])
    page.keyboard.press("Escape")
    shoot(page, "tags-library")
    choose(page, "Personal (1)")
    expect(row(page, GUIDE)).to_have_count(0)
    expect(row(page, MANUAL)).to_be_visible()
    shoot(page, "tags-filtered")
    choose(page, "Normas internas (2)")
    page.get_by_role("button", name="Preguntar solo a «Normas internas»").click()
    chip = page.get_by_test_id("stBottom")
    expect(chip.get_by_text("Solo en «Normas internas» (2 documentos)")).to_be_visible()
    expect(ask(page, QUESTION)).to_contain_text("cada seis meses")
    expect(page.get_by_text("Busqué solo en «guia_iso_27001.pdf» y «teletrabajo.md».")).to_be_visible()
    shoot(page, "tags-asked")
    settled(page)
    page.reload()
    expect(chip.get_by_text("Solo en «Normas internas» (2 documentos)")).to_be_visible()

    settled(page)
    page.get_by_role("button", name="Nueva conversación").click()
    expect(chip.get_by_text("En todos los documentos")).to_be_visible()
    settled(page)
    chip.get_by_role("button", name="Preguntar solo a estos documentos").click()
    finder = page.get_by_role("combobox", name="Preguntar solo a estos documentos")
    finder.fill("normas")
    page.get_by_role("option", name="Etiqueta «Normas internas» (2)").click()
    expect(chip.get_by_text("Solo en «Normas internas» (2 documentos)")).to_be_visible()
    shoot(page, "tags-scope")
    page.keyboard.press("Escape")

    go_to(page, "Documentos")
    page.get_by_role("button", name="Etiquetar los 2 que se ven").click()
    box = page.get_by_role("combobox", name="Etiqueta")
    box.fill("Normas internas")
    box.press("Enter")
    page.get_by_role("button", name="Quitarla").click()
    expect(row(page, GUIDE).locator(".legajo-tags")).to_have_count(0)
    settled(page)
    row(page, MANUAL).get_by_role("button", name="Opciones").click()
    page.get_by_test_id("stMultiSelect").get_by_role("button", name="Remove").or_(
        page.get_by_test_id("stMultiSelect").locator("[data-baseweb=tag] [role=presentation]")
    ).first.click()
    expect(page.locator(".legajo-tags")).to_have_count(0)
