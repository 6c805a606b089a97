"""Files sent in the chat, by Streamlit's own tester: how each is followed to its end."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from streamlit.testing.v1 import AppTest

from assistant.project_assistant import ProjectAssistant
from assistant.summaries import IngestionSummary
from tests.tested_pages import (
    DAMAGED,
    FAILED,
    QUEUED,
    accepted,
    ask,
    captions,
    documents_page,
    lines,
    put,
    run,
    settle,
    upload,
    work,
)
from ui.components import queue
from ui.components.upload import UploadResult, settled
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")


def test_an_upload_in_the_chat_is_followed_to_its_end_and_then_answered_from(empty: ProjectAssistant) -> None:
    app = upload(run(empty), "vacaciones.txt")
    assert "Agregando 1 archivo" in captions(app)
    assert "<strong>vacaciones.txt</strong> agregado · 1 pasaje" in lines(settle(app, empty))
    assert "Agregando" not in captions(app)
    app = ask(app, "¿Cuánto duran las vacaciones?")
    assert not app.exception


@pytest.mark.parametrize(
    ("name", "words", "told"),
    [
        ("roto.pdf", DAMAGED, "no se pudo agregar<small>El PDF está dañado:"),
        ("vacio.md", " ", "sin texto"),
        ("copia.txt", "La misma.", "<small>Mismo contenido que «cargados/original.txt».</small>"),
    ],
)
def test_a_file_that_brings_less_than_hoped_says_why(empty: ProjectAssistant, name: str, words: str, told: str) -> None:
    app = settle(upload(run(empty), "original.txt", "La misma."), empty)
    assert told in lines(settle(upload(app, name, words), empty))


def test_pages_without_text_are_told_on_the_line_of_their_file(empty: ProjectAssistant) -> None:
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=True)
    canvas.drawString(60, 700, "El acta se firma en tres ejemplares.")
    for _ in range(2):
        canvas.showPage()
        canvas.drawInlineImage(Image.new("L", (60, 80), 255), 0, 0, 595, 842)
    canvas.save()
    app = run(empty)
    app.chat_input(key="legajo_question").upload("acta.pdf", buffer.getvalue(), "application/pdf").run()
    assert "agregado · 3 páginas · 1 pasaje<small>Sin texto en las páginas 2 y 3: " in lines(settle(app, empty))


def test_a_file_that_was_there_is_said_at_once(empty: ProjectAssistant) -> None:
    settle(upload(run(empty), "normas.txt"), empty)
    assert "<strong>normas.txt</strong> ya estaba, sin cambios" in lines(upload(run(empty), "normas.txt"))


def test_a_cancelled_file_is_told_so(assistant: ProjectAssistant) -> None:
    app = upload(run(assistant), "lento.txt")
    (file,) = assistant.library.ingestions()
    assistant.library.cancel(file.ingestion_id)
    assert "<strong>lento.txt</strong> cancelado" in lines(app.run())


def test_a_queue_without_a_worker_says_how_to_get_one(
    assistant: ProjectAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "_PATIENCE_S", 0.0)
    app = upload(run(assistant), "abandonado.txt")
    assert {warning.value for warning in app.warning} == {text("queue.unattended")}


@pytest.mark.parametrize(("long_s", "duration"), [(-1.0, 0), (3600.0, 4)])
def test_the_end_of_a_long_upload_is_told_until_it_is_closed(
    assistant: ProjectAssistant, monkeypatch: pytest.MonkeyPatch, long_s: float, duration: int
) -> None:
    monkeypatch.setattr(queue, "_LONG_S", long_s)
    accepted(assistant, "viajes.txt", "Los viajes se piden con diez días.")
    app = AppTest.from_function(elsewhere_script, kwargs={"assistant": assistant}, default_timeout=120).run()
    work(assistant)
    app.run()
    assert [(each.value, each.proto.duration) for each in app.toast] == [("1 documento listo", duration)]


def elsewhere_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.components.queue import announce, look

    look(assistant)
    announce(elsewhere=True)


def test_a_file_that_is_retried_is_followed_in_the_chat(empty: ProjectAssistant, library_url: str) -> None:
    chat = upload(run(empty), "acta.txt")
    (file,) = empty.library.ingestions()
    put(library_url, FAILED + QUEUED)
    assert "<strong>acta.txt</strong> no se pudo agregar<small>El servidor no respondió.</small>" in lines(chat.run())
    documents_page(empty).button(key=f"retry-{file.ingestion_id}").click().run()
    assert "no se pudo agregar" not in lines(chat.run())
    assert "<strong>acta.txt</strong> agregado · 1 pasaje" in lines(settle(chat, empty))


def test_a_file_that_is_retried_while_the_page_looks_at_the_queue_was_not_cancelled(
    assistant: ProjectAssistant, library_url: str
) -> None:
    def only() -> IngestionSummary:
        (file,) = assistant.library.ingestions()
        return file

    key = accepted(assistant, "acta.txt", "El acta.")
    put(library_url, FAILED + QUEUED)
    added = (UploadResult(name="acta.txt", status="accepted", ingestion_id=key),)
    seen = queue.Queue(failed=(only(),))
    failed = UploadResult(name="acta.txt", status="failed", ingestion_id=key, notes=(only().error,))
    assistant.library.retry(key)
    (again,) = settled(assistant, added, seen)
    assert again.status == "accepted"
    (again,) = settled(assistant, (failed,), queue.Queue(under_way=(only(),)))
    assert (again.status, again.notes) == ("accepted", ())
    assistant.library.cancel(key)
    assert [each.status for each in settled(assistant, (*added, failed), queue.Queue())] == ["cancelled", "failed"]
