"""What Streamlit's own page says and does, as this one should: it has no setting for it, so the browser sees to it."""

from __future__ import annotations

from ui.components.drawing import drawn
from ui.texts import DEFAULT_LANGUAGE, catalogue

__all__ = ["speak_our_language"]

_SECTION = "streamlit."


def speak_our_language() -> None:
    """Set the page's language, and replace Streamlit's own words wherever they appear."""
    words = {key.removeprefix(_SECTION): value for key, value in catalogue().items() if key.startswith(_SECTION)}
    drawn("chrome")(data={"language": DEFAULT_LANGUAGE, "words": words}, key="legajo_chrome", height=1)
