"""Files, folders and pages of the web on their way to be documents, as a person adds them and follows them."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from threading import Event

from playwright.sync_api import FilePayload, Locator, Page, expect
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from tests.browser.settling import settled
from tests.browser.test_chat import ask, ask_endlessly, go_to, goes_on, open_source, stop
from tests.fakes.provider_server import FakeProviderServer, counted
from tests.fakes.web_server import WebServer

DAMAGED = "%PDF-1.7\nesto no es un PDF"


def upload(name: str, words: str, mime: str = "text/plain") -> FilePayload:
    return {"name": name, "mimeType": mime, "buffer": words.encode()}


def locked(name: str, words: str, password: str) -> FilePayload:
    """A PDF that opens with a password."""
    buffer = BytesIO()
    canvas = Canvas(buffer, encrypt=StandardEncryption(password), invariant=True)
    canvas.drawString(60, 700, words)
    canvas.save()
    return {"name": name, "mimeType": "application/pdf", "buffer": buffer.getvalue()}


def add_in_chat(page: Page, *files: FilePayload) -> Locator:
    """Send files with the box of the chat; their lines."""
    page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(files)
    expect(page.get_by_test_id("stChatInputSubmitButton")).to_be_enabled()
    page.get_by_test_id("stChatInputSubmitButton").click()
    return page.locator(".legajo-uploads li")


def test_files_added_in_the_chat_are_followed_and_answered_from(
    open_page: Callable[..., Page], empty_address: str
) -> None:
    page = open_page(empty_address)
    expect(page.get_by_role("heading", name="Su biblioteca todavía está vacía")).to_be_visible()
    results = add_in_chat(
        page,
        upload("vacaciones.txt", "Las vacaciones duran treinta días."),
        upload("roto.pdf", DAMAGED, "application/pdf"),
        upload("vacio.md", "  "),
    )
    expect(results).to_have_count(3)
    expect(results.nth(0)).to_contain_text("vacaciones.txt agregado · 1 pasaje")
    expect(results.nth(1)).to_contain_text("El PDF está dañado")
    expect(results.nth(2)).to_contain_text("sin texto")
    expect(page.get_by_role("link", name="Documentos (2)")).to_be_visible()
    expect(ask(page, "¿Cuánto duran las vacaciones?")).to_contain_text("treinta días")
    settled(page)
    page.get_by_role("button", name="Guardar como nota").click()
    expect(page.get_by_label("Título de la nota")).to_have_value("¿Cuánto duran las vacaciones?")
    page.get_by_label("Texto de la nota").fill("El descanso anual es de un mes.")
    page.get_by_role("button", name="Guardar la nota").click()
    expect(page.get_by_role("link", name="Documentos (3)")).to_be_visible()


def test_what_must_be_known_of_a_file_is_asked(open_page: Callable[..., Page], empty_address: str) -> None:
    page = open_page(empty_address)
    expect(add_in_chat(page, upload("acta.txt", "El plazo de la obra es de diez días."))).to_contain_text("agregado")
    settled(page)
    lines = add_in_chat(page, upload("acta.txt", "El plazo de la obra es de veinte días."))
    expect(lines.last).to_contain_text("acta.txt espera su respuesta")
    settled(page)
    page.get_by_role("button", name="Conservar ambos").click()
    expect(lines.last).to_contain_text("acta (2).txt agregado")
    expect(page.get_by_role("button", name="Conservar ambos")).to_have_count(0)
    settled(page)
    add_in_chat(page, locked("cifrado.pdf", "El saldo es de trescientos soles.", "secreta"))
    box = page.get_by_label("Contraseña de «cifrado.pdf»")
    for password, told in (("mala", "La contraseña no abre el PDF"), ("secreta", "cifrado.pdf agregado")):
        expect(box).to_be_visible()
        settled(page)
        box.fill(password)
        page.get_by_role("button", name="Abrir y agregar").click()
        expect(lines.last).to_contain_text(told)
    expect(box).to_have_count(0)
    go_to(page, "Documentos")
    add_to_library(page, upload("acta.txt", "El plazo de la obra es de cien días."))
    replace = page.get_by_role("button", name="Reemplazarlo")
    expect(replace).to_be_visible()
    settled(page)
    replace.click()
    expect(replace).to_have_count(0)


def test_rows_of_a_table_stand_in_columns(open_page: Callable[..., Page], empty_address: str) -> None:
    page = open_page(empty_address)
    rows = "Curso | Horas\nPrimeros auxilios | 16 horas lectivas\n\nAprobado por la gerencia municipal"
    expect(add_in_chat(page, upload("cursos.txt", rows))).to_contain_text("agregado")
    expect(ask(page, "¿Cuántas horas lectivas tienen los primeros auxilios?")).to_contain_text("16 horas")
    card = open_source(page)
    expect(card.locator("table.rows td")).to_have_text(["Curso", "Horas", "Primeros auxilios", "16 horas lectivas"])
    expect(card.locator(".line").last).to_have_text("Aprobado por la gerencia municipal")


def test_a_queue_that_is_looked_at_does_not_stop_a_running_answer(
    open_page: Callable[..., Page], provider_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(provider_address)
    add_in_chat(page, upload("norma.txt", "Una norma muy larga."))
    side = page.get_by_test_id("stSidebar")
    expect(side).to_contain_text("Agregando 1 archivo")
    live = ask_endlessly(page, provider)
    expect(live).to_contain_text(counted(15))  # three seconds, in which the queue was looked at
    goes_on(live)
    stop(page)
    expect(page.get_by_test_id("stChatInputStopButton")).to_have_count(0)
    go_to(page, "Documentos")
    panel = page.locator(".st-key-legajo_queue_panel")
    panel.get_by_role("button", name="Cancelar").click()
    expect(panel).to_have_count(0)


def open_forms(page: Page) -> None:
    """Of the page of the documents, where they are closed: what is there comes first."""
    forms = page.locator(".st-key-legajo_adding details")
    expect(forms).to_be_visible()
    if forms.get_attribute("open") is None:
        forms.locator("summary").click()


def add_to_library(page: Page, file: FilePayload) -> None:
    """On the page of the documents. A form that is sent before its file is there is sent without it."""
    open_forms(page)
    page.get_by_test_id("stFileUploaderDropzoneInput").first.set_input_files([file])
    expect(page.get_by_role("button", name=f"Remove {file['name']}")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Agregar a la biblioteca").first.click()


def test_the_documents_page_lists_opens_filters_adds_removes_and_asks_one(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address)
    go_to(page, "Documentos")
    expect(page.get_by_role("heading", name="Documentos")).to_be_visible()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Ley de consultas").click()
    expect(opened.value.get_by_role("heading", name="Ley de consultas")).to_be_visible()
    opened.value.close()
    add_to_library(page, upload("politica_de_compras.txt", "Las compras se aprueban por escrito."))
    expect(page.locator(".legajo-document", has_text="politica_de_compras.txt")).to_be_visible()
    page.get_by_label("Buscar por nombre o título").fill("POLÍTICA compras")
    page.keyboard.press("Enter")
    expect(page.locator(".legajo-document")).to_have_count(1)
    expect(page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Opciones")).to_have_count(1)
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Opciones").click()
    page.get_by_label("Título", exact=True).fill("Política de adquisiciones")
    page.get_by_role("button", name="Cambiar el título").click()
    expect(page.locator(".legajo-document", has_text="Política de adquisiciones")).to_be_visible()
    page.get_by_role("button", name="Quitar", exact=True).click()  # the menu is still open
    expect(page.get_by_text("Ningún documento coincide")).to_be_visible()
    page.get_by_role("button", name="Deshacer").click()
    expect(page.locator(".legajo-document", has_text="Política de adquisiciones")).to_be_visible()
    settled(page)
    page.get_by_label("Buscar por nombre o título").fill("Ley de consultas")
    page.keyboard.press("Enter")
    expect(page.locator(".legajo-document")).to_have_count(1)
    settled(page)
    page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="Opciones").click()
    page.get_by_role("button", name="Preguntar a este documento").click()
    expect(page.get_by_role("heading", name="Pregunte a «ley_de_consultas.md»")).to_be_visible()
    expect(page.get_by_role("button", name="¿Qué dice «Ley de consultas» sobre prórroga?")).to_be_visible()
    scope = page.get_by_test_id("stBottom")
    expect(scope.get_by_text("Solo en «ley_de_consultas.md»", exact=True)).to_be_visible()
    scope.get_by_role("button", name="Preguntar a todos").click()
    expect(scope.get_by_text("En todos los documentos", exact=True)).to_be_visible()


def test_a_folder_is_added_whole(open_page: Callable[..., Page], empty_address: str, tmp_path: Path) -> None:
    inside = tmp_path / "normas" / "internas"
    inside.mkdir(parents=True)
    inside.joinpath("viajes.txt").write_text("Los viajes se piden con diez días.")
    tmp_path.joinpath("normas", "vacaciones_del_personal.txt").write_text("Las vacaciones duran treinta días.")
    page = open_page(empty_address)
    go_to(page, "Documentos")
    open_forms(page)
    page.get_by_role("tab", name="Carpeta").click()
    panel = page.get_by_role("tabpanel", name="Carpeta")
    panel.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(tmp_path / "normas")
    expect(panel.get_by_text("viajes.txt")).to_be_visible()
    panel.get_by_role("button", name="Agregar a la biblioteca").click()
    expect(page.locator(".legajo-document", has_text="normas/internas/viajes.txt")).to_be_visible()
    expect(page.locator(".legajo-document", has_text="normas/vacaciones_del_personal.txt")).to_be_visible()


SCHEDULE = b"<title>Horario</title><p>El horario de la oficina es de ocho a cinco.</p>"
FEES = "<title>Tarifas</title><p>La tarifa de una copia es de diez céntimos.</p>".encode()


def add_page(page: Page, address: str) -> None:
    open_forms(page)
    page.get_by_role("tab", name="Página web").click()
    page.get_by_label("Dirección de la página").fill(address)
    settled(page)  # the forms have just opened, and move what is in them
    page.get_by_role("button", name="Agregar página").click()


def test_a_page_of_the_web_that_is_slow_keeps_nothing_waiting(
    open_page: Callable[..., Page], empty_address: str, web: WebServer
) -> None:
    sent = Event()
    web.pages["/tarifas"] = lambda visit: visit.hold_back(sent, FEES)
    page, url = open_page(empty_address), f"http://www.municipio.example:{web.port}/tarifas"
    rules = upload("reglamento_de_copias.txt", "Las copias se piden en la mesa de partes.")
    expect(add_in_chat(page, rules)).to_contain_text("agregado")
    go_to(page, "Documentos")
    add_page(page, url)
    reading = page.locator(".legajo-uploads")
    expect(reading).to_contain_text(f"{url} leyendo la página")
    page.get_by_label("Buscar por nombre o título").fill("reglamento copias")
    page.keyboard.press("Enter")
    expect(page.locator(".legajo-document")).to_have_count(1)
    expect(reading).to_contain_text("leyendo la página")
    page.get_by_role("link", name="Conversación").click()
    expect(ask(page, "¿Dónde se piden las copias?")).to_contain_text("mesa de partes")
    sent.set()
    go_to(page, "Documentos")
    expect(page.locator(".legajo-document", has_text="Tarifas")).to_contain_text(f"Viene de {url}")


def test_a_question_is_confined_to_a_concept(open_page: Callable[..., Page], empty_address: str) -> None:
    page = open_page(empty_address)
    expect(page.get_by_label("Buscar solo en lo que trata de")).to_have_count(0)
    expect(add_in_chat(page, upload("licencias.txt", "Las licencias duran diez días."))).to_contain_text("agregado")
    go_to(page, "Documentos")
    page.get_by_text("Conceptos: temas de sus documentos").click()
    settled(page)
    page.get_by_label("Nombre", exact=True).fill("Licencias")
    settled(page)
    page.get_by_role("button", name="Guardar", exact=True).click()
    expect(page.locator(".legajo-concepts")).to_contain_text("Licencias")
    page.get_by_role("link", name="Conversación").click()
    expect(page.get_by_test_id("stChatInputTextArea")).to_be_visible()  # a choice made before would return to the list
    page.get_by_test_id("stSidebar").get_by_label("Buscar solo en lo que trata de").click()
    page.get_by_role("option", name="Licencias (1)").click()
    expect(ask(page, "¿Cuánto duran las licencias?")).to_contain_text("diez días")
    expect(page.get_by_text("Busqué solo en lo que trata de «Licencias».").first).to_be_visible()
