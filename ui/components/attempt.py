"""What a form or a button asks for: done, or told why it cannot be."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from rag_system.errors import LegajoError, NotFoundError, SessionEndedError
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

__all__ = ["attempt", "render_failure"]


def attempt(change: Callable[[], object], said: str = "") -> None:
    """Do it and show the page anew, with what is `said` of it; or say why it cannot be done."""
    try:
        change()
    except LegajoError as error:
        render_failure(error)
        return
    if said:
        st.toast(plain_label(said))
    st.rerun()


def render_failure(error: LegajoError) -> None:
    """What went wrong, with the way on: to enter again where the session ended, and from what is not there, back."""
    st.error(plain_label(translated(str(error))), icon=":material/error:")
    ways = ((SessionEndedError, "/entrar", "people.ended"), (NotFoundError, "/", "app.back"))
    for kind, place, words in ways:
        if isinstance(error, kind):
            st.html(f'<p><a href="{place}">{escape(text(words))}</a></p>')
