"""The concepts on the page of the documents: seen, added, changed, removed, and chosen to see what is about one."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from assistant.concepts import ConceptSummary
from assistant.project_assistant import ProjectAssistant
from rag_system.types import Concept
from tests.small_library import Opening
from ui.components.concepts import concepts_html
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")

TREE = [
    Concept(name="Seguridad"),
    Concept(name="Permisos", parent="Seguridad", aliases=("accesos", "cuentas compartidas")),
    Concept(name="Teletrabajo", aliases=("trabajo remoto",)),
]


def page(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    import streamlit as st

    from ui.components.queue import look
    from ui.state import Chat
    from ui.views.documents import render_documents

    queue = look(assistant)
    render_documents(assistant, Chat(), st.Page(lambda: None, url_path="chat"), queue)


@pytest.fixture
def assistant(opening: Opening) -> ProjectAssistant:
    made = opening()
    made.concepts.replace(TREE)
    return made


def run(assistant: ProjectAssistant) -> AppTest:
    return AppTest.from_function(page, kwargs={"assistant": assistant}, default_timeout=120).run()


def press(app: AppTest, key: str) -> AppTest:
    return next(button for button in app.button if button.label == text(key)).click().run()


def listed(app: AppTest) -> set[str]:
    """The titles of the documents that are shown."""
    rows = (html.value for html in app.get("html") if "legajo-document" in html.value)
    return {row.split("<strong>")[1].split("</strong>")[0] for row in rows}


def tree(assistant: ProjectAssistant) -> list[Concept]:
    return assistant.concepts.tree()


def test_the_list_keeps_the_documents_about_a_concept(assistant: ProjectAssistant) -> None:
    app = run(assistant)
    assert len(listed(app)) == 3
    choice = app.selectbox(key="legajo_concept_filter")
    assert choice.options == ["Cualquier concepto", "Seguridad (1)", "\N{EM SPACE}Permisos (1)", "Teletrabajo (1)"]
    assert listed(choice.set_value("Teletrabajo").run()) == {"Manual de teletrabajo"}
    app.text_input(key="legajo_filter").set_value("guía").run()
    assert listed(app) == set()
    assert "Ningún documento coincide con «guía · Teletrabajo»." in [each.value for each in app.caption]


def test_without_concepts_there_is_nothing_to_choose_from(opening: Opening) -> None:
    app = run(opening())
    assert not [box for box in app.selectbox if box.key == "legajo_concept_filter"]
    assert len(listed(app)) == 3


def test_a_concept_is_added_and_the_form_is_empty_again(opening: Opening) -> None:
    assistant = opening()
    app = run(assistant)
    app.text_input(key="legajo_concept_name_0_").input(" Equipos ")
    app.text_area(key="legajo_concept_aliases_0_").input("disco cifrado\n\ncomputadoras")
    press(app, "concepts.save")
    assert tree(assistant) == [Concept(name="Equipos", aliases=("disco cifrado", "computadoras"))]
    assert app.text_input(key="legajo_concept_name_1_").value == ""
    assert not app.exception


def test_a_concept_is_renamed_moved_and_removed(assistant: ProjectAssistant) -> None:
    app = run(assistant)
    app.selectbox(key="legajo_concept_0").set_value("Seguridad").run()
    app.text_input(key="legajo_concept_name_0_Seguridad").input("Seguridad de la información")
    press(app, "concepts.save")
    assert [(each.name, each.parent) for each in tree(assistant)][1] == ("Permisos", "Seguridad de la información")
    app.selectbox(key="legajo_concept_1").set_value("Permisos").run()
    app.selectbox(key="legajo_concept_parent_1_Permisos").set_value("Teletrabajo")
    press(app, "concepts.save")
    assert tree(assistant)[1] == Concept(name="Permisos", parent="Teletrabajo", aliases=TREE[1].aliases)
    app.selectbox(key="legajo_concept_2").set_value("Teletrabajo").run()
    press(app, "concepts.remove")
    assert [(each.name, each.parent) for each in tree(assistant)] == [
        ("Seguridad de la información", ""),
        ("Permisos", ""),
    ]


def test_what_is_wrong_is_said_and_what_was_typed_stays(assistant: ProjectAssistant) -> None:
    app = run(assistant)
    app.text_input(key="legajo_concept_name_0_").input("Acceso")
    app.text_area(key="legajo_concept_aliases_0_").input("permiso")
    press(app, "concepts.save")
    assert [each.value.replace("\\", "") for each in app.error] == [
        "«Acceso» está dos veces: en «Permisos» y en «Acceso». Quite una.",
        "«permiso» está dos veces: en «Permisos» y en «Acceso». Quite una.",
    ]
    assert app.text_input(key="legajo_concept_name_0_").value == "Acceso"
    assert tree(assistant) == TREE


def test_the_whole_tree_is_changed_as_text(assistant: ProjectAssistant) -> None:
    app = run(assistant)
    box = app.text_area(key="legajo_concepts_written_0")
    assert 'nombre = "Permisos"\npadre = "Seguridad"\nalias = ["accesos", "cuentas compartidas"]' in (box.value or "")
    box.input("[[conceptos]\n")
    press(app, "concepts.save_whole")
    assert "no es TOML válido en la línea 1" in app.error[0].value
    assert app.text_area(key="legajo_concepts_written_0").value == "[[conceptos]\n"
    app.text_area(key="legajo_concepts_written_0").input('[[conceptos]]\nnombre = "Auditoría"\n')
    press(app, "concepts.save_whole")
    assert tree(assistant) == [Concept(name="Auditoría")]


def test_names_are_text_and_never_markup() -> None:
    summary = ConceptSummary(name="<b>x</b>", parent="", aliases=("<i>",), depth=1, documents=1, chunks=2)
    html = concepts_html([summary])
    assert "&lt;b&gt;x&lt;/b&gt; <small>&lt;i&gt; · 1 documento · 2 pasajes</small>" in html
