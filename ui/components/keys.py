"""The keys for providers that a person or the project brings: which there are, one more, one less. None is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.keys import OWN_KEY_PROVIDERS
from rag_system.generation.providers import offered_providers
from ui.components.attempt import attempt
from ui.components.provider import provider_name
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from assistant.keys import KeySummary, Owner
    from assistant.project_assistant import ProjectAssistant

__all__ = ["render_keys"]

_OWNERS: tuple[Owner, ...] = ("person", "project")


def render_keys(assistant: ProjectAssistant) -> None:
    """A part of the settings."""
    st.subheader(text("keys.heading"), anchor=False)
    st.caption(text("keys.help"))
    owns = assistant.may("keys.add")
    for key in assistant.keys.all():
        _row(assistant, key, removable=owns or key.owner == "person")
    providers = [name for name in OWN_KEY_PROVIDERS if name in offered_providers(assistant.settings)]
    if not providers:
        return
    with st.form("legajo_keys", clear_on_submit=True, border=False):
        provider = st.selectbox(text("keys.provider"), providers, format_func=provider_name)
        owner: Owner = "person"
        if owns:
            owner = st.radio(text("keys.owner"), _OWNERS, format_func=lambda each: text(f"keys.for_{each}"))
        secret = st.text_input(text("keys.key"), type="password", autocomplete="new-password", help=text("keys.once"))
        added = st.form_submit_button(text("keys.add"))
    if added:
        attempt(lambda: assistant.keys.add(provider, secret, owner=owner), text("keys.added"))


def _row(assistant: ProjectAssistant, key: KeySummary, *, removable: bool) -> None:
    """Which key it is, and a button that removes it."""
    words, button = st.columns([0.8, 0.2], vertical_alignment="center")
    name = text(f"keys.of_{key.owner}", provider=provider_name(key.provider), date=f"{key.added_at:%d/%m/%Y}")
    words.write(plain_label(name if key.is_readable else f"{name} {text('keys.closed')}"))
    if removable and button.button(text("keys.remove"), key=f"legajo_remove_{key.owner}_{key.provider}", help=name):
        attempt(lambda: assistant.keys.remove(key.provider, owner=key.owner), text("keys.removed"))
