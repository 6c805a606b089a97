"""What a page says while it is drawn and the database is away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rag_system.storage.connection import telling
from ui.texts import text

__all__ = ["told_of_waiting"]


@contextmanager
def told_of_waiting() -> Iterator[None]:
    """While this lasts, a wait for the database is told where the page has got to, until it is over."""
    places: list[DeltaGenerator] = []

    def tell() -> None:
        if not places:
            places.append(st.empty())
            places[0].info(text("chat.held"), icon=":material/hourglass_top:")

    try:
        with telling(tell):
            yield
    finally:
        for place in places:
            place.empty()
