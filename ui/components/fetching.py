"""Pages of the web on their way into the queue, each read in a thread of its own: the chat waits for none of them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import streamlit as st

from rag_system.errors import LegajoError
from ui.components.upload import UploadResult, reported, results_html
from ui.texts import text

if TYPE_CHECKING:
    from assistant.assistant import Assistant

__all__ = ["Fetch", "fetch_page", "render_fetches"]

_EVERY_S = 0.5
_STATE = "legajo_fetches"


class Fetch:
    """A page that is being read. `outcome` is set when that is over."""

    def __init__(self, assistant: Assistant, address: str) -> None:
        self.address = address
        self.outcome: UploadResult | None = None
        threading.Thread(target=self._run, args=(assistant,), name="legajo-web", daemon=True).start()

    def _run(self, assistant: Assistant) -> None:
        outcome = UploadResult(name=self.address, status="failed", notes=(text("app.unexpected"),))
        try:
            outcome = _accepted(assistant, self.address)
        finally:
            self.outcome = outcome


def _accepted(assistant: Assistant, address: str) -> UploadResult:
    try:
        accepted = assistant.accept_url(address)
    except LegajoError as error:
        return UploadResult(name=address, status="failed", notes=(str(error),))
    if isinstance(accepted, str):
        return UploadResult(name=address, status="accepted", ingestion_id=accepted)
    return reported(address, accepted)


def fetch_page(assistant: Assistant, address: str) -> None:
    """Begin to read a page of the web; it goes on whatever this session looks at."""
    st.session_state.setdefault(_STATE, []).append(Fetch(assistant, address))


def render_fetches() -> None:
    """A line for each page that is being read, and once for each that could not be. The queue has the others."""
    fetches: list[Fetch] = st.session_state.get(_STATE, [])
    reading = [each for each in fetches if each.outcome is None]
    st.session_state[_STATE] = reading
    over = [each.outcome for each in fetches if each.outcome is not None and each not in reading]
    told = [each for each in over if each.status != "accepted"]
    if told:
        st.html(results_html(told))
    if reading:
        st.fragment(lambda: _look(reading), run_every=_EVERY_S)()


def _look(reading: list[Fetch]) -> None:
    if any(each.outcome is not None for each in reading):
        st.session_state[_STATE] = reading
        st.rerun()
    st.html(results_html([UploadResult(name=each.address, status="reading") for each in reading]))
