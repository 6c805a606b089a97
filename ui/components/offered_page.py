"""A web address that was written where a question is expected: offered to be added, not searched for.

Its page is read by a thread of its own, with the guards of the form on the page of the documents.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import streamlit as st

from rag_system.ingestion.addresses import shown
from ui.components.fetching import begin_fetch, follow
from ui.markup import plain_label
from ui.state import Asked, Uploaded
from ui.texts import text

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["address_in", "offer_page", "take_page"]

_ADDRESS = re.compile(r"\bhttps?://[^\s<>«»\"]+", re.IGNORECASE)
_FEW_WORDS = 4  # beside the address: «agregue esta página, por favor:»
_AFTER = ".,;:)]"  # what people write right after an address


def address_in(message: str) -> str:
    """The web address that a message is all about: it stands alone, or beside a few words that ask nothing.

    >>> address_in("Agrega esta página: https://www.gob.pe/1024")
    'https://www.gob.pe/1024'
    >>> address_in("¿Qué dice https://www.gob.pe/1024?")
    ''
    """
    found = _ADDRESS.findall(message)
    if len(found) != 1:
        return ""
    beside = message.replace(found[0], " ")
    asks = "?" in beside or "¿" in beside
    return "" if asks or len(re.findall(r"\w+", beside)) > _FEW_WORDS else found[0].rstrip(_AFTER)


def offer_page(assistant: ProjectAssistant, chat: Chat) -> None:
    """Above the box: what can be done with the address, or that its page is being read."""
    if chat.fetch is not None:
        follow([chat.fetch])
    if not chat.page:
        return
    with st.container(key="legajo_offered_page", gap="small"):
        st.markdown(plain_label(text("offers.page", address=shown(address_in(chat.page)))))
        with st.container(horizontal=True, gap="small"):
            st.button(
                text("offers.page_add"),
                key="legajo_page_add",
                icon=":material/add:",
                type="primary",
                on_click=_add,
                args=(assistant, chat),
            )
            st.button(text("offers.page_ask"), key="legajo_page_ask", on_click=_ask, args=(chat,))
            st.button(text("branches.cancel"), key="legajo_page_leave", type="tertiary", on_click=_leave, args=(chat,))


def take_page(chat: Chat) -> None:
    """What became of the page that was read, as files stand in a conversation."""
    if chat.fetch is not None and (outcome := chat.fetch.outcome):
        chat.fetch = None
        chat.turns.append(Uploaded(uploads=tuple(outcome)))


def _add(assistant: ProjectAssistant, chat: Chat) -> None:
    chat.fetch, chat.page = begin_fetch(assistant, address_in(chat.page)), ""


def _ask(chat: Chat) -> None:
    chat.pending, chat.page = Asked(question=chat.page), ""


def _leave(chat: Chat) -> None:
    chat.page = ""
