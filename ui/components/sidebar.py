"""The side of every page: where one is, the conversations, and who answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.components.chrome import speak_our_language
from ui.components.concepts import concept_switch
from ui.components.provider import provider_switch
from ui.components.queue import announce, queue_line
from ui.markup import plain_label
from ui.state import open_conversation
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

    from assistant.assistant import Assistant
    from ui.state import Chat

__all__ = ["render_sidebar"]

_SHOWN = 12
_LIMIT = 200


def render_sidebar(
    assistant: Assistant, chat: Chat, *, shown: Page, chat_page: Page, documents_page: Page, settings_page: Page
) -> None:
    """Everything beside the page that is shown."""
    with st.sidebar:
        if st.button(
            text("conversations.new"), icon=":material/edit_square:", width="stretch", key="legajo_new", type="primary"
        ):
            open_conversation(chat, None)
            st.switch_page(chat_page)
        st.page_link(chat_page, label=text("app.nav_chat"), icon=":material/forum:", width="stretch")
        label = f"{text('app.nav_documents')} ({assistant.document_count()})"
        st.page_link(documents_page, label=label, icon=":material/folder_open:", width="stretch")
        st.page_link(settings_page, label=text("app.nav_settings"), icon=":material/tune:", width="stretch")
        announce(assistant)
        if shown.url_path != documents_page.url_path:  # which has all of the queue
            queue_line(assistant)
        _conversations(assistant, chat, chat_page)
        with st.container(key="legajo_provider_box"):
            concept_switch(assistant, chat)
            provider_switch(assistant, chat)
        speak_our_language()


def _conversations(assistant: Assistant, chat: Chat, chat_page: Page) -> None:
    st.html(f"<h2 class='legajo-side-title'>{text('conversations.heading')}</h2>")
    summaries = assistant.conversations(limit=_LIMIT)
    if not summaries:
        st.caption(text("conversations.none"))
        return
    with st.container(key="legajo_conversations", gap=None):
        for summary in summaries[:_SHOWN]:
            _conversation(assistant, chat, chat_page, summary.conversation_id, summary.title)
        if len(summaries) > _SHOWN:
            with st.expander(text("conversations.more")):
                for summary in summaries[_SHOWN:]:
                    _conversation(assistant, chat, chat_page, summary.conversation_id, summary.title)


def _conversation(assistant: Assistant, chat: Chat, chat_page: Page, conversation_id: str, title: str) -> None:
    label = plain_label(title) or text("conversations.untitled")
    is_open = conversation_id == chat.conversation_id
    with st.container(horizontal=True, wrap=False, gap=None, vertical_alignment="center"):
        if st.button(
            label, key=f"open-{conversation_id}", type="secondary" if is_open else "tertiary", width="stretch"
        ):
            open_conversation(chat, conversation_id)
            st.switch_page(chat_page, query_params={"c": conversation_id})
        with st.popover(
            text("app.options"), icon=":material/more_horiz:", type="tertiary", key=f"more-{conversation_id}"
        ):
            st.caption(text("conversations.delete_confirm", title=label))
            if st.button(text("conversations.delete"), key=f"delete-{conversation_id}", icon=":material/delete:"):
                assistant.delete_conversation(conversation_id)
                if is_open:
                    open_conversation(chat, None)
                st.rerun()
