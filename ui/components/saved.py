"""Questions that a person keeps: asked with a click, from beside the box or from an empty conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.saved_questions import LONGEST_NAME, LONGEST_SAVED
from ui.components.attempt import attempt
from ui.components.offers import question_button
from ui.markup import plain_label
from ui.state import Asked
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.project_assistant import ProjectAssistant
    from assistant.saved_questions import SavedQuestion
    from ui.state import Chat

__all__ = ["offer_saved", "saved_switch"]

_ROOM_PIXELS = 340


def offer_saved(assistant: ProjectAssistant, chat: Chat) -> None:
    """In an empty conversation."""
    if not (kept := assistant.saved_questions.all()):
        return
    st.html(f"<h2 class='legajo-side-title'>{text('saved.heading')}</h2>")
    for each in kept:
        question_button(chat, each.name, each.question, icon="bookmark", key=f"saved-{each.question_id}")


def saved_switch(assistant: ProjectAssistant, chat: Chat) -> None:
    """Beside the box."""
    place = st.popover(
        text("saved.heading"), icon=":material/bookmark:", key="legajo_saved", type="tertiary", on_change="rerun"
    )
    with place, st.container(height=_ROOM_PIXELS, border=False, gap="small"):  # there before: it opens where that fits
        if not place.open:
            return
        kept = assistant.saved_questions.all()
        for each in kept:
            if st.button(plain_label(each.name), key=f"ask-saved-{each.question_id}", type="tertiary"):
                chat.pending = Asked(question=each.question)
                st.rerun()
        _save(assistant, chat, kept)
        if kept:
            with st.expander(text("saved.change")):
                _change(assistant, kept)


def _save(assistant: ProjectAssistant, chat: Chat, kept: Sequence[SavedQuestion]) -> None:
    """The last question, or one that is typed."""
    last = next((turn.content for turn in reversed(chat.said) if turn.role == "user"), "").strip()
    if (
        last
        and last not in {each.question for each in kept}
        and st.button(text("saved.save_last"), key="legajo_save_last", icon=":material/bookmark_add:")
    ):
        attempt(lambda: assistant.saved_questions.save(last), text("saved.saved"))
    with st.form("legajo_save_question", clear_on_submit=True, border=False):
        typed = st.text_area(text("saved.typed"), max_chars=LONGEST_SAVED, height=80)
        if st.form_submit_button(text("saved.save")):
            attempt(lambda: assistant.saved_questions.save(typed), text("saved.saved"))


def _change(assistant: ProjectAssistant, kept: Sequence[SavedQuestion]) -> None:
    names = {each.question_id: each.name for each in kept}
    key = st.selectbox(text("saved.which"), list(names), format_func=names.__getitem__, key="legajo_saved_which")
    name = st.text_input(text("saved.name"), names[key], max_chars=LONGEST_NAME, key=f"saved-name-{key}-{names[key]}")
    with st.container(horizontal=True, gap="small"):
        if st.button(text("saved.rename"), key="legajo_saved_rename"):
            attempt(lambda: assistant.saved_questions.rename(key, name))
        if st.button(text("saved.remove"), key="legajo_saved_remove", icon=":material/delete:"):
            attempt(lambda: assistant.saved_questions.remove(key), text("saved.removed"))
