"""What one browser session shows: the open conversation, as frozen turns, and the choices made in it.

The database holds the truth; this is the copy on the screen, with what is not stored (uploads, passages not cited).
The open conversation stands in the address (`?c=…`), so a reload or a copied link comes back to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import UUID

import streamlit as st

from assistant.feedback import Rating
from assistant.view import Turn

if TYPE_CHECKING:
    from assistant.conversations import ConversationSummary, NewestMessage
    from assistant.project_assistant import ProjectAssistant
    from rag_system.settings import ProviderName
    from ui.components.beside import Beside
    from ui.components.fetching import Fetch
    from ui.components.upload import UploadResult

__all__ = ["QUESTION", "Asked", "Chat", "Uploaded", "current_chat", "open_conversation"]

QUESTION = "legajo_question"  # the key of the box
_STATE = "legajo_chat"
_PARAMETER = "c"


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """Files that came in between two turns, shown in their place and never stored."""

    uploads: tuple[UploadResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is to be answered."""

    question: str
    instead_of: int | None = None  # ordinal of the question that this is another version of
    again: int | None = None  # ordinal of the answer that is to be given again


@dataclass(slots=True)
class Chat:
    """The open conversation of this session. The only mutable thing here."""

    conversation_id: str | None = None
    left: str | None = None  # the conversation that was open before, which a browser may name once more
    turns: list[Turn | Uploaded] = field(default_factory=list)
    pending: Asked | None = None  # a question chosen with a click, answered in the next run
    ratings: dict[int, Rating] = field(default_factory=dict)  # the person's, by the ordinal of the answer
    explaining: int | None = None  # ordinal of the answer below which the reasons of a rating are asked for
    noting: int | None = None  # ordinal of the answer that is about to be kept as a note
    editing: int | None = None  # ordinal of the question that is shown in a box
    deleted: ConversationSummary | None = None  # the conversation that was deleted last, to be undone
    links: dict[str, str] = field(default_factory=dict)  # by conversation, the secrets of links made in this session
    provider: ProviderName | None = None  # None: the configured one
    concept: str = ""  # what the search is confined to; empty: nothing
    documents: tuple[str, ...] = ()  # paths that this conversation is confined to; empty: all
    all_projects: bool = False  # whether it asks the other projects too
    beside: Beside | None = None  # the document that is open beside the conversation
    page: str = ""  # a message that is a web address, until it is said what to do with it
    fetch: Fetch | None = None  # the page that is being read for this conversation
    dictated: str = ""  # what was said into the microphone, on its way into the box
    unheard: str = ""  # why it could not be written down
    late: tuple[UploadResult, ...] = ()  # files that were not ready when their question was answered
    asks_when_ready: bool = False  # whether that question is asked again once they are
    reveal: bool = False  # the last answer came at once: the next run shows it from its question on

    @property
    def last(self) -> Turn | None:
        """The turn that stands last; None where that is a file, or nothing was said."""
        last = self.turns[-1] if self.turns else None
        return last if isinstance(last, Turn) else None

    @property
    def said(self) -> list[Turn]:
        """The questions and answers, without the files."""
        return [turn for turn in self.turns if isinstance(turn, Turn)]

    def cut(self, asked: Asked) -> None:
        """Take what follows another version's place off the screen, and what it is another version of."""
        first = asked.instead_of if asked.again is None else asked.again
        places = [at for at, turn in enumerate(self.turns) if isinstance(turn, Turn) and turn.ordinal == first]
        if first is not None and places:
            del self.turns[places[0] :]

    def shows(self, newest: NewestMessage) -> bool:
        """Whether the screen is in step with what is stored."""
        last = next(reversed(self.said), None)
        return last is not None and (last.ordinal, last.state) == (newest.ordinal, newest.state)

    def catch_up(self, stored: Sequence[Turn]) -> None:
        """Bring the screen in step with what is stored.

        What was said in this session gets its place and keeps what is not stored; what was said elsewhere is added.
        """
        known = [turn.ordinal for turn in self.said if turn.ordinal is not None]
        if known != [turn.ordinal for turn in stored[: len(known)]]:  # another branch was chosen elsewhere
            self.turns = [*stored]
            return
        rest = list(stored)
        for at, turn in enumerate(self.turns):
            if isinstance(turn, Turn) and rest and _is_kept_as(turn, rest[0]):
                place = {name: getattr(rest[0], name) for name in ("ordinal", "parent", "versions", "said_at")}
                keeps = turn.state == "complete" or rest[0].state == "writing"  # stopped here, and not stored yet
                self.turns[at] = replace(turn, **place) if keeps else rest[0]
                del rest[0]
        self.turns += rest

    def drop_draft(self) -> None:
        """Take an answer off the screen that is still written: it is shown as it grows."""
        if self.said and self.said[-1].state == "writing":
            self.turns = [turn for turn in self.turns if turn is not self.said[-1]]

    def conversation(self, assistant: ProjectAssistant) -> str:
        """The id of the open conversation, made and put in the address at its first message."""
        if self.conversation_id is None:
            self.conversation_id = assistant.conversations.create()
            st.query_params[_PARAMETER] = self.conversation_id
        return self.conversation_id


