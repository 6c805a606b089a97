"""The chat's page by Streamlit's own tester: asking, its conversations, and what it says when something is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from streamlit.testing.v1 import AppTest

import ui
from assistant.project_assistant import ProjectAssistant
from rag_system.ingestion.loaders import SUPPORTED_EXTENSIONS
from rag_system.query.tasks import OFFER
from rag_system.storage.projects import Role
from tests import indexing
from tests.fakes.provider_server import FakeProviderServer
from tests.small_library import Opening, damaged
from tests.tested_pages import QUESTION, ask, captions, lines, run, work
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")


def script_after_a_fragment(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    import streamlit as st
    from streamlit.delta_generator_singletons import context_dg_stack

    from ui.shell import main

    context_dg_stack.set((st.sidebar,))  # what a fragment of the sidebar leaves behind in its thread
    main(assistant)


def test_no_page_is_one_that_streamlit_finds_by_itself() -> None:
    """Until a new server has drawn its first page, Streamlit would show the files of such a folder: blank pages."""
    assert not (Path(ui.__file__).parent / "pages").exists()


def script_of_a_folder(assistant, conversation_id, typed):  # type: ignore[no-untyped-def]  # copied out, too
    """The menu of a conversation where the name of its folder was typed."""
    import streamlit as st

    from ui.components.folders import choose_folder

    (summary,) = (each for each in assistant.conversations.recent() if each.conversation_id == conversation_id)
    st.session_state.setdefault(f"folder-{conversation_id}-{summary.folder}", typed)
    choose_folder(assistant, summary, ["Recursos humanos"])


@pytest.mark.parametrize(("role", "takes"), [("reader", False), ("editor", True)])
def test_files_are_taken_in_the_chat_of_who_may_add_them(opening: Opening, role: Role, takes: bool) -> None:
    app = run(opening("vacio", role=role))
    assert bool(app.chat_input[0].proto.accept_file) == takes
    assert [title.value for title in app.main.title] == [
        "Su biblioteca todavía está vacía" if takes else "Este proyecto todavía no tiene documentos"
    ]
    assert not ask(app, QUESTION).exception


def test_a_question_is_recorded_and_the_address_names_its_conversation(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    assert app.query_params["c"] == conversation.conversation_id
    assert [turn.role for turn in assistant.turns(conversation.conversation_id)] == ["user", "assistant"]
    assert [message.name for message in app.chat_message] == ["user", "assistant"]
    assert not app.exception


def test_a_page_is_written_in_its_place_whatever_ran_before_in_its_thread(assistant: ProjectAssistant) -> None:
    app = AppTest.from_function(script_after_a_fragment, kwargs={"assistant": assistant}, default_timeout=120)
    assert [title.value for title in app.run().main.title] == ["¿Qué desea saber?"]
    assert not app.sidebar.title


def test_an_address_reopens_its_conversation_in_another_session(assistant: ProjectAssistant) -> None:
    ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    app = run(assistant, conversation=conversation.conversation_id)
    assert [message.name for message in app.chat_message] == ["user", "assistant"]


def test_what_is_sent_before_the_browser_knows_the_new_address_belongs_to_what_is_on_the_screen(
    assistant: ProjectAssistant,
) -> None:
    app = ask(run(assistant), QUESTION)
    (before,) = assistant.conversations.recent()
    app.button(key="legajo_new").click().run()
    app.query_params["c"] = before.conversation_id  # as the browser still says
    ask(app, "¿Y cada cuánto se cambian las claves?")
    assert len(assistant.turns(before.conversation_id)) == 2
    assert len(assistant.conversations.recent()) == 2
    app.query_params["c"] = before.conversation_id  # and back, by its own button
    assert [message.name for message in app.run().chat_message] == ["user", "assistant"]
    assert app.query_params["c"] == before.conversation_id


@pytest.mark.parametrize("shown", [0, 3])  # events until it is stopped: before any word, and after the first
def test_an_answer_that_was_stopped_says_so_in_another_session(assistant: ProjectAssistant, shown: int) -> None:
    conversation = assistant.conversations.create()
    events = assistant.stream(QUESTION, conversation_id=conversation)
    for _ in range(shown + 1):
        next(events)
    events.close()  # type: ignore[attr-defined]
    app = run(assistant, conversation=conversation)
    assert [message.name for message in app.chat_message] == ["user", "assistant"]
    assert "Respuesta detenida" in captions(app)


def test_an_answer_that_somebody_else_writes_is_told_and_then_shown(assistant: ProjectAssistant) -> None:
    conversation = assistant.conversations.create()
    events = assistant.stream(QUESTION, conversation_id=conversation)
    next(events)
    app = run(assistant, conversation=conversation)
    assert "Esta respuesta se está escribiendo." in captions(app)
    list(events)
    app.run()
    assert "Esta respuesta se está escribiendo." not in captions(app)


def test_a_question_that_could_not_be_stored_leaves_the_next_one_its_place(
    assistant: ProjectAssistant, library_url: str
) -> None:
    app = run(assistant)
    with damaged(library_url):
        ask(app, "¿Qué documentos tienes?")
    ask(app, QUESTION)
    assert [button.key for button in app.button if button.key == "legajo_edit_0"] == ["legajo_edit_0"]
    (conversation,) = assistant.conversations.recent()
    app.button(key="legajo_again_1").click().run()
    assert [turn.versions for turn in assistant.turns(conversation.conversation_id)] == [(0,), (1, 2)]
    assert not app.exception


def test_what_costs_much_goes_on_with_a_button_that_only_such_an_offer_has(
    opening: Opening, provider: FakeProviderServer
) -> None:
    provider.say(f"Son 90 000 tokens. {OFFER}")
    local = {"llm_provider": "local", "llm_base_url": f"{provider.url}/v1", "local_api_key": "played-1"}
    assistant = opening(**local)
    app = ask(run(assistant), QUESTION)
    provider.play("ok")
    app.button(key="legajo_go_on").click().run()
    (conversation,) = assistant.conversations.recent()
    assert assistant.turns(conversation.conversation_id)[2].content == text("chat.go_on")
    assert "legajo_go_on" not in [button.key for button in app.button]


def test_of_documents_that_answer_alike_one_is_chosen_with_a_click(assistant: ProjectAssistant) -> None:
    other = "# Manual de viajes\n\n## Equipos\n\nLa organización entrega a cada persona de viaje un equipo con batería."
    assert indexing.upload(assistant, "viajes.md", other.encode()).status == "indexed"
    app = ask(run(assistant), "¿Qué equipo entrega la organización a cada persona?")
    rivals = [button for button in app.button if str(button.key).startswith("legajo_rival_")]
    assert len(rivals) > 1
    rivals[1].click().run()
    (conversation,) = assistant.conversations.recent()
    again = assistant.turns(conversation.conversation_id)[-1]
    assert [path.rsplit("/", 1)[-1] for path in again.funnel.documents] == [rivals[1].label]
    assert not [button for button in app.button if str(button.key).startswith("legajo_rival_")]


def test_what_was_found_in_an_earlier_branch_is_shown_in_it(assistant: ProjectAssistant) -> None:
    for number in range(8):
        conversation = assistant.conversations.create()
        list(assistant.stream(f"¿Qué documentos tienes? {number}", conversation_id=conversation))
    list(assistant.stream(QUESTION, conversation_id=conversation, instead_of=0))
    app = run(assistant)
    app.text_input(key="legajo_find").set_value("documento 7").run()
    app.button(key=f"found-{conversation}").click().run()
    assert [turn.ordinal for turn in assistant.turns(conversation)] == [0, 1]
    assert app.query_params["c"] == conversation


def menu(app: AppTest, conversation: str, *, archived: bool = False) -> None:
    """Open that of a conversation."""
    app.session_state[f"more-{conversation}{'-archived' * archived}-"] = True
    app.run()


def test_a_conversation_is_archived_and_taken_out_again(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    for archived in (True, False):
        menu(app, conversation.conversation_id, archived=not archived)
        app.button(key=f"archive-{conversation.conversation_id}").click().run()
        assert bool(assistant.conversations.recent(archived=True)) == archived
        assert ("Archivadas" in [each.label for each in app.expander]) == archived
    assert not app.exception


def test_a_conversation_is_saved_as_a_document(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    menu(app, conversation.conversation_id)
    app.button(key=f"save-{conversation.conversation_id}").click().run()
    assert "«conversaciones»" in app.toast[0].value
    work(assistant)
    app.button(key=f"save-{conversation.conversation_id}").click().run()
    assert "sin cambios" in app.toast[0].value
    assert not app.exception


@pytest.mark.parametrize("address", ["no-existe", "\0", "00000000-0000-0000-0000-000000000000", "x" * 5000])
def test_an_address_of_no_conversation_opens_an_empty_chat(assistant: ProjectAssistant, address: str) -> None:
    app = run(assistant, conversation=address)
    assert app.title[0].value == "¿Qué desea saber?"
    assert "c" not in app.query_params


def test_the_notices_of_an_answer_are_shown(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), "¿Cada cuánto se revisan los permizos de acceso?")
    assert "Busqué «permisos» en lugar de «permizos»." in captions(app)


def test_a_provider_without_its_key_is_said_once_and_answers_with_quotes(opening: Opening) -> None:
    app = run(opening(llm_provider="groq"))
    assert len(app.info) == 1
    assert "GROQ" in app.info[0].value
    app = ask(app, QUESTION)
    assert len(app.info) == 0


def test_only_the_providers_of_the_settings_are_offered(opening: Opening) -> None:
    app = run(opening(allowed_providers=("extractive", "google", "local")))
    assert app.selectbox(key="legajo_provider").options == ["Citas textuales", "Google Gemini", "Servidor local"]
    app = run(opening(allowed_providers=("extractive",)))
    assert app.selectbox(key="legajo_provider").disabled


def test_the_chat_takes_every_format_that_can_be_read(assistant: ProjectAssistant) -> None:
    box = run(assistant).chat_input(key="legajo_question")
    assert set(box.proto.file_type) == set(SUPPORTED_EXTENSIONS)


def test_choosing_a_provider_without_its_key_says_what_is_missing(assistant: ProjectAssistant) -> None:
    app = run(assistant)
    app.selectbox(key="legajo_provider").set_value("google").run()
    assert "GOOGLE" in app.warning[0].value
    assert "Mientras tanto responde: Citas textuales." in captions(app)
    ask(app, QUESTION)
    assert not app.error


def test_the_chat_counts_the_documents_without_reading_them(
    assistant: ProjectAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read() -> None:
        raise AssertionError("only the page of the documents shows them")

    monkeypatch.setattr(assistant.library, "all", read)
    app = ask(run(assistant), QUESTION)
    assert not app.error
    assert app.sidebar.get("page_link")[1].proto.label == "Documentos (3)"


def test_an_error_of_the_library_is_one_clear_line(assistant: ProjectAssistant, library_url: str) -> None:
    with psycopg.connect(library_url, autocommit=True) as owner:
        owner.execute("ALTER TABLE documents RENAME TO lost")
    app = run(assistant)
    assert [error.value.partition(".")[0] for error in app.error] == ["La base de datos rechazó la operación"]
    assert not app.exception


def test_a_defect_is_logged_and_shows_no_detail(
    assistant: ProjectAssistant, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defective(*_arguments: object, **_named: object) -> Iterator[Any]:
        yield from ()
        raise ZeroDivisionError("secreto interno")

    monkeypatch.setattr(assistant, "stream", defective)
    app = ask(run(assistant), QUESTION)
    assert not app.exception
    assert "error inesperado" in app.error[0].value
    assert "secreto interno" not in app.error[0].value
    assert "secreto interno" in caplog.text


def test_a_chat_that_is_open_elsewhere_names_nobody_once_the_project_hides_it(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), QUESTION)
    assert "Citas textuales" in captions(app)
    assistant.change_project(hide_model="everybody")  # by another session
    app.run()
    assert "Citas textuales" not in captions(app)
    assistant.change_project(hide_model="nobody")
    assert "Citas textuales" in captions(app.run())


def test_an_empty_project_says_what_to_do_until_it_has_a_document(
    opening: Opening, empty: ProjectAssistant, assistant: ProjectAssistant
) -> None:
    shown = lines(run(empty))
    assert [text(f"chat.first.{name}") in shown for name in ("add", "ask", "open")] == [True, True, True]
    assert text("chat.first.add") not in lines(run(opening("vacio", role="reader")))
    assert text("chat.first.add") not in lines(run(assistant))


@pytest.mark.parametrize("typed", ["Recursos  humanos", "Recursos\u200b humanos", None])
def test_the_name_of_a_folder_is_taken_as_it_is_kept(assistant: ProjectAssistant, typed: str | None) -> None:
    conversation = assistant.conversations.create()
    list(assistant.stream(QUESTION, conversation_id=conversation))
    assistant.folders.move(conversation, "Recursos humanos")
    told = {"assistant": assistant, "conversation_id": conversation, "typed": typed}
    app = AppTest.from_function(script_of_a_folder, kwargs=told, default_timeout=10).run()  # and not for ever
    assert not app.exception
    assert [each.folder for each in assistant.conversations.recent()] == ["Recursos humanos" if typed else ""]
