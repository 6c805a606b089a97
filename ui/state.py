"""What one browser session shows: the open conversation, as frozen turns, and the choices made in it.

The database holds the truth; this is the copy on the screen, with what is not stored (uploads, passages not cited).
The open conversation stands in the address (`?c=…`), so a reload or a copied link comes back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal, TypeVar
from uuid import UUID

import streamlit as st

from assistant.exporting import CitedSource, Excerpt
from rag_system.types import Answer, Chunk, Citation, Funnel, Usage

if TYPE_CHECKING:
    from assistant.conversations import StoredCitation, Turn
    from assistant.project_assistant import ProjectAssistant
    from rag_system.settings import ProviderName
    from ui.components.upload import UploadResult

__all__ = ["Chat", "ShownTurn", "answered", "current_chat", "open_conversation"]

_STATE = "legajo_chat"
_PARAMETER = "c"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTurn:
    """One message on the screen. An upload is shown in its place and never stored."""

    role: Literal["user", "assistant", "upload"]
    content: str = ""
    sources: tuple[CitedSource, ...] = ()
    unsupported: tuple[str, ...] = ()  # sentences of `content`
    provider: str = ""
    model: str = ""
    notices: tuple[str, ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict)  # milliseconds
    usage: Usage = field(default_factory=Usage)
    incomplete: bool = False
    stopped: bool = False
    error: str = ""
    funnel: Funnel = field(default_factory=Funnel)  # empty: nothing was searched
    abstained: bool = False
    uploads: tuple[UploadResult, ...] = ()


@dataclass(slots=True)
class Chat:
    """The open conversation of this session. The only mutable thing here."""

    conversation_id: str | None = None
    turns: list[ShownTurn] = field(default_factory=list)
    pending: str | None = None  # a question chosen with a click, answered in the next run
    provider: ProviderName | None = None  # None: the configured one
    concept: str = ""  # what the search is confined to; empty: nothing
    documents: tuple[str, ...] = ()  # paths that this conversation is confined to; empty: all
    reveal: bool = False  # the last answer came at once: the next run shows it from its question on

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
    chat.turns = [_shown(turn) for turn in turns]
    chat.conversation_id = conversation_id if turns else None
    chat.documents = _last_scope(chat.turns)
    if not turns:
        st.query_params.pop(_PARAMETER, None)


def _last_scope(turns: Sequence[ShownTurn]) -> tuple[str, ...]:
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


def _shown(turn: Turn) -> ShownTurn:
    return ShownTurn(
        role="user" if turn.role == "user" else "assistant",
        content=turn.content,
        sources=tuple(_stored_source(group) for group in _by_number(turn.citations)),
        provider=turn.provider,
        model=turn.model,
        metrics=turn.metrics,
        usage=turn.usage,
        incomplete=turn.incomplete,
        unsupported=tuple(turn.unsupported),
        notices=tuple(turn.notices),
        error=turn.error,
        funnel=turn.funnel,
        abstained=turn.abstained,
    )


def answered(answer: Answer, funnel: Funnel) -> ShownTurn:
    """A finished answer as it is shown."""
    chunks = answer.chunks
    return ShownTurn(
        role="assistant",
        content=answer.text,
        sources=tuple(_fresh_source(group, chunks) for group in _by_number(answer.citations)),
        unsupported=answer.unsupported,
        provider=answer.provider,
        model=answer.model,
        notices=answer.notices,
        metrics=answer.metrics,
        usage=answer.usage,
        incomplete=answer.incomplete,
        error=answer.error,
        funnel=funnel,
        abstained=answer.abstained,
    )


AnyCitation = TypeVar("AnyCitation", Citation, "StoredCitation")


def _by_number(citations: Sequence[AnyCitation]) -> list[list[AnyCitation]]:
    """One group a number: what is cited by it may be quoted several times, and consist of several chunks."""
    return _grouped(citations, lambda citation: citation.n)


def _by_chunk(citations: Sequence[AnyCitation]) -> list[list[AnyCitation]]:
    return _grouped(citations, lambda citation: citation.chunk_id)


def _grouped(citations: Sequence[AnyCitation], key: Callable[[AnyCitation], int]) -> list[list[AnyCitation]]:
    return [list(group) for _, group in groupby(sorted(citations, key=key), key)]


def _fresh_source(citations: Sequence[Citation], chunks: Mapping[int, Chunk]) -> CitedSource:
    first = citations[0]
    excerpts = [
        Excerpt(
            section=chunk.section,
            page=group[0].page,
            passage=chunk.text,
            quotes=_quotes(group),
            chunk_id=chunk.chunk_id,
        )
        for group in _by_chunk(citations)
        for chunk in (chunks[group[0].chunk_id],)
    ]
    return CitedSource(
        n=first.n,
        file_name=first.document,
        path=first.path,
        title=chunks[first.chunk_id].title,
        excerpts=tuple(excerpts),
        added=all(citation.added for citation in citations),
    )


def _stored_source(citations: Sequence[StoredCitation]) -> CitedSource:
    first = citations[0]
    excerpts = [
        Excerpt(
            section=group[0].section,
            page=group[0].page,
            passage=group[0].passage,
            quotes=_quotes(group),
            chunk_id=group[0].chunk_id,
        )
        for group in _by_chunk(citations)
    ]
    return CitedSource(
        n=first.n,
        file_name=first.document,
        path=first.path,
        excerpts=tuple(excerpts),
        added=all(citation.added for citation in citations),
    )


def _quotes(citations: Sequence[Citation] | Sequence[StoredCitation]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(citation.quote for citation in citations if citation.quote))
