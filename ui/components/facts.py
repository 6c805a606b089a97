"""What the project remembers: each fact with its mark, one more, one less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_system.storage.facts import LONGEST_FACT
from ui.components.attempt import attempt
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from assistant.facts import RememberedFact
    from assistant.project_assistant import ProjectAssistant

__all__ = ["render_facts"]


def render_facts(assistant: ProjectAssistant, *, editable: bool) -> None:
    """A part of the page of projects."""
    st.html(f"<p class='legajo-small-title'>{text('facts.heading')}</p>")
    st.caption(text("facts.help") if editable else text("facts.read_only"))
    with st.container(key="legajo_facts", gap="small"):
        for fact in assistant.facts.all():
            _row(assistant, fact, editable=editable)
    if not editable:
        return
    with st.form("legajo_fact", clear_on_submit=True, border=False):
        added = st.text_input(text("facts.new"), max_chars=LONGEST_FACT, placeholder=text("facts.example"))
        if not st.form_submit_button(text("facts.add")) or not added.strip():
            return
    attempt(lambda: st.toast(text("facts.added", mark=f"M{assistant.facts.add(added).number}")))


def _row(assistant: ProjectAssistant, fact: RememberedFact, *, editable: bool) -> None:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        st.markdown(f"**M{fact.number}** {plain_label(fact.text)}", width="stretch")
        told = text("facts.told", person=fact.added_by, date=f"{fact.added_at.astimezone():%d/%m/%Y}")
        st.caption(plain_label(told), width="content")
        name = text("facts.forget", mark=f"M{fact.number}")
        if editable and st.button(name, icon=":material/close:", type="tertiary", key=f"forget-{fact.number}"):
            attempt(lambda: assistant.facts.forget(fact.number), text("facts.forgotten", mark=f"M{fact.number}"))
