"""The page of the documents by Streamlit's own tester: the queue, what is listed, and what is done with one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from assistant.project_assistant import ProjectAssistant
from tests import indexing
from tests.faults.processes import until
from tests.small_library import GUIDE, MANUAL, Opening
from tests.tested_pages import DAMAGED, FAILED, QUEUED, accepted, captions, documents_page, lines, put, settle, work
from ui.components.upload import UploadResult
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")

ADDRESS_BUTTON = "FormSubmitter:legajo_address-Agregar página"
WORKING = "UPDATE ingestions SET status = 'working', stage = 'embed', done = 128, total = 400, rate = 2.9"
KNOWN = (
    "UPDATE documents SET origin = 'https://ejemplo.org/', empty_pages = '{3,5,6,7}', ocr_pages = '{2}' WHERE path = %s"
)


def test_the_queue_tells_how_far_each_file_is_and_can_be_left(assistant: ProjectAssistant, library_url: str) -> None:
    key = accepted(assistant, "lento.txt", "Un texto largo.")
    put(library_url, WORKING + QUEUED)
    app = documents_page(assistant)
    assert "calculando · 128 de 400 pasajes · unos 2 min" in captions(app)
    app.button(key=f"cancel-{key}").click().run()
    assert assistant.library.ingestions() == []
    assert "calculando" not in captions(app)


def test_what_failed_gives_its_reason_and_is_retried_or_discarded(
    assistant: ProjectAssistant, library_url: str
) -> None:
    keys = [accepted(assistant, name, f"El acta {name}.") for name in ("uno.txt", "dos.txt")]
    put(library_url, FAILED + QUEUED)
    app = documents_page(assistant)
    assert "El servidor no respondió." in captions(app)
    assert app.button(key="retry-all").label == text("queue.retry_all")
    app.button(key=f"retry-{keys[0]}").click().run()
    app.button(key=f"discard-{keys[1]}").click().run()
    assert [(each.ingestion_id, each.status) for each in assistant.library.ingestions()] == [(keys[0], "queued")]


def test_what_the_file_is_to_blame_for_is_only_put_away_all_of_it_at_once(assistant: ProjectAssistant) -> None:
    for name in ("uno.pdf", "dos.pdf"):
        accepted(assistant, name, f"{DAMAGED} {name}")
    work(assistant)
    app = documents_page(assistant)
    assert "El PDF está dañado" in captions(app)
    assert not [each.key for each in app.button if str(each.key).startswith("retry-")]
    app.button(key="discard-all").click().run()
    assert assistant.library.ingestions() == []


def test_files_that_were_not_taken_are_told_until_they_are_put_away(assistant: ProjectAssistant) -> None:
    app = documents_page(assistant)
    results = [UploadResult(name="uno.pdf", status="failed", notes=("Está dañado.",))]
    app.session_state["legajo_results"] = results
    app = app.run().run()
    assert "Está dañado." in lines(app)
    app = app.button(key="legajo_put_away").click().run()
    assert "Está dañado." not in lines(app)


def id_of(assistant: ProjectAssistant, path: str) -> str:
    return next(each.document_id for each in assistant.library.all() if each.path == path)


def test_a_document_tells_its_language_and_names_and_is_renamed_and_brought_back(assistant: ProjectAssistant) -> None:
    app = documents_page(assistant)
    assert "<span>Español · ISO 27001 · ISO 27001:2022</span>" in lines(app)
    key = id_of(assistant, MANUAL)
    (name,) = [each for each in app.text_input if (each.key or "").startswith(f"name-{key}")]
    name.set_value("Trabajo desde casa")
    app = app.button(key=f"rename-{key}").click().run()
    assert "Trabajo desde casa" in lines(app)
    app = app.button(key=f"remove-{key}").click().run()
    assert "Trabajo desde casa" not in lines(app)
    app = settle(app.button(key="legajo_undo_removal").click().run(), assistant)
    assert "Trabajo desde casa" in lines(app)
    assert "legajo_undo_removal" not in {each.key for each in app.button}


def test_a_document_says_what_should_be_known_of_it(assistant: ProjectAssistant, library_url: str) -> None:
    manual = assistant.originals.find(MANUAL)
    assert manual is not None
    assert indexing.upload(assistant, "copia.md", assistant.originals.content(manual)).status == "indexed"
    put(library_url, KNOWN, GUIDE)
    shown = lines(documents_page(assistant))
    assert f"<small>Mismo contenido que «{MANUAL}».</small>" in shown
    assert "<small>Sin texto en las páginas 3 y 5–7: parecen escaneadas." in shown
    assert "<small>La página 2 se leyó con OCR: puede haber errores de lectura.</small>" in shown
    assert "<small>Viene de https://ejemplo.org/</small>" in shown


def test_a_page_that_cannot_be_drawn_is_one_clear_line_and_the_next_is_a_click_away(
    assistant: ProjectAssistant, library_url: str
) -> None:
    put(library_url, "UPDATE file_parts SET bytes = 'nada'")
    app = AppTest.from_function(document_script, kwargs={"assistant": assistant}, default_timeout=120)
    app.query_params.update({"d": GUIDE, "p": "2", "q": "damaged"})  # a page is kept with what is marked on it
    app.run()
    said = ["No se pudo dibujar la página. Descargue el original para verla."]
    assert [each.value for each in app.error] == said
    app.button(key="legajo_reader_after").click().run()
    assert "Página 3 de 3" in captions(app)
    assert [each.value for each in app.error] == said
    assert not app.exception


def document_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.views.document import render_document

    render_document(assistant)


def test_a_page_of_the_web_that_is_not_added_says_why(assistant: ProjectAssistant) -> None:
    app = documents_page(assistant)
    app.text_input(key="legajo_url").set_value("ejemplo.org/horario")
    app = app.button(key=ADDRESS_BUTTON).click().run()
    reading = "class='reading'"  # what came of it is said once
    until(lambda: reading not in lines(app) or reading not in lines(app.run()), "the page has been tried")
    assert "empieza con http:// o https://." in lines(app)


def test_a_document_goes_to_another_project_and_replaces_another_only_when_asked(
    assistant: ProjectAssistant, opening: Opening
) -> None:
    assert indexing.upload(opening("contratos"), "ocupado.txt", b"El local esta ocupado.").status == "indexed"
    assert indexing.upload(assistant, "ocupado.txt", b"Otro texto.").status == "indexed"
    app = documents_page(assistant)
    guide, taken = id_of(assistant, GUIDE), id_of(assistant, "cargados/ocupado.txt")
    app.selectbox(key=f"copy-to-{guide}").select("contratos").run()
    app = app.button(key=f"copy-{guide}").click().run()
    assert [each.value for each in app.toast] == ["Se copió «guia\\_iso\\_27001.pdf» a «Contratos»."]
    app.selectbox(key=f"copy-to-{taken}").select("contratos").run()
    app = app.button(key=f"move-{taken}").click().run()
    assert "En «Contratos» ya hay otro documento en esa ruta." in captions(app)
    app = app.button(key=f"move-{taken}").click().run()
    assert [each.value for each in app.toast] == ["Se movió «ocupado.txt» a «Contratos»."]
