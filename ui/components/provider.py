"""Who writes the answers: shown always, changed where the settings allow it, and the notice when a key is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.reach import departures
from rag_system.errors import MissingKeyError
from rag_system.generation.providers import PROVIDERS, offered_providers
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["provider_line", "provider_name", "provider_notice", "provider_switch"]


def provider_name(provider: str) -> str:
    """A provider's name for people; an old answer may be of one that is no more."""
    if provider in ("extractive", "local"):
        return text(f"provider.name.{provider}")
    return next((row.label for name, row in PROVIDERS.items() if name == provider), provider)


def provider_line(provider: str, model: str) -> str:
    """«Google Gemini · gemini-3.5-flash-lite», or the name alone where a model says nothing."""
    name = provider_name(provider)
    return text("provider.answered_by_model", provider=name, model=model) if model and model != provider else name


@st.fragment
def provider_switch(assistant: ProjectAssistant, chat: Chat) -> None:
    """A fragment: changing the provider must not stop an answer that is being written.

    A project that hides it offers no choice, and only says where what is asked goes.
    """
    settings = assistant.settings_in_force()
    if settings.hide_model:
        chat.provider = None
        ways = departures(settings, assistant.keys.credentials())
        st.caption(" ".join(text(f"provider.reach.{way}") for way in ways or ("inside",)))
        return
    offered, configured = offered_providers(settings), settings.llm_provider
    chosen = st.selectbox(
        text("provider.label"),
        offered,
        index=offered.index(chat.provider or configured),  # the first time; then the widget remembers
        format_func=provider_name,
        disabled=len(offered) == 1,
        key="legajo_provider",
    )
    # The configured provider may fall back to quotes; one that is asked for by name must have its key.
    chat.provider = None if chosen == configured else chosen
    try:
        status = assistant.provider_status(chat.provider)
    except MissingKeyError as error:
        chat.provider = None
        st.warning(plain_label(translated(str(error))))
        st.caption(text("provider.meanwhile", provider=provider_name(assistant.provider_status().provider)))
        return
    if status.model and status.model != status.provider:
        st.caption(plain_label(status.model))
    st.caption(plain_label(translated(status.notice)) if status.notice else text(f"provider.help.{chosen}"))
    ways = departures(settings, assistant.keys.credentials())
    for way in ("vectors", "voice"):  # whoever writes
        if way in ways:
            st.caption(text(f"provider.reach.{way}"))


def provider_notice(assistant: ProjectAssistant) -> None:
    """The friendly word on an empty chat when the provider has no key; the side of the page keeps it in sight."""
    notice = assistant.provider_status().notice
    if notice:
        st.info(plain_label(translated(notice)), icon=":material/key_off:")
