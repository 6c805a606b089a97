"""A person who chose English: asks, reads remarks, meets errors and signs in, and nothing of ours is in Spanish."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from playwright.sync_api import BrowserContext, Page, expect

from assistant.assistant import Assistant
from tests.browser.conftest import link_to
from tests.browser.settling import settled
from tests.browser.test_chat import QUESTION, ask
from tests.browser.test_people import PASSWORD, assistant, fresh
from tests.fakes.provider_server import FakeProviderServer
from tests.small_library import damaged
from ui.texts import catalogue
from ui.texts.saying import SAID

__all__ = ["assistant", "fresh"]  # fixtures

LETTERS = re.compile(r"[^\W\d_]{4,}")
BRACE = re.compile(r"\{[\w:]+\}")
OF_THE_BROWSER = {"Descartar"}  # a name that React Aria has in the browser's language, which the tests' is Spanish in
# What people and documents say is in their language: answers, quotes, questions, passages, titles.
READ = """() => {
  const said = ".answer, .card, .documents, .legajo-plain, .legajo-lead strong, script, style, textarea";
  const found = [];
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      for (const name of ["aria-label", "title", "placeholder"]) found.push(node.getAttribute(name) ?? "");
      if (node.closest(said) || !node.checkVisibility()) continue;
      for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) found.push(child.nodeValue);
    }
  };
  look(document);
  return found.map((each) => each.trim()).filter(Boolean);
}"""


@cache
def spanish() -> tuple[re.Pattern[str], ...]:
    """Every sentence that is in Spanish in the Spanish page, and another in the English one."""
    ours, theirs = catalogue("es"), catalogue("en")
    known = [each for key, each in ours.items() if theirs.get(key, "") != each]
    known += [key.removeprefix(SAID) for key in theirs if key.startswith(SAID)]
    telling = [each for each in known if LETTERS.search(BRACE.sub("", each))]
    return tuple(re.compile(".*".join(map(re.escape, BRACE.split(each))), re.DOTALL) for each in telling)


def foreign(page: Page) -> list[str]:
    """What of ours a page has in Spanish; at the same time, that it can be read at all."""
    read: list[str] = page.evaluate(READ)
    assert len(read) > 3
    theirs = {*catalogue("en").values(), *OF_THE_BROWSER}
    return [each for each in read if each not in theirs and any(form.fullmatch(each) for form in spanish())]


def speak_english(context: BrowserContext, address: str) -> None:
    context.add_cookies([{"name": "legajo_language", "value": "en", "url": address}])


def test_asking_with_remarks(open_page: Callable[..., Page], tab: Page, address: str) -> None:
    speak_english(tab.context, address)
    page = open_page(address)
    settled(page)
    expect(page.get_by_role("heading", name="What would you like to know?")).to_be_visible()
    assert foreign(page) == []
    ask(page, "¿Cada cuánto se revisan los permizos?")
    expect(page.get_by_text("I searched for “permisos” instead of “permizos”.").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^What does .* say about "))).not_to_have_count(0)
    page.get_by_text("Why these sources", exact=True).click()
    expect(page.get_by_text(re.compile("^Proposed by: ")).first).to_be_visible()
    settled(page)
    assert foreign(page) == []
    ask(page, "¿Qué dice el reglamento de ajedrez?")
    expect(page.locator(".answer").last).to_contain_text("I found nothing about that in your documents")
    settled(page)
    assert foreign(page) == []


def test_errors(
    open_page: Callable[..., Page],
    tab: Page,
    provider_address: str,
    provider: FakeProviderServer,
    unread_library_url: str,
) -> None:
    speak_english(tab.context, provider_address)
    page = open_page(provider_address)
    provider.play("cut")
    ask(page, QUESTION)
    told = page.get_by_test_id("stAlert").filter(has_text="OpenRouter cut the answer before its end.")
    expect(told).to_be_visible()
    settled(page)
    with damaged(unread_library_url):
        ask(page, QUESTION)
        expect(page.get_by_test_id("stAlert")).to_have_count(2)
    settled(page)
    assert foreign(page) == []


def pages_of(page: Page, address: str) -> Iterator[str]:
    for path in ("documentos", "proyectos", "ajustes", "uso", "documento", "compartida"):
        page.goto(f"{link_to(address)}".replace("/?", f"/{path}?"))
        page.get_by_role("heading").first.wait_for()
        settled(page)
        yield path


def test_the_other_pages(open_page: Callable[..., Page], tab: Page, unused_address: str) -> None:
    speak_english(tab.context, unused_address)
    page = open_page(unused_address)
    assert {path: foreign(page) for path in pages_of(page, unused_address)} == {
        path: [] for path in ("documentos", "proyectos", "ajustes", "uso", "documento", "compartida")
    }


def test_the_pages_of_accounts(fresh: BrowserContext, people_address: str, assistant: Assistant) -> None:
    speak_english(fresh, people_address)
    page = fresh.new_page()
    page.goto(f"{people_address}/entrar")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert foreign(page) == []
    page.get_by_label("Name or address").fill("ana")
    page.get_by_label("Password").fill("no es esta tampoco")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text(catalogue("en")[f"{SAID}{WRONG}"])
    assert foreign(page) == []
    page.goto(f"{people_address}/entrar")
    page.get_by_label("Name or address").fill("ana")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_test_id("stChatInputTextArea").wait_for()
    for place in ("salir", "contrasena", "personas", f"invitacion?clave={assistant.accounts().invite('carla')}"):
        page.goto(f"{people_address}/{place}")
        page.get_by_role("heading").first.wait_for()
        assert foreign(page) == []
    page.goto(f"{people_address}/invitacion?clave=ninguna")
    expect(page.get_by_role("alert")).to_contain_text("This invitation does not exist")


WRONG = "El nombre o la contraseña no son correctos. Vuelva a intentar, o pida otra a quien administra Legajo."
