"""What became of files is told on whatever page one is, and put away when it was read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import working
from tests.browser.settling import settled
from tests.browser.test_adding import add_in_chat, add_to_library, upload
from tests.browser.test_chat import go_to


@pytest.fixture(autouse=True)
def patient() -> None:
    expect.set_options(timeout=60_000)


def test_the_end_of_an_upload_is_told_on_another_page(
    open_page: Callable[..., Page], own_address: str, tmp_path: Path, library_url: str, server_home: Path
) -> None:
    page = open_page(own_address)
    go_to(page, "Documentos")
    add_to_library(page, upload("reglas_de_viaje.txt", "Los viajes se piden con veinte días."))
    expect(page.locator(".st-key-legajo_queue_panel")).to_contain_text("reglas_de_viaje.txt")
    go_to(page, "Ajustes")
    with working(tmp_path, library_url, server_home):
        expect(page.get_by_test_id("stToast").get_by_text("1 documento listo")).to_be_visible()


def test_what_was_there_already_is_put_away(open_page: Callable[..., Page], address: str) -> None:
    page, file = open_page(address), upload("ya_visto.txt", "Las visitas se anuncian con un día.")
    results = add_in_chat(page, file)
    expect(results).to_contain_text("agregado")
    settled(page)
    page.get_by_role("button", name="Descartar todas").click()
    expect(results).to_have_count(0)
    settled(page)
    expect(add_in_chat(page, file)).to_contain_text("ya estaba, sin cambios")
    settled(page)
    page.get_by_role("button", name="Descartar todas").click()
    expect(results).to_have_count(0)
