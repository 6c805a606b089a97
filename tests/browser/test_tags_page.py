"""Tags: put on documents in the library, chosen there, and chosen as the place where a question looks."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import QUESTION, ask, go_to
from tests.browser.test_faults import shoot

GUIDE, MANUAL = "Guía de seguridad de la información", "Manual de teletrabajo"


def row(page: Page, title: str) -> Locator:
    return page.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("link", name=title))


def choose(page: Page, name: str) -> None:
    settled(page)
    page.get_by_test_id("stButtonGroup").get_by_role("radio", name=name).click()
    settled(page)


def tag_all(page: Page, tag: str, button: str) -> None:
    """Every document: put the tag on them, or take it off."""
    settled(page)
    page.get_by_role("button", name="Etiquetar los 3 que se ven").click()
    box = page.get_by_role("combobox", name="Etiqueta", exact=True)
    box.fill(tag)
    box.press("Enter")
    page.get_by_role("button", name=button, exact=True).click()


def tag_one(page: Page, title: str, tag: str) -> None:
    settled(page)
    row(page, title).get_by_role("button", name="Opciones").click()
    box = page.get_by_role("combobox", name="Etiquetas", exact=True)
    box.fill(tag)
    box.press("Enter")


def test_tags_group_documents_and_are_where_a_question_looks(open_page: Callable[..., Page], own_address: str) -> None:
    page = open_page(own_address)
    go_to(page, "Documentos")
    tag_all(page, "Normas", "Ponerla")
    expect(row(page, GUIDE).locator(".legajo-tags")).to_have_text("Normas")
    tag_one(page, MANUAL, "Personal")
    expect(row(page, MANUAL).locator(".legajo-tags li")).to_have_text(["Normas", "Personal"])
    page.keyboard.press("Escape")
    shoot(page, "tags-library")
    choose(page, "Personal (1)")
    expect(row(page, GUIDE)).to_have_count(0)
    expect(row(page, MANUAL)).to_be_visible()
    choose(page, "Normas (3)")
    shoot(page, "tags-filtered")
    page.get_by_role("button", name="Preguntar solo a «Normas»").click()
    chip = page.get_by_test_id("stBottom").get_by_text("Solo en la etiqueta «Normas» (3)")
    expect(chip).to_be_visible()
    expect(ask(page, QUESTION)).to_contain_text("cada seis meses")
    notice = page.get_by_test_id("stCaptionContainer").get_by_text("Busqué solo en los 3 documentos elegidos.")
    expect(notice).to_be_visible()
    shoot(page, "tags-asked")
    settled(page)
    page.reload()
    expect(chip).to_be_visible()
    _chosen_above_the_box(page)
    go_to(page, "Documentos")
    tag_all(page, "Normas", "Quitarla")
    expect(row(page, GUIDE).locator(".legajo-tags")).to_have_count(0)
    tag_all(page, "Personal", "Quitarla")  # of those that bear it
    expect(page.locator(".legajo-tags")).to_have_count(0)


def _chosen_above_the_box(page: Page) -> None:
    """Found among the documents by its name."""
    settled(page)
    page.get_by_role("button", name="Nueva conversación").click()
    bottom = page.get_by_test_id("stBottom")
    expect(bottom.get_by_text("En todos los documentos")).to_be_visible()
    settled(page)
    bottom.get_by_role("button", name="Preguntar solo a estos documentos").click()
    page.get_by_role("combobox", name="Preguntar solo a estos documentos").fill("normas")
    page.get_by_role("option", name="Etiqueta «Normas» (3)").click()
    expect(bottom.get_by_text("Solo en la etiqueta «Normas» (3)")).to_be_visible()
    shoot(page, "tags-scope")
    for _ in ("the list", "the menu"):
        page.keyboard.press("Escape")
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)
