"""Pages of the web on their way into the queue, each read in a thread of its own: the chat waits for none of them."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from rag_system.background import begin
from rag_system.errors import LegajoError
from rag_system.ingestion.addresses import shown
from ui.components.upload import UploadResult, results_html, results_of
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.project_assistant import ProjectAssistant

__all__ = ["Fetch", "begin_fetch", "fetch_page", "follow", "render_fetches"]

_EVERY_S = 0.5
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """A page that is being read."""

    address: str  # as it may be shown
    reading: Future[list[UploadResult]]

    @property
    def outcome(self) -> list[UploadResult]:
        """What became of it, and of what it brought; nothing while it is being read."""
        if not self.reading.done():
            return []
        if error := self.reading.exception():
            logger.error("The page could not be added: %s", self.address, exc_info=error)
            return [UploadResult(name=self.address, status="failed", notes=(text("app.unexpected"),))]
        return self.reading.result()


def _accepted(assistant: ProjectAssistant, address: str) -> list[UploadResult]:
    try:
        return results_of(assistant.library.accept_url(address))
    except LegajoError as error:
        return [UploadResult(name=shown(address), status="failed", notes=(str(error),))]


def begin_fetch(assistant: ProjectAssistant, address: str) -> Fetch:
    """Begin to read a page of the web; it goes on whatever this session looks at."""
    return Fetch(address=shown(address), reading=begin(partial(_accepted, assistant, address)))


def _state(assistant: ProjectAssistant) -> str:
    """Where a session keeps the pages that were added to a project."""
    return f"legajo_fetches_{assistant.project}"


def fetch_page(assistant: ProjectAssistant, address: str) -> None:
    """The same for the page of the documents, which tells of it. What could not be read before has been told."""
    state = _state(assistant)
    reading = [each for each in st.session_state.get(state, []) if not each.outcome]
    st.session_state[state] = [*reading, begin_fetch(assistant, address)]


def render_fetches(assistant: ProjectAssistant) -> None:
    """A line for each page that is being read, or could not be until the next is added. The queue has the others.

    One that was accepted meanwhile asks for another run: the queue was looked at before.
    """
    state = _state(assistant)
    fetches: list[Fetch] = st.session_state.get(state, [])
    outcomes = [(each, each.outcome) for each in fetches]
    waiting = [each for each, told in outcomes if not told or any(result.status != "accepted" for result in told)]
    if len(waiting) < len(fetches):
        st.session_state[state] = waiting
        st.rerun()
    reading = [each for each, outcome in outcomes if not outcome]
    told = [result for _, outcome in outcomes for result in outcome if result.status != "accepted"]
    if told:
        st.html(results_html(told))
    if reading:
        follow(reading)


def follow(reading: Sequence[Fetch]) -> None:
    """A line for each of these pages, until one has been read: then all is drawn anew."""

    def look() -> None:
        if any(each.reading.done() for each in reading):
            st.rerun()
        st.html(results_html([UploadResult(name=each.address, status="reading") for each in reading]))

    st.fragment(look, run_every=_EVERY_S)()
