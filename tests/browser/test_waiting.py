"""A page that is asked for while the database is away: it says that it waits, and comes when the database is back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pydantic import SecretStr

from assistant.assistant import Assistant
from rag_system.settings import Settings
from tests.browser.conftest import REAL, WAIT_MS, served
from tests.browser.test_people import PASSWORD, enter
from tests.fakes.relay import Relay

MOMENT = "Un momento"


@pytest.fixture
def relay(database_url: str) -> Iterator[Relay]:
    """Before the chat's database."""
    with Relay(database_url) as between:
        yield between


def test_a_page_that_is_drawn_meanwhile_says_so(
    open_page: Callable[..., Page], relay: Relay, tmp_path: Path, server_home: Path
) -> None:
    variables = {"DATABASE_URL": relay.url, "LEGAJO_HOME": str(server_home)}
    with served(REAL, tmp_path / "server.log", **variables) as url:
        page = open_page(url)
        relay.cut()
        page.goto(url)
        expect(page.get_by_text(MOMENT)).to_be_visible()
        expect(page.get_by_test_id("stChatInputTextArea")).to_have_count(0)
        relay.mend()
        page.get_by_test_id("stChatInputTextArea").wait_for()
        expect(page.get_by_text(MOMENT)).to_have_count(0)


def test_who_comes_meanwhile_to_a_chat_with_accounts_is_told_so(
    browser: Browser, relay: Relay, database_url: str, tmp_path: Path, server_home: Path
) -> None:
    with Assistant.open(Settings(home=server_home, database_url=SecretStr(database_url))) as opened:
        opened.accounts().add("ana", PASSWORD)
        opened.as_person("ana").create_project("leyes")
    variables = {"DATABASE_URL": relay.url, "LEGAJO_HOME": str(server_home), "LEGAJO_ACCOUNTS": "password"}
    with (
        served(REAL, tmp_path / "server.log", **variables) as url,
        browser.new_context(locale="es-PE", reduced_motion="reduce") as context,
    ):
        context.set_default_timeout(WAIT_MS)
        page = enter(context, url, "ana")
        page.get_by_test_id("stChatInputTextArea").wait_for()
        relay.cut()
        page.goto(f"{url}/?proyecto=leyes")
        expect(page.get_by_role("heading", name=MOMENT)).to_be_visible()
        relay.mend()
        page.get_by_test_id("stChatInputTextArea").wait_for()
        expect(page).to_have_url(f"{url}/?proyecto=leyes")
