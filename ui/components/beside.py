"""A document beside the conversation that cites it: on a wide screen at its side, on a phone over it.

A fragment: turning its pages stops nothing and draws nothing else anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from ui.components.addresses import Place
from ui.components.reader import render_place
from ui.texts import text

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.view import CitedSource, Excerpt, Turn
    from ui.state import Chat

__all__ = ["Beside", "beside", "render_beside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """An answer's quotes, and the one whose document is open, maybe turned to another page."""

    quotes: tuple[Place, ...]  # in the order of their numbers; at least one
    at: int
    place: Place

    def moved(self, steps: int) -> Beside:
        """At another of the quotes."""
        at = self.at + steps
        return replace(self, at=at, place=self.quotes[at])


def beside(turn: Turn, n: str) -> Beside | None:
    """The quotes of an answer, at the first of the source `n`; None where it has no document."""
    found = [
        (str(source.n), _place(source, excerpt, quote))
        for source in turn.sources
        if not source.is_fact
        for excerpt in source.excerpts
        for quote in excerpt.quotes or ("",)
    ]
    at = next((position for position, (number, _) in enumerate(found) if number == n), None)
    quotes = tuple(place for _, place in found)
    return None if at is None else Beside(quotes=quotes, at=at, place=quotes[at])


def _place(source: CitedSource, excerpt: Excerpt, quote: str) -> Place:
    return Place(path=source.path, project=source.project, page=excerpt.page, chunk_id=excerpt.chunk_id, quote=quote)


@st.fragment
def render_beside(assistant: ProjectAssistant, chat: Chat) -> None:
    """What is open, or nothing."""
    if chat.beside is None:
        return
    with st.container(key="legajo_beside"):
        _head(chat, chat.beside)
        render_place(assistant, chat.beside.place, lambda place: _turn(chat, place))


def _head(chat: Chat, shown: Beside) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="legajo_beside_head"):
        _button("before", "keyboard_arrow_up", chat, shown.moved(-1) if shown.at else None)
        told = text("beside.quote", at=shown.at + 1, total=len(shown.quotes))
        st.caption(told, width="content")
        _button("after", "keyboard_arrow_down", chat, shown.moved(1) if shown.at + 1 < len(shown.quotes) else None)
        st.link_button(text("beside.window"), shown.place.address, icon=":material/open_in_new:", type="tertiary")
        st.button(
            text("sources.close"),
            icon=":material/close:",
            type="tertiary",
            key="legajo_beside_close",
            on_click=_show,
            args=(chat, None),
        )


def _button(name: str, icon: str, chat: Chat, there: Beside | None) -> None:
    st.button(
        text(f"beside.{name}"),
        icon=f":material/{icon}:",
        type="tertiary",
        disabled=there is None,
        key=f"legajo_beside_{name}",
        help=text(f"beside.{name}"),
        on_click=_show,
        args=(chat, there),
    )


def _show(chat: Chat, shown: Beside | None) -> None:
    chat.beside = shown


def _turn(chat: Chat, place: Place) -> None:
    if chat.beside is not None:
        chat.beside = replace(chat.beside, place=place)
