"""What `streamlit run` starts: opens one `Assistant` for all sessions and shows the chat with it."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assistant.assistant import Assistant
from assistant.project_assistant import ProjectAssistant
from rag_system import DEFAULT_PROJECT, LOCAL_PERSON
from rag_system.background import begin
from rag_system.errors import LegajoError
from ui.components.account import chosen_project, make_first_project, render_failure
from ui.serving.gate import SESSION_HEADER
from ui.serving.showing import SHOWING, Showing
from ui.shell import main, set_up_page
from ui.texts import text

__all__: list[str] = []

logger = logging.getLogger(__name__)


@st.cache_resource(show_spinner=text("app.opening"), on_release=Assistant.close)
def _assistant() -> Assistant:
    return Assistant.open()


def _project(assistant: Assistant) -> ProjectAssistant:
    """The chat's own, made with the first start."""
    person = assistant.as_person(LOCAL_PERSON)
    person.create_project(DEFAULT_PROJECT)
    return person.project(DEFAULT_PROJECT)


@st.cache_resource(show_spinner=False)
def _load_model(_assistant: Assistant) -> Future[None]:
    """Once, after the first page was sent: the model is loaded while the first question is typed."""
    return begin(partial(_warm_up, _assistant))


def _warm_up(assistant: Assistant) -> None:
    try:
        assistant.warm_up()
    except LegajoError as error:
        logger.warning("The embedding model could not be loaded: %s", error)  # the first question will say it too


def _show(assistant: Assistant) -> None:
    """To whom the gate let in, a project that is theirs; without accounts, the chat's own to who sits here."""
    if assistant.settings.accounts == "local":
        main(_project(assistant))
        return
    secret = st.context.headers.get(SESSION_HEADER, "")
    person = assistant.as_session(secret)
    name = chosen_project(person)
    if name is None:
        set_up_page()
        make_first_project(person)
    else:
        project = person.project(name)
        if (context := get_script_run_ctx()) is not None:
            SHOWING.show(context.session_id, Showing(secret, name))
        main(project, person)


try:
    opened = _assistant()
    _show(opened)
except LegajoError as error:
    set_up_page()
    render_failure(error)
else:
    _load_model(opened)
