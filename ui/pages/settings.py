"""What holds for the whole project: what the assistant calls itself, what it keeps in mind, and what it keeps back;
and the keys that pay for its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.projects import LONGEST_ASSISTANT_NAME, LONGEST_INSTRUCTIONS
from rag_system.errors import InputError
from ui.components.keys import render_keys
from ui.markup import plain_label
from ui.state import open_conversation
from ui.texts import text

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.projects import HideModel
    from ui.state import Chat

__all__ = ["render_settings"]


def render_settings(assistant: ProjectAssistant, chat: Chat) -> None:
    """The whole page. A page of its own, for saving runs the page anew: that would end an answer being written."""
    known = assistant.project_settings()
    st.title(text("settings.heading"), anchor=False)
    with st.form("legajo_settings", border=False):
        name = st.text_input(
            text("settings.name"),
            known.assistant_name,
            max_chars=LONGEST_ASSISTANT_NAME,
            help=text("settings.name_help"),
        )
        instructions = st.text_area(
            text("settings.instructions"),
            known.instructions,
            max_chars=LONGEST_INSTRUCTIONS,
            height=160,
            help=text("settings.instructions_help"),
        )
        said, hide = _hide_model(assistant)
        saved = st.form_submit_button(text("settings.save"), type="primary")
    if saved:
        _save(
            assistant,
            chat,
            instructions=instructions,
            assistant_name=None if name == known.assistant_name else name,
            hide_model=None if hide == said else hide,
        )
    render_keys(assistant)


def _hide_model(assistant: ProjectAssistant) -> tuple[HideModel, HideModel]:
    """What the project says, and what is chosen now: of a word of its own there must be a way back."""
    known = assistant.project_settings()
    said: HideModel = known.hides_model if known.hides_model_from == "project" else "settings"
    otherwise = "hide" if assistant.settings.hide_model else "show"
    shown: dict[HideModel, str] = {
        "settings": text(f"settings.hide_model.settings_{otherwise}"),
        True: text("settings.hide_model.hide"),
        False: text("settings.hide_model.show"),
    }
    chosen = st.radio(
        text("settings.hide_model.label"),
        list(shown),
        index=list(shown).index(said),
        format_func=shown.__getitem__,
        help=text("settings.hide_model.help"),
    )
    return said, said if chosen is None else chosen


def _save(
    assistant: ProjectAssistant,
    chat: Chat,
    *,
    instructions: str,
    assistant_name: str | None,
    hide_model: HideModel | None,
) -> None:
    """What is as it was is not set: it may be the settings' and change with them."""
    try:
        assistant.change_project(instructions=instructions, assistant_name=assistant_name, hide_model=hide_model)
    except InputError as error:
        st.error(plain_label(str(error)), icon=":material/error:")
        return
    if hide_model is not None:
        open_conversation(chat, chat.conversation_id)  # read again: what is on the screen says who answered
    st.toast(text("settings.saved"))
    st.rerun()
