"""Folders of conversations: what is done to one, and which one a conversation is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.folders import LONGEST_FOLDER
from rag_system.query.markup import one_line
from ui.components.attempt import attempt
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.conversations import ConversationSummary
    from assistant.project_assistant import ProjectAssistant

__all__ = ["choose_folder", "in_folders", "offer_folder"]


def in_folders(filed: Sequence[ConversationSummary]) -> dict[str, list[ConversationSummary]]:
    """The conversations of each folder, by its name, in the order of the alphabet."""
    names = sorted({each.folder for each in filed}, key=str.casefold)
    return {name: [each for each in filed if each.folder == name] for name in names}


def choose_folder(assistant: ProjectAssistant, summary: ConversationSummary, folders: Sequence[str]) -> None:
    """In the menu of a conversation: one of the folders, a new one by its name, or none."""
    options = sorted({*folders, summary.folder} - {""}, key=str.casefold)
    chosen: str | None = st.selectbox(
        text("folders.folder"),
        options,
        index=options.index(summary.folder) if summary.folder else None,
        accept_new_options=True,
        placeholder=text("folders.choose"),
        key=f"folder-{summary.conversation_id}-{summary.folder}",
    )
    if one_line(chosen or "") != summary.folder:
        attempt(lambda: assistant.folders.move(summary.conversation_id, chosen or ""))


def offer_folder(assistant: ProjectAssistant, name: str) -> None:
    """The menu of a folder."""
    with st.popover(text("folders.options"), icon=":material/edit:", type="tertiary", key=f"legajo_folder_menu_{name}"):
        with st.form(f"folder-form-{name}", border=False):
            new = st.text_input(text("folders.name"), name, max_chars=LONGEST_FOLDER)
            if st.form_submit_button(text("folders.rename")):
                attempt(lambda: assistant.folders.rename(name, new))
        if st.button(
            text("folders.remove"),
            key=f"folder-remove-{name}",
            icon=":material/folder_off:",
            help=text("folders.remove_help"),
        ):
            attempt(lambda: assistant.folders.remove(name))
