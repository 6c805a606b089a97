"""Below a message: to rate it, answer it again or ask it otherwise, and the versions of it that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.components.notes import note_of_answer
from ui.components.rating import render_reasons, render_thumbs
from ui.state import Asked
from ui.texts import text

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.view import Turn
    from ui.state import Chat

__all__ = ["edit_question", "render_branches"]

_LONGEST_QUESTION = 10_000  # letters


def render_branches(assistant: ProjectAssistant, chat: Chat, turn: Turn) -> None:
    """A quiet row; nothing below a message that is not stored yet."""
    if turn.ordinal is None:
        return
    if turn.role == "user":
        _row(assistant, chat, turn)
    else:
        _below_answer(assistant, chat, turn, turn.ordinal)


@st.fragment
def _below_answer(assistant: ProjectAssistant, chat: Chat, turn: Turn, ordinal: int) -> None:
    """A fragment: what is thought of an answer must not stop another that is being written."""
    _row(assistant, chat, turn)
    render_reasons(assistant, chat, ordinal)
    note_of_answer(assistant, chat, turn, _question(chat, turn))


def _row(assistant: ProjectAssistant, chat: Chat, turn: Turn) -> None:
    with st.container(
        horizontal=True,
        wrap=False,
        gap=None,
        vertical_alignment="center",
        horizontal_alignment="right" if turn.role == "user" else "left",
        key=f"legajo_branches_{'question' if turn.role == 'user' else 'answer'}_{turn.ordinal}",
    ):
        _versions(assistant, chat, turn)
        if turn.role == "user":
            if _icon("edit", "edit", turn):
                chat.editing = turn.ordinal
                st.rerun()
        elif turn.state != "writing" and turn.ordinal is not None:
            if _icon("again", "refresh", turn):
                chat.pending = Asked(question=_question(chat, turn), again=turn.ordinal)
                st.rerun()
            if turn.content:
                render_thumbs(assistant, chat, turn.ordinal)
                if assistant.may("notes.save") and _icon("note", "note_add", turn):
                    chat.noting = turn.ordinal
                    st.rerun(scope="fragment")


def edit_question(chat: Chat, turn: Turn) -> None:
    """The question in a box, to be asked otherwise: the earlier one is kept with what followed it."""
    with st.form(f"legajo_edit_{turn.ordinal}"):
        words = st.text_area(text("branches.question"), turn.content, max_chars=_LONGEST_QUESTION).strip()
        with st.container(horizontal=True):
            asks = st.form_submit_button(text("branches.ask"), type="primary")
            leaves = st.form_submit_button(text("branches.cancel"))
    if leaves or (asks and words):
        chat.editing = None
        if asks:
            chat.pending = Asked(question=words, instead_of=turn.ordinal)
        st.rerun()


def _versions(assistant: ProjectAssistant, chat: Chat, turn: Turn) -> None:
    """«‹ 1/2 ›»."""
    if turn.ordinal is None or len(turn.versions) < 2:
        return
    at, last = turn.versions.index(turn.ordinal), len(turn.versions) - 1
    back = _icon("before", "chevron_left", turn, disabled=at == 0)
    st.caption(f"{at + 1}/{last + 1}", width="content")
    on = _icon("after", "chevron_right", turn, disabled=at == last)
    if (back or on) and chat.conversation_id is not None:
        assistant.conversations.choose(chat.conversation_id, turn.versions[at + (1 if on else -1)])
        chat.turns = [*assistant.turns(chat.conversation_id)]
        st.rerun()


def _icon(name: str, icon: str, turn: Turn, *, disabled: bool = False) -> bool:
    return st.button(
        text(f"branches.{name}"),
        icon=f":material/{icon}:",
        type="tertiary",
        disabled=disabled,
        key=f"legajo_{name}_{turn.ordinal}",
        help=text(f"branches.{name}"),
    )


def _question(chat: Chat, answer: Turn) -> str:
    return next((turn.content for turn in chat.said if turn.ordinal == answer.parent), "")
