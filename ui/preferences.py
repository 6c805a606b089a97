"""How a person has the chat look in a browser: theme, size of the text, language, and whether it tells what ended.

Kept there, in cookies that the page's script writes (`chrome.js`) and that come with each connection, and with each
request for a page that is not the chat.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.texts import LANGUAGES, ask_language_of

__all__ = ["OPTIONS", "Preference", "choose", "preference", "remember_cookies", "to_be_kept"]

Preference = Literal["theme", "size", "language", "notification"]
OPTIONS: Mapping[Preference, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "size": ("normal", "large"),
    "language": LANGUAGES,
    "notification": ("off", "on"),
}
_CHOSEN = "legajo_preferences"  # what was chosen in this session, for the browser to keep
_COOKIES: ContextVar[Mapping[str, str]] = ContextVar("cookies", default=MappingProxyType({}))  # of a request


def remember_cookies(cookies: Mapping[str, str]) -> None:
    """Those of the request that is being answered: outside the chat nothing else knows who looks."""
    _COOKIES.set(cookies)


def preference(name: Preference) -> str:
    """What was chosen, or the first of the options."""
    cookies = st.context.cookies if get_script_run_ctx() is not None else _COOKIES.get()
    said = cookies.get(f"legajo_{name}")
    return said if said in OPTIONS[name] else OPTIONS[name][0]


def choose(chosen: Mapping[Preference, str]) -> None:
    """Have the browser keep it; it then loads the page anew."""
    st.session_state[_CHOSEN] = dict(chosen)


def to_be_kept() -> Mapping[str, str]:
    """What the browser has not been told yet, by the name of its cookie."""
    return {f"legajo_{name}": value for name, value in st.session_state.pop(_CHOSEN, {}).items()}


ask_language_of(lambda: preference("language"))
