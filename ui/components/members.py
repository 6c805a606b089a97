"""Who may do what in the project: for its owners, who change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.accounts import ROLES
from ui.components.attempt import attempt
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from assistant.accounts import Role
    from assistant.project_assistant import ProjectAssistant

__all__ = ["render_members"]

_CHOICES: tuple[Role | None, ...] = (*reversed(ROLES), None)


def render_members(assistant: ProjectAssistant) -> None:
    """A part of the page of projects."""
    with st.expander(text("members.heading"), icon=":material/group:", key="legajo_members"):
        for name, held in assistant.members().items():
            st.markdown(f"{plain_label(name)} · {text(f'people.role.{held}')}")
        with st.form("legajo_member", clear_on_submit=True, border=False):
            person = st.text_input(text("people.name"))
            role = st.radio(
                text("people.role_label"),
                _CHOICES,
                format_func=lambda each: text(f"people.role.{each or 'none'}"),
                horizontal=True,
            )
            if not st.form_submit_button(text("people.give")) or not person.strip():
                return
        attempt(lambda: assistant.give_role(person, role))
