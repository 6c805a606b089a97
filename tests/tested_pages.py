"""Pages run by Streamlit's own tester, without a browser: how they are opened, used and read."""

from __future__ import annotations

from io import BytesIO

import psycopg
from streamlit.testing.v1 import AppTest

from assistant.project_assistant import ProjectAssistant

__all__ = [
    "DAMAGED",
    "FAILED",
    "QUESTION",
    "QUEUED",
    "accepted",
    "ask",
    "captions",
    "documents_page",
    "lines",
    "opened",
    "press",
    "put",
    "run",
    "settings_page",
    "settings_script",
    "settle",
    "upload",
    "work",
]

QUESTION = "¿Cada cuánto se revisan los permisos de acceso?"
DAMAGED = "%PDF-1.7\nesto no es un PDF"
FAILED = "UPDATE ingestions SET status = 'failed', error = 'El servidor no respondió.', code = 'provider'"
QUEUED = " WHERE status = 'queued'"


def script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.shell import main

    main(assistant)


def run(assistant: ProjectAssistant, *, conversation: str = "") -> AppTest:
    """The whole chat, at a conversation or at none."""
    app = AppTest.from_function(script, kwargs={"assistant": assistant}, default_timeout=120)
    if conversation:
        app.query_params["c"] = conversation
    return app.run()


def ask(app: AppTest, question: str) -> AppTest:
    """What is typed into the box."""
    return app.chat_input(key="legajo_question").set_value(question).run()


def captions(app: AppTest) -> str:
    """All that is said in small print."""
    return "\n".join(caption.value for caption in app.caption)


def upload(app: AppTest, name: str, words: str = "Las vacaciones duran treinta días.") -> AppTest:
    """A file that is sent with the box."""
    return app.chat_input(key="legajo_question").upload(name, words.encode(), "text/plain").run()


def lines(app: AppTest) -> str:
    """All HTML of ours, as it stands."""
    return "\n".join(html.value for html in app.get("html"))


def opened(app: AppTest, menu: str) -> AppTest:
    """The page with a menu open, which is drawn only then."""
    app.session_state[menu] = True
    return app.run()


def press(app: AppTest, label: str) -> AppTest:
    """The page after a click on what is called so."""
    return next(each for each in app.button if each.label == label).click().run()


def work(assistant: ProjectAssistant) -> None:
    """See through what waits in the queue."""
    waiting = [each for each in assistant.library.ingestions() if each.status != "failed"]
    list(assistant.library.see_through({each.ingestion_id: each.path for each in waiting}))


def settle(app: AppTest, assistant: ProjectAssistant) -> AppTest:
    """The page once the queue was worked on."""
    work(assistant)
    return app.run().run()


def accepted(assistant: ProjectAssistant, name: str, words: str) -> str:
    """The id of a file in the queue."""
    (file,) = assistant.library.accept_stream(name, BytesIO(words.encode()))
    return file.ingestion_id


def documents_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    import streamlit as st

    from ui.components.queue import announce, look
    from ui.state import Chat
    from ui.views.documents import render_documents

    queue = look(assistant)
    announce(elsewhere=False)
    render_documents(assistant, Chat(), st.Page(lambda: None, url_path="chat"), queue)


def documents_page(assistant: ProjectAssistant) -> AppTest:
    """The page of the documents, by itself."""
    return AppTest.from_function(documents_script, kwargs={"assistant": assistant}, default_timeout=120).run()


def put(database_url: str, statement: str, *values: str) -> None:
    """Bring what a worker would have written."""
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute(statement, values)


def settings_script(assistant):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.state import Chat
    from ui.views.settings import render_settings

    render_settings(assistant, Chat())


def settings_page(assistant: ProjectAssistant) -> AppTest:
    """The page of the settings, by itself."""
    return AppTest.from_function(settings_script, kwargs={"assistant": assistant}, default_timeout=120).run()
