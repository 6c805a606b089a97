"""Eight people with a browser each, who ask at the same time of two chats on one database.

It takes minutes, so it is tried by `scripts/test --slow`. With `--log-cli-level INFO` it tells how long they waited.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect
from pydantic import SecretStr

from assistant.assistant import Assistant
from rag_system.settings import Settings
from tests.browser.conftest import WAIT_MS
from tests.browser.replicated import Chat, two_chats
from tests.browser.settling import settled
from tests.browser.test_people import PASSWORD, enter
from tests.effort import IS_SLOW
from tests.indexing import upload

PEOPLE = 8
PLAZOS = ("apelar", "reclamar", "corregir")
LAW = "# Ley de plazos\n\n" + "\n\n".join(
    f"## Artículo {number}\n\nEl plazo para {what} es de {number + 6} días hábiles."
    for number, what in enumerate(PLAZOS, 1)
)
# How long until the page has drawn all that follows from the question that is sent next.
WATCH = """() => {
    const began = performance.now()
    const state = () => document.querySelector("[data-testid=stApp]").dataset.testScriptState
    const answers = () => [document, ...[...document.querySelectorAll("*")].map((each) => each.shadowRoot)]
        .reduce((sum, root) => sum + (root?.querySelectorAll(".answer").length ?? 0), 0)
    const before = answers()
    window.legajoTook = new Promise((told) => {
        const look = setInterval(() => {
            if (state() !== "notRunning" || answers() === before || document.querySelector(".legajo-live")) return
            clearInterval(look)
            told(performance.now() - began)
        }, 50)
    })
}"""

pytestmark = pytest.mark.skipif(not IS_SLOW, reason="takes minutes: scripts/test --slow")


@pytest.fixture
def opened(database_url: str, server_home: Path) -> Iterator[Assistant]:
    """A project with a small law, which everybody may read."""
    with Assistant.open(Settings(home=server_home, database_url=SecretStr(database_url))) as assistant:
        for number in range(PEOPLE):
            assistant.accounts().add(f"persona{number}", PASSWORD)
        assistant.as_person("persona0").create_project("leyes")
        project = assistant.as_person("persona0").project("leyes")
        upload(project, "ley.md", LAW.encode())
        for number in range(1, PEOPLE):
            project.give_role(f"persona{number}", "reader")
        yield assistant


@pytest.fixture
def chats(tmp_path: Path, opened: Assistant, database_url: str, server_home: Path) -> Iterator[tuple[Chat, Chat]]:
    with two_chats(tmp_path, DATABASE_URL=database_url, LEGAJO_HOME=str(server_home)) as both:
        yield both


def ask(pages: list[Page], what: str) -> None:
    """Everybody, one key after the other."""
    for page in pages:
        page.get_by_test_id("stChatInputTextArea").fill(f"¿Cuál es el plazo para {what}?")
    for page in pages:
        page.evaluate(WATCH)
        page.get_by_test_id("stChatInputTextArea").press("Enter")


def test_eight_people_ask_two_chats_at_the_same_time(
    browser: Browser, chats: tuple[Chat, Chat], opened: Assistant
) -> None:
    took_ms: list[float] = []
    with ExitStack() as stack:
        pages = []
        for number in range(PEOPLE):
            context = stack.enter_context(browser.new_context(locale="es-PE", reduced_motion="reduce"))
            context.set_default_timeout(WAIT_MS)
            pages.append(enter(context, f"http://{chats[number % 2].place}", f"persona{number}"))
        for page in pages:
            page.get_by_test_id("stChatInputTextArea").wait_for()
            settled(page)
        begun = perf_counter()
        for asked, what in enumerate(PLAZOS, 1):
            ask(pages, what)
            for page in pages:
                expect(page.locator(".answer")).to_have_count(asked)
                expect(page.locator(".answer").last).to_contain_text(f"{asked + 6} días")
                took_ms.append(page.evaluate("legajoTook"))
        seconds = perf_counter() - begun
    told = "%d answers of %d tabs: %.1f a second; until all is drawn p50 %.0f ms, p95 %.0f ms, at most %.0f ms"
    spread = np.percentile(took_ms, [50, 95, 100])
    logging.getLogger(__name__).info(told, len(took_ms), PEOPLE, len(took_ms) / seconds, *spread)
    for number in range(PEOPLE):
        project = opened.as_person(f"persona{number}").project("leyes")
        (conversation,) = project.conversations.recent()
        states = [(turn.role, turn.state) for turn in project.turns(conversation.conversation_id)]
        assert [state for role, state in states if role == "assistant"] == ["complete"] * len(PLAZOS)
