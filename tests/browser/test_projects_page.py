"""A second project: made, told something to remember, asked, and left again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import REAL, served
from tests.browser.test_chat import go_to


@pytest.fixture
def address(tmp_path: Path, database_url: str, server_home: Path) -> Iterator[str]:
    """The chat as it is delivered, on a fresh database; nothing is added that a worker would have to read."""
    with served(REAL, tmp_path / "server.log", DATABASE_URL=database_url, LEGAJO_HOME=str(server_home)) as url:
        yield url


def test_a_project_remembers_what_it_is_told_and_cites_it(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    go_to(page, "Proyectos")
    page.get_by_role("button", name="Crear otro proyecto").click()
    page.get_by_label("Nombre del proyecto nuevo").fill("obras")
    page.get_by_role("button", name="Crear el proyecto").click()
    expect(page.get_by_role("heading", name="obras")).to_be_visible()
    expect(page).to_have_url(re.compile("proyecto=obras"))
    page.get_by_text("Nombre y color").click()
    page.get_by_label("Cómo se llama el proyecto").fill("Obras públicas")
    page.get_by_text("Violeta").click()
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_role("heading", name="Obras públicas")).to_be_visible()
    page.get_by_label("Agregar un hecho").fill("El expediente se presenta en mesa de partes")
    page.get_by_role("button", name="Recordar").click()
    expect(page.locator(".st-key-legajo_facts")).to_contain_text("M1 El expediente se presenta en mesa de partes")

    page.get_by_role("link", name="Conversación").click()
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("¿Dónde se presenta el expediente?")
    box.press("Enter")
    marker = page.locator("button.marker", has_text="M1")
    expect(marker.first).to_be_visible()
    marker.first.click()
    expect(page.locator("section.card")).to_contain_text("Hecho recordado")
    expect(page.locator("section.card mark")).to_have_text("El expediente se presenta en mesa de partes")
    expect(page.get_by_role("link", name="Abrir el documento")).to_have_count(0)
    box.fill("Recuerda que la oficina cierra a las cuatro")
    box.press("Enter")
    expect(page.locator(".answer").last).to_contain_text("«La oficina cierra a las cuatro» M2")

    page.reload()
    expect(marker.first).to_be_visible()  # of the same conversation, in the same project
    side = page.locator(".st-key-legajo_projects")
    side.get_by_role("button", name="general").click()
    expect(page.get_by_role("heading", name="Su biblioteca todavía está vacía")).to_be_visible()
    side.get_by_role("button", name="Obras públicas").click()
    expect(marker.first).to_be_visible()
    go_to(page, "Proyectos")
    page.get_by_role("button", name="Olvidar M1").click()
    expect(page.locator(".st-key-legajo_facts")).not_to_contain_text("mesa de partes")
    page.get_by_role("button", name="Borrar el proyecto").click()
    page.get_by_role("button", name="Borrarlo para siempre").click()
    expect(page.get_by_role("heading", name="general")).to_be_visible()
    expect(side).to_have_count(0)
