"""The side of every page: where one is, the conversations, and who answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.components.account import render_account
from ui.components.chrome import speak_our_language
from ui.components.concepts import concept_switch
from ui.components.conversations import render_conversations
from ui.components.projects import project_switch
from ui.components.provider import provider_switch
from ui.components.queue import queue_line
from ui.components.shortcuts import render_shortcuts
from ui.state import open_conversation
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from streamlit.navigation.page import Page

    from assistant.assistant import PersonalAssistant
    from assistant.project_assistant import ProjectAssistant
    from assistant.projects import ProjectSummary
    from ui.components.queue import Queue
    from ui.state import Chat

__all__ = ["render_sidebar"]


def render_sidebar(
    assistant: ProjectAssistant,
    chat: Chat,
    queue: Queue,
    *,
    shown: Page,
    chat_page: Page,
    documents_page: Page,
    settings_page: Page,
    usage_page: Page,
    projects_page: Page | None = None,
    person: PersonalAssistant | None = None,
    projects: Sequence[ProjectSummary] = (),
) -> None:
    """Everything beside the page that is shown."""
    with st.sidebar:
        if st.button(
            text("conversations.new"), icon=":material/edit_square:", width="stretch", key="legajo_new", type="primary"
        ):
            open_conversation(chat, None)
            st.switch_page(chat_page)
        st.page_link(chat_page, label=text("app.nav_chat"), icon=":material/forum:", width="stretch")
        label = f"{text('app.nav_documents')} ({assistant.library.count()})"
        st.page_link(documents_page, label=label, icon=":material/folder_open:", width="stretch")
        st.page_link(settings_page, label=text("app.nav_settings"), icon=":material/tune:", width="stretch")
        st.page_link(usage_page, label=text("app.nav_usage"), icon=":material/bar_chart:", width="stretch")
        if projects_page is not None:
            st.page_link(projects_page, label=text("app.nav_projects"), icon=":material/workspaces:", width="stretch")
        if shown.url_path != documents_page.url_path:  # which has all of the queue
            queue_line(assistant, queue)
        if person is not None:
            project_switch(projects, assistant.project)
        render_conversations(assistant, chat, chat_page)
        with st.container(key="legajo_provider_box"):
            concept_switch(assistant, chat)
            provider_switch(assistant, chat)
        if person is not None and person.settings.accounts != "local":
            render_account(person)
        render_shortcuts()
        speak_our_language()
