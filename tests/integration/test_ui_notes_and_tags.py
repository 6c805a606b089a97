"""Notes and tags by Streamlit's own tester: written, changed and chosen on the pages, and kept."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from assistant.project_assistant import ProjectAssistant
from tests.small_library import GUIDE, LAW, MANUAL, Opening
from tests.tested_pages import QUESTION, ask, captions, documents_page, lines, opened, press, run, settle
from ui.markup import plain_label
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")

NOTE = "notas/Horario de la mesa de partes.md"
HOURS = "La mesa de partes atiende ocho horas, de lunes a viernes."


def write(app: AppTest, title: str, words: str) -> AppTest:
    """What stands in the form of a note: before a title that is being changed, the one that stood there."""
    next(each for each in app.text_input if each.label == text("notes.title")).set_value(title)
    next(each for each in app.text_area if each.label == text("notes.text")).set_value(words)
    return press(app, text("notes.save"))


def id_of(assistant: ProjectAssistant, path: str) -> str:
    return next(each.document_id for each in assistant.library.all() if each.path == path)


def test_a_note_is_written_on_the_page_of_the_documents_and_written_otherwise_there(opening: Opening) -> None:
    empty = opening("vacio")
    app = settle(write(documents_page(empty), "Horario de la mesa de partes", HOURS), empty)
    assert f"{NOTE} · Nota" in lines(app)
    app = app.button(key=f"note-{id_of(empty, NOTE)}").click().run()
    words = next(each for each in app.text_area if each.label == text("notes.text"))
    assert words.value == HOURS
    app = settle(write(app, "Atención", "La mesa de partes atiende seis horas."), empty)
    assert "Atención" in lines(app)
    assert len(empty.library.all()) == 1
    assert not app.exception


def test_tags_are_put_on_documents_and_taken_off(assistant: ProjectAssistant) -> None:
    """Those that there are; one that is new is typed in a browser (`test_tags_page`)."""
    for tag in ("Normas", "Personal"):
        assistant.tags.add(tag, [GUIDE])
    app = documents_page(assistant)
    app.selectbox(key="legajo_tag_name").set_value("Normas")
    app = press(app, text("tags.add"))
    assert borne(assistant) == {"Normas": {GUIDE, LAW, MANUAL}, "Personal": {GUIDE}}
    menu = next(each for each in app.multiselect if each.key.startswith(f"tags-{id_of(assistant, MANUAL)}"))
    app = menu.set_value(["Personal"]).run()
    assert borne(assistant) == {"Normas": {GUIDE, LAW}, "Personal": {GUIDE, MANUAL}}
    app.selectbox(key="legajo_tag_name").set_value("Normas")
    app = press(app, text("tags.take"))
    assert borne(assistant) == {"Personal": {GUIDE, MANUAL}}
    assert lines(app).count("legajo-tags") == 2


def borne(assistant: ProjectAssistant) -> dict[str, set[str]]:
    """By tag, the documents that bear it."""
    return {tag: set(paths) for tag, paths in assistant.tags.all().items()}


def test_the_documents_of_a_tag_are_chosen_above_the_box_by_its_name(assistant: ProjectAssistant) -> None:
    assistant.tags.add("Normas", [GUIDE, LAW])
    app = opened(run(assistant), "legajo_documents_scope")
    app.multiselect(key="legajo_chosen_documents").set_value([("Normas",)]).run()
    assert plain_label("Solo en la etiqueta «Normas» (2)") in captions(app)
    app = ask(app, QUESTION)
    assert "Busqué solo en «guia" in captions(app)
