"""Who writes, chosen by somebody who never saw a terminal: a provider is asked what it offers, and one is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import KEY, REAL, served
from tests.browser.settling import settled
from tests.browser.test_chat import ask, go_to
from tests.fakes.provider_server import ANSWER, running

OFFERED = ("casa/grande-2", "casa/pequeño-1:free", "otra/mediano")


@pytest.fixture
def provided(tmp_path: Path, library_url: str, server_home: Path) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """The chat with a provider that offers three models, and what is sent to it."""
    with running() as (server, url):
        server.models = OFFERED
        variables = {
            "DATABASE_URL": library_url,
            "LEGAJO_HOME": str(server_home),
            "LLM_PROVIDER": "openrouter",
            "LLM_BASE_URL": f"{url}/openrouter/v1",
            "OPENROUTER_API_KEY": KEY,
            "LEGAJO_MODEL_TITLES": "false",
        }
        with served(REAL, tmp_path / "server.log", **variables) as address:
            yield address, server.bodies


def test_a_model_is_chosen_from_those_that_the_provider_offers(
    open_page: Callable[..., Page], provided: tuple[str, list[dict[str, object]]]
) -> None:
    address, sent = provided
    page = open_page(address)
    go_to(page, "Ajustes")
    page.get_by_role("button", name="Ver sus modelos").click()
    expect(page.get_by_text("casa/grande-2, casa/pequeño-1:free, otra/mediano")).to_be_visible()
    settled(page)
    page.get_by_text("Quién responde y cómo").first.click()
    settled(page)
    model = page.get_by_role("combobox", name="Modelo", exact=True)
    model.click()
    page.get_by_role("option", name="casa/pequeño-1:free").click()
    settled(page)
    page.get_by_role("button", name="Guardar", exact=True).first.click()
    expect(page.get_by_text("Se guardaron los ajustes.")).to_be_visible()
    page.get_by_role("link", name="Conversación").click()
    expect(ask(page, "¿Cuál es el plazo de respuesta?")).to_contain_text(ANSWER.partition("[")[0].strip())
    expect(page.get_by_text("OpenRouter · casa/pequeño-1:free")).to_be_visible()
    assert [each["model"] for each in sent] == ["casa/pequeño-1:free"]
