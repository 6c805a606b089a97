"""The chat in a real browser: what a person does with it, and that nothing in an answer can act."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from zipfile import ZipFile

from playwright.sync_api import Locator, Page, expect

from tests.browser.settling import fits, settled
from tests.fakes.provider_server import PARTIAL, FakeProviderServer, counted

QUESTION = "¿Cada cuánto se revisan los permisos de acceso?"
DISTANCE = """card => card.getBoundingClientRect().top - card.getRootNode()
    .querySelector(".answer button[aria-expanded=true]").getBoundingClientRect().bottom"""
WHOLE = """() => {
    const found = (root, css) => [...root.querySelectorAll("*")].reduce(
        (got, node) => got ?? (node.shadowRoot && found(node.shadowRoot, css)), root.querySelector(css));
    const card = found(document, "section.card").getBoundingClientRect();
    const box = document.querySelector("[data-testid='stBottom']").getBoundingClientRect();
    return card.top >= 0 && card.bottom <= box.top;
}"""
# Notes whether the page says so before its script does.
SAYS_THAT_IT_STOPPED = """() => {
    const look = () => {
        const live = document.querySelector(".legajo-live")
        window.legajoSaidSo = !!live && getComputedStyle(live, "::after").content.includes("Respuesta detenida")
        if (!window.legajoSaidSo) requestAnimationFrame(look)
    }
    look()
}"""
SOON_MS = 30_000  # half of the silence that is borne
QUOTE = "Los permisos se revisan cada seis meses y se retiran el mismo día en que una persona deja la organización."
PASSAGE = (  # what is quoted where no model answers
    f"El acceso a los sistemas se concede según la necesidad de cada puesto. {QUOTE} "
    "Las cuentas compartidas no se permiten, salvo autorización escrita del responsable de seguridad."
)
TWO = "¿Cada cuánto se revisan los permisos y cada cuánto se realiza la auditoría interna?"  # of two pages
SAID = f"{QUOTE} [1]"  # by a model
HOSTILE = (
    f"{SAID} Texto con <script>window.hacked=1</script> y <img src=x onerror='window.hacked=2'> dentro [1]. "
    "Cuesta $5 y luego $10. ![rastro](http://198.51.100.7/p.png) "
    "[pulse aquí](http://198.51.100.7/robo) y [otro](javascript:window.hacked=3). :red[rojo] <b>negrita</b>"
)
TAMED = "Cuesta $5 y luego $10. rastro pulse aquí y otro. :red[rojo] negrita"


def ask(page: Page, question: str) -> Locator:
    """Type a question; the answers of the page, of which the last will be this one's."""
    settled(page)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill(question)
    box.press("Enter")
    return page.locator(".answer")


def go_to(page: Page, name: str) -> None:
    """Open a page by its link at the side, and wait for all of it."""
    page.get_by_role("link", name=re.compile(f"^{name}")).click()
    page.get_by_role("heading", level=1, name=name).wait_for()
    settled(page)


def ask_endlessly(page: Page, provider: FakeProviderServer) -> Locator:
    """Ask what is answered without an end; the answer as it grows."""
    provider.play("endless")
    ask(page, QUESTION)
    live = page.locator(".legajo-live")
    expect(live).to_contain_text(counted(3))
    return live


def goes_on(live: Locator) -> None:
    """More is being written."""
    before = live.inner_text()
    expect(live).not_to_have_text(before)


def title_of(question: str) -> str:
    """What a conversation that began with it is called."""
    return question.strip("¿?")


def stop(page: Page) -> None:
    """The box below offers to, or else the answer itself."""
    page.get_by_role("button", name="Detener").click()


def begin_anew(page: Page) -> None:
    settled(page)
    page.get_by_role("button", name="Nueva conversación").click()
    expect(page.get_by_role("heading", name="¿Qué desea saber?")).to_be_visible()


def open_source(page: Page) -> Locator:
    page.locator("button.marker").last.click()
    return page.locator("section.card")


