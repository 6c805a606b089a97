"""A web address in the box: offered to be added with a click, and refused with the reason where it may not be read."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.settling import settled
from tests.browser.test_adding import SCHEDULE
from tests.browser.test_chat import ask
from tests.browser.test_faults import shoot
from tests.fakes.web_server import WebServer


def test_an_address_is_offered_and_answers_once_added(
    open_page: Callable[..., Page], empty_address: str, web: WebServer
) -> None:
    web.pages["/horario-de-la-oficina"] = lambda visit: visit.answer(SCHEDULE)
    page = open_page(empty_address)
    ask(page, f"Agrega esta página: http://www.municipio.example:{web.port}/horario-de-la-oficina")
    offer = page.get_by_test_id("stBottom")
    expect(offer.get_by_text("es una página web: no se busca en sus documentos")).to_be_visible()
    expect(page.locator(".answer")).to_have_count(0)
    shoot(page, "page-offered")
    settled(page)
    offer.get_by_role("button", name="Agregar esta página").click()
    expect(page.locator(".legajo-uploads")).to_contain_text("horario-de-la-oficina")
    expect(page.locator(".legajo-uploads")).to_contain_text("agregado")
    shoot(page, "page-added")
    expect(ask(page, "¿Cuál es el horario de la oficina?")).to_contain_text(
        "El horario de la oficina es de ocho a cinco"
    )


def test_an_address_of_ones_own_network_is_refused_with_the_reason(
    open_page: Callable[..., Page], provider_address: str
) -> None:
    page = open_page(provider_address)
    ask(page, "http://127.0.0.1:9/intranet")
    settled(page)
    page.get_by_role("button", name="Agregar esta página").click()
    expect(page.locator(".legajo-uploads")).to_contain_text("127.0.0.1")
    shoot(page, "page-refused")


def test_an_address_can_be_asked_all_the_same(page: Page) -> None:
    ask(page, "https://www.municipio.example/permisos")
    settled(page)
    page.get_by_role("button", name="Preguntar igual").click()
    expect(page.locator(".answer")).to_have_count(1)
