"""The pages run by Streamlit's own tester: what each choice shows, without a browser."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from streamlit.testing.v1 import AppTest

import ui
from assistant.view import Turn
from rag_system.errors import ProviderAuthenticationError, StorageError
from rag_system.generation.provider_redaction import without_provider
from rag_system.ingestion.loaders import SUPPORTED_EXTENSIONS
from rag_system.settings import Settings
from rag_system.storage.projects import Role
from tests.browser.fake_assistant import FakeAssistant
from tests.browser.fake_library import FakeLibrary
from ui.components import queue
from ui.components.upload import UploadResult, settled
from ui.markup import plain_label
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")

ADDRESS_BUTTON = "FormSubmitter:legajo_address-Agregar página"
QUESTION = "¿Cada cuánto se revisan los permisos de acceso?"


def script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.shell import main

    main(assistant)


def script_after_a_fragment(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    import streamlit as st
    from streamlit.delta_generator_singletons import context_dg_stack

    from ui.shell import main

    context_dg_stack.set((st.sidebar,))  # what a fragment of the sidebar leaves behind in its thread
    main(assistant)


def settings(**values: Any) -> Settings:
    return Settings(_env_file=None, **values)


def test_no_page_is_one_that_streamlit_finds_by_itself() -> None:
    """Until a new server has drawn its first page, Streamlit would show the files of such a folder: blank pages."""
    assert not (Path(ui.__file__).parent / "pages").exists()


def run(assistant: FakeAssistant, *, conversation: str = "") -> AppTest:
    app = AppTest.from_function(script, kwargs={"assistant": assistant}, default_timeout=120)
    if conversation:
        app.query_params["c"] = conversation
    return app.run()


def ask(app: AppTest, question: str) -> AppTest:
    return app.chat_input(key="legajo_question").set_value(question).run()


def script_of_pages(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    """The pages whose forms change something, one below the other."""
    from ui.components.queue import look
    from ui.state import current_chat
    from ui.views.documents import render_documents
    from ui.views.settings import render_settings

    chat = current_chat(assistant)
    render_documents(assistant, chat, None, look(assistant))
    render_settings(assistant, chat)


def script_of_a_folder(assistant, conversation_id, typed):  # type: ignore[no-untyped-def]  # copied out, too
    """The menu of a conversation where the name of its folder was typed."""
    import streamlit as st

    from ui.components.folders import choose_folder

    (summary,) = (each for each in assistant.conversations.recent() if each.conversation_id == conversation_id)
    st.session_state.setdefault(f"folder-{conversation_id}-{summary.folder}", typed)
    choose_folder(assistant, summary, ["Recursos humanos"])


def offered(assistant: FakeAssistant) -> set[str]:
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
def test_a_page_offers_what_the_role_allows(role: Role, there: set[str]) -> None:
    assert offered(FakeAssistant(role=role)) & (ASKS | EDITS | OWNS) == there


@pytest.mark.parametrize(("role", "takes"), [("reader", False), ("editor", True)])
def test_files_are_taken_in_the_chat_of_who_may_add_them(role: Role, takes: bool) -> None:
    app = run(FakeAssistant(role=role, empty=True))
    assert bool(app.chat_input[0].proto.accept_file) == takes
    assert [title.value for title in app.main.title] == [
        "Su biblioteca todavía está vacía" if takes else "Este proyecto todavía no tiene documentos"
    ]
    assert not ask(app, QUESTION).exception


def captions(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.caption)


def test_a_question_is_recorded_and_the_address_names_its_conversation() -> None:
    assistant = FakeAssistant()
    app = ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    assert app.query_params["c"] == conversation.conversation_id
    assert [turn.role for turn in assistant.turns(conversation.conversation_id)] == ["user", "assistant"]
    assert [message.name for message in app.chat_message] == ["user", "assistant"]
    assert not app.exception


def test_a_page_is_written_in_its_place_whatever_ran_before_in_its_thread() -> None:
    app = AppTest.from_function(script_after_a_fragment, kwargs={"assistant": FakeAssistant()}, default_timeout=120)
    assert [title.value for title in app.run().main.title] == ["¿Qué desea saber?"]
    assert not app.sidebar.title


def test_an_address_reopens_its_conversation_in_another_session() -> None:
    assistant = FakeAssistant()
    ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    app = run(assistant, conversation=conversation.conversation_id)
    assert [message.name for message in app.chat_message] == ["user", "assistant"]


def test_what_is_sent_before_the_browser_knows_the_new_address_belongs_to_what_is_on_the_screen() -> None:
    assistant = FakeAssistant()
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
def test_an_answer_that_was_stopped_says_so_in_another_session(shown: int) -> None:
    assistant = FakeAssistant()
    conversation = assistant.conversations.create()
    events = assistant.stream(QUESTION, conversation_id=conversation)
    for _ in range(shown + 1):
        next(events)
    events.close()  # type: ignore[attr-defined]
    app = run(assistant, conversation=conversation)
    assert [message.name for message in app.chat_message] == ["user", "assistant"]
    assert "Respuesta detenida" in captions(app)


def test_an_answer_that_somebody_else_writes_is_told_and_then_shown() -> None:
    assistant = FakeAssistant()
    conversation = assistant.conversations.create()
    events = assistant.stream(QUESTION, conversation_id=conversation)
    next(events)
    app = run(assistant, conversation=conversation)
    assert "Esta respuesta se está escribiendo." in captions(app)
    list(events)
    app.run()
    assert "Esta respuesta se está escribiendo." not in captions(app)


def test_a_question_that_could_not_be_stored_leaves_the_next_one_its_place() -> None:
    assistant = FakeAssistant()
    app = ask(ask(run(assistant), "caída"), QUESTION)
    assert [button.key for button in app.button if button.key == "legajo_edit_0"] == ["legajo_edit_0"]
    (conversation,) = assistant.conversations.recent()
    app.button(key="legajo_again_1").click().run()
    assert [turn.versions for turn in assistant.turns(conversation.conversation_id)] == [(0,), (1, 2)]
    assert not app.exception


def test_what_costs_much_goes_on_with_a_button_that_only_such_an_offer_has() -> None:
    assistant = FakeAssistant()
    app = ask(run(assistant), "Resume la tesis entera")
    app.button(key="legajo_go_on").click().run()
    (conversation,) = assistant.conversations.recent()
    assert assistant.turns(conversation.conversation_id)[2].content == text("chat.go_on")
    assert "legajo_go_on" not in [button.key for button in app.button]


def test_of_documents_that_answer_alike_one_is_chosen_with_a_click() -> None:
    assistant = FakeAssistant()
    app = ask(run(assistant), "¿Cada cuánto se revisan los permisos y el teletrabajo?")
    rivals = [button for button in app.button if str(button.key).startswith("legajo_rival_")]
    assert len(rivals) > 1
    rivals[1].click().run()
    (conversation,) = assistant.conversations.recent()
    again = assistant.turns(conversation.conversation_id)[-1]
    assert [path.rsplit("/", 1)[-1] for path in again.funnel.documents] == [rivals[1].label]
    assert not [button for button in app.button if str(button.key).startswith("legajo_rival_")]


def test_what_was_found_in_an_earlier_branch_is_shown_in_it() -> None:
    assistant = FakeAssistant()
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


def test_a_conversation_is_archived_and_taken_out_again() -> None:
    assistant = FakeAssistant()
    app = ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    for archived in (True, False):
        menu(app, conversation.conversation_id, archived=not archived)
        app.button(key=f"archive-{conversation.conversation_id}").click().run()
        assert bool(assistant.conversations.recent(archived=True)) == archived
        assert ("Archivadas" in [each.label for each in app.expander]) == archived
    assert not app.exception


def test_a_conversation_is_saved_as_a_document() -> None:
    assistant = FakeAssistant()
    app = ask(run(assistant), QUESTION)
    (conversation,) = assistant.conversations.recent()
    menu(app, conversation.conversation_id)
    app.button(key=f"save-{conversation.conversation_id}").click().run()
    assert "«conversaciones»" in app.toast[0].value
    app.button(key=f"save-{conversation.conversation_id}").click().run()
    assert "sin cambios" in app.toast[0].value
    assert not app.exception


class StrictIds(FakeAssistant):
    """An assistant that, as the database does, takes only identifiers."""

    def turns(self, conversation_id: str) -> Any:
        UUID(conversation_id)
        return super().turns(conversation_id)


@pytest.mark.parametrize("address", ["no-existe", "\0", "00000000-0000-0000-0000-000000000000", "x" * 5000])
def test_an_address_of_no_conversation_opens_an_empty_chat(address: str) -> None:
    app = run(StrictIds(), conversation=address)
    assert app.title[0].value == "¿Qué desea saber?"
    assert "c" not in app.query_params


def test_the_notices_of_an_answer_are_shown() -> None:
    app = ask(run(FakeAssistant()), "¿Cada cuánto se revisan los permizos de acceso?")
    assert "Busqué «permisos» en lugar de «permizos»." in captions(app)


def test_a_provider_without_its_key_is_said_once_and_answers_with_quotes() -> None:
    app = run(FakeAssistant(settings=settings(llm_provider="groq")))
    assert len(app.info) == 1
    assert "GROQ" in app.info[0].value
    app = ask(app, QUESTION)
    assert len(app.info) == 0


def test_only_the_providers_of_the_settings_are_offered() -> None:
    app = run(FakeAssistant(settings=settings(allowed_providers=("extractive", "google", "local"))))
    assert app.selectbox(key="legajo_provider").options == ["Citas textuales", "Google Gemini", "Servidor local"]
    app = run(FakeAssistant(settings=settings(allowed_providers=("extractive",))))
    assert app.selectbox(key="legajo_provider").disabled


def test_the_chat_takes_every_format_that_can_be_read() -> None:
    box = run(FakeAssistant()).chat_input(key="legajo_question")
    assert set(box.proto.file_type) == set(SUPPORTED_EXTENSIONS)


def test_choosing_a_provider_without_its_key_says_what_is_missing() -> None:
    app = run(FakeAssistant(settings=settings()))
    app.selectbox(key="legajo_provider").set_value("google").run()
    assert "GOOGLE" in app.warning[0].value
    assert "Mientras tanto responde: Citas textuales." in captions(app)
    ask(app, QUESTION)
    assert not app.error


class BrokenLibrary(FakeLibrary):
    """The database went away."""

    def count(self) -> Any:
        raise StorageError


class LargeLibrary(FakeLibrary):
    """So many documents that reading all of them takes long."""

    def all(self) -> Any:
        raise AssertionError("only the page of the documents shows them")

    def count(self) -> int:
        return 100_000


def with_library(library: FakeLibrary) -> FakeAssistant:
    assistant = FakeAssistant()
    assistant.library = library
    return assistant


def test_the_chat_counts_the_documents_without_reading_them() -> None:
    app = ask(run(with_library(LargeLibrary())), QUESTION)
    assert not app.error
    assert app.sidebar.get("page_link")[1].proto.label == "Documentos (100000)"


class WrongAnswers(FakeAssistant):
    """An assistant with a defect."""

    def stream(self, *_arguments: object, **_named: object) -> Any:
        def events() -> Any:
            yield from ()
            raise ZeroDivisionError("secreto interno")

        return events()


def test_an_error_of_the_library_is_one_clear_line() -> None:
    app = run(with_library(BrokenLibrary()))
    assert [error.value for error in app.error] == [str(StorageError())]
    assert not app.exception


def test_a_defect_is_logged_and_shows_no_detail(caplog: pytest.LogCaptureFixture) -> None:
    app = ask(run(WrongAnswers()), QUESTION)
    assert not app.exception
    assert "error inesperado" in app.error[0].value
    assert "secreto interno" not in app.error[0].value
    assert "secreto interno" in caplog.text


def upload(app: AppTest, name: str, words: str = "Las vacaciones duran treinta días.") -> AppTest:
    return app.chat_input(key="legajo_question").upload(name, words.encode(), "text/plain").run()


def lines(app: AppTest) -> str:
    return "\n".join(html.value for html in app.get("html"))


def settle(app: AppTest) -> AppTest:
    """A step of the queue in memory is a look at it; a file needs five at most."""
    for _ in range(5):
        app.run()
    return app


def test_an_upload_in_the_chat_is_followed_to_its_end_and_then_answered_from() -> None:
    app = upload(run(FakeAssistant(empty=True)), "vacaciones.txt")
    assert "Agregando 1 archivo" in captions(app)
    assert "<strong>vacaciones.txt</strong> agregado · 1 pasaje" in lines(settle(app))
    assert "Agregando" not in captions(app)
    app = ask(app, "¿Cuánto duran las vacaciones?")
    assert not app.exception


@pytest.mark.parametrize(
    ("name", "words", "told"),
    [
        ("roto.pdf", "esto no es un PDF", "no se pudo agregar<small>El archivo está dañado."),
        ("vacio.md", " ", "sin texto"),
        ("copia.txt", "La misma.", "<small>Mismo contenido que «original.txt».</small>"),
        ("acta_escaneada.txt", "Texto de dos páginas.", "Sin texto en las páginas 3 y 5–7: parecen escaneadas."),
    ],
)
def test_a_file_that_brings_less_than_hoped_says_why(name: str, words: str, told: str) -> None:
    app = settle(upload(run(FakeAssistant(empty=True)), "original.txt", "La misma."))
    assert told in lines(settle(upload(app, name, words)))


def test_a_file_that_was_there_is_said_at_once() -> None:
    assistant = FakeAssistant(empty=True)
    settle(upload(run(assistant), "normas.txt"))
    assert "<strong>normas.txt</strong> ya estaba, sin cambios" in lines(upload(run(assistant), "normas.txt"))


def test_a_cancelled_file_is_told_so() -> None:
    assistant = FakeAssistant()
    app = upload(run(assistant), "lento.txt")
    (file,) = assistant.library.ingestions()
    assistant.library.cancel(file.ingestion_id)
    assert "<strong>lento.txt</strong> cancelado" in lines(app.run())


def test_a_queue_without_a_worker_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "_PATIENCE_S", 0.0)
    app = upload(run(FakeAssistant()), "abandonado.txt")
    assert {warning.value for warning in app.warning} == {text("queue.unattended")}


@pytest.mark.parametrize(("long_s", "duration"), [(-1.0, 0), (3600.0, 4)])
def test_the_end_of_a_long_upload_is_told_until_it_is_closed(
    monkeypatch: pytest.MonkeyPatch, long_s: float, duration: int
) -> None:
    monkeypatch.setattr(queue, "_LONG_S", long_s)
    assistant = FakeAssistant()
    assistant.library.accept_stream("viajes.txt", BytesIO(b"Los viajes se piden con diez d\xc3\xadas."))
    app = AppTest.from_function(elsewhere_script, kwargs={"assistant": assistant}, default_timeout=120).run()
    for _ in range(5):  # as `settle`, up to the run that tells
        if not app.toast:
            app.run()
    assert [(each.value, each.proto.duration) for each in app.toast] == [("1 documento listo", duration)]


def elsewhere_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.components.queue import announce, look

    look(assistant)
    announce(elsewhere=True)


def documents_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    import streamlit as st

    from ui.components.queue import announce, look
    from ui.state import Chat
    from ui.views.documents import render_documents

    queue = look(assistant)
    announce(elsewhere=False)
    render_documents(assistant, Chat(), st.Page(lambda: None, url_path="chat"), queue)


def documents_page(assistant: FakeAssistant) -> AppTest:
    return AppTest.from_function(documents_script, kwargs={"assistant": assistant}, default_timeout=120).run()


def test_the_queue_tells_how_far_each_file_is_and_can_be_left() -> None:
    assistant = FakeAssistant()
    assistant.library.accept_stream("lento.txt", BytesIO(b"Un texto largo."))
    app = settle(documents_page(assistant))
    assert "calculando · 128 de 400 pasajes · unos 2 min" in captions(app)
    app.button(key="cancel-i1").click().run()
    assert assistant.library.ingestions() == []
    assert "calculando" not in captions(app)


def test_what_failed_gives_its_reason_and_is_retried_or_discarded() -> None:
    assistant = FakeAssistant()
    assistant.library.accept_stream("roto.pdf", BytesIO(b"no es un PDF"))
    app = settle(documents_page(assistant))
    assert "El archivo está dañado. Ábralo y guárdelo de nuevo." in captions(app)
    app = settle(app.button(key="retry-i1").click().run())
    app.button(key="discard-i1").click().run()
    assert assistant.library.ingestions() == []


def test_what_the_file_is_to_blame_for_is_only_put_away_all_of_it_at_once() -> None:
    assistant = FakeAssistant()
    for name in ("uno.pdf", "dos.pdf"):
        assistant.library.accept_stream(name, BytesIO(b"no es un PDF"))
    app = settle(documents_page(assistant))
    assert app.button(key="retry-all").label == text("queue.retry_all")
    for key, (file, data) in list(assistant.library.queue._files.items()):
        assistant.library.queue._files[key] = (replace(file, can_help=False), data)
    app = app.run()
    keys = {each.key for each in app.button}
    assert not keys & {"retry-all", "retry-i1", "retry-i2"}
    app.button(key="discard-all").click().run()
    assert assistant.library.ingestions() == []


def test_files_that_were_not_taken_are_told_until_they_are_put_away() -> None:
    app = documents_page(FakeAssistant())
    results = [UploadResult(name="uno.pdf", status="failed", notes=("Está dañado.",))]
    app.session_state["legajo_results"] = results
    app = app.run().run()
    assert "Está dañado." in lines(app)
    app = app.button(key="legajo_put_away").click().run()
    assert "Está dañado." not in lines(app)


def test_a_document_tells_its_language_and_names_and_is_renamed_and_brought_back() -> None:
    app = documents_page(FakeAssistant())
    assert "<span>Español · ISO 27001:2022</span>" in lines(app)
    (name,) = [each for each in app.text_input if (each.key or "").startswith("name-d2")]
    name.set_value("Trabajo desde casa")
    app = app.button(key="rename-d2").click().run()
    assert "Trabajo desde casa" in lines(app)
    app = app.button(key="remove-d2").click().run()
    assert "Trabajo desde casa" not in lines(app)
    app = app.button(key="legajo_undo_removal").click().run()
    assert "Trabajo desde casa" in lines(app)
    assert "legajo_undo_removal" not in {each.key for each in app.button}


def test_a_file_that_is_retried_while_the_page_looks_at_the_queue_was_not_cancelled() -> None:
    assistant = FakeAssistant()
    (accepted,) = assistant.library.accept_stream("roto.pdf", BytesIO(b"no es un PDF"))
    key = accepted.ingestion_id
    for _ in range(4):
        (file,) = assistant.library.ingestions()
    assert file.status == "failed"
    added = (UploadResult(name="roto.pdf", status="accepted", ingestion_id=key),)
    seen = queue.Queue(failed=(file,))
    assistant.library.retry(key)
    (again,) = settled(assistant, added, seen)
    assert again.status == "accepted"
    failed = UploadResult(name="roto.pdf", status="failed", ingestion_id=key, notes=(file.error,))
    (again,) = settled(assistant, (failed,), queue.Queue(under_way=(file,)))
    assert (again.status, again.notes) == ("accepted", ())
    assistant.library.cancel(key)
    assert [each.status for each in settled(assistant, (*added, failed), queue.Queue())] == ["cancelled", "failed"]


def test_a_document_says_what_should_be_known_of_it() -> None:
    assistant = FakeAssistant()
    for name in ("uno.txt", "dos.txt", "escaneado.txt"):
        assistant.library.accept_stream(name, BytesIO(b"El mismo texto."))
    assistant.library.accept_url("https://ejemplo.org/horario")
    for _ in range(6):
        assistant.library.ingestions()
    shown = lines(documents_page(assistant))
    assert "<small>Mismo contenido que «uno.txt».</small>" in shown
    assert "<small>Sin texto en las páginas 3 y 5–7: parecen escaneadas." in shown
    assert "<small>La página 2 se leyó con OCR: puede haber errores de lectura.</small>" in shown
    assert "<small>Viene de https://ejemplo.org/horario</small>" in shown


def test_a_page_of_the_web_is_added_or_says_why_not() -> None:
    app = documents_page(FakeAssistant())
    app.text_input(key="legajo_url").set_value("ejemplo.org/horario")
    app = app.button(key=ADDRESS_BUTTON).click().run()
    assert "Escríbala con https://." in lines(app)
    app.text_input(key="legajo_url").set_value("https://ejemplo.org/horario")
    app = settle(app.button(key=ADDRESS_BUTTON).click().run())
    assert "Viene de https://ejemplo.org/horario" in lines(app)


def test_a_document_goes_to_another_project_and_replaces_another_only_when_asked() -> None:
    assistant = FakeAssistant()
    assistant.library.accept_stream("ocupado.txt", BytesIO(b"Otro texto."))
    app = settle(documents_page(assistant))
    app.selectbox(key="copy-to-d1").select("contratos").run()
    app = app.button(key="copy-d1").click().run()
    assert [each.value for each in app.toast] == ["Se copió «guia\\_iso\\_27001.pdf» a «Contratos»."]
    (taken,) = [each.document_id for each in assistant.library.all() if each.path == "ocupado.txt"]
    app.selectbox(key=f"copy-to-{taken}").select("contratos").run()
    app = app.button(key=f"move-{taken}").click().run()
    assert "En «Contratos» ya hay otro documento en esa ruta." in captions(app)
    app = app.button(key=f"move-{taken}").click().run()
    assert [each.value for each in app.toast] == ["Se movió «ocupado.txt» a «Contratos»."]


# ---------------------------------------------------------------- which model answers, shown or not


@pytest.mark.parametrize("hiding", [False, True])
def test_what_a_project_says_of_its_model_can_be_taken_back(hiding: bool) -> None:
    assistant = FakeAssistant(settings=settings(hide_model=hiding))
    for place, expected in enumerate([(hiding, None), (True, "everybody"), (False, "readers"), (False, "nobody")]):
        app = AppTest.from_function(settings_script, kwargs={"assistant": assistant}, default_timeout=120).run()
        options = app.radio[0].options
        assert options[0] == f"Según la configuración: hoy {'no ' if hiding else ''}se muestra"
        app.radio[0].set_value(options[place])
        app.button(key="FormSubmitter:legajo_settings-Guardar").click().run()
        assert not app.exception
        known = assistant.project_settings()
        assert (known.hides_model, known.hide_model) == expected  # an owner does not only read


def settings_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.state import Chat
    from ui.views.settings import render_settings

    render_settings(assistant, Chat())


def test_a_chat_that_is_open_elsewhere_names_nobody_once_the_project_hides_it() -> None:
    assistant = FakeAssistant()
    app = ask(run(assistant), QUESTION)
    assert "Citas textuales" in captions(app)
    assistant.change_project(hide_model="everybody")  # by another session
    app.run()
    assert "Citas textuales" not in captions(app)
    assistant.change_project(hide_model="nobody")
    assert "Citas textuales" in captions(app.run())


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


# ---------------------------------------------------------------- a model without a terminal


def settings_page(assistant: FakeAssistant) -> AppTest:
    return AppTest.from_function(settings_script, kwargs={"assistant": assistant}, default_timeout=120).run()


def test_a_key_is_tested_with_a_click_and_its_provider_chosen_with_another() -> None:
    assistant = FakeAssistant()
    app = settings_page(assistant)
    assert text("settings.no_model") in [each.value for each in app.info]
    assistant.keys.add("groq", "mala", owner="project")
    app = app.run().button(key="legajo_test_project_groq").click().run()
    assert [each.value for each in app.error] == [plain_label(str(ProviderAuthenticationError()))]
    assistant.keys.add("groq", "buena", owner="project")
    app = app.button(key="legajo_test_project_groq").click().run()
    assert [each.value for each in app.success] == [text("keys.works", provider="Groq")]
    app = app.button(key="legajo_use_project_groq").click().run()
    assert assistant.settings_in_force().llm_provider == "groq"
    assert "legajo_use_project_groq" not in {each.key for each in app.button}
    assert text("settings.no_model") not in [each.value for each in app.info]


def test_the_models_that_a_provider_offers_are_chosen_from() -> None:
    assistant = FakeAssistant()
    assistant.keys.add("groq", "buena")
    assistant.change_project(provider="groq")
    app = settings_page(assistant)
    app = app.button(key="legajo_models_show").click().run()
    (model,) = [each for each in app.selectbox if each.label == text("settings.model")]
    assert model.options == ["groq-grande", "groq-veloz"]
    model.select("groq-veloz")
    save = next(each for each in app.button if each.label == text("settings.save"))
    save.click().run()
    assert assistant.project_settings().model == "groq-veloz"


def test_what_leaves_the_machine_is_said_in_words() -> None:
    assistant = FakeAssistant()
    said = [each.value for each in settings_page(assistant).markdown]
    assert f"- {text('provider.reach.inside')}" in said
    assistant.keys.add("groq", "buena")
    assistant.change_project(provider="groq")
    said = [each.value for each in settings_page(assistant).markdown]
    assert f"- {text('provider.reach.outside')}" in said


def test_an_empty_project_says_what_to_do_until_it_has_a_document() -> None:
    assistant = FakeAssistant(empty=True)
    shown = lines(run(assistant))
    assert [text(f"chat.first.{name}") in shown for name in ("add", "ask", "open")] == [True, True, True]
    assert text("chat.first.add") not in lines(run(FakeAssistant(empty=True, role="reader")))
    assert text("chat.first.add") not in lines(run(FakeAssistant()))


@pytest.mark.parametrize("typed", ["Recursos  humanos", "Recursos\u200b humanos", None])
def test_the_name_of_a_folder_is_taken_as_it_is_kept(typed: str | None) -> None:
    assistant = FakeAssistant()
    conversation = assistant.conversations.create()
    list(assistant.stream(QUESTION, conversation_id=conversation))
    assistant.folders.move(conversation, "Recursos humanos")
    told = {"assistant": assistant, "conversation_id": conversation, "typed": typed}
    app = AppTest.from_function(script_of_a_folder, kwargs=told, default_timeout=10).run()  # and not for ever
    assert not app.exception
    assert [each.folder for each in assistant.conversations.recent()] == ["Recursos humanos" if typed else ""]
