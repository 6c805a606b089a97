"""What `streamlit run` starts: opens one `Assistant` for all sessions and shows the chat with it."""

from __future__ import annotations

import gc
import logging
from concurrent.futures import Future
from functools import partial

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from assistant.assistant import Assistant
from rag_system import DEFAULT_PROJECT, LOCAL_PERSON
from rag_system.background import begin
from rag_system.errors import LegajoError
from ui.components.account import make_first_project
from ui.components.attempt import render_failure
from ui.components.projects import choose_project
from ui.components.waiting import told_of_waiting
from ui.serving.gate import SESSION_HEADER
from ui.serving.showing import SHOWING, Showing
from ui.shell import main, set_up_page
from ui.texts import text

__all__: list[str] = []

logger = logging.getLogger(__name__)


@st.cache_resource(show_spinner=text("app.opening"), on_release=Assistant.close)
def _assistant() -> Assistant:
    return Assistant.open()


@st.cache_resource(show_spinner=False)
def _load_model(_assistant: Assistant) -> Future[None]:
    """Once, after the first page was sent: the model is loaded while the first question is typed."""
    return begin(partial(_warm_up, _assistant))


def _warm_up(assistant: Assistant) -> None:
    try:
        assistant.warm_up()
    except LegajoError as error:
        logger.warning("The embedding model could not be loaded: %s", error)  # the first question will say it too
    # Streamlit looks for garbage after each run of a page. What is loaded stays, and to look at it was half of a run.
    gc.collect()
    gc.freeze()


def _show(assistant: Assistant) -> None:
    """To whom the gate let in, or without accounts to who sits here, a project that is theirs."""
    is_local, secret = assistant.settings.accounts == "local", st.context.headers.get(SESSION_HEADER, "")
    person = assistant.as_person(LOCAL_PERSON) if is_local else assistant.as_session(secret)
    projects = person.projects()
    if is_local and not projects:  # who needs no account has one to begin with
        person.create_project(DEFAULT_PROJECT)
        projects = person.projects()
    name = choose_project(projects)
    if name is None:
        set_up_page()
        make_first_project(person)
    else:
        project = person.project(name)
        if not is_local and (context := get_script_run_ctx()) is not None:
            SHOWING.show(context.session_id, Showing(secret, name))
        main(project, person, projects)


try:
    opened = _assistant()
    with told_of_waiting():
        _show(opened)
except LegajoError as error:
    set_up_page()
    render_failure(error)
else:
    _load_model(opened)
