"""What a person thinks of an answer: two thumbs and, below one that points down, the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.feedback import LONGEST_COMMENT, REASONS, Rating, Reason
from rag_system.errors import LegajoError
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["render_reasons", "render_thumbs"]


def render_thumbs(assistant: ProjectAssistant, chat: Chat, ordinal: int) -> None:
    """One is chosen, or none: a second click takes it back."""
    rating = chat.ratings.get(ordinal)
    for up, name in ((True, "up"), (False, "down")):
        chosen = rating is not None and rating.up == up
        label = text(f"rating.{name}_chosen" if chosen else f"rating.{name}")
        st.button(
            label,
            icon=f":material/thumb_{name}:",
            type="secondary" if chosen else "tertiary",
            key=f"legajo_thumb_{name}_{ordinal}",
            help=label if chosen else f"{label}. {text('rating.seen_by')}",
            on_click=_choose,
            args=(assistant, chat, ordinal, None if chosen else up),
        )


def render_reasons(assistant: ProjectAssistant, chat: Chat, ordinal: int) -> None:
    """What was wrong, where a thumb points down since the page was opened."""
    if chat.explaining != ordinal:
        return
    with st.form(f"legajo_reasons_{ordinal}"):
        reasons = st.pills(text("rating.why"), REASONS, selection_mode="multi", format_func=_reason)
        comment = st.text_area(text("rating.comment"), max_chars=LONGEST_COMMENT, height=80)
        st.caption(text("rating.seen_by"))
        if not st.form_submit_button(text("rating.send")):
            return
    if _rate(assistant, chat, ordinal, up=False, reasons=reasons, comment=comment):
        chat.explaining = None
        st.toast(text("rating.thanks"), icon=":material/check:")
        st.rerun()


def _reason(reason: Reason) -> str:
    return text(f"rating.reason.{reason}")


def _choose(assistant: ProjectAssistant, chat: Chat, ordinal: int, up: bool | None) -> None:
    chat.explaining = ordinal if up is False else None
    if up is not None:
        _rate(assistant, chat, ordinal, up=up)
    elif chat.conversation_id is not None:
        assistant.feedback.unrate(chat.conversation_id, ordinal)
        chat.ratings.pop(ordinal, None)


def _rate(
    assistant: ProjectAssistant,
    chat: Chat,
    ordinal: int,
    *,
    up: bool,
    reasons: Sequence[Reason] = (),
    comment: str = "",
) -> bool:
    """Whether it could be stored; why not is told."""
    try:
        assistant.feedback.rate(chat.conversation_id or "", ordinal, up=up, reasons=reasons, comment=comment)
    except LegajoError as error:
        st.toast(plain_label(translated(str(error))), icon=":material/error:")
        return False
    chat.ratings[ordinal] = Rating(up=up, reasons=tuple(reasons), comment=comment)
    return True
