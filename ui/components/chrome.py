"""What Streamlit's own page says and does, as this one should: it has no setting for it, so the browser sees to it."""

from __future__ import annotations

import streamlit as st

from ui.components.drawing import drawn
from ui.preferences import preference, to_be_kept
from ui.texts import catalogue, language

__all__ = ["speak_our_language", "tell_who_is_away"]

_SECTION = "streamlit."
_NEWS = "legajo_news"  # sentences that the browser has not been told yet


def speak_our_language() -> None:
    """Set the page's language and theme, replace Streamlit's words, have kept what was chosen, and told what is new."""
    spoken = language()
    words = {key.removeprefix(_SECTION): each for key, each in catalogue(spoken).items() if key.startswith(_SECTION)}
    data = {"language": spoken, "words": words, "theme": preference("theme"), "kept": dict(to_be_kept())}
    data["news"] = st.session_state.pop(_NEWS, []) if preference("notification") == "on" else []
    drawn("chrome")(data=data, key="legajo_chrome", height=1)


def tell_who_is_away(said: str) -> None:
    """Have the browser tell it where the page is in no sight, and its notifications were turned on."""
    st.session_state[_NEWS] = [*st.session_state.get(_NEWS, ()), said]
