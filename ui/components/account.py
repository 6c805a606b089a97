"""Who one is in a chat with accounts, the way out, and the first project."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from rag_system.errors import ForbiddenError
from ui.components.attempt import attempt
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from assistant.assistant import PersonalAssistant

__all__ = ["make_first_project", "render_account"]

_PAGES = {"/contrasena": "people.choose", "/personas": "people.title", "/salir": "people.leave"}


def render_account(person: PersonalAssistant) -> None:
    """Beside every page."""
    with st.popover(plain_label(person.person), icon=":material/account_circle:", width="stretch"):
        st.caption(plain_label(text("people.who", who=person.person)))
        pages = [place for place in _PAGES if _is_for(person, place)]
        st.html("".join(f'<p><a href="{place}">{escape(text(_PAGES[place]))}</a></p>' for place in pages))


def _is_for(person: PersonalAssistant, place: str) -> bool:
    if place == "/contrasena":
        return person.settings.accounts == "password"
    if place == "/personas":
        try:
            person.administration()
        except ForbiddenError:
            return False
    return True


def make_first_project(person: PersonalAssistant) -> None:
    """What is shown to who has no project: how to get one, or make one."""
    st.title(text("people.none_yet"), anchor=False)
    st.write(text("people.none_yet_help"))
    with st.form("legajo_first_project", border=False):
        name = st.text_input(text("people.new_project"), max_chars=100)
        made = st.form_submit_button(text("people.create"), type="primary")
    if made:
        attempt(lambda: person.create_project(name))
