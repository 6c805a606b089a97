"""Below the last answer: what can be asked next with a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_system.query.tasks import OFFER
from ui.components.choosing import offer_all, offer_one
from ui.components.queue import look, watched
from ui.components.upload import settled, under_way
from ui.markup import plain_label
from ui.state import Asked
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.view import Turn
    from ui.components.queue import Queue
    from ui.state import Chat

__all__ = ["question_button", "render_offers"]


def render_offers(assistant: ProjectAssistant, chat: Chat) -> None:
    """Nothing while something is asked, or below a file."""
    last = chat.last
    if last is None or last.role != "assistant":
        return
    if last.error:
        _offer_again(chat, last, text("offers.retry"), key="legajo_retry")
    _offer_when_ready(assistant, chat, last)
    offer_all(chat)
    offer_one(chat)
    if last.content.rstrip().endswith(OFFER):  # it told what a long task takes
        _offer(chat, text("chat.go_on"), icon="play_arrow", key="legajo_go_on")
    _offer_further(assistant, chat, last)


def question_button(chat: Chat, label: str, question: str, *, icon: str, key: str) -> None:
    """In an empty conversation: one click asks the question."""
    st.button(
        plain_label(label),
        key=key,
        icon=f":material/{icon}:",
        icon_position="right",
        width="stretch",
        on_click=_ask,
        args=(chat, Asked(question=question)),
    )


def _offer(chat: Chat, question: str, *, icon: str, key: str) -> None:
    asked = Asked(question=question)
    st.button(plain_label(question), icon=f":material/{icon}:", key=key, on_click=_ask, args=(chat, asked))


def _ask(chat: Chat, asked: Asked) -> None:
    chat.pending = asked


# ---------------------------------------------------------------- the same again


def _offer_again(chat: Chat, last: Turn, label: str, *, key: str) -> None:
    st.button(label, icon=":material/refresh:", key=key, on_click=_again, args=(chat, last))


def _again(chat: Chat, last: Turn) -> None:
    """Another answer to the last question; one that could not be stored is asked anew."""
    question = next((turn.content for turn in reversed(chat.said) if turn.role == "user"), "")
    if last.ordinal is None:
        chat.turns = [turn for turn in chat.turns if turn not in chat.said[-2:]]
    chat.pending = Asked(question=question, again=last.ordinal)


def _offer_when_ready(assistant: ProjectAssistant, chat: Chat, last: Turn) -> None:
    """Below an answer that did not wait for its files: the same question, now or as soon as they are documents."""
    if not chat.late:
        return
    queue = look(assistant)
    chat.late = settled(assistant, chat.late, queue)

    def show(seen: Queue) -> None:
        if under_way(settled(assistant, chat.late, seen)):
            chat.asks_when_ready = st.toggle(
                text("offers.when_ready", count=len(chat.late)), value=chat.asks_when_ready, key="legajo_when_ready"
            )

    def active(seen: Queue) -> bool:
        return under_way(settled(assistant, chat.late, seen))

    watched(show, assistant, queue, active=active)
    if active(queue):
        return
    if not chat.asks_when_ready:
        _offer_again(chat, last, text("offers.is_ready", count=len(chat.late)), key="legajo_is_ready")
        return
    chat.late, chat.asks_when_ready = (), False
    _again(chat, last)
    st.rerun()


# ---------------------------------------------------------------- what else there is


def _offer_further(assistant: ProjectAssistant, chat: Chat, last: Turn) -> None:
    questions = list(map(translated, assistant.follow_ups(last)))
    if not questions:
        return
    with st.container(key="legajo_further", gap="small"):
        st.caption(text("offers.further"))
        for position, question in enumerate(questions):
            _offer(chat, question, icon="subdirectory_arrow_right", key=f"legajo_further_{position}")