def _is_kept_as(turn: Turn, stored: Turn) -> bool:
    """A question that could not be stored, and the error that answers it, are on the screen alone."""
    return turn.role == stored.role and (turn.role == "assistant" or turn.content == stored.content)


def current_chat(assistant: ProjectAssistant) -> Chat:
    """The session's chat in a project, in step with the address."""
    chat: Chat = st.session_state.setdefault(f"{_STATE}_{assistant.project}", Chat())
    wanted = st.query_params.get(_PARAMETER)
    if wanted is not None and wanted == chat.left and st.session_state.get(QUESTION):
        _put_in_address(chat.conversation_id)  # sent before the browser learned where it is
    elif wanted is None and chat.conversation_id is not None:
        st.query_params[_PARAMETER] = chat.conversation_id  # back from another page
    elif wanted is not None and wanted != chat.conversation_id:
        _load(assistant, chat, wanted)
    return chat


def open_conversation(chat: Chat, conversation_id: str | None) -> None:
    """Show another conversation (None: a new one) from the next run on."""
    chat.left = chat.conversation_id
    chat.turns, chat.conversation_id, chat.pending, chat.late = [], None, None, ()
    chat.documents, chat.all_projects = (), False
    chat.editing = chat.deleted = chat.explaining = chat.noting = chat.beside = None
    chat.ratings, chat.page, chat.fetch, chat.unheard = {}, "", None, ""
    _put_in_address(conversation_id)


def _put_in_address(conversation_id: str | None) -> None:
    if conversation_id is None:
        st.query_params.pop(_PARAMETER, None)
    else:
        st.query_params[_PARAMETER] = conversation_id


def _load(assistant: ProjectAssistant, chat: Chat, conversation_id: str) -> None:
    turns = assistant.turns(conversation_id) if _is_id(conversation_id) else []
    chat.turns = [*turns]
    chat.conversation_id = conversation_id if turns else None
    chat.documents, chat.all_projects = _last_scope(turns)
    chat.editing = chat.explaining = chat.noting = None
    chat.unheard = ""
    chat.ratings = assistant.feedback.of_conversation(conversation_id) if turns else {}
    if not turns:
        st.query_params.pop(_PARAMETER, None)


def _last_scope(turns: Sequence[Turn]) -> tuple[tuple[str, ...], bool]:
    """The documents that the last search of a conversation was confined to, and whether it was of all projects."""
    searched = [turn.funnel for turn in turns if turn.funnel.generated]
    return (searched[-1].documents, bool(searched[-1].projects)) if searched else ((), False)


def _is_id(text: str) -> bool:
    """An address can be typed by anyone; only what can be a conversation's id is looked up."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True
