"""Takes the pictures of docs/screenshots anew: `python -m tests.browser.screenshots`, in a minute or two.

The chat runs as it is delivered, on a home of its own with the sample documents.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.acceptance.conftest import COMMAND, SAMPLES, clean_environment
from tests.browser.conftest import ARGUMENTS, REAL, ROOT, chromium, link_to, served

_PICTURES = ROOT / "docs" / "screenshots"
_STUDY = "¿Cuál es el tiempo promedio de respuesta según el estudio de las municipalidades?"
_LAW = "¿Qué plazo da la Ley 27444 para interponer un recurso?"
_SETTLED_MS = 1_500  # scrolling and unfolding are animated


def main() -> None:
    """Every picture."""
    with tempfile.TemporaryDirectory() as home:
        subprocess.run([COMMAND, "ingest", SAMPLES], env=clean_environment(Path(home)), check=True)
        with served(REAL, Path(home) / "chat.log", LEGAJO_HOME=home) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            _on_a_desk(_opened(browser, address, 1280, 800))
            _on_a_phone(_opened(browser, address, 390, 844))
            browser.close()


def _opened(browser: Browser, address: str, width: int, height: int) -> Page:
    page = browser.new_page(viewport={"width": width, "height": height}, locale="es-PE")
    page.goto(link_to(address))
    page.get_by_test_id("stChatInputTextArea").wait_for()
    return page


def _on_a_desk(page: Page) -> None:
    page.get_by_text("Para empezar").wait_for()
    _take(page, "empty")
    _ask(page, _STUDY)
    page.locator("button.marker").first.click()
    _take(page, "chat")
    page.get_by_role("link", name="Abrir el documento").first.click()
    page.locator(".st-key-legajo_beside").get_by_role("img").first.wait_for()
    _take(page, "beside")
    page.locator(".st-key-legajo_beside").get_by_role("button", name="Cerrar").click()
    page.get_by_role("button", name="Nueva conversación").click()
    page.get_by_text("Para empezar").wait_for()
    _ask(page, _LAW)
    page.get_by_text("Por qué estas fuentes", exact=True).click()
    page.locator(".documents").evaluate("node => node.scrollIntoView()")
    _take(page, "why")
    for link, name in (("Documentos", "documents"), ("Ajustes", "settings"), ("Uso", "usage")):
        page.get_by_role("link", name=link).click()
        page.get_by_role("heading", name=link).wait_for()
        _take(page, name)


def _on_a_phone(page: Page) -> None:
    _ask(page, _STUDY)
    page.locator(".documents").evaluate("node => node.scrollIntoView({block: 'end'})")
    _take(page, "phone")


def _ask(page: Page, question: str) -> None:
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    page.get_by_text("Por qué estas fuentes", exact=True).wait_for()
    page.wait_for_timeout(_SETTLED_MS)


def _take(page: Page, name: str) -> None:
    page.wait_for_timeout(_SETTLED_MS)
    page.screenshot(path=_PICTURES / f"{name}.png")


if __name__ == "__main__":
    main()
