"""The looks and the language of the chat, as they are chosen in a browser and kept there."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.settling import settled
from tests.browser.test_chat import ask, go_to

DARK = "rgb(22, 32, 31)"


def choose(page: Page, option: str) -> None:
    """The page is loaded anew with it."""
    with page.expect_navigation(wait_until="load"):
        page.get_by_role("radio", name=option).or_(page.get_by_role("button", name=option)).last.click()
    expect(page.locator(".st-key-legajo_appearance_theme")).to_be_visible()


def test_theme_size_and_language_are_chosen_and_stay(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    go_to(page, "Ajustes")
    expect(page.locator(".st-key-legajo_appearance_theme")).to_be_visible()
    choose(page, "Oscuro")
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
    choose(page, "Grande")
    expect(page.locator("html")).to_have_css("font-size", "20px")
    choose(page, "English")
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto(f"{address}/documentos")  # an address of its own, where Streamlit keeps another theme
    expect(page.get_by_role("heading", name="Documents", exact=True)).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", DARK)
    expect(page.locator("html")).to_have_css("font-size", "20px")


AWAY = """(() => {
  const Shown = window.Notification;
  window.told = [];
  window.Notification = class extends Shown {
    static permission = "denied";  // each test says what is allowed: a browser without windows allows nothing
    constructor(title, options) { super(title, options); window.told.push(options.body); }
  };
  Object.defineProperty(document, "hidden", { get: () => window.away === true });
})()"""


def test_who_is_away_is_told_of_an_answer_where_that_was_chosen_and_allowed(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address)
    page.evaluate(AWAY)
    assert _told(page, away=True, allowed=True) == 0
    go_to(page, "Ajustes")
    choose(page, "Sí, con un aviso del navegador")
    page.goto(address)
    page.get_by_test_id("stChatInputTextArea").wait_for()
    settled(page)
    page.evaluate(AWAY)
    assert _told(page, away=True, allowed=False) == 0
    assert _told(page, away=False, allowed=True) == 0
    assert _told(page, away=True, allowed=True) == 1


def _told(page: Page, *, away: bool, allowed: bool) -> int:
    """How often somebody has been told of answers once there is one more."""
    page.evaluate("allowed => { Notification.permission = allowed ? 'granted' : 'denied' }", allowed)
    page.evaluate("away => { window.away = away }", away)
    before = page.locator(".answer").count()
    expect(ask(page, "¿Cada cuánto se revisan los permisos de acceso?")).to_have_count(before + 1)
    settled(page)
    return int(page.evaluate("window.told.length"))


ENGLISH = """() => [...document.querySelectorAll("[aria-label], [placeholder], [title]")].flatMap((node) =>
  ["aria-label", "placeholder", "title"].map((name) => node.getAttribute(name))
).filter((name) => /^(Open|Choose|Clear|Select|Add)/.test(name ?? ""))"""


def test_what_streamlit_names_and_what_is_not_there_is_told_in_spanish(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address)
    page.get_by_role("button", name="Atajos del teclado").press("Enter")
    keys = page.get_by_test_id("stPopoverBody")
    expect(keys.get_by_text("Buscar en las conversaciones", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    go_to(page, "Documentos")
    page.get_by_text("Agregar documentos", exact=True).click()
    expect(page.get_by_role("group", name="Archivos para agregar")).to_be_visible()
    expect(page.locator("[role=presentation][aria-label]")).to_have_count(0)
    go_to(page, "Ajustes")
    _has_spanish_lists(page)
    page.goto(f"{address}/nada")
    expect(page.get_by_text("Esa página no existe")).to_be_visible()
    expect(page.get_by_text("Se muestra la conversación.")).to_be_visible()
    page.goto(f"{address}/documento?d=../../etc/passwd&p=x&f=99999999999")
    expect(page.get_by_role("heading", name="Este documento ya no está")).to_be_visible()


def _has_spanish_lists(page: Page) -> None:
    page.get_by_text("Quién responde y cómo", exact=True).click()
    lists = page.get_by_test_id("stMain").get_by_role("combobox")
    expect(lists.first).to_be_visible()
    expect(page.get_by_role("button", name="Abrir la lista").first).to_be_visible()
    lists.first.scroll_into_view_if_needed()
    settled(page)  # scrolling closes a list
    lists.first.click()
    expect(page.get_by_role("listbox")).to_be_visible()
    settled(page)
    assert page.evaluate(ENGLISH) == []
