"""«Por qué estas fuentes»: what it tells of a question, and where the page stands when it opens."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import PASSAGE, QUESTION, QUOTE, ask, open_source


def why(page: Page) -> Locator:
    panel = page.get_by_text("Por qué estas fuentes", exact=True)
    panel.last.wait_for()
    settled(page)
    return panel


def test_a_follow_up_leans_on_the_conversation_and_says_how_it_was_understood(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    expect(ask(page, "¿Y las cuentas compartidas?")).to_have_count(2)
    expect(why(page)).to_have_count(2)
    why(page).last.click()
    expect(page.get_by_role("row", name="Se entendió así")).to_contain_text(QUESTION.strip("¿?"))


def test_why_these_sources_also_in_a_conversation_opened_again(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    for _ in range(2):
        why(page).click()
        survivor = page.get_by_role("row", name="guia_iso_27001.pdf · p. 2 · 3.2 Control de acceso")
        expect(survivor).to_contain_text("Total 100 · significado 100 · palabras 100")
        expect(survivor).to_contain_text("Contiene «revisan», «permisos», «acceso»")
        settled(page)
        page.get_by_text("Puntuación demasiado baja").click()
        expect(page.get_by_text(re.compile("^ley_de_consultas.md · "))).to_have_count(2)
        page.reload()
        expect(page.locator(".answer")).to_contain_text(QUOTE)
    expect(open_source(page).locator("mark")).to_have_text(PASSAGE)


def test_a_long_passage_leaves_the_heads_of_the_ranking_whole_on_a_phone(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address, width=390, height=844)
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    why(page).click()
    page.locator(".legajo-table th[scope]").last.evaluate("cell => cell.prepend('Reglamento de la ley '.repeat(30))")
    heads = page.locator(".legajo-table th:not([scope])")
    heights = heads.evaluate_all("cells => cells.map(cell => cell.offsetHeight)")
    assert len(heights) == 2
    assert max(heights) < 2 * heads.last.evaluate("cell => parseFloat(getComputedStyle(cell).lineHeight)")


def test_why_these_sources_opens_below_the_answer_and_tells_more_when_asked(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    why(page).click()
    expect(page.get_by_role("row", name="Quedaron")).to_be_visible()
    expect(why(page)).to_be_in_viewport()
    settled(page)
    expect(page.locator(".answer")).to_be_in_viewport(ratio=1)
    expect(why(page)).to_be_in_viewport()
    nearest = page.get_by_role("row", name="Más cercanas")
    expect(nearest).to_have_count(0)
    page.get_by_role("button", name="Ver las palabras más cercanas a ese sentido").click()
    expect(nearest).to_contain_text(re.compile(r"permisos 0,\d\d"))
    settled(page)
    page.get_by_role("button", name=re.compile(r"\d m?s$")).click()
    expect(page.get_by_role("row", name="Primera palabra")).to_contain_text(re.compile(r"\d m?s"))


FOLLOWS = """summary => {
    const scroller = summary.closest(".stMain")
    const follow = new ResizeObserver(() => {
        scroller.scrollTop = scroller.scrollHeight
        if (summary.getBoundingClientRect().top > 0) return
        window.legajoFollowed = true
        follow.disconnect()
    })
    follow.observe(summary.parentElement)
}"""  # its end, until what was opened is out of sight, as on a slow computer


def test_why_these_sources_leaves_the_answer_where_the_page_followed_its_end(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    summary = why(page).locator("xpath=ancestor::summary")
    summary.evaluate(FOLLOWS)
    summary.click()
    page.wait_for_function("() => window.legajoFollowed")
    expect(page.locator(".answer")).to_be_in_viewport(ratio=1)


def test_why_these_sources_shows_more_than_a_strip_above_the_box_of_a_low_window(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address, height=560)
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    why(page).click()
    page.wait_for_function(
        """() => {
            const summary = document.querySelector("[class*='st-key-legajo_why'] summary");
            const box = document.querySelector("[data-testid='stBottom']");
            const place = summary.getBoundingClientRect();
            return place.top > 0 && box.getBoundingClientRect().top - place.bottom >= 150;
        }"""
    )
