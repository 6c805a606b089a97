"""Questions that are kept: saved from what was asked or typed, asked with a click, renamed and removed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import QUESTION, QUOTE, ask, begin_anew

TYPED = "¿Qué equipo se entrega en teletrabajo?"


@pytest.fixture(autouse=True)
def patient() -> None:
    expect.set_options(timeout=60_000)


def test_a_question_is_kept_and_asked_with_a_click(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    settled(page)
    page.get_by_role("button", name="Preguntas guardadas").click()
    page.get_by_role("button", name="Guardar la última pregunta").click()
    menu = page.get_by_test_id("stPopoverBody")
    expect(menu.get_by_role("button", name=QUESTION)).to_be_visible()
    settled(page)
    menu.get_by_label("Otra pregunta para guardar").fill(TYPED)
    menu.get_by_role("button", name="Guardar", exact=True).click()
    menu.get_by_role("button", name=TYPED).click()
    expect(page.locator(".answer").last).to_contain_text("disco cifrado")
    begin_anew(page)
    settled(page)
    page.get_by_role("button", name="Preguntas guardadas").click()
    menu.get_by_text("Cambiar el nombre o quitar").click()
    name = menu.get_by_label("Nombre de la pregunta")
    name.fill("Permisos, cada cuánto")
    name.press("Enter")
    menu.get_by_role("button", name="Cambiar el nombre").click()
    expect(menu.get_by_role("button", name="Permisos, cada cuánto")).to_be_visible()
    page.keyboard.press("Escape")
    settled(page)
    page.locator(".st-key-legajo_welcome").get_by_role("button", name="Permisos, cada cuánto").click()
    expect(page.locator(".answer")).to_contain_text(QUOTE)
    for left in (1, 0):
        settled(page)
        if not menu.is_visible():
            page.get_by_role("button", name="Preguntas guardadas").click()
        if not menu.get_by_role("button", name="Quitar").is_visible():
            menu.get_by_text("Cambiar el nombre o quitar").click()
        settled(page)
        menu.get_by_role("button", name="Quitar").click()
        expect(menu.locator("[class*=st-key-ask-saved]")).to_have_count(left)


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
