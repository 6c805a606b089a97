"""A chat with accounts as people use it: entering, projects of one's own, other people's files, and being sent away."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pydantic import SecretStr

from assistant.assistant import Assistant
from assistant.library import UPLOADS
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from tests.browser.conftest import WAIT_MS
from tests.indexing import upload
from ui.components.addresses import READER_PATH

PASSWORD = "una contraseña larga"


@pytest.fixture
def assistant(database_url: str, settings: Settings) -> Iterator[Assistant]:
    """On the same database as the chat. Ana administers and owns «leyes» and «obras»; Beto has nothing."""
    chosen = settings.model_copy(update={"database_url": SecretStr(database_url)})
    with Assistant.open(chosen, embeddings=HashEmbeddings()) as opened:
        opened.accounts().add("ana", PASSWORD, administrator=True)
        opened.accounts().add("beto", PASSWORD)
        for project in ("leyes", "obras"):
            opened.as_person("ana").create_project(project)
        yield opened


@pytest.fixture
def fresh(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that was never there; a policy that is broken fails the test."""
    troubles: list[str] = []
    with browser.new_context(locale="es-PE") as context:
        context.set_default_timeout(WAIT_MS)
        context.on(
            "console",
            lambda message: troubles.append(message.text) if "Content Security Policy" in message.text else None,
        )
        yield context
    assert troubles == []


def enter(context: BrowserContext, address: str, name: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page).to_have_url(f"{address}/entrar")
    page.get_by_label("Nombre o correo").fill(name)
    page.get_by_label("Contraseña").fill(PASSWORD)
    page.get_by_role("button", name="Entrar").click()
    return page


def test_a_person_enters_changes_project_and_leaves(
    fresh: BrowserContext, people_address: str, assistant: Assistant
) -> None:
    page = enter(fresh, people_address, "ana")
    page.get_by_test_id("stChatInputTextArea").wait_for()
    assert "legajo" not in page.evaluate("document.cookie")
    page.get_by_role("button", name="obras").click()
    expect(page).to_have_url(re.compile("proyecto=obras"))
    page.get_by_role("link", name="Ajustes").click()
    page.get_by_role("textbox", name=re.compile("Nombre del asistente")).fill("Albañil")
    page.get_by_role("button", name="Guardar").click()
    expect(page.get_by_text("Se guardaron los ajustes")).to_be_visible()
    assert assistant.as_person("ana").project("obras").project_settings().assistant_name == "Albañil"
    page.get_by_role("button", name="ana").click()
    expect(page.get_by_role("link", name="Cuentas")).to_be_visible()
    page.get_by_role("link", name="Salir").click()
    page.get_by_role("button", name="Salir").click()
    expect(page).to_have_url(f"{people_address}/entrar")
    page.goto(people_address)
    expect(page).to_have_url(f"{people_address}/entrar")


def test_who_has_no_project_makes_one(fresh: BrowserContext, people_address: str, assistant: Assistant) -> None:
    page = enter(fresh, people_address, "beto")
    expect(page.get_by_role("heading", name="Todavía no tiene ningún proyecto")).to_be_visible()
    page.get_by_label("Nombre del proyecto nuevo").fill("leyes")  # of somebody else
    page.get_by_role("button", name="Crear el proyecto").click()
    expect(page.get_by_role("alert")).to_contain_text("Ya hay un proyecto que se llama «leyes»")
    page.get_by_label("Nombre del proyecto nuevo").fill("mío")
    page.get_by_role("button", name="Crear el proyecto").click()
    page.get_by_test_id("stChatInputTextArea").wait_for()
    assert [each.project for each in assistant.as_person("beto").projects()] == ["mío"]
    page.get_by_role("button", name="beto").click()
    expect(page.get_by_role("link", name="Salir")).to_be_visible()
    assert page.get_by_role("link", name="Cuentas").count() == 0


def test_a_session_that_ends_stops_the_chat(fresh: BrowserContext, people_address: str, assistant: Assistant) -> None:
    page = enter(fresh, people_address, "ana")
    box = page.get_by_test_id("stChatInputTextArea")
    box.wait_for()
    assistant.accounts().end_sessions("ana")
    box.fill("¿Cuál es el plazo?")
    box.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Su sesión terminó")
    page.get_by_role("link", name="Entrar de nuevo").click()
    expect(page).to_have_url(f"{people_address}/entrar")
    assert assistant.as_person("ana").project("leyes").conversations() == []


def test_files_on_the_screen_of_one_are_for_nobody_else(
    fresh: BrowserContext, browser: Browser, people_address: str, assistant: Assistant
) -> None:
    law = b"# Ley\n\nEl plazo para apelar es de quince dias."
    assert upload(assistant.as_person("ana").project("leyes"), "ley.md", law).status == "indexed"
    page = enter(fresh, people_address, "ana")
    page.get_by_test_id("stChatInputTextArea").wait_for()
    with page.expect_response("**/upload_file/**") as sending:
        page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(
            {"name": "carta.txt", "mimeType": "text/plain", "buffer": b"Carta."}
        )
    page.goto(f"{people_address}/{READER_PATH}?d={UPLOADS}/ley.md")
    with page.expect_download() as download:
        page.get_by_role("button", name="Descargar").click()
    assert download.value.path().read_bytes() == law
    assert sending.value.ok
    media, sent = download.value.url, sending.value.url
    with browser.new_context() as other:
        enter(other, people_address, "beto")
        tried = [other.request.get(media), other.request.delete(sent), other.request.put(sent, multipart={"f": "x"})]
        assert [each.status for each in tried] == [404] * 3
    assert fresh.request.get(media).body() == law