def test_an_answer_cites_its_marker_opens_the_quoted_passage_and_both_are_copied(page: Page) -> None:
    """By keyboard and with the mouse; what is copied has its references."""
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    marker = page.locator("button.marker").first
    expect(marker).to_have_attribute("aria-label", f"Abrir la fuente 1: {TITLE} · p. 2 · 3.2 Control de acceso")
    marker.focus()
    page.keyboard.press("Enter")
    expect(page.locator("section.card")).to_be_focused()
    expect(marker).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(page.locator("section.card")).to_have_count(0)
    expect(marker).to_be_focused()
    card = open_source(page)
    expect(card.locator(".title")).to_have_text("Guía de seguridad de la información (ISO/IEC 27001:2022)")
    expect(card.locator(".file")).to_have_text(
        "guia_iso_27001.pdf · página 2 · Capítulo 3. Controles › 3.2 Control de acceso"
    )
    expect(card.locator("mark")).to_have_text(PASSAGE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    settled(page)
    _copied(page, lambda: str(page.evaluate("navigator.clipboard.readText()")))
    page.evaluate("navigator.clipboard.writeText('')")
    page.evaluate("delete Navigator.prototype.clipboard")  # as on a page that is served without HTTPS
    _copied(page, lambda: pasted(page))


TITLE = "Guía de seguridad de la información (ISO/IEC 27001:2022)"
REFERENCE = f"{TITLE} (guia_iso_27001.pdf), página 2, 3.2 Control de acceso"
COPIED = {
    "Copiar con sus fuentes": f"Según {TITLE}, «3.2 Control de acceso» (p. 2): «{PASSAGE}» [1] "
    f"Fuentes: [1] {REFERENCE}",
    "Copiar la cita": f"{REFERENCE}: «{PASSAGE}»",
}


def _copied(page: Page, clipboard: Callable[[], str]) -> None:
    for label, words in COPIED.items():
        page.get_by_role("button", name=label).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Copiado")).to_be_focused()
        assert " ".join(clipboard().split()) == words
        expect(page.get_by_role("button", name=label)).to_be_visible()


def pasted(page: Page) -> str:
    """What the clipboard holds, by way of the question box."""
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("")
    box.press("Control+V")
    words = box.input_value()
    box.fill("")
    return words


def open_document(page: Page) -> Page:
    """The window in which the source that is open shows its document: with a key held, as any link."""
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Abrir el documento").click(modifiers=["Control"])
    return opened.value


def test_a_source_opens_its_document_at_the_quote(page: Page) -> None:
    expect(ask(page, "¿Qué equipo entrega la organización en teletrabajo?")).to_contain_text("disco cifrado")
    page.locator("button.marker").first.click()
    document = open_document(page)
    expect(document.get_by_role("heading", name="Manual de teletrabajo")).to_be_visible()
    expect(document.locator(".reader mark")).to_have_text(re.compile("^La organización entrega .* disco cifrado\\."))
    with document.expect_download() as download:
        document.get_by_role("button", name="Descargar el original").click()
    assert download.value.suggested_filename == "teletrabajo.md"


def test_nothing_that_is_looked_at_stops_a_running_answer(
    open_page: Callable[..., Page], provider_address: str, provider: FakeProviderServer
) -> None:
    """The source of another answer, the page of its document, why it was chosen, and what is thought of it."""
    page = open_page(provider_address)
    provider.say(SAID)
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    live = ask_endlessly(page, provider)
    page.get_by_role("button", name="Me sirve", exact=True).first.click()
    goes_on(live)
    expect(open_source(page).locator("mark")).to_have_text(QUOTE)
    document = open_document(page)
    expect(document.get_by_role("img", name="Página 2 de 3")).to_be_visible()
    expect(document.locator(".reader mark")).to_have_count(2)  # lines
    document.get_by_role("button", name="Siguiente").click()
    expect(document.get_by_text("La cita no se pudo marcar en esta página")).to_be_visible()
    document.reload()
    expect(document.get_by_text("Página 3 de 3")).to_be_visible()
    document.close()
    page.get_by_text("Por qué estas fuentes", exact=True).first.click()
    page.get_by_role("button", name="Ver las palabras más cercanas a ese sentido").click()
    goes_on(live)
    stop(page)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")


def test_a_source_opens_below_its_marker_and_whole_above_the_box_in_any_window(page: Page) -> None:
    """Also where the page follows its end; no window is moved sideways."""
    page.set_viewport_size({"width": 1280, "height": 460})
    expect(ask(page, TWO)).to_contain_text(QUOTE)
    expect(page.locator(".document-name")).to_have_text([TITLE])  # once
    expect(page.locator(".document-name")).to_have_attribute("title", "guias/guia_iso_27001.pdf")
    expect(page.locator(".chip .label")).to_have_text(["p. 3 · Capítulo 5. Auditoría", "p. 2 · 3.2 Control de acceso"])
    expect(ask(page, QUESTION)).to_have_count(2)  # long enough for the page to scroll
    page.locator("button.marker").nth(2).click()
    card = page.locator("section.card")
    expect(card).to_be_focused()
    expect(card.locator(".title")).to_be_in_viewport()
    assert 0 < card.evaluate(DISTANCE) < 60
    page.keyboard.press("Escape")
    for width, opener in product((1280, 390), ("button.marker", ".chip button")):
        page.set_viewport_size({"width": width, "height": 800})
        settled(page)
        page.locator(opener).last.click()
        card.wait_for()
        page.wait_for_function(WHOLE)
        page.keyboard.press("Escape")
        expect(card).to_have_count(0)
    page.locator("button.marker").last.click()
    card.wait_for()
    assert fits(page, 360)
    expect(page.get_by_test_id("stChatInput")).to_be_in_viewport()


def test_a_stop_does_not_wait_for_a_silent_provider(
    open_page: Callable[..., Page], fallback_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(fallback_address)  # which bears a minute of silence
    for stopped, (scenario, shown) in enumerate([("late", "Leyendo 4 pasajes…"), ("held", PARTIAL.strip())], 1):
        provider.play(scenario)
        ask(page, QUESTION)
        expect(page.locator(".legajo-live")).to_have_text(shown)
        stop(page)
        expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=SOON_MS)
        expect(page.get_by_text("Respuesta detenida")).to_have_count(stopped, timeout=SOON_MS)


def test_a_suggestion_asks_its_question_and_an_answer_that_is_stopped_says_so_and_keeps_its_text(
    open_page: Callable[..., Page], provider_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(provider_address)
    suggested = page.get_by_test_id("stMainBlockContainer").get_by_role("button", name="sobre control de acceso")
    provider.say(SAID)
    suggested.click()
    expect(page.locator(".answer")).to_contain_text(QUOTE)
    expect(page.get_by_role("button", name="Detener")).to_have_count(0)
    begin_anew(page)
    settled(page)
    provider.play("endless")
    suggested.click()
    expect(page.locator(".legajo-live")).to_contain_text(counted(3))
    page.evaluate(SAYS_THAT_IT_STOPPED)
    stop(page)
    page.wait_for_function("() => window.legajoSaidSo")
    expect(page.get_by_text("Respuesta detenida")).to_be_visible()
    provider.say(SAID)
    expect(ask(page, QUESTION).last).to_contain_text(QUOTE)
    expect(page.locator(".answer").first).to_contain_text(counted(3))
    expect(page.get_by_text("Respuesta detenida")).to_be_visible()


def test_conversations_are_listed_reopened_and_deleted(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    question = "¿Qué equipo se devuelve del teletrabajo?"  # asked by no other test, for all share the list
    title = title_of(question)
    expect(ask(page, question)).to_contain_text("disco cifrado")
    begin_anew(page)
    page.get_by_role("button", name=title).click()
    expect(page.locator(".answer")).to_contain_text("disco cifrado")
    page.get_by_test_id("stSidebar").get_by_role("button", name="Opciones").first.click()
    page.get_by_role("button", name="Eliminar").click()
    expect(page.get_by_role("heading", name="¿Qué desea saber?")).to_be_visible()
    expect(page.get_by_role("button", name=title)).to_have_count(0)
    page.get_by_role("button", name="Deshacer").click()
    page.get_by_role("button", name=title).click()
    expect(page.locator(".answer")).to_contain_text("disco cifrado")
    expect(page.get_by_role("button", name="Deshacer")).to_have_count(0)


def test_a_conversation_is_named_taken_along_and_found(open_page: Callable[..., Page], address: str) -> None:
    page = open_page(address)
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    side = page.get_by_test_id("stSidebar")
    side.get_by_role("button", name="Opciones").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Markdown").click()
    assert download.value.suggested_filename == "cada-cuanto-se-revisan-los-permisos-de-acceso.md"
    taken = download.value.path().read_text(encoding="utf-8")
    assert taken.startswith(f"# {title_of(QUESTION)}\n\n## {QUESTION}\n\nSegún Guía de seguridad")
    page.get_by_label("Nombre de la conversación").fill("Auditoría de permisos")
    page.get_by_role("button", name="Cambiar el nombre").click()
    expect(side.get_by_role("button", name="Auditoría de permisos")).to_be_visible()
    box, others = side.get_by_label("Buscar en las conversaciones"), 0
    while not others or not box.is_visible():  # it comes with the eighth conversation, of this test or of another
        begin_anew(page)
        expect(ask(page, f"¿Qué documentos tienes? {others}")).to_have_count(1)
        settled(page)
        others += 1
    box.fill("AUDITORIA")
    page.keyboard.press("Enter")
    expect(side.get_by_role("button", name="Qué documentos tienes")).to_have_count(0)
    found = side.get_by_role("button", name="Auditoría de permisos")
    expect(found).to_have_count(1)  # the list of before is gone
    found.click()
    expect(page.locator(".answer")).to_contain_text(QUOTE)


def test_any_conversation_is_named_and_taken_along_from_the_list_without_a_mouse_on_a_phone(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address, width=390)
    question = "¿Qué equipo se entrega en teletrabajo en la mano?"
    expect(ask(page, question)).to_contain_text("disco cifrado")
    settled(page)
    page.get_by_role("button", name="Mostrar el panel").click()
    begin_anew(page)
    settled(page)
    page.get_by_role("button", name="Mostrar el panel").click()
    side = page.get_by_test_id("stSidebar")
    row = side.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("button", name=title_of(question)))
    row.get_by_role("button", name="Opciones").focus()
    page.keyboard.press("Enter")
    name = page.get_by_label("Nombre de la conversación")
    expect(name).to_have_value(title_of(question))
    settled(page)  # the menu takes the focus as it opens
    name.fill("Equipos a mano")
    name.press("Enter")
    row = side.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("button", name="Equipos a mano"))
    expect(row).to_be_visible()
    settled(page)
    expect(page.get_by_role("button", name="Word")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Word")).to_have_count(0)
    settled(page)
    side.get_by_role("button", name="Descargar todas").press("Enter")
    page.get_by_role("button", name="Markdown").wait_for()
    settled(page)
    with page.expect_download() as every:
        page.get_by_role("button", name="Markdown").press("Enter")
    assert every.value.suggested_filename == "conversaciones-md.zip"
    with ZipFile(every.value.path()) as taken:
        assert "disco cifrado" in taken.read("Equipos a mano.md").decode()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Markdown")).to_have_count(0)
    go_to(page, "Documentos")
    expect(side).not_to_be_in_viewport()  # it leaves the page free


def test_an_answer_is_given_again_and_a_question_asked_otherwise(page: Page) -> None:
    expect(ask(page, QUESTION)).to_contain_text(QUOTE)
    page.get_by_role("button", name="Responder de nuevo").click()
    expect(page.get_by_text("2/2", exact=True)).to_be_visible()
    expect(page.locator(".answer")).to_have_count(1)
    page.get_by_role("button", name="Editar la pregunta").click()
    page.get_by_label("Su pregunta").fill("¿Qué equipo se entrega en teletrabajo?")
    page.get_by_role("button", name="Preguntar", exact=True).click()
    expect(page.locator(".answer")).to_contain_text("disco cifrado")
    expect(page.locator(".answer")).to_have_count(1)
    page.get_by_role("button", name="Versión anterior").click()
    expect(page.locator(".answer")).to_contain_text(QUOTE)
    expect(page.get_by_text("1/2", exact=True)).to_be_visible()
    page.reload()
    expect(page.locator(".answer")).to_contain_text(QUOTE)
    page.get_by_role("button", name="Versión siguiente").first.click()
    expect(page.locator(".answer")).to_contain_text("disco cifrado")


def test_a_shared_conversation_is_read_by_its_link_until_it_is_revoked(
    open_page: Callable[..., Page], address: str
) -> None:
    page = open_page(address)
    question = "¿Qué entrega la organización en teletrabajo?"
    expect(ask(page, question)).to_contain_text("disco cifrado")
    side = page.get_by_test_id("stSidebar")
    menu = side.get_by_test_id("stHorizontalBlock").filter(has=page.get_by_role("button", name=title_of(question)))
    menu.get_by_role("button", name="Opciones").click()
    page.get_by_role("button", name="Compartir con un enlace").click()
    link = page.get_by_test_id("stCode").inner_text().strip()
    other = page.context.new_page()
    other.goto(link)
    expect(other.get_by_role("heading", name=title_of(question))).to_be_visible()
    expect(other.locator(".answer")).to_contain_text("disco cifrado")
    expect(other.get_by_test_id("stChatInputTextArea")).to_have_count(0)
    expect(other.get_by_role("button", name="Editar la pregunta")).to_have_count(0)
    page.get_by_role("button", name="Dejar de compartir").click()
    expect(page.get_by_test_id("stCode")).to_have_count(0)
    other.reload()
    expect(other.get_by_role("heading", name="Este enlace no muestra nada")).to_be_visible()


def test_a_hostile_answer_stays_inert_and_what_no_source_bears_out_is_marked(
    open_page: Callable[..., Page], provider_address: str, provider: FakeProviderServer
) -> None:
    page = open_page(provider_address)
    provider.say(HOSTILE)
    answer = ask(page, QUESTION)
    expect(answer).to_have_text(f"{QUOTE} 1 Texto con window.hacked=1 y dentro 1. {TAMED}†")
    expect(answer.get_by_role("img", name="sin respaldo en la fuente citada")).to_be_visible()
    expect(page.locator(".legend")).to_have_text("† sin respaldo en la fuente citada")
    expect(answer.locator("img, script, a, b, .katex")).to_have_count(0)
    assert page.evaluate("window.hacked === undefined")
    expect(open_source(page).locator("mark")).to_have_text(QUOTE)


def test_streamlit_speaks_spanish_and_questions_are_shown_as_they_were_written(page: Page) -> None:
    expect(page.get_by_test_id("stChatInputSubmitButton")).to_have_attribute("aria-label", "Enviar la pregunta")
    assert page.evaluate("document.documentElement.lang") == "es"
    questions = [
        "Close",  # a person's words are never replaced
        "<img src=x onerror='window.hacked=4'> **hola** $x$ permisos de acceso revisan",
    ]
    for number, question in enumerate(questions):
        expect(ask(page, question)).to_have_count(number + 1)
    expect(page.locator(".legajo-plain")).to_have_text(questions)
    expect(page.get_by_label("Su mensaje")).to_have_count(2)
    assert page.evaluate("window.hacked === undefined")
