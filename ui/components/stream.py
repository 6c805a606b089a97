"""An answer while it is written: events come in, the text grows on the screen, and what arrived is never lost.

Streamlit ends a run by raising at the next `st` call (stop button, another conversation, a closed tab), so the turn is
added in `finally`: a stopped answer keeps its text and says that it was stopped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

import streamlit as st

from assistant.view import Turn, answered
from rag_system.errors import LegajoError
from rag_system.types import Answer, Event, Evidence, Finished, Funnel, Planned, Progress, Retrieved, Token
from ui.components.pump import pumped
from ui.components.queue import look
from ui.components.upload import UploadResult, settled, under_way
from ui.markup import answer_html
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from assistant.project_assistant import ProjectAssistant
    from ui.state import Asked, Chat

__all__ = ["Live", "stream_answer"]

_BEAT_S = 0.25  # how long a stop may wait while nothing arrives
_LONGEST_WAIT_S = 60.0  # for files that came with a question
_REPAINT_S = 0.05  # twenty times a second reads as flowing; every token would flood the browser


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What is known of an answer so far."""

    text: str = ""
    funnel: Funnel = field(default_factory=Funnel)
    evidence: tuple[Evidence, ...] = ()
    answer: Answer | None = None
    failure: LegajoError | None = None
    reading: Progress | None = None  # documents as wholes, by a model
    files: Literal["", "awaited", "late"] = ""  # those that came with the question

    def after(self, event: Event) -> Live:
        """The state one event later."""
        match event:
            case Planned():
                return self
            case Progress():
                return replace(self, reading=event)
            case Retrieved(search, evidence):
                return replace(self, funnel=search.funnel, evidence=evidence)
            case Token(piece):
                return replace(self, text=self.text + piece)
            case Finished(answer):
                return replace(self, answer=answer)

    def html(self) -> str:
        """What the screen shows meanwhile: the text so far, or what is being done."""
        if self.text:
            numbers = {evidence.n for evidence in self.evidence}
            return f"<div class='legajo-live'>{answer_html(self.text, sources=numbers)}</div>"
        return f"<div class='legajo-live legajo-doing' role='status'>{self._doing()}</div>"

    def _doing(self) -> str:
        if self.files == "awaited":
            return text("chat.awaiting")
        if self.reading and not self.evidence:
            part = min(self.reading.done + 1, self.reading.total)
            return text("chat.reading_whole", part=part, total=self.reading.total)
        passages = sum(not item.is_fact for item in self.evidence)
        return text("chat.reading", count=passages) if passages else text("chat.searching")

    def turn(self) -> Turn:
        """The finished turn; without a `Finished` event it was stopped or failed, and keeps what arrived."""
        if self.answer is not None:
            turn = answered(self.answer, self.funnel)
            return turn if self.files != "late" else replace(turn, notices=(*turn.notices, text("chat.late_files")))
        told = self.failure.fields if self.failure else {"state": "stopped"}
        return Turn(role="assistant", content=self.text, funnel=self.funnel, **told)


def stream_answer(assistant: ProjectAssistant, chat: Chat, asked: Asked, *, added: Sequence[UploadResult] = ()) -> None:
    """Write the answer on the screen as it comes, then add it to the chat.

    A question that came with files waits for them, but not for long.
    """
    live = Live(files="awaited" if under_way(added) else "")
    paint = _Painter(st.empty())
    try:
        if live.files:
            live = replace(live, files="" if _await(assistant, added, partial(paint, live)) else "late")
        paint(live)
        events = cast("Generator[Event]", _events(assistant, chat, asked))
        with closing(pumped(events, beat_s=_BEAT_S)) as arriving:
            for event in arriving:
                live = live if event is None else live.after(event)
                paint(live, beat=event is None)
    except LegajoError as error:
        live = replace(live, failure=error)
    finally:
        chat.turns.append(live.turn())


def _events(assistant: ProjectAssistant, chat: Chat, asked: Asked) -> Iterator[Event]:
    conversation = chat.conversation(assistant)
    answer = (
        partial(assistant.stream, asked.question, conversation_id=conversation, instead_of=asked.instead_of)
        if asked.again is None
        else partial(assistant.answer_again, conversation, asked.again)
    )
    concept = "" if chat.all_projects else chat.concept  # which are of one project
    return answer(provider=chat.provider, concept=concept, documents=chat.documents, all_projects=chat.all_projects)


def _await(assistant: ProjectAssistant, added: Sequence[UploadResult], beat: Callable[[], None]) -> bool:
    """Whether the files left the queue before it took too long, or turned out that nobody works on them."""
    deadline = time.monotonic() + _LONGEST_WAIT_S
    while time.monotonic() < deadline:
        beat()
        queue = look(assistant)
        added = settled(assistant, added, queue)
        if queue.unattended or not under_way(added):
            break
        time.sleep(_BEAT_S)
    return not under_way(added)


class _Painter:
    """Shows the growing answer in one place, at most twenty times a second."""

    def __init__(self, slot: DeltaGenerator) -> None:
        self._slot = slot
        self._painted_at = 0.0

    def __call__(self, live: Live, *, beat: bool = False) -> None:
        now = time.monotonic()
        if beat or not live.text or now - self._painted_at >= _REPAINT_S:
            self._slot.html(live.html())
            self._painted_at = now
