"""The frame of the chat: page setup, style, navigation, sidebar, and the last line of defence against errors."""

from __future__ import annotations

import json
import logging
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator_singletons import context_dg_stack, get_default_dg_stack_value

from rag_system.errors import LegajoError
from ui.components.addresses import READER_PATH, SHARED_PATH
from ui.components.attempt import render_failure
from ui.components.queue import announce, look
from ui.components.sidebar import render_sidebar
from ui.preferences import preference
from ui.serving.keeping_up import come_back_to_life, keep_up
from ui.state import current_chat
from ui.texts import language, text
from ui.views.chat import render_chat
from ui.views.document import render_document
from ui.views.documents import render_documents
from ui.views.projects import render_projects
from ui.views.settings import render_settings
from ui.views.shared import render_shared
from ui.views.usage import render_usage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.assistant import PersonalAssistant
    from assistant.project_assistant import ProjectAssistant
    from assistant.projects import ProjectSummary

__all__ = ["main", "set_up_page"]

_HERE = Path(__file__).parent
_SIZES = {"normal": "", "large": "html { font-size: 125% !important; }"}
logger = logging.getLogger(__name__)


def main(
    assistant: ProjectAssistant, person: PersonalAssistant | None = None, projects: Sequence[ProjectSummary] = ()
) -> None:
    """Show a project for one run of the script, and to its `person` the others there are: all `projects`."""
    # A run that follows a fragment's in the same thread would write where that fragment wrote (Streamlit 1.67).
    context_dg_stack.set(get_default_dg_stack_value())
    set_up_page()
    try:
        _show(assistant, person, projects)
    except LegajoError as error:
        render_failure(error)
    except Exception:
        logger.exception("The page failed")
        st.error(text("app.unexpected"), icon=":material/error:")


def set_up_page() -> None:
    """Title, icon and style; also used where the assistant could not be opened."""
    logo = str(_HERE / "assets" / "legajo.svg")
    st.set_page_config(page_title=text("app.title"), page_icon=logo, layout="centered")
    st.logo(str(_HERE / "assets" / "wordmark.svg"), icon_image=logo, size="large")
    st.html(f"<style>{_style(language())}{_SIZES[preference('size')]}</style>")


@cache
def _style(_: str) -> str:
    """The style sheet, with the words that it puts on the screen taken from the texts of a language."""
    words = {"choose": "upload.choose", "choose-folder": "upload.choose_folder", "stopped": "chat.stopped"}
    variables = "".join(f"--legajo-{name}: {json.dumps(text(key), ensure_ascii=False)};" for name, key in words.items())
    return f":root {{{variables}}}\n" + (_HERE / "assets" / "style.css").read_text(encoding="utf-8")


def _show(assistant: ProjectAssistant, person: PersonalAssistant | None, projects: Sequence[ProjectSummary]) -> None:
    queue = look(assistant)
    chat = current_chat(assistant)
    chat_page = st.Page(
        partial(render_chat, assistant, chat), title=text("app.nav_chat"), url_path="chat", default=True
    )
    documents_page = st.Page(
        partial(render_documents, assistant, chat, chat_page, queue),
        title=text("app.nav_documents"),
        url_path="documentos",
    )
    settings_page = st.Page(
        partial(render_settings, assistant, chat, person), title=text("app.nav_settings"), url_path="ajustes"
    )
    usage_page = st.Page(partial(render_usage, assistant), title=text("app.nav_usage"), url_path="uso")
    reader_page = st.Page(partial(render_document, assistant), title=text("original.title"), url_path=READER_PATH)
    shared_page = st.Page(partial(render_shared, assistant), title=text("shared.title"), url_path=SHARED_PATH)
    pages = [chat_page, documents_page, settings_page, usage_page, reader_page, shared_page]
    projects_page = None
    if person is not None:
        show_projects = partial(render_projects, assistant, person, projects)
        projects_page = st.Page(show_projects, title=text("app.nav_projects"), url_path="proyectos")
        pages.append(projects_page)
    page = st.navigation(pages, position="hidden")
    keep_up(None)  # the page that is shown says what it follows
    come_back_to_life()
    announce(elsewhere=page.url_path != documents_page.url_path)  # there, the list itself tells
    render_sidebar(
        assistant,
        chat,
        queue,
        shown=page,
        chat_page=chat_page,
        documents_page=documents_page,
        settings_page=settings_page,
        usage_page=usage_page,
        projects_page=projects_page,
        person=person,
        projects=projects,
    )
    page.run()
