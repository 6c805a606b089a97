"""A chat with accounts as people use it: entering, projects of one's own, other people's files, and being sent away."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from assistant.assistant import Assistant
from assistant.library import UPLOADS
from tests.browser.conftest import GUARD, WAIT_MS
from tests.browser.settling import settled
from tests.indexing import upload
from ui.components.addresses import READER_PATH

PASSWORD = "una contraseña larga"


@pytest.fixture(scope="module", autouse=True)
def _patient() -> None:
    expect.set_options(timeout=60_000)


@pytest.fixture
def assistant(people: Assistant) -> Iterator[Assistant]:
    """Ana administers and owns «leyes» and «obras»; Beto has nothing. Neither was ever there."""
    people.accounts().add("ana", PASSWORD, administrator=True)
    people.accounts().add("beto", PASSWORD)
    for project in ("leyes", "obras"):
        people.as_person("ana").create_project(project)
    yield people
    for name in {each.person for each in people.accounts().people()} - {GUARD}:
        theirs = people.as_person(name)
        for project in [each.project for each in theirs.projects() if each.role == "owner"]:
            theirs.delete_project(project)
        people.accounts().remove(name)


@pytest.fixture
def fresh(browser: Browser) -> Iterator[BrowserContext]:
    """A browser that was never there; a policy that is broken fails the test."""
    troubles: list[str] = []
    with browser.new_context(locale="es-PE", reduced_motion="reduce") as context:
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
    page.get_by_role("textbox", name=re.compile("Nombre del asistente")).wait_for()
    settled(page)
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


def test_the_pages_of_accounts_fit_a_phone_and_are_read_aloud(
    fresh: BrowserContext, people_address: str, assistant: Assistant
) -> None:
    page = fresh.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    invitation = f"/invitacion?clave={assistant.accounts().invite('carla')}"
    page.goto(f"{people_address}/entrar")
    expect(page.get_by_label("Nombre o correo")).to_be_focused()
    page.get_by_label("Nombre o correo").fill("ana")
    page.get_by_label("Contraseña").fill("no es esta tampoco")
    page.get_by_role("button", name="Entrar").click()
    expect(page.get_by_role("alert")).to_contain_text("no son correctos")
    page.close()
    enter(fresh, people_address, "ana").get_by_test_id("stChatInputTextArea").wait_for()
    page = fresh.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    for place in ("/salir", "/contrasena", "/personas", invitation):
        page.goto(f"{people_address}{place}")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        assert page.evaluate("getComputedStyle(document.querySelector('main')).borderRadius") == "12px"  # it is styled
        unnamed = (
            "[...document.querySelectorAll('input:not([type=hidden]), select')].filter(each => !each.labels.length)"
        )
        assert page.evaluate(f"{unnamed}.length") == 0


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
    assert assistant.as_person("ana").project("leyes").conversations.recent() == []


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
    with browser.new_context(reduced_motion="reduce") as other:
        enter(other, people_address, "beto")
        tried = [other.request.get(media), other.request.delete(sent), other.request.put(sent, multipart={"f": "x"})]
        assert [each.status for each in tried] == [404] * 3
    assert fresh.request.get(media).body() == law


def test_a_reader_is_shown_what_readers_may(fresh: BrowserContext, people_address: str, assistant: Assistant) -> None:
    law = b"# Ley\n\nEl plazo para apelar es de quince dias."
    owned = assistant.as_person("ana").project("leyes")
    assert upload(owned, "ley.md", law).status == "indexed"
    owned.give_role("beto", "reader")
    page = enter(fresh, people_address, "beto")
    page.get_by_test_id("stChatInputTextArea").wait_for()
    assert page.get_by_test_id("stChatInputFileUploadButton").count() == 0
    page.get_by_role("link", name="Documentos").click()
    expect(page.get_by_text("los agrega y los quita quien edita el proyecto")).to_be_visible()
    page.get_by_role("button", name="Opciones").click()
    expect(page.get_by_role("button", name="Preguntar a este documento")).to_be_visible()
    assert page.get_by_role("button", name=re.compile("Quitar|Agregar|Mover")).count() == 0
    page.get_by_role("link", name="Ajustes").click()
    expect(page.get_by_text("Los ajustes del proyecto los cambia quien es su dueño")).to_be_visible()
    assert page.get_by_role("button", name="Guardar").count() == 0
    page.get_by_role("link", name="Proyectos").click()
    expect(page.get_by_role("heading", name="leyes")).to_be_visible()
    assert page.get_by_role("button", name=re.compile("Recordar|Borrar")).count() == 0


def test_a_project_that_one_may_not_see_is_told_like_one_that_is_not_there(
    fresh: BrowserContext, people_address: str, assistant: Assistant
) -> None:
    assistant.as_person("ana").project("leyes").give_role("beto", "reader")
    page = enter(fresh, people_address, "beto")
    page.get_by_test_id("stChatInputTextArea").wait_for()
    for place in ("?proyecto=obras", f"{READER_PATH}?d=ley.md&proyecto=obras", "?proyecto=no%20hay"):
        page.goto(f"{people_address}/{place}")
        expect(page.get_by_role("alert")).to_contain_text(
            re.compile("El proyecto «(obras|no hay)» no existe, o no puede")
        )
        assert page.get_by_test_id("stChatInputTextArea").count() == 0
        page.get_by_role("link", name="Ir a mis proyectos").click()
        page.get_by_test_id("stChatInputTextArea").wait_for()
        expect(page).to_have_url(re.compile("proyecto=leyes"))
