"""The page of the settings by Streamlit's own tester: what a role may change, keys, models, what is hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from streamlit.testing.v1 import AppTest

from assistant.project_assistant import ProjectAssistant
from assistant.view import Turn
from rag_system.generation.provider_redaction import without_provider
from rag_system.storage.projects import Role
from tests.fakes.provider_server import FakeProviderServer
from tests.small_library import Opening
from tests.tested_pages import press, settings_page, settings_script
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")


def script_of_pages(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    """The pages whose forms change something, one below the other."""
    from ui.components.queue import look
    from ui.state import current_chat
    from ui.views.documents import render_documents
    from ui.views.settings import render_settings

    chat = current_chat(assistant)
    render_documents(assistant, chat, None, look(assistant))
    render_settings(assistant, chat)


def offered(assistant: ProjectAssistant) -> set[str]:
    """What can be pressed, and written at length, on those pages."""
    app = AppTest.from_function(script_of_pages, kwargs={"assistant": assistant}, default_timeout=120).run()
    assert not app.exception
    return {each.label for each in (*app.button, *app.text_area)}


ASKS = {"Preguntar a este documento", "Agregar clave"}  # with a key of one's own
EDITS = {"Agregar a la biblioteca", "Agregar página", "Quitar", "Guardar todos"}
OWNS = {"Instrucciones"}


@pytest.mark.parametrize(
    ("role", "there"), [("reader", ASKS), ("editor", ASKS | EDITS), ("owner", ASKS | EDITS | OWNS)]
)
def test_a_page_offers_what_the_role_allows(opening: Opening, role: Role, there: set[str]) -> None:
    assert offered(opening(role=role)) & (ASKS | EDITS | OWNS) == there


@pytest.mark.parametrize("hiding", [False, True])
def test_what_a_project_says_of_its_model_can_be_taken_back(opening: Opening, hiding: bool) -> None:
    assistant = opening(hide_model=hiding)
    for place, expected in enumerate([(hiding, None), (True, "everybody"), (False, "readers"), (False, "nobody")]):
        app = AppTest.from_function(settings_script, kwargs={"assistant": assistant}, default_timeout=120).run()
        options = app.radio[0].options
        assert options[0] == f"Según la configuración: hoy {'no ' if hiding else ''}se muestra"
        app.radio[0].set_value(options[place])
        app.button(key="FormSubmitter:legajo_settings-Guardar").click().run()
        assert not app.exception
        known = assistant.project_settings()
        assert (known.hides_model, known.hide_model) == expected  # an owner does not only read


def test_what_was_read_before_is_shown_without_names_in_its_errors_and_notices() -> None:
    failed = "Groq rechazó la clave. Revise GROQ_API_KEY."
    params = {"label": "Groq", "variable": "GROQ_API_KEY", "model": "m", "status": 401}
    told = {"content": failed, "error": failed, "notices": (failed,), "params": params}
    turn = Turn(role="assistant", provider="groq", model="m", **told)
    shown = without_provider(turn, words="content")
    assert shown.content == shown.error == shown.notices[0] == "El proveedor rechazó la clave. Revise su clave."
    assert (shown.provider, shown.model, shown.params) == ("", "", {"status": 401})
    said = replace(turn, content="Lo dice Groq.")  # the answer itself speaks of the documents
    assert without_provider(said, words="content").content == "Lo dice Groq."


def test_a_key_is_tested_with_a_click_and_its_provider_chosen_with_another(
    assistant: ProjectAssistant, provider: FakeProviderServer
) -> None:
    app = settings_page(assistant)
    assert text("settings.no_model") in [each.value for each in app.info]
    assistant.keys.add("groq", "bad-1", owner="project")
    app = app.run().button(key="legajo_test_project_groq").click().run()
    assert [each.value.partition(r" \(")[0] for each in app.error] == ["Groq rechazó la clave del proyecto"]
    assistant.keys.add("groq", "ok-1", owner="project")
    app = app.button(key="legajo_test_project_groq").click().run()
    assert [each.value for each in app.success] == [text("keys.works", provider="Groq")]
    app = app.button(key="legajo_use_project_groq").click().run()
    assert assistant.settings_in_force().llm_provider == "groq"
    assert "legajo_use_project_groq" not in {each.key for each in app.button}
    assert text("settings.no_model") not in [each.value for each in app.info]


def test_a_key_that_was_brought_for_the_project_stays_with_nobody_who_has_lost_it_meanwhile(
    opening: Opening, library_url: str
) -> None:
    ana = opening(role="editor")
    change = "UPDATE memberships SET role = %s WHERE person_id = 'ana'"
    with psycopg.connect(library_url, autocommit=True) as owner:
        owner.execute(change, ["owner"])
        app = settings_page(ana)
        next(each for each in app.radio if each.label == text("keys.owner")).set_value("project")
        next(each for each in app.text_input if each.label == text("keys.key")).set_value("gsk-del-proyecto")
        owner.execute(change, ["editor"])
    app = next(each for each in app.button if each.label == text("keys.add")).click().run()
    assert len(app.error) == 1
    assert ana.keys.all() == []


def test_the_models_that_a_provider_offers_are_chosen_from(
    assistant: ProjectAssistant, provider: FakeProviderServer
) -> None:
    provider.models = ("groq-grande", "groq-veloz")
    assistant.keys.add("groq", "ok-1")
    assistant.change_project(provider="groq")
    app = settings_page(assistant)
    app = app.button(key="legajo_models_show").click().run()
    (model,) = [each for each in app.selectbox if each.label == text("settings.model")]
    assert model.options == ["groq-grande", "groq-veloz"]
    model.select("groq-veloz")
    save = next(each for each in app.button if each.label == text("settings.save"))
    save.click().run()
    assert assistant.project_settings().model == "groq-veloz"


def test_what_leaves_the_machine_is_said_in_words(assistant: ProjectAssistant) -> None:
    said = [each.value for each in settings_page(assistant).markdown]
    assert f"- {text('provider.reach.inside')}" in said
    assistant.keys.add("groq", "gsk-1")
    assistant.change_project(provider="groq")
    said = [each.value for each in settings_page(assistant).markdown]
    assert f"- {text('provider.reach.outside')}" in said


def labelled(elements: Iterable[Any], label: str) -> Any:
    """The first field that is called so."""
    return next(each for each in elements if each.label == label)


def test_the_settings_of_the_project_are_saved(assistant: ProjectAssistant) -> None:
    app = settings_page(assistant)
    labelled(app.text_input, text("settings.name")).set_value("Amparo")
    labelled(app.text_area, text("settings.instructions")).set_value("Responda en una frase.")
    app = press(app, text("settings.save"))
    assert text("settings.saved") in [each.value for each in app.toast]
    again = settings_page(assistant)
    assert labelled(again.text_input, text("settings.name")).value == "Amparo"
    assert labelled(again.text_area, text("settings.instructions")).value == "Responda en una frase."


def test_a_key_is_added_never_shown_and_removed(assistant: ProjectAssistant) -> None:
    key = "played-7f3a91c2d4"
    app = settings_page(assistant)
    for typed in ("no es una", key):
        field = labelled(app.text_input, text("keys.key"))
        assert field.proto.type == field.proto.PASSWORD
        labelled(app.selectbox, text("keys.provider")).set_value("google")
        field.set_value(typed)
        app = press(app, text("keys.add"))
        assert [each.value.partition(".")[0] for each in app.error] == ["Eso no es una clave"] * (typed != key)
    assert [each.provider for each in assistant.keys.all()] == ["google"]
    assert {each.proto.form.form_id: each.proto.form.clear_on_submit for each in app.get("form")}["legajo_keys"]
    again = settings_page(assistant)
    assert labelled(again.text_input, text("keys.key")).value == ""
    assert key not in str(again)
    assert "Google Gemini: su clave" in str(again)
    again.button(key="legajo_remove_person_google").click().run()
    assert assistant.keys.all() == []
