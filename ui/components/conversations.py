"""The list of conversations beside every page: found, opened, named, taken along and deleted."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from assistant.exporting import conversation_text
from rag_system.errors import InputError
from ui.markup import folded, plain_label
from ui.state import open_conversation
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

    from assistant.conversations import ConversationSummary
    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["render_conversations"]

_SHOWN = 12
_LIMIT = 200
_FIND_FROM = 8  # fewer are seen at a glance


def render_conversations(assistant: ProjectAssistant, chat: Chat, chat_page: Page) -> None:
    """The whole list."""
    st.html(f"<h2 class='legajo-side-title'>{text('conversations.heading')}</h2>")
    summaries = assistant.conversations(limit=_LIMIT)
    if summaries:
        _list(assistant, chat, chat_page, summaries)
    else:
        st.caption(text("conversations.none"))


@st.fragment
def _list(assistant: ProjectAssistant, chat: Chat, chat_page: Page, summaries: list[ConversationSummary]) -> None:
    """A fragment: looking for a conversation must not stop an answer that is being written."""
    query = ""
    if len(summaries) >= _FIND_FROM:
        query = st.text_input(
            text("conversations.find"),
            key="legajo_find",
            icon=":material/search:",
            placeholder=text("conversations.find"),
            label_visibility="collapsed",
        )
    found = [each for each in summaries if all(word in folded(each.title) for word in folded(query).split())]
    if not found:
        st.caption(plain_label(text("conversations.no_match", query=query)))
        return
    with st.container(key="legajo_conversations", gap=None):
        for summary in found[:_SHOWN]:
            _conversation(assistant, chat, chat_page, summary)
        if len(found) > _SHOWN:
            with st.expander(text("conversations.more")):
                for summary in found[_SHOWN:]:
                    _conversation(assistant, chat, chat_page, summary)


def _conversation(assistant: ProjectAssistant, chat: Chat, chat_page: Page, summary: ConversationSummary) -> None:
    key, label = summary.conversation_id, plain_label(summary.title) or text("conversations.untitled")
    is_open = key == chat.conversation_id
    with st.container(horizontal=True, wrap=False, gap=None, vertical_alignment="center"):
        if st.button(label, key=f"open-{key}", type="secondary" if is_open else "tertiary", width="stretch"):
            open_conversation(chat, key)
            st.switch_page(chat_page, query_params={"c": key})
        with st.popover(text("app.options"), icon=":material/more_horiz:", type="tertiary", key=f"more-{key}"):
            if is_open:  # what is done to one that is looked at
                _rename(assistant, summary)
                _export(chat, summary)
            st.caption(text("conversations.delete_confirm", title=label))
            if st.button(text("conversations.delete"), key=f"delete-{key}", icon=":material/delete:"):
                assistant.delete_conversation(key)
                if is_open:
                    open_conversation(chat, None)
                st.rerun()


def _rename(assistant: ProjectAssistant, summary: ConversationSummary) -> None:
    with st.form(f"rename-{summary.conversation_id}", border=False):
        title = st.text_input(text("conversations.rename"), summary.title, max_chars=80)
        if not st.form_submit_button(text("conversations.rename_save")):
            return
    try:
        assistant.rename_conversation(summary.conversation_id, title)
    except InputError as error:
        st.error(plain_label(str(error)), icon=":material/error:")
        return
    st.rerun()


def _export(chat: Chat, summary: ConversationSummary) -> None:
    st.download_button(
        text("conversations.export"),
        partial(conversation_text, chat.said, title=summary.title),
        file_name=f"{'-'.join(folded(summary.title).split())[:60].strip('¿?.,-') or 'legajo'}.md".replace("/", "-"),
        mime="text/markdown",
        icon=":material/download:",
        on_click="ignore",
        key=f"export-{summary.conversation_id}",
    )
