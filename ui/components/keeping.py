"""What becomes of conversations outside of the chat: files, a document of the project, a link for others."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import streamlit as st

from assistant.conversations import SAVED
from assistant.exporting import FORMATS, Format
from rag_system.ingestion.report import IngestReport
from ui.components.addresses import shared_address
from ui.markup import folded, plain_label
from ui.serving.showing import handed_out
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.conversations import ConversationSummary
    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["offer_all_as_files", "render_keeping"]

_TYPES: dict[Format, str] = {
    "md": "text/markdown",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "json": "application/json",
}


def render_keeping(assistant: ProjectAssistant, chat: Chat, summary: ConversationSummary) -> None:
    """In the menu of a conversation."""
    _export(assistant, summary)
    _shown_link(chat, summary)
    with st.container(horizontal=True, gap="small"):
        if assistant.may("save_conversation"):
            _save(assistant, summary)
        _share(assistant, chat, summary)


def _export(assistant: ProjectAssistant, summary: ConversationSummary) -> None:
    st.caption(text("conversations.export"))
    name = "-".join(folded(summary.title).split())[:60].strip("¿?.,-").replace("/", "-") or "legajo"
    with st.container(horizontal=True, wrap=False, gap="small"):
        for kind in FORMATS:
            st.download_button(
                text(f"conversations.format.{kind}"),
                handed_out(partial(assistant.export_conversation, summary.conversation_id, format=kind)),
                file_name=f"{name}.{kind}",
                mime=_TYPES[kind],
                on_click="ignore",
                key=f"export-{kind}-{summary.conversation_id}",
            )


def offer_all_as_files(assistant: ProjectAssistant) -> None:
    """Below the list: all that one has in it, in one file."""
    with st.popover(text("conversations.export_all"), icon=":material/download:", type="tertiary", key="legajo_export"):
        st.caption(text("conversations.export_all_help"))
        with st.container(horizontal=True, wrap=False, gap="small"):
            for kind in FORMATS:
                st.download_button(
                    text(f"conversations.format.{kind}"),
                    handed_out(partial(assistant.export_conversations, format=kind)),
                    file_name=f"{text('conversations.export_all_name')}-{kind}.zip",
                    mime="application/zip",
                    on_click="ignore",
                    key=f"export-all-{kind}",
                )


def _save(assistant: ProjectAssistant, summary: ConversationSummary) -> None:
    key = summary.conversation_id
    if not st.button(text("conversations.save"), icon=":material/note_add:", key=f"save-{key}"):
        return
    accepted = assistant.save_conversation(key)
    if not isinstance(accepted, IngestReport):
        st.toast(text("conversations.saving", folder=SAVED), icon=":material/note_add:")
    elif accepted.error:
        st.error(plain_label(translated(accepted.error)), icon=":material/error:")
    else:
        st.toast(text("conversations.saved"), icon=":material/check:")


def _shown_link(chat: Chat, summary: ConversationSummary) -> None:
    """Only the session that made it knows it."""
    if not summary.shared:
        return
    if secret := chat.links.get(summary.conversation_id):
        st.code(urljoin(st.context.url or "", shared_address(secret)), language=None, wrap_lines=True)
    st.caption(f"{text('conversations.shared')} {text('conversations.shared_help')}")


def _share(assistant: ProjectAssistant, chat: Chat, summary: ConversationSummary) -> None:
    key = summary.conversation_id
    if not (summary.shared and key in chat.links):
        label = text("conversations.share_again" if summary.shared else "conversations.share")
        if st.button(label, icon=":material/link:", key=f"share-{key}"):
            chat.links[key] = assistant.conversations.share(key)
            st.rerun()
    if summary.shared and st.button(text("conversations.unshare"), icon=":material/link_off:", key=f"unshare-{key}"):
        assistant.conversations.unshare(key)
        chat.links.pop(key, None)
        st.rerun()
