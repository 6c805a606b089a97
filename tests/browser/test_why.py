"""«Por qué estas fuentes»: what it tells of a question, and where the page stands when it opens."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import PASSAGE, QUESTION, QUOTE, ask, open_source


def why(page: Page) -> Locator:
    panel = page.get_by_text("Por qué estas fuentes", exact=True)
    panel.last.wait_for()
    settled(page)
    return panel


def test_why_these_sources_tells_all_when_asked_also_in_a_conversation_opened_again(page: Page) -> None:
    """Of a follow-up, which leans on the conversation, how it was understood."""
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    for _ in range(2):
        why(page).click()
        _opens_below_the_answer(page)
        survivor = page.get_by_role("row", name="guia_iso_27001.pdf · p. 2 · 3.2 Control de acceso")
        expect(survivor).to_contain_text("Total 100 · significado 100 · palabras 100")
        expect(survivor).to_contain_text("Contiene «revisan», «permisos», «acceso»")
        settled(page)
        page.get_by_text("Puntuación demasiado baja").click()
        expect(page.get_by_text(re.compile("^ley_de_consultas.md · "))).to_have_count(2)
        page.reload()
        expect(page.locator(".answer")).to_contain_text(QUOTE)
    expect(open_source(page).locator("mark")).to_have_text(PASSAGE)
    expect(ask(page, "¿Y las cuentas compartidas?")).to_have_count(2)
    expect(why(page)).to_have_count(2)
    why(page).last.click()
    expect(page.get_by_role("row", name="Se entendió así")).to_contain_text(QUESTION.strip("¿?"))


def _opens_below_the_answer(page: Page) -> None:
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
    settled(page)


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


ROOM = """() => {
    const summary = document.querySelector("[class*='st-key-legajo_why'] summary");
    const box = document.querySelector("[data-testid='stBottom']");
    const place = summary.getBoundingClientRect();
    return place.top > 0 && box.getBoundingClientRect().top - place.bottom >= 150;
}"""  # more than a strip above the box


def test_why_these_sources_opens_well_in_any_window(page: Page) -> None:
    """Where the page follows its end, in a low window, and on a phone with a long passage."""
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    summary = why(page).locator("xpath=ancestor::summary")
    summary.evaluate(FOLLOWS)
    summary.click()
    page.wait_for_function("() => window.legajoFollowed")
    expect(page.locator(".answer")).to_be_in_viewport(ratio=1)
    _opened_again(page, width=1280, height=560)
    page.wait_for_function(ROOM)
    _opened_again(page, width=390, height=844)
    page.locator(".legajo-table th[scope]").last.evaluate("cell => cell.prepend('Reglamento de la ley '.repeat(30))")
    heads = page.locator(".legajo-table th:not([scope])")
    heights = heads.evaluate_all("cells => cells.map(cell => cell.offsetHeight)")
    assert len(heights) == 2
    assert max(heights) < 2 * heads.last.evaluate("cell => parseFloat(getComputedStyle(cell).lineHeight)")


def _opened_again(page: Page, *, width: int, height: int) -> None:
    """The conversation in a window of another size, and there the panel."""
    page.set_viewport_size({"width": width, "height": height})
    page.reload()
    expect(page.locator(".answer")).to_contain_text(QUOTE)
    why(page).click()
