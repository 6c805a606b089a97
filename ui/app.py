"""What `streamlit run` starts: opens one `Assistant` for all sessions and shows the chat with it."""

from __future__ import annotations

import streamlit as st

from assistant.assistant import Assistant
from rag_system.errors import LegajoError
from ui.markup import plain_label
from ui.shell import main, set_up_page
from ui.texts import text

__all__: list[str] = []


@st.cache_resource(show_spinner=text("app.opening"), on_release=Assistant.close)
def _assistant() -> Assistant:
    assistant = Assistant.open()
    assistant.warm_up()
    return assistant


try:
    opened = _assistant()
except LegajoError as error:
    set_up_page()
    st.error(plain_label(str(error)), icon=":material/error:")
else:
    main(opened)
