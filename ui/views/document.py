"""One document in a window of its own; the address says which, and where it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.components.addresses import Place
from ui.components.reader import render_place

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant

__all__ = ["render_document"]


def render_document(assistant: ProjectAssistant) -> None:
    """The whole page."""
    place = Place(
        path=st.query_params.get("d", ""),
        project=st.query_params.get("w", ""),
        page=_number("p"),
        passage=_number("n"),
        chunk_id=_number("f"),
        quote=st.query_params.get("q", ""),
    )
    render_place(assistant, place, _turn)


def _number(name: str) -> int | None:
    """A number out of the address, which anyone can type."""
    written = st.query_params.get(name, "")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else None


def _turn(place: Place) -> None:
    for name, number in {"p": place.page, "n": place.passage}.items():
        if number is not None:
            st.query_params[name] = str(number)
