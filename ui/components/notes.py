"""Notes: kept of an answer, written on the page of the documents, and written otherwise there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.exporting import answer_text
from assistant.notes import LONGEST_NOTE, NOTES
from assistant.shelf import LONGEST_TITLE
from rag_system.errors import LegajoError
from rag_system.ingestion.report import IngestReport
from rag_system.query.markup import one_line
from ui.components.attempt import render_failure
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.view import Turn
    from ui.state import Chat

__all__ = ["edit_note", "is_open", "note_of_answer", "open_note", "write_note"]

_ROOM_PIXELS = 220
_OPEN = "legajo_note_open"  # project and path of the note that is being written otherwise


def note_of_answer(assistant: ProjectAssistant, chat: Chat, turn: Turn, question: str) -> None:
    """Below the answer that is to be kept: its words, to be changed before."""
    if turn.ordinal is None or chat.noting != turn.ordinal:
        return
    with st.form(f"legajo_note_{turn.ordinal}"):
        words = answer_text(turn, references=False)
        if _fields(assistant, title=one_line(question)[:LONGEST_TITLE], words=words):
            chat.noting = None
            st.rerun()


def write_note(assistant: ProjectAssistant) -> None:
    """A note of one's own, on the page of the documents."""
    st.caption(text("notes.help", folder=NOTES))
    with st.form("legajo_note", clear_on_submit=True, border=False):
        if _fields(assistant):
            st.rerun()


def open_note(assistant: ProjectAssistant, path: str) -> None:
    """Have the page show a note to be written otherwise."""
    st.session_state[_OPEN] = (assistant.project, path)


def is_open(assistant: ProjectAssistant, path: str) -> bool:
    """Whether that note is shown to be written otherwise."""
    return bool(st.session_state.get(_OPEN) == (assistant.project, path))


def edit_note(assistant: ProjectAssistant) -> None:
    """The note that was opened: saved, it stands in the place of the former one."""
    project, path = st.session_state.get(_OPEN, ("", ""))
    if project != assistant.project:
        return
    try:
        note = assistant.notes.read(path)
    except LegajoError as error:
        del st.session_state[_OPEN]
        render_failure(error)
        return
    st.subheader(plain_label(text("notes.editing", name=note.title)), anchor=False)
    with st.form("legajo_note_edit"):
        if _fields(assistant, title=note.title, words=note.text, path=path):
            del st.session_state[_OPEN]
            st.rerun()


def _fields(assistant: ProjectAssistant, *, title: str = "", words: str = "", path: str = "") -> bool:
    """The fields of a form; whether it is done with, saved or not."""
    named = st.text_input(text("notes.title"), title, max_chars=LONGEST_TITLE)
    written = st.text_area(text("notes.text"), words, max_chars=LONGEST_NOTE, height=_ROOM_PIXELS)
    with st.container(horizontal=True, gap="small"):
        saves = st.form_submit_button(text("notes.save"), icon=":material/note_add:", type="primary")
        leaves = bool(words) and st.form_submit_button(text("branches.cancel"))
    return leaves or (saves and _saved(assistant, named, written, path))


def _saved(assistant: ProjectAssistant, title: str, words: str, path: str) -> bool:
    """Whether the note is kept, which is told; or what is wrong with it."""
    try:
        accepted = assistant.notes.save(title, words, path=path)
    except LegajoError as error:
        render_failure(error)
        return False
    if not isinstance(accepted, IngestReport):
        st.toast(text("conversations.saving", folder=NOTES), icon=":material/note_add:")
    elif accepted.error:
        st.error(plain_label(translated(accepted.error)), icon=":material/error:")
        return False
    else:
        st.toast(text("notes.unchanged"), icon=":material/check:")
    return True
