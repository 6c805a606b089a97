"""No page has what axe calls moderate or worse: names, roles, contrast, order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import link_to
from tests.browser.test_chat import QUESTION, ask, settled

GRAVE = ("moderate", "serious", "critical")


def troubles(page: Page) -> list[str]:
    """What axe says of the page as it is drawn now."""
    settled(page)
    found = Axe().run(page).response["violations"]
    grave = [each for each in found if each["impact"] in GRAVE]
    return [f"{each['id']}: {node['html'][:160]}" for each in grave for node in each["nodes"]]


@pytest.mark.parametrize("width", [1280, 390])
def test_an_answer_and_its_source(open_page: Callable[..., Page], address: str, width: int) -> None:
    page = open_page(address, width=width)
    assert troubles(page) == []
    expect(ask(page, QUESTION)).to_have_count(1)
    page.locator("button.marker").first.click()
    page.locator("section.card").wait_for()
    assert troubles(page) == []


@pytest.mark.parametrize("path", ["documentos", "proyectos", "ajustes", "uso"])
def test_the_other_pages(open_page: Callable[..., Page], real_address: str, path: str) -> None:
    page = open_page(real_address)
    page.goto(link_to(real_address).replace("/?", f"/{path}?"))
    page.get_by_role("heading").first.wait_for()
    assert troubles(page) == []
