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
from ui.components.queue import announce
from ui.components.sidebar import render_sidebar
from ui.markup import plain_label
from ui.pages.chat import render_chat
from ui.pages.document import render_document
from ui.pages.documents import render_documents
from ui.pages.settings import render_settings
from ui.pages.shared import render_shared
from ui.state import current_chat
from ui.texts import text

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant

__all__ = ["main", "set_up_page"]

_HERE = Path(__file__).parent
logger = logging.getLogger(__name__)


def main(assistant: ProjectAssistant) -> None:
    """Show the application for one run of the script."""
    # A run that follows a fragment's in the same thread would write where that fragment wrote (Streamlit 1.67).
    context_dg_stack.set(get_default_dg_stack_value())
    set_up_page()
    try:
        _show(assistant)
    except LegajoError as error:
        st.error(plain_label(str(error)), icon=":material/error:")
    except Exception:
        logger.exception("The page failed")
        st.error(text("app.unexpected"), icon=":material/error:")


def set_up_page() -> None:
    """Title, icon and style; also used where the assistant could not be opened."""
    logo = str(_HERE / "assets" / "legajo.svg")
    st.set_page_config(page_title=text("app.title"), page_icon=logo, layout="centered")
    st.logo(str(_HERE / "assets" / "wordmark.svg"), icon_image=logo, size="large")
    st.html(f"<style>{_style()}</style>")


@cache
def _style() -> str:
    """The style sheet, with the words that it puts on the screen taken from the texts."""
    words = {"choose": "upload.choose", "stopped": "chat.stopped"}
    variables = "".join(f"--legajo-{name}: {json.dumps(text(key), ensure_ascii=False)};" for name, key in words.items())
    return f":root {{{variables}}}\n" + (_HERE / "assets" / "style.css").read_text(encoding="utf-8")


def _show(assistant: ProjectAssistant) -> None:
    queue = announce(assistant)
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
        partial(render_settings, assistant, chat), title=text("app.nav_settings"), url_path="ajustes"
    )
    reader_page = st.Page(partial(render_document, assistant), title=text("original.title"), url_path=READER_PATH)
    shared_page = st.Page(partial(render_shared, assistant), title=text("shared.title"), url_path=SHARED_PATH)
    page = st.navigation([chat_page, documents_page, settings_page, reader_page, shared_page], position="hidden")
    render_sidebar(
        assistant,
        chat,
        queue,
        shown=page,
        chat_page=chat_page,
        documents_page=documents_page,
        settings_page=settings_page,
    )
    page.run()
