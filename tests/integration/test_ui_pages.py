"""The pages run by Streamlit's own tester: what each choice shows, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from streamlit.testing.v1 import AppTest

import ui
from assistant.project_assistant import ProjectAssistant
from assistant.summaries import IngestionSummary
from assistant.view import Turn
from rag_system.generation import clients
from rag_system.generation.provider_redaction import without_provider
from rag_system.generation.providers import PROVIDERS
from rag_system.ingestion.loaders import SUPPORTED_EXTENSIONS
from rag_system.query.tasks import OFFER
from rag_system.storage.projects import Role
from tests import indexing
from tests.fakes.provider_server import FakeProviderServer, running
from tests.faults.processes import until
from tests.small_library import GUIDE, MANUAL, Opening, damaged
from ui.components import queue
from ui.components.upload import UploadResult, settled
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


@pytest.fixture
def assistant(opening: Opening) -> ProjectAssistant:
    """A project with three documents."""
    return opening()


@pytest.fixture
def empty(opening: Opening) -> ProjectAssistant:
    return opening("vacio")


@pytest.fixture
def provider() -> Iterator[FakeProviderServer]:
    """What a server of one's own and Groq's address lead to."""
    with pytest.MonkeyPatch.context() as patch, running() as (fake, url):
        patch.setitem(PROVIDERS, "groq", replace(PROVIDERS["groq"], base_url=f"{url}/groq"))
        yield fake
    clients.client.cache_clear()


def test_no_page_is_one_that_streamlit_finds_by_itself() -> None:
    """Until a new server has drawn its first page, Streamlit would show the files of such a folder: blank pages."""
    assert not (Path(ui.__file__).parent / "pages").exists()


def run(assistant: ProjectAssistant, *, conversation: str = "") -> AppTest:
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


@pytest.mark.parametrize(("role", "takes"), [("reader", False), ("editor", True)])
def test_files_are_taken_in_the_chat_of_who_may_add_them(opening: Opening, role: Role, takes: bool) -> None:
    app = run(opening("vacio", role=role))
    assert bool(app.chat_input[0].proto.accept_file) == takes
    assert [title.value for title in app.main.title] == [
        "Su biblioteca todavía está vacía" if takes else "Este proyecto todavía no tiene documentos"
    ]
    assert not ask(app, QUESTION).exception


def captions(app: AppTest) -> str:
    return "\n".join(caption.value for caption in app.caption)


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


def upload(app: AppTest, name: str, words: str = "Las vacaciones duran treinta días.") -> AppTest:
    return app.chat_input(key="legajo_question").upload(name, words.encode(), "text/plain").run()


def lines(app: AppTest) -> str:
    return "\n".join(html.value for html in app.get("html"))


def work(assistant: ProjectAssistant) -> None:
    """See through what waits in the queue."""
    waiting = [each for each in assistant.library.ingestions() if each.status != "failed"]
    list(assistant.library.see_through({each.ingestion_id: each.path for each in waiting}))


def settle(app: AppTest, assistant: ProjectAssistant) -> AppTest:
    """The page once the queue was worked on."""
    work(assistant)
    return app.run().run()


def test_an_upload_in_the_chat_is_followed_to_its_end_and_then_answered_from(empty: ProjectAssistant) -> None:
    app = upload(run(empty), "vacaciones.txt")
    assert "Agregando 1 archivo" in captions(app)
    assert "<strong>vacaciones.txt</strong> agregado · 1 pasaje" in lines(settle(app, empty))
    assert "Agregando" not in captions(app)
    app = ask(app, "¿Cuánto duran las vacaciones?")
    assert not app.exception


DAMAGED = "%PDF-1.7\nesto no es un PDF"


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


def accepted(assistant: ProjectAssistant, name: str, words: str) -> str:
    """The id of a file in the queue."""
    (file,) = assistant.library.accept_stream(name, BytesIO(words.encode()))
    return file.ingestion_id


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


def documents_page(assistant: ProjectAssistant) -> AppTest:
    return AppTest.from_function(documents_script, kwargs={"assistant": assistant}, default_timeout=120).run()


WORKING = "UPDATE ingestions SET status = 'working', stage = 'embed', done = 128, total = 400, rate = 2.9"
FAILED = "UPDATE ingestions SET status = 'failed', error = 'El servidor no respondió.', code = 'provider'"
QUEUED = " WHERE status = 'queued'"
KNOWN = (
    "UPDATE documents SET origin = 'https://ejemplo.org/', empty_pages = '{3,5,6,7}', ocr_pages = '{2}' WHERE path = %s"
)


def put(database_url: str, statement: str, *values: str) -> None:
    """Bring what a worker would have written."""
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute(statement, values)


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


def test_a_file_that_is_retried_is_followed_in_the_chat(empty: ProjectAssistant, library_url: str) -> None:
    chat = upload(run(empty), "acta.txt")
    (file,) = empty.library.ingestions()
    put(library_url, FAILED + QUEUED)
    assert "<strong>acta.txt</strong> no se pudo agregar<small>El servidor no respondió.</small>" in lines(chat.run())
    documents_page(empty).button(key=f"retry-{file.ingestion_id}").click().run()
    assert "no se pudo agregar" not in lines(chat.run())
    assert "<strong>acta.txt</strong> agregado · 1 pasaje" in lines(settle(chat, empty))


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


# ---------------------------------------------------------------- which model answers, shown or not


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


def settings_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.state import Chat
    from ui.views.settings import render_settings

    render_settings(assistant, Chat())


def test_a_chat_that_is_open_elsewhere_names_nobody_once_the_project_hides_it(assistant: ProjectAssistant) -> None:
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


def settings_page(assistant: ProjectAssistant) -> AppTest:
    return AppTest.from_function(settings_script, kwargs={"assistant": assistant}, default_timeout=120).run()


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
