"""What Streamlit's own page says and does, as this one should: it has no setting for it, so the browser sees to it."""

from __future__ import annotations

from ui.components.drawing import drawn
from ui.preferences import preference, to_be_kept
from ui.texts import catalogue, language

__all__ = ["speak_our_language"]

_SECTION = "streamlit."


def speak_our_language() -> None:
    """Set the page's language and theme, replace Streamlit's own words, and have kept what was chosen."""
    spoken = language()
    words = {key.removeprefix(_SECTION): each for key, each in catalogue(spoken).items() if key.startswith(_SECTION)}
    data = {"language": spoken, "words": words, "theme": preference("theme"), "kept": dict(to_be_kept())}
    drawn("chrome")(data=data, key="legajo_chrome", height=1)
