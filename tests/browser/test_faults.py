"""A conversation with a language model that fails: each fault is one Spanish sentence on the screen, what arrived stays
and is marked, the conversation goes on, and it says the same when it is opened again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import KEY
from tests.browser.test_chat import go_to
from tests.fakes.provider_server import PARTIAL as ARRIVED
from tests.fakes.provider_server import FakeProviderServer

QUESTION = "¿Cuál es el plazo de una consulta?"
NEXT = "¿El plazo de una consulta se cuenta en días hábiles?"
ANSWER = "Según el artículo 5, el plazo es de 7 días hábiles"
PARTIAL = ARRIVED.strip()
SHOTS = os.environ.get("LEGAJO_SHOTS")  # a folder for pictures of what the tests see


@pytest.fixture(autouse=True)
def at_ease(provider: FakeProviderServer) -> Iterator[None]:
    yield
    provider.go.set()


def ask(page: Page, question: str) -> None:
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stChatInputStopButton")).to_have_count(0)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")


def shoot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


def errors_of(page: Page) -> Locator:
    return page.get_by_test_id("stAlert")


# What a provider does, what is said of it, and how many answers have come in part by then: some of the faults whose
# sentences `test_providers` states.
FAULTS = [
    ("bad", "OpenRouter rechazó la clave.", 0),
    ("slow", "OpenRouter tardó demasiado.", 0),
    ("cut", "OpenRouter cortó la respuesta antes de terminarla.", 1),
    ("stall", "OpenRouter dejó de escribir a mitad de la respuesta.", 2),
]


def test_each_fault_is_one_sentence_and_the_conversation_goes_on(
    open_page: Callable[..., Page], provider_address: str, provider: FakeProviderServer
) -> None:
    """It goes on after a short wait that is asked for, of which nothing is told."""
    page = open_page(provider_address)
    for number, (scenario, _, _) in enumerate(FAULTS, 1):
        provider.play(scenario)
        ask(page, QUESTION)
        expect(errors_of(page)).to_have_count(number)
        shoot(page, scenario)
        _shows(page, FAULTS[:number])
    provider.play("once")
    ask(page, NEXT)
    expect(page.locator(".answer").last).to_contain_text(ANSWER)
    page.reload()
    expect(page.locator(".answer").last).to_contain_text(ANSWER)
    shoot(page, "faults-reopened")
    _shows(page, FAULTS)
    assert KEY not in page.content()


def _shows(page: Page, faults: list[tuple[str, str, int]]) -> None:
    """Each sentence once, in its order, and where words had come, these with their mark."""
    in_part = faults[-1][2]
    expect(errors_of(page)).to_have_count(len(faults))
    expect(errors_of(page)).to_contain_text([sentence for _, sentence, _ in faults])
    expect(page.get_by_text("Respuesta incompleta")).to_have_count(in_part)
    expect(page.locator(".answer").get_by_text(PARTIAL, exact=True)).to_have_count(in_part)


def test_a_model_that_thinks_long_is_waited_for(
    open_page: Callable[..., Page], fallback_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(fallback_address)
    provider.play("late")
    ask(page, QUESTION)
    expect(page.locator(".legajo-doing")).to_have_text("Leyendo 3 pasajes…")
    shoot(page, "late")
    provider.go.set()
    expect(page.locator(".answer")).to_contain_text(ANSWER)


def test_who_steps_in_is_named(
    open_page: Callable[..., Page], fallback_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(fallback_address)
    provider.play("bad")
    ask(page, QUESTION)
    expect(page.locator(".answer")).to_contain_text(ANSWER)
    notice = page.get_by_text("OpenRouter rechazó la clave.")
    expect(notice).to_contain_text("Esta respuesta es de Servidor local.")
    expect(page.get_by_text("Servidor local · modelo-de-reserva")).to_be_visible()
    expect(errors_of(page)).to_have_count(0)
    shoot(page, "fallback")
    provider.play("cut")
    ask(page, NEXT)
    expect(errors_of(page)).to_contain_text("OpenRouter cortó la respuesta")
    expect(page.locator(".answer").last).to_have_text(PARTIAL)
    shoot(page, "fallback-midway")
    page.reload()
    expect(notice).to_be_visible()
    expect(errors_of(page)).to_have_count(1)


def test_a_project_that_hides_its_model_names_nobody(
    open_page: Callable[..., Page], fallback_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(fallback_address)
    provider.play("cut")
    ask(page, QUESTION)
    expect(errors_of(page)).to_contain_text("OpenRouter cortó la respuesta")
    _hide(page, hide=True)
    page.get_by_role("link", name="Conversación").click()
    expect(errors_of(page)).to_contain_text("El proveedor cortó la respuesta")
    provider.play("bad")
    ask(page, NEXT)
    expect(page.locator(".answer").last).to_contain_text(ANSWER)
    expect(page.get_by_text("El proveedor rechazó la clave.")).to_contain_text("Revise su clave")
    page.get_by_text("Por qué estas fuentes").click()
    expect(page.get_by_role("row", name="Quedaron")).to_be_visible()
    page.get_by_role("button", name=re.compile(r"\d m?s$")).last.click()
    expect(page.get_by_role("row", name="Redactar")).to_be_visible()
    shoot(page, "hidden")
    shown = page.content()
    assert [name for name in ("OpenRouter", "OPENROUTER", "Servidor local", "modelo-de") if name in shown] == []
    expect(page.get_by_test_id("stSidebar")).to_contain_text("se envían a un servicio externo")
    _hide(page, hide=False)


def _hide(page: Page, *, hide: bool) -> None:
    go_to(page, "Ajustes")
    page.get_by_text("No mostrarlo a nadie" if hide else "Según la configuración").click()
    shoot(page, f"settings-{hide}")
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_text("Se guardaron los ajustes.")).to_be_visible()
