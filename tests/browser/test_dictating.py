"""A question that is dictated: the microphone, the recording, and the words in the box, to be read and sent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import REAL, served
from tests.browser.settling import settled
from tests.browser.test_faults import shoot
from tests.fakes import transcriber

Open = Callable[..., Page]


HEARD = "each => each.getContext('2d').getImageData(0, 0, each.width, each.height).data.some(Boolean)"


def dictate(page: Page) -> None:
    """Say something: who stops before anything was heard has said nothing."""
    page.get_by_role("button", name="Dictar la pregunta").click()
    waves = page.get_by_test_id("stChatInputWaveform").locator("canvas").first
    page.wait_for_function(HEARD, arg=waves.element_handle())
    shoot(page, "voice-recording")
    page.get_by_role("button", name="Escribir lo dictado").click()


def test_what_is_said_is_written_in_the_box(
    open_page: Open, tmp_path: Path, library_url: str, server_home: Path
) -> None:
    """Also after a recording that was refused, which is told for as long as nothing else is said."""
    with transcriber.running() as server:
        variables = {
            "DATABASE_URL": library_url,
            "LEGAJO_HOME": str(server_home),
            "TRANSCRIBER_BASE_URL": server.url,
            "TRANSCRIBER_API_KEY": "once-1",
        }
        with served(REAL, tmp_path / "server.log", **variables) as url:
            page = open_page(url)
            settled(page)
            dictate(page)
            refused = page.get_by_text("El transcriptor rechazó su clave.")
            expect(refused).to_be_visible()
            shoot(page, "voice-refused")
            settled(page)
            page.get_by_role("button", name="Preguntas guardadas").click()  # the page is drawn again, and says so
            expect(page.get_by_role("button", name="Guardar")).to_be_visible()
            expect(refused).to_be_visible()
            page.keyboard.press("Escape")
            expect(page.get_by_role("button", name="Guardar")).to_have_count(0)
            settled(page)
            dictate(page)
            box = page.get_by_test_id("stChatInputTextArea")
            expect(box).to_have_value("¿Cuál es el plazo de respuesta?")
            expect(refused).to_have_count(0)
            shoot(page, "voice-written")
            assert server.heard[-1]["file"].startswith(b"RIFF")
            box.press("Enter")
            expect(page.locator(".answer")).to_contain_text("7 días hábiles")
            shoot(page, "voice-answered")


def test_without_a_transcriber_there_is_no_microphone(page: Page) -> None:
    settled(page)
    expect(page.get_by_role("button", name="Dictar la pregunta")).to_have_count(0)
