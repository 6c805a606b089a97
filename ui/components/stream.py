"""An answer on the screen while it is written: the text grows, and what arrived is never lost.

Streamlit ends a run by raising at the next `st` call. Where a person pressed stop, the answer ends there and says so;
where the page was left, or loaded anew, it goes on without it (`ui.components.writing`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from rag_system.types import Event
from ui.components.queue import Queue
from ui.components.upload import UploadResult, is_document, settled, under_way
from ui.components.writing import Files, Live, Writing, begin
from ui.markup import answer_html
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from assistant.project_assistant import ProjectAssistant
    from ui.state import Asked, Chat

__all__ = ["begin_answer", "live_html", "show_answer"]

_BEAT_S = 0.25  # how long a stop may wait while nothing arrives
_LEFT_S = 0.1  # in which the server notes that a page was closed
_LONGEST_WAIT_S = 60.0  # for files that came with a question
_PATIENCE_S = 8.0  # a worker that starts, or starts again, is not missed
_REPAINT_S = 0.05  # twenty times a second reads as flowing; every token would flood the browser
_LETTERS_S = 40_000  # to be painted a second at most: each time the whole text is sent, and drawn


def begin_answer(
    assistant: ProjectAssistant, chat: Chat, asked: Asked, *, added: Sequence[UploadResult] = ()
) -> Writing:
    """Have the answer written. A question that came with files waits for them, but not for long, and is of them."""
    conversation = chat.conversation(assistant)
    concept = "" if chat.all_projects else chat.concept  # which are of one project
    ask = partial(assistant.stream, asked.question, conversation_id=conversation, instead_of=asked.instead_of)
    if asked.again is not None:
        ask = partial(assistant.answer_again, conversation, asked.again)
    scoped = partial(ask, provider=chat.provider, concept=concept, all_projects=chat.all_projects)
    events = _events(assistant, scoped, chat.documents, added)
    return begin(conversation, events, is_held=lambda: assistant.waits_for_database)


def _events(
    assistant: ProjectAssistant,
    ask: Callable[..., Iterator[Event]],
    documents: tuple[str, ...],
    added: Sequence[UploadResult],
) -> Generator[Event | Files]:
    if added:
        if under_way(added):
            yield Files(names=_names(added), standing="awaited")
            added = _awaited(assistant, added)
        late = tuple(each for each in added if each.status == "accepted")
        ready = () if late else tuple(each.path for each in added if is_document(each))
        documents = ready or documents
        yield Files(names=_names(late), paths=ready, standing="late" if late else "ready")
    yield from ask(documents=documents)


def _names(uploads: Sequence[UploadResult]) -> tuple[str, ...]:
    return tuple(each.name for each in uploads if each.status == "accepted")


def _awaited(assistant: ProjectAssistant, added: Sequence[UploadResult]) -> Sequence[UploadResult]:
    """The files as they stand when they left the queue, when it took too long, or nobody works on them."""
    begun = attended = time.monotonic()
    while under_way(added):
        now = time.monotonic()
        if assistant.library.worker_is_alive():
            attended = now
        if now - begun > _LONGEST_WAIT_S or now - attended > _PATIENCE_S:
            break
        time.sleep(_BEAT_S)
        queued = tuple(each for each in assistant.library.ingestions() if each.status != "failed")
        added = settled(assistant, added, Queue(under_way=queued))
    return added


def show_answer(chat: Chat, writing: Writing) -> None:
    """Show it as it grows, then add it to the chat; a person who stops it gets what there is."""
    painter = _Painter(st.empty())
    try:
        for grew in writing.watch(beat_s=_BEAT_S):
            if paths := writing.live.files.paths:
                chat.documents = paths
            painter(writing.live, beat=not grew)
    except StopException:
        if _is_still_there():
            writing.stop()
            chat.turns.append(writing.live.turn)
        raise
    chat.turns.append(writing.live.turn)


def _is_still_there() -> bool:
    """Whether the page is open: the server ends a run in the same way where it was closed or loaded anew."""
    time.sleep(_LEFT_S)
    context = get_script_run_ctx()
    return context is not None and get_instance().is_active_session(context.session_id)


def live_html(live: Live) -> str:
    """What the screen shows meanwhile: the text so far, or what is being done."""
    if said := live.draft.text:
        numbers = {evidence.n for evidence in live.draft.evidence}
        return f"<div class='legajo-live'>{answer_html(said, sources=numbers)}</div>"
    return f"<div class='legajo-live legajo-doing' role='status'>{escape(_doing(live))}</div>"


def _doing(live: Live) -> str:
    if live.is_held:
        return text("chat.held")
    if live.files.standing == "awaited":
        return text("chat.awaiting", count=len(live.files.names))
    if live.reading and not live.draft.evidence:
        part = min(live.reading.done + 1, live.reading.total)
        return text("chat.reading_whole", part=part, total=live.reading.total)
    passages = sum(not item.is_fact for item in live.draft.evidence)
    return text("chat.reading", count=passages) if passages else text("chat.searching")


class _Painter:
    """Shows the growing answer in one place, at most twenty times a second, and less often the longer it is."""

    def __init__(self, slot: DeltaGenerator) -> None:
        self._slot = slot
        self._painted_at = 0.0

    def __call__(self, live: Live, *, beat: bool = False) -> None:
        now = time.monotonic()
        if beat or now - self._painted_at >= max(_REPAINT_S, len(live.draft.text) / _LETTERS_S):
            self._slot.html(live_html(live))
            self._painted_at = now
