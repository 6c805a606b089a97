"""Answers that are being written, each by a thread of its own, which belongs to no page.

A reload, a visit to another page or a second window finds the answer further on: only a person who stops it, or the end
of the program, cuts it short. Who watches gets a beat while nothing arrives, because Streamlit ends a run only at its
next `st` call, and a provider may think for many seconds before its first word.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from threading import Condition
from typing import Literal

from assistant.metrics import Draft
from assistant.view import Turn
from rag_system.background import begin as begin_in_background
from rag_system.errors import LegajoError
from rag_system.types import Event, Progress
from ui.texts import text

__all__ = ["Files", "Live", "Writing", "begin", "is_writing", "under_way"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """Those that came with a question: waited for, or not ready when it was answered."""

    names: tuple[str, ...] = ()  # of those that are not documents yet
    paths: tuple[str, ...] = ()  # of the documents that the question is of, when all are
    standing: Literal["awaited", "late", "ready"] = "ready"


@dataclass(slots=True)
class Live:
    """What is known of an answer so far."""

    draft: Draft = field(default_factory=Draft)
    files: Files = field(default_factory=Files)
    reading: Progress | None = None  # documents as wholes, by a model
    failure: LegajoError | None = None
    is_held: bool = False  # the database is away, and waited for

    def take(self, event: Event | Files) -> None:
        """Learn what an event tells."""
        match event:
            case Files():
                self.files = event
            case Progress():
                self.reading = event
            case _:
                self.draft.take(event)

    @property
    def turn(self) -> Turn:
        """The turn that it is; without its end it was stopped or failed, and keeps what arrived."""
        turn = self.draft.turn
        if not self.draft.finished:
            turn = replace(turn, **(self.failure.fields if self.failure else {"state": "stopped"}))
        if self.files.standing == "late":
            turn = replace(turn, notices=(*turn.notices, _late(self.files.names)))
        return turn


def _late(names: tuple[str, ...]) -> str:
    return text("chat.late_files", count=len(names), names=", ".join(f"«{name}»" for name in names))


class Writing:
    """One answer while it is written, for any number of pages that watch."""

    def __init__(self, events: Generator[Event | Files], is_held: Callable[[], bool]) -> None:
        self.live = Live()
        self._is_held = is_held
        self._events = events
        self._grew = Condition()
        self._length = 0  # events so far
        self._is_over = self._stops = False
        self._error: BaseException | None = None

    def write(self) -> None:
        """Take the events to their end, or to the first that comes after `stop`."""
        try:
            with closing(self._events):
                for event in self._events:
                    self._note(event)
                    if self._stops:
                        break
        except LegajoError as error:
            self.live.failure = error
        except BaseException as error:  # noqa: BLE001  (raised again where it is watched)
            self._error = error
        finally:
            with self._grew:
                self._is_over = True
                self._grew.notify_all()

    def _note(self, event: Event | Files) -> None:
        with self._grew:
            self.live.take(event)
            self._length += 1
            self._grew.notify_all()

    def stop(self) -> None:
        """Keep what there is: a generator cannot be closed while it waits for its next event in another thread."""
        self._stops = True

    def watch(self, *, beat_s: float) -> Iterator[bool]:
        """Until the answer is over, or stopped: at each change, and whenever `beat_s` seconds passed without one.

        Whether it grew. What ended it and is none of our errors is raised here.
        """
        seen, over = 0, False
        while not over:
            with self._grew:
                self._grew.wait_for(lambda: self._is_over or self._length != seen, timeout=beat_s)  # noqa: B023
                self.live.is_held = self._is_held()
                grew, seen, over = self._length != seen, self._length, self._is_over or self._stops
            yield grew
        if self._error is not None:
            raise self._error


_written: dict[str, Writing] = {}  # by conversation, of every session


def begin(conversation_id: str, events: Generator[Event | Files], *, is_held: Callable[[], bool]) -> Writing:
    """Write an answer into a conversation, whoever watches. `is_held` tells whether it waits for the database."""
    writing = Writing(events, is_held)
    _written[conversation_id] = writing

    def write() -> None:
        writing.write()
        if _written.get(conversation_id) is writing:
            del _written[conversation_id]

    begin_in_background(write)
    return writing


def under_way(conversation_id: str) -> Writing | None:
    """The answer that this program is writing into a conversation; for who may read that conversation."""
    writing = _written.get(conversation_id)
    return None if writing is None or writing._stops else writing


def is_writing() -> bool:
    """Whether this program is writing an answer, into any conversation."""
    return bool(_written)
