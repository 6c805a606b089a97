"""An answer while it is written: kept in its conversation, measured, and only for as long as the session of who asked
goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic

from assistant.conversations import Conversations
from assistant.metrics import AnswerMetrics, Draft
from assistant.turn_store import Place, TurnStore
from assistant.view import State, Turn
from rag_system.background import begin
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.query.titles import title_of
from rag_system.storage.connection import Database
from rag_system.telemetry.events import tell
from rag_system.timing import Stopwatch
from rag_system.types import Event, Message, Usage

__all__ = ["Recorder"]

_LOOK_S = 1.0  # between two looks at the session: each is a transaction, and words come by the dozen


class Recorder:
    """Passes on what a pipeline answers in a project.

    `title` asks whoever answered there what a conversation is to be called, by its question and answer (None: nothing),
    and tells what that took.
    """

    def __init__(
        self,
        database: Database,
        project: str,
        pipeline: RAGPipeline,
        turns: TurnStore,
        conversations: Conversations,
        metrics: AnswerMetrics,
        *,
        title: Callable[[str, Turn, Scope], tuple[str | None, Usage]],
    ) -> None:
        self._project = project
        self._database = database
        self._pipeline = pipeline
        self._turns = turns
        self._conversations = conversations
        self._metrics = metrics
        self._title = title

    def measured(self, question: str, history: Sequence[Message], scope: Scope) -> Iterator[Event]:
        """The events of an answer that belongs to no conversation."""
        draft, watch = Draft(), Stopwatch()
        try:
            for event in self._lasting(self._pipeline.stream(question, history, scope=scope, watch=watch)):
                draft.take(event)
                yield event
        finally:
            turn = replace(draft.turn, state="complete" if draft.finished else "stopped")
            self._metrics.record(turn)
            self._tell(turn, watch)

    def recorded(self, conversation_id: str, record: Callable[[], Place], scope: Scope) -> Iterator[Event]:
        """The same in the place that `record` makes for it, kept also where it is broken off."""
        stored, draft, watch, place = self._turns, Draft(), Stopwatch(), record()
        state: State = "interrupted"
        try:
            with stored.drafted(conversation_id, place, lambda: draft.text):
                answering = self._pipeline.stream(place.question, place.history, scope=scope, watch=watch)
                for event in self._lasting(answering):
                    draft.take(event)
                    yield event
            state = "complete"
        except GeneratorExit:
            state = "complete" if draft.finished else "stopped"
            raise
        finally:
            turn = replace(draft.turn, state=state)
            stored.record_answer(conversation_id, place, turn, beside=self._metrics.beside(turn))
            self._tell(turn, watch)
            if _is_first_of_a_model(turn, place):
                begin(partial(self._entitle, conversation_id, place.question, turn, scope))

    def _entitle(self, conversation_id: str, question: str, answer: Turn, scope: Scope) -> None:
        """Call a conversation as a model does that reads its first answer; where that fails, its title stays."""
        made, watch = title_of(question), Stopwatch()
        if self._conversations.named(conversation_id).title != made:
            return
        title, usage = self._title(question, answer, scope)
        if title:
            self._conversations.call_otherwise(conversation_id, title, made=made)
        if usage.tokens_in or usage.tokens_out:
            self._metrics.record_title(answer.provider, usage)
        if usage != Usage():  # a model was asked
            self._tell_title("answered" if title else "unused", answer, usage, watch)

    def _tell_title(self, outcome: str, answer: Turn, usage: Usage, watch: Stopwatch) -> None:
        tell(
            "title",
            outcome=outcome,
            watch=watch,
            project=self._project,
            provider=answer.provider,
            model=answer.model,
            tokens_in=usage.tokens_in,
            tokens_out=usage.tokens_out,
        )

    def _tell(self, turn: Turn, watch: Stopwatch) -> None:
        ended = "failed" if turn.code else "abstained" if turn.abstained else "answered"
        tell(
            "answer",
            outcome=ended if turn.state == "complete" else turn.state,
            watch=watch,
            project=self._project,
            code=turn.code,
            provider=turn.provider,
            model=turn.model,
            first_words_ms=turn.metrics.get("ttft"),
            tokens_in=turn.usage.tokens_in,
            tokens_out=turn.usage.tokens_out,
            passages=turn.funnel.returned,
        )

    def _lasting(self, events: Iterator[Event]) -> Iterator[Event]:
        """Until the session of who acts has ended: then `SessionEndedError`, a second later at most."""
        looked = monotonic()
        for event in events:
            if monotonic() - looked >= _LOOK_S:
                self._database.check_session()
                looked = monotonic()
            yield event


def _is_first_of_a_model(turn: Turn, place: Place) -> bool:
    """Whether it answers, from the documents, the question that gave its conversation the title."""
    by_model = turn.usage.prompt_version is not None and turn.citations and turn.state == "complete"
    return bool(by_model) and not any(title_of(said.content) for said in place.history if said.role == "user")
