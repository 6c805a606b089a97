"""One message of a conversation, as it stands once it is complete."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from ui.components.answer import Names, render_answer
from ui.components.metrics import render_metrics
from ui.components.provider import provider_line
from ui.components.sources import render_why
from ui.markup import plain_html, plain_label
from ui.texts import text
from ui.texts.saying import around_quotes, translated

if TYPE_CHECKING:
    from collections.abc import Callable

    from assistant.project_assistant import ProjectAssistant
    from assistant.view import Turn

__all__ = ["ASSISTANT_AVATAR", "UPLOAD_AVATAR", "USER_AVATAR", "render_question", "render_turn"]

USER_AVATAR = ":material/person:"
ASSISTANT_AVATAR = ":material/menu_book:"
UPLOAD_AVATAR = ":material/upload_file:"
_WITHOUT_A_MODEL = ("", "extractive")  # courtesy and lists, and quotes


def render_turn(
    turn: Turn,
    assistant: ProjectAssistant,
    *,
    key: str,
    reveal: bool = False,
    on_read: Callable[[str], None] | None = None,
) -> None:
    """Show a question or an answer; `reveal` and `on_read` as of `render_answer`."""
    if turn.role == "user":
        render_question(turn.content)
    else:
        with st.chat_message("assistant", avatar=ASSISTANT_AVATAR):
            names = assistant.project_names() if turn.funnel.projects else {}
            _render_answer(turn, project=assistant.project, names=names, key=key, reveal=reveal, on_read=on_read)
            _render_footer(turn, assistant, names, key=key)


def render_question(question: str) -> None:
    """A person's message: shown as written, with no markup."""
    with st.chat_message("user", avatar=USER_AVATAR):
        st.html(plain_html(question))


def _render_answer(
    turn: Turn, *, project: str, names: Names, key: str, reveal: bool, on_read: Callable[[str], None] | None
) -> None:
    for notice in turn.notices:
        st.caption(plain_label(translated(notice)))
    if turn.error and turn.error == turn.content:  # told where an answer would be
        turn = replace(turn, content=translated(turn.error), error=translated(turn.error))
    if turn.provider in _WITHOUT_A_MODEL:
        turn = replace(turn, content=around_quotes(turn.content))
    if turn.content:
        render_answer(turn, project=project, names=names, key=f"answer-{key}", reveal=reveal, on_read=on_read)
    if turn.state != "complete":
        st.caption(text(f"chat.{turn.state}"))
    elif turn.incomplete and (turn.content or not turn.error):
        st.caption(text("chat.incomplete"))
    if turn.error and turn.error != turn.content:
        st.error(plain_label(translated(turn.error)), icon=":material/error:")


def _render_footer(turn: Turn, assistant: ProjectAssistant, names: Names, *, key: str) -> None:
    """Who wrote it, how long it took and why these sources: quiet, and opened in the browser without a rerun.

    Courtesy and lists have none of it.
    """
    if not (turn.provider or turn.funnel.generated):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if turn.provider and turn.content:  # who wrote nothing is named by the error
            st.caption(plain_label(provider_line(turn.provider, turn.model)), width="content")
        if turn.metrics:
            render_metrics(turn.metrics, turn.usage)
    if turn.funnel.generated:
        render_why(turn.funnel, assistant, names, key=key, cited=bool(turn.sources))
