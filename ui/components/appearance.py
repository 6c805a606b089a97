"""How the chat looks in this browser: a part of the settings, for everybody."""

from __future__ import annotations

import streamlit as st

from ui.preferences import OPTIONS, Preference, choose, preference
from ui.texts import text

__all__ = ["render_appearance"]


def render_appearance() -> None:
    """Each choice holds at once: the page is loaded anew with it."""
    st.header(text("appearance.heading"), anchor=False)
    st.caption(text("appearance.help"))
    with st.container(horizontal=True, gap="large"):
        for name in OPTIONS:
            _choice(name)


def _choice(name: Preference) -> None:
    key = f"legajo_appearance_{name}"
    st.segmented_control(
        text(f"appearance.{name}"),
        OPTIONS[name],
        default=preference(name),
        format_func=lambda each: text(f"appearance.{name}s.{each}"),
        required=True,
        key=key,
        on_change=lambda: choose({name: st.session_state[key]}),
    )
