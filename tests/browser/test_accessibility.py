"""No page has what axe calls moderate or worse: names, roles, contrast, order."""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import QUESTION, ask

GRAVE = ("moderate", "serious", "critical")


def troubles(page: Page) -> list[str]:
    """What axe says of the page as it is drawn now."""
    settled(page)
    found = Axe().run(page).response["violations"]
    grave = [each for each in found if each["impact"] in GRAVE]
    return [f"{each['id']}: {node['html'][:160]}" for each in grave for node in each["nodes"]]


def of_each_size(page: Page) -> list[str]:
    """On a phone and on a desk, where it stays."""
    found = []
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        found += [f"{width}: {each}" for each in troubles(page)]
    return found


def test_an_answer_and_its_source(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    assert troubles(page) == []
    expect(ask(page, QUESTION)).to_have_count(1)
    page.locator("button.marker").first.click()
    page.locator("section.card").wait_for()
    assert of_each_size(page) == []


def test_the_other_pages(open_page: Callable[..., Page], unused_address: str) -> None:
    page = open_page(unused_address)
    for path in ("documentos", "proyectos", "ajustes", "uso"):
        page.goto(f"{unused_address}/{path}")
        page.get_by_role("heading").first.wait_for()
        assert troubles(page) == [], path
