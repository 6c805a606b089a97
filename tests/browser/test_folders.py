"""Folders of conversations, at the side of the page: made, filled, renamed and removed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import ask, title_of

QUESTION = "¿Qué equipo se entrega en teletrabajo, y en qué carpeta?"  # asked by no other test


@pytest.fixture(autouse=True)
def patient() -> None:
    expect.set_options(timeout=60_000)


def move(page: Page, side: Locator, folder: str) -> None:
    """The open conversation, into a folder."""
    settled(page)
    row = side.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("button", name=title_of(QUESTION)))
    row.get_by_role("button", name="Opciones").click()
    box = page.get_by_role("combobox", name="Carpeta")
    box.fill(folder)
    box.press("Enter")
    expect(box).to_have_count(0)  # the menu is gone with its row


def test_a_conversation_goes_into_a_folder_that_is_renamed_and_removed(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address)
    expect(ask(page, QUESTION)).to_contain_text("disco cifrado")
    side = page.get_by_test_id("stSidebar")
    move(page, side, "Mobiliario")
    folder = side.get_by_test_id("stExpander").filter(has_text="Mobiliario")
    expect(folder.get_by_role("button", name=title_of(QUESTION))).to_be_visible()
    settled(page)
    folder.get_by_role("button", name="Cambiar la carpeta").click()
    page.get_by_label("Nombre de la carpeta").fill("Préstamos")
    page.get_by_role("button", name="Cambiar el nombre").last.click()
    folder = side.get_by_test_id("stExpander").filter(has_text="Préstamos")
    expect(folder.get_by_role("button", name=title_of(QUESTION))).to_be_visible()
    expect(page.get_by_test_id("stPopoverBody")).to_have_count(0)  # the menu goes with the name it was opened by
    settled(page)
    folder.get_by_role("button", name="Cambiar la carpeta").click()
    page.get_by_role("button", name="Quitar la carpeta").click()
    expect(folder).to_have_count(0)
    expect(side.get_by_role("button", name=title_of(QUESTION))).to_be_visible()
