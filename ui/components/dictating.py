"""What is said into the microphone of the box: written down by the configured transcriber, and put into the box."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_system.errors import LegajoError
from ui.markup import plain_label
from ui.state import QUESTION
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from streamlit.elements.widgets.chat import ChatInputValue

    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["put_in_box", "recording_of", "tell_unheard", "write_down"]


def recording_of(submitted: ChatInputValue | str | None) -> bytes:
    """The recording that came from the box, as WAV; empty where there is none."""
    if submitted is None or isinstance(submitted, str) or "audio" not in submitted or submitted["audio"] is None:
        return b""
    return submitted["audio"].getvalue()


def write_down(assistant: ProjectAssistant, chat: Chat, recording: bytes, *, typed: str, sends: bool) -> str:
    """The question that was typed and dictated, where it `sends` it at once: files cannot be put back into the box.

    Else the words are put there, to be read before they are asked, and so are those typed where nothing was heard.
    """
    try:
        with st.spinner(text("chat.dictating")):
            words = f"{typed} {assistant.transcribe(recording)}".strip()
    except LegajoError as error:
        words, chat.unheard = typed, translated(str(error))
    if sends:
        return words
    chat.dictated = words
    st.rerun()


def put_in_box(chat: Chat) -> None:
    """Before the box is drawn."""
    if chat.dictated:
        st.session_state[QUESTION] = chat.dictated
        chat.dictated = ""


def tell_unheard(chat: Chat) -> None:
    """Why nothing was written down, until something else is asked: a page may be drawn again at any time."""
    if chat.unheard:
        st.error(plain_label(chat.unheard), icon=":material/mic_off:")
