"""The chat over the assistant in memory: what `streamlit run` starts for the browser tests."""

from __future__ import annotations

import os

import streamlit as st

from tests.browser.fake_assistant import FakeAssistant
from ui.shell import main


@st.cache_resource
def assistant() -> FakeAssistant:
    return FakeAssistant(empty=os.environ.get("FAKE_LIBRARY") == "empty")


main(assistant())  # type: ignore[arg-type]
