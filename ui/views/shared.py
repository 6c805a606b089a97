"""A conversation that somebody shared, to be read: its link shows it, and nothing can be asked in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_system.errors import NotFoundError
from ui.components.addresses import SECRET
from ui.components.messages import render_turn
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant

__all__ = ["render_shared"]


def render_shared(assistant: ProjectAssistant) -> None:
    """The whole page; the address holds the link's secret."""
    try:
        shared = assistant.shared_conversation(st.query_params.get(SECRET, ""))
    except NotFoundError as error:
        st.title(text("shared.gone"), anchor=False)
        st.caption(plain_label(translated(str(error))))
        return
    st.title(plain_label(shared.title), anchor=False)
    st.caption(text("shared.told"))
    for position, turn in enumerate(shared.turns):
        render_turn(turn, assistant, key=f"shared-{position}")
