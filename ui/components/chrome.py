"""What Streamlit's own page says and does, as this one should: it has no setting for it, so the browser sees to it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from ui.texts import DEFAULT_LANGUAGE, catalogue

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

__all__ = ["speak_our_language"]

_SECTION = "streamlit."


@cache
def _component() -> ComponentRenderer:
    script = Path(__file__).with_name("chrome.js").read_text(encoding="utf-8")
    return st.components.v2.component("legajo_chrome", js=script)


def speak_our_language() -> None:
    """Set the page's language, and replace Streamlit's own words wherever they appear."""
    words = {key.removeprefix(_SECTION): value for key, value in catalogue().items() if key.startswith(_SECTION)}
    _component()(data={"language": DEFAULT_LANGUAGE, "words": words}, key="legajo_chrome", height=1)
