"""The keys for providers that a person or the project brings: which there are, whether they work, one more, one less.
None is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.keys import OWN_KEY_PROVIDERS
from assistant.reach import departures
from rag_system.errors import LegajoError
from rag_system.generation.providers import offered_providers
from ui.components.attempt import attempt, render_failure
from ui.components.provider import provider_name
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.keys import KeySummary, Owner
    from assistant.project_assistant import ProjectAssistant
    from rag_system.settings import ProviderName

__all__ = ["known_models", "render_keys", "render_models", "render_reach"]

_OWNERS: tuple[Owner, ...] = ("person", "project")
_OWNER = "legajo_key_owner"  # whose the key in the form is to be
_MODELS = "legajo_models"  # by provider, what it said that it offers


def render_keys(assistant: ProjectAssistant) -> None:
    """A part of the settings."""
    st.header(text("keys.heading"), anchor=False)
    st.caption(text("keys.help"))
    owns = assistant.may("keys.add")
    for key in assistant.keys.all():
        _row(assistant, key, removable=owns or key.owner == "person")
    providers = [name for name in OWN_KEY_PROVIDERS if name in offered_providers(assistant.settings)]
    if providers:
        _form(assistant, providers, owns=owns)


def _form(assistant: ProjectAssistant, providers: Sequence[ProviderName], *, owns: bool) -> None:
    with st.form("legajo_keys", clear_on_submit=True, border=False):
        provider = st.selectbox(text("keys.provider"), providers, format_func=provider_name)
        if owns:
            st.radio(text("keys.owner"), _OWNERS, format_func=lambda each: text(f"keys.for_{each}"), key=_OWNER)
        secret = st.text_input(text("keys.key"), type="password", autocomplete="new-password", help=text("keys.once"))
        added = st.form_submit_button(text("keys.add"))
    if added:
        # As it was chosen, also by who may not any more: a key that was brought for the project is nobody's own.
        owner: Owner = st.session_state.get(_OWNER, "person")
        attempt(lambda: assistant.keys.add(provider, secret, owner=owner), text("keys.added"))


def _row(assistant: ProjectAssistant, key: KeySummary, *, removable: bool) -> None:
    """Which key it is and who may use it, and what can be done with it."""
    name = text(f"keys.of_{key.owner}", provider=provider_name(key.provider), date=f"{key.added_at:%d/%m/%Y}")
    with st.container(border=True, gap="small", key=f"legajo_key_{key.owner}_{key.provider}"):
        st.write(plain_label(name))
        st.caption(text(f"keys.use_{key.owner}") if key.is_readable else text("keys.closed"))
        with st.container(horizontal=True, gap="small"):
            tested = st.button(text("keys.test"), key=f"legajo_test_{key.owner}_{key.provider}", help=name)
            _offer_use(assistant, key.provider, key=f"legajo_use_{key.owner}_{key.provider}")
            if removable and st.button(
                text("keys.remove"), key=f"legajo_remove_{key.owner}_{key.provider}", type="tertiary", help=name
            ):
                attempt(lambda: assistant.keys.remove(key.provider, owner=key.owner), text("keys.removed"))
        if tested:
            _test(assistant, key)


def _offer_use(assistant: ProjectAssistant, provider: ProviderName, *, key: str) -> None:
    """To have it write what is asked here, where somebody else does."""
    if not assistant.may("change_project") or assistant.settings_in_force().llm_provider == provider:
        return
    name = provider_name(provider)
    if st.button(text("keys.use", provider=name), key=key):
        attempt(lambda: assistant.change_project(provider=provider), text("keys.used", provider=name))


def _test(assistant: ProjectAssistant, key: KeySummary) -> None:
    """Ask its provider for a word: what it says is what an answer would meet."""
    try:
        with st.spinner(text("keys.testing")):
            assistant.keys.test(key.provider, owner=key.owner)
    except LegajoError as error:
        render_failure(error)
    else:
        st.success(text("keys.works", provider=provider_name(key.provider)), icon=":material/check_circle:")


def known_models(provider: str) -> list[str] | None:
    """What a provider said in this session that it offers; None: it was not asked."""
    known: dict[str, list[str]] = st.session_state.get(_MODELS, {})
    return known.get(provider)


def render_models(assistant: ProjectAssistant) -> None:
    """The models that a provider offers: asked of it with a click, and then chosen from where a model is named."""
    providers = [name for name in offered_providers(assistant.settings) if name != "extractive"]
    if not providers:
        return
    st.subheader(text("keys.models"), anchor=False)
    st.caption(text("keys.models_help"))
    answering = assistant.settings_in_force().llm_provider
    with st.container(horizontal=True, vertical_alignment="bottom"):
        provider = st.selectbox(
            text("keys.models_of"),
            providers,
            index=providers.index(answering) if answering in providers else 0,
            format_func=provider_name,
            key="legajo_models_of",
            width="stretch",
        )
        asked = st.button(text("keys.models_show"), key="legajo_models_show")
    if asked:
        attempt(lambda: _learn_models(assistant, provider))
    known = known_models(provider)
    if known is not None and not known:
        st.caption(text("keys.models_none", provider=provider_name(provider)))
    if known:
        st.caption(text("keys.models_found", count=len(known), provider=provider_name(provider)))
        st.markdown(plain_label(", ".join(known)))


def _learn_models(assistant: ProjectAssistant, provider: ProviderName) -> None:
    known: dict[str, list[str]] = st.session_state.setdefault(_MODELS, {})
    known[provider] = assistant.keys.models(provider)


def render_reach(assistant: ProjectAssistant) -> None:
    """What leaves this machine when a question is asked as the settings stand."""
    st.subheader(text("keys.reach"), anchor=False)
    ways = departures(assistant.settings_in_force(), assistant.keys.credentials())
    for way in ways or ("inside",):
        st.markdown(f"- {text(f'provider.reach.{way}')}")
