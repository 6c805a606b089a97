"""The list of conversations beside every page: found, opened, pinned, named, put into folders,
archived, and deleted, with a way back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_system.errors import InputError
from ui.components.attempt import attempt
from ui.components.folders import choose_folder, in_folders, offer_folder
from ui.components.keeping import offer_all_as_files, render_keeping
from ui.markup import plain_label
from ui.state import open_conversation
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from streamlit.navigation.page import Page

    from assistant.conversation_search import ConversationHit
    from assistant.conversations import ConversationSummary
    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["render_conversations"]

_SHOWN = 12
_ROOM_PIXELS = 460  # of a menu
_LIMIT = 200
_FIND_FROM = 8  # fewer are seen at a glance


def render_conversations(assistant: ProjectAssistant, chat: Chat, chat_page: Page) -> None:
    """The whole list."""
    st.html(f"<h2 class='legajo-side-title'>{text('conversations.heading')}</h2>")
    _offer_undo(assistant, chat)
    summaries = assistant.conversations.recent(limit=_LIMIT, filed=False)
    filed = assistant.conversations.recent(limit=_LIMIT, filed=True)
    archived = assistant.conversations.recent(limit=_LIMIT, archived=True)
    if summaries or filed or archived:
        _list(assistant, chat, chat_page, summaries, filed, archived)
    else:
        st.caption(text("conversations.none"))


def _offer_undo(assistant: ProjectAssistant, chat: Chat) -> None:
    if chat.deleted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="legajo_undo_row"):
        st.caption(text("conversations.deleted", title=plain_label(chat.deleted.title)))
        if st.button(text("conversations.undo"), icon=":material/undo:", type="tertiary", key="legajo_undo"):
            assistant.conversations.restore(chat.deleted.conversation_id)
            chat.deleted = None
            st.rerun()


@st.fragment
def _list(
    assistant: ProjectAssistant,
    chat: Chat,
    chat_page: Page,
    summaries: list[ConversationSummary],
    filed: list[ConversationSummary],
    archived: list[ConversationSummary],
) -> None:
    """A fragment: looking for a conversation must not stop an answer that is being written."""
    query = ""
    if len(summaries) + len(filed) + len(archived) >= _FIND_FROM:
        query = st.text_input(
            text("conversations.find"),
            key="legajo_find",
            icon=":material/search:",
            placeholder=text("conversations.find"),
            label_visibility="collapsed",
        )
    with st.container(key="legajo_conversations", gap=None):
        if query.strip():
            _found(assistant, chat, chat_page, query)
            return
        folders = in_folders(filed)
        show = partial(_conversation, assistant, chat, chat_page, list(folders))
        for name, inside in folders.items():
            with (
                st.expander(
                    plain_label(name),
                    expanded=chat.conversation_id in {each.conversation_id for each in inside},
                    icon=":material/folder:",
                    key=f"legajo_folder_{name}",
                ),
                st.container(gap=None),
            ):
                for summary in inside:
                    show(summary)
                offer_folder(assistant, name)
        for summary in summaries[:_SHOWN]:
            show(summary)
        if len(summaries) > _SHOWN:
            with st.expander(text("conversations.more"), key="legajo_more_conversations"):
                for summary in summaries[_SHOWN:]:
                    show(summary)
        if archived:
            with st.expander(text("conversations.archived"), icon=":material/archive:", key="legajo_archived"):
                for summary in archived:
                    show(summary)
        offer_all_as_files(assistant)


def _found(assistant: ProjectAssistant, chat: Chat, chat_page: Page, query: str) -> None:
    try:
        hits = assistant.conversations.search(query, limit=_SHOWN)
    except InputError as error:
        st.caption(plain_label(translated(str(error))))
        return
    if not hits:
        st.caption(text("conversations.no_match", query=plain_label(query)))
    for hit in hits:
        label = plain_label(hit.title) or text("conversations.untitled")
        if st.button(label, key=f"found-{hit.conversation_id}", type="tertiary", width="stretch"):
            _show_message(assistant, hit)
            _open(chat, chat_page, hit.conversation_id)
        said = " · ".join(filter(None, (f"{hit.said_at.astimezone():%d/%m/%Y}", hit.excerpt)))
        st.caption(plain_label(said))


def _show_message(assistant: ProjectAssistant, hit: ConversationHit) -> None:
    """What was found may stand in a branch that is not the current one."""
    if hit.role and hit.ordinal not in {turn.ordinal for turn in assistant.turns(hit.conversation_id)}:
        assistant.conversations.choose(hit.conversation_id, hit.ordinal)


def _open(chat: Chat, chat_page: Page, conversation_id: str) -> None:
    open_conversation(chat, conversation_id)
    st.switch_page(chat_page, query_params={"c": conversation_id})


def _conversation(
    assistant: ProjectAssistant, chat: Chat, chat_page: Page, folders: Sequence[str], summary: ConversationSummary
) -> None:
    key, label = summary.conversation_id, plain_label(summary.title) or text("conversations.untitled")
    is_open = key == chat.conversation_id
    with st.container(horizontal=True, wrap=False, gap=None, vertical_alignment="center"):
        icon = ":material/keep:" if summary.pinned else None
        if st.button(label, key=f"open-{key}", icon=icon, type="secondary" if is_open else "tertiary", width="stretch"):
            _open(chat, chat_page, key)
        menu = st.popover(
            text("app.options"),
            icon=":material/more_horiz:",
            type="tertiary",
            key=f"more-{key}{'-archived' * summary.archived}-{summary.folder}",
            on_change="rerun",
        )
    with menu, st.container(height=_ROOM_PIXELS, border=False, gap="small"):  # there before: it opens where that fits
        if menu.open:  # of two hundred conversations one
            _rename(assistant, summary)
            if not summary.archived:
                choose_folder(assistant, summary, folders)
            with st.container(horizontal=True, gap="small"):
                _move(assistant, chat, summary, is_open=is_open)
            render_keeping(assistant, chat, summary)


def _move(assistant: ProjectAssistant, chat: Chat, summary: ConversationSummary, *, is_open: bool) -> None:
    """Up, apart, or away."""
    key, pin = summary.conversation_id, text("conversations.unpin" if summary.pinned else "conversations.pin")
    if not summary.archived and st.button(pin, key=f"pin-{key}", icon=":material/keep:"):
        assistant.conversations.pin(key, pinned=not summary.pinned)
        st.rerun()
    archive = text("conversations.unarchive" if summary.archived else "conversations.archive")
    if st.button(archive, key=f"archive-{key}", icon=":material/archive:"):
        assistant.conversations.archive(key, archived=not summary.archived)
        st.rerun()
    if st.button(text("conversations.delete"), key=f"delete-{key}", icon=":material/delete:"):
        assistant.conversations.delete(key)
        if is_open:
            open_conversation(chat, None)
        chat.deleted = summary
        st.rerun()


def _rename(assistant: ProjectAssistant, summary: ConversationSummary) -> None:
    with st.form(f"rename-{summary.conversation_id}", border=False):
        title = st.text_input(text("conversations.rename"), summary.title, max_chars=80)
        if not st.form_submit_button(text("conversations.rename_save")):
            return
    attempt(lambda: assistant.conversations.rename(summary.conversation_id, title))
