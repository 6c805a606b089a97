"""An answer while it is written: events come in, the text grows on the screen, and what arrived is never lost.

Streamlit ends a run by raising at the next `st` call (stop button, another conversation, a closed tab), so the turn is
added in `finally`: a stopped answer keeps its text and says that it was stopped.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import streamlit as st

from rag_system.errors import LegajoError
from rag_system.types import Answer, Event, Evidence, Finished, Funnel, Planned, Retrieved, Token
from ui.components.pump import pumped
from ui.markup import answer_html
from ui.state import ShownTurn, answered
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from assistant.assistant import Assistant
    from ui.state import Chat

__all__ = ["Live", "stream_answer"]

_BEAT_S = 0.25  # how long a stop may wait while nothing arrives
_REPAINT_S = 0.05  # twenty times a second reads as flowing; every token would flood the browser


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What is known of an answer so far."""

    text: str = ""
    funnel: Funnel = field(default_factory=Funnel)
    evidence: tuple[Evidence, ...] = ()
    answer: Answer | None = None
    error: str = ""

    def after(self, event: Event) -> Live:
        """The state one event later."""
        match event:
            case Planned():
                return self
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
        doing = text("chat.reading", count=len(self.evidence)) if self.evidence else text("chat.searching")
        return f"<div class='legajo-live legajo-doing' role='status'>{doing}</div>"

    def turn(self) -> ShownTurn:
        """The finished turn; without a `Finished` event it was stopped or failed, and keeps what arrived."""
        if self.answer is not None:
            return answered(self.answer, self.funnel)
        return ShownTurn(
            role="assistant",
            content=self.text,
            stopped=not self.error,
            error=self.error,
            funnel=self.funnel,
        )


def stream_answer(assistant: Assistant, chat: Chat, question: str) -> None:
    """Write the answer on the screen as it comes, then add it to the chat."""
    live = Live()
    paint = _Painter(st.empty())
    try:
        paint(live)
        conversation_id = chat.conversation(assistant)
        events = assistant.stream(question, conversation_id=conversation_id, provider=chat.provider)
        with closing(pumped(cast("Generator[Event]", events), beat_s=_BEAT_S)) as arriving:
            for event in arriving:
                live = live if event is None else live.after(event)
                paint(live, beat=event is None)
    except LegajoError as error:
        live = replace(live, error=str(error))
    finally:
        chat.turns.append(live.turn())


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
