"""What one browser session shows: the open conversation, as frozen turns, and the choices made in it.

The database holds the truth; this is the copy on the screen, with what is not stored (uploads, passages not cited).
The open conversation stands in the address (`?c=…`), so a reload or a copied link comes back to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

import streamlit as st

from assistant.view import Turn

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from rag_system.settings import ProviderName
    from ui.components.upload import UploadResult

__all__ = ["Chat", "Uploaded", "current_chat", "open_conversation"]

_STATE = "legajo_chat"
_PARAMETER = "c"


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """Files that came in between two turns, shown in their place and never stored."""

    uploads: tuple[UploadResult, ...]


@dataclass(slots=True)
class Chat:
    """The open conversation of this session. The only mutable thing here."""

    conversation_id: str | None = None
    turns: list[Turn | Uploaded] = field(default_factory=list)
    pending: str | None = None  # a question chosen with a click, answered in the next run
    provider: ProviderName | None = None  # None: the configured one
    concept: str = ""  # what the search is confined to; empty: nothing
    documents: tuple[str, ...] = ()  # paths that this conversation is confined to; empty: all
    reveal: bool = False  # the last answer came at once: the next run shows it from its question on

    @property
    def said(self) -> list[Turn]:
        """The questions and answers, without the files."""
        return [turn for turn in self.turns if isinstance(turn, Turn)]

    def conversation(self, assistant: ProjectAssistant) -> str:
        """The id of the open conversation, made and put in the address at its first message."""
        if self.conversation_id is None:
            self.conversation_id = assistant.new_conversation()
            st.query_params[_PARAMETER] = self.conversation_id
        return self.conversation_id


def current_chat(assistant: ProjectAssistant) -> Chat:
    """The session's chat, in step with the address."""
    chat: Chat = st.session_state.setdefault(_STATE, Chat())
    wanted = st.query_params.get(_PARAMETER)
    if wanted is None and chat.conversation_id is not None:
        st.query_params[_PARAMETER] = chat.conversation_id  # back from another page
    elif wanted is not None and wanted != chat.conversation_id:
        _load(assistant, chat, wanted)
    return chat


def open_conversation(chat: Chat, conversation_id: str | None) -> None:
    """Show another conversation (None: a new one) from the next run on."""
    chat.turns, chat.conversation_id, chat.pending, chat.documents = [], None, None, ()
    if conversation_id is None:
        st.query_params.pop(_PARAMETER, None)
    else:
        st.query_params[_PARAMETER] = conversation_id


def _load(assistant: ProjectAssistant, chat: Chat, conversation_id: str) -> None:
    turns = assistant.turns(conversation_id) if _is_id(conversation_id) else []
    chat.turns = [*turns]
    chat.conversation_id = conversation_id if turns else None
    chat.documents = _last_scope(turns)
    if not turns:
        st.query_params.pop(_PARAMETER, None)


def _last_scope(turns: Sequence[Turn]) -> tuple[str, ...]:
    """The documents that the last search of a conversation was confined to."""
    searched = [turn.funnel for turn in turns if turn.funnel.generated]
    return searched[-1].documents if searched else ()


def _is_id(text: str) -> bool:
    """An address can be typed by anyone; only what can be a conversation's id is looked up."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True
