"""Entering by a provider that is another site: what a real browser sends along, and what its policies let happen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import REAL, WAIT_MS, served
from tests.fakes.identity_provider import CLIENT, SECRET, fake_identity_provider


@pytest.fixture
def oidc_address(tmp_path: Path, database_url: str, server_home: Path) -> Iterator[str]:
    """The chat whose people enter by a provider, on a fresh database."""
    with fake_identity_provider() as provider:
        variables = {"DATABASE_URL": database_url, "LEGAJO_HOME": str(server_home), "LEGAJO_ACCOUNTS": "oidc"}
        ours = {"ISSUER": provider.issuer, "CLIENT_ID": CLIENT, "CLIENT_SECRET": SECRET}
        variables |= {f"LEGAJO_OIDC_{name}": value for name, value in ours.items()}
        with served(REAL, tmp_path / "server.log", **variables) as url:
            yield url


def test_a_person_enters_by_the_provider_and_leaves(browser: Browser, oidc_address: str) -> None:
    with browser.new_context(locale="es-PE", reduced_motion="reduce") as context:
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        page.goto(oidc_address)
        expect(page).to_have_url(f"{oidc_address}/entrar")
        page.get_by_role("button", name="Entrar con su cuenta").click()
        page.get_by_text("Todavía no tiene ningún proyecto").wait_for()
        expect(page).to_have_url(f"{oidc_address}/")
        page.goto(f"{oidc_address}/salir")
        expect(page.get_by_text("Entró como ana@empresa.pe.")).to_be_visible()
        page.get_by_role("button", name="Salir").click()
        page.goto(oidc_address)
        expect(page).to_have_url(f"{oidc_address}/entrar")
