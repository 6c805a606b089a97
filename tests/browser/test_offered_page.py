"""A web address in the box: offered to be added with a click, and answered from."""

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
