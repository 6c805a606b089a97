"""An answer while it is written: kept in its conversation, measured, and only for as long as the session of who asked
goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic

from assistant.conversations import Conversations, Place
from assistant.metrics import AnswerMetrics, Draft
from assistant.view import State
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.storage.connection import Database
from rag_system.types import Event, Message

__all__ = ["Recorder"]

_LOOK_S = 1.0  # between two looks at the session: each is a transaction, and words come by the dozen


class Recorder:
    """Passes on what a pipeline answers in a project."""

    def __init__(
        self, database: Database, pipeline: RAGPipeline, conversations: Conversations, metrics: AnswerMetrics
    ) -> None:
        self._database = database
        self._pipeline = pipeline
        self._conversations = conversations
        self._metrics = metrics

    def measured(self, question: str, history: Sequence[Message], scope: Scope) -> Iterator[Event]:
        """The events of an answer that belongs to no conversation."""
        draft = Draft()
        try:
            for event in self._lasting(self._pipeline.stream(question, history, scope=scope)):
                draft.take(event)
                yield event
        finally:
            self._metrics.record(draft.turn)

    def recorded(self, conversation_id: str, record: Callable[[], Place], scope: Scope) -> Iterator[Event]:
        """The same in the place that `record` makes for it, kept also where it is broken off."""
        stored, draft, place = self._conversations, Draft(), record()
        state: State = "interrupted"
        try:
            with stored.drafted(conversation_id, place, lambda: draft.text):
                for event in self._lasting(self._pipeline.stream(place.question, place.history, scope=scope)):
                    draft.take(event)
                    yield event
            state = "complete"
        except GeneratorExit:
            state = "complete" if draft.finished else "stopped"
            raise
        finally:
            turn = replace(draft.turn, state=state)
            stored.record_answer(conversation_id, place, turn, beside=self._metrics.beside(turn))

    def _lasting(self, events: Iterator[Event]) -> Iterator[Event]:
        """Until the session of who acts has ended: then `SessionEndedError`, a second later at most."""
        looked = monotonic()
        for event in events:
            if monotonic() - looked >= _LOOK_S:
                self._database.check_session()
                looked = monotonic()
            yield event
