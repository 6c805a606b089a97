"""Which keys do what: a list that opens at the foot of the side."""

from __future__ import annotations

from html import escape

import streamlit as st

from ui.texts import text

__all__ = ["render_shortcuts"]

_KEYS = {"write": "/", "find": "Ctrl + K", "send": "Enter", "line": "Shift + Enter", "stop": "Esc", "edit": "↑"}


def render_shortcuts() -> None:
    """A button that shows them."""
    with st.popover(text("shortcuts.heading"), icon=":material/keyboard:", width="stretch", key="legajo_shortcuts"):
        rows = (f"<dt><kbd>{key}</kbd></dt><dd>{escape(text(f'shortcuts.{name}'))}</dd>" for name, key in _KEYS.items())
        st.html(f"<dl class='legajo-shortcuts'>{''.join(rows)}</dl>")
