"""What is said in a conversation is written here: the question, the place of its answer, its drafts, and the answer.

An answer is stored while it is written, so that a program that dies leaves what it had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import Any

from psycopg import Connection
from psycopg.rows import TupleRow
from psycopg_pool import PoolClosed

from assistant.branches import Parents, branch
from assistant.conversation_rows import (
    GONE,
    NO_MESSAGE,
    SQL,
    cited_row,
    conversation_key,
    read_leaf,
    read_tree,
    stored,
)
from assistant.conversation_search import learn
from assistant.view import Turn
from rag_system.background import begin
from rag_system.errors import LegajoError, NotFoundError
from rag_system.query.markup import strip_invisible
from rag_system.query.titles import title_of
from rag_system.storage.connection import Database
from rag_system.types import Message

__all__ = ["Place", "TurnStore"]

_BEAT_S = 1.0  # between two drafts of an answer
_WHOLE_CONVERSATION = 60  # messages that a task may look at; a question leans on the last few (`settings`)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an answer will stand, with what it answers."""

    ordinal: int
    question: str
    history: tuple[Message, ...]  # of its branch, oldest first


class TurnStore:
    """The turns of a project's conversations. Writing into one that is not there raises `NotFoundError`."""

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def record_question(self, conversation: str, question: str, *, instead_of: int | None = None) -> Place:
        """Store a question at the end of the current branch, and the place of its answer: empty, and being written.

        `instead_of` is the ordinal of a question that this one is another version of.
        """
        key, question = conversation_key(self._project, conversation), strip_invisible(question)
        last: list[int] = []  # message, at each attempt to write

        def write(connection: Connection[TupleRow]) -> Place:
            _touch(connection, key, title=title_of(question))
            parents, roles = read_tree(connection, key)
            last.append(max(parents, default=-1))
            if (place := self._written(connection, key, question, parents, last)) is not None:
                return place
            before = read_leaf(connection, key) if instead_of is None else _followed(parents, roles, instead_of, "user")
            asked = _append(connection, key, before, role="user", content=question, state="complete")
            learn(connection, key, asked, question)
            answer = _append(connection, key, asked, role="assistant", content="", state="writing")
            return self._place(connection, key, question, answer, branch(parents, before))

        return self._database.again(write)

    def record_retry(self, conversation: str, answer: int) -> Place:
        """The place of another answer to the question that the answer of that ordinal follows."""
        key = conversation_key(self._project, conversation)
        last: list[int] = []  # message, at each attempt to write

        def write(connection: Connection[TupleRow]) -> Place:
            _touch(connection, key, title="")
            parents, roles = read_tree(connection, key)
            asked = _followed(parents, roles, answer, "assistant")
            said = connection.execute(SQL["said"], {**key, "ordinals": [asked], "limit": 1}).fetchone()
            if said is None:
                raise NotFoundError(NO_MESSAGE)
            last.append(max(parents))
            made = {**key, "after": last[0], "asked": asked}
            row = connection.execute(SQL["written_answer"], made).fetchone() if len(last) > 1 else None
            (place,) = row or (_append(connection, key, asked, role="assistant", content="", state="writing"),)
            return self._place(connection, key, said[1], place, branch(parents, asked)[:-1])

        return self._database.again(write)

    def _written(
        self, connection: Connection[TupleRow], key: dict[str, str], question: str, parents: Parents, last: list[int]
    ) -> Place | None:
        """The place that an earlier attempt has made, whose commit was done though its answer was lost."""
        if len(last) == 1:
            return None
        asked = {**key, "after": last[0], "question": question}
        row = connection.execute(SQL["written_question"], asked).fetchone()
        return self._place(connection, key, question, row[1], branch(parents, parents[row[0]])) if row else None

    def _place(
        self, connection: Connection[TupleRow], key: dict[str, str], question: str, answer: int, before: list[int]
    ) -> Place:
        said = {**key, "ordinals": before, "limit": _WHOLE_CONVERSATION}
        rows = connection.execute(SQL["said"], said).fetchall()
        return Place(
            ordinal=answer,
            question=question,
            history=tuple(
                Message(role, content, tuple((n, chunk_id) for n, chunk_id in cited))
                for role, content, cited in reversed(rows)
            ),
        )

    @contextmanager
    def drafted(self, conversation: str, place: Place, said: Callable[[], str]) -> Iterator[None]:
        """While this lasts, store every second what `said` tells of the answer."""
        over, key = Event(), {**conversation_key(self._project, conversation), "ordinal": place.ordinal}
        begin(partial(self._draft, key, said, over))
        try:
            yield
        finally:
            over.set()

    def _draft(self, key: dict[str, Any], said: Callable[[], str], over: Event) -> None:
        while not over.wait(_BEAT_S):
            # The next one may succeed, and the answer itself is stored when it is whole.
            with suppress(LegajoError, PoolClosed), self._database.connection() as connection:
                connection.execute(SQL["draft"], {**key, "content": said()})

    def record_answer(
        self, conversation: str, place: Place, answer: Turn, *, beside: Callable[[Connection[TupleRow]], None]
    ) -> None:
        """Store an answer in its place with what it cited; nothing when the conversation is gone.

        `beside` writes what else is known of the answer, in the same transaction.
        """
        key = {**conversation_key(self._project, conversation), "ordinal": place.ordinal}

        def write(connection: Connection[TupleRow]) -> None:
            beside(connection)
            if not connection.execute(SQL["written"], key).rowcount:
                return
            connection.execute(SQL["fill"], {**key, **stored(answer)})
            rows = [
                cited_row(cited) | {**key, "source": cited.project or self._project, "position": at}
                for at, cited in enumerate(answer.citations)
            ]
            with connection.cursor() as cursor:
                cursor.executemany(SQL["cite"], rows)
            learn(connection, key, place.ordinal, answer.content)

        self._database.again(write)


def _touch(connection: Connection[TupleRow], key: dict[str, str], *, title: str) -> None:
    """Write in a conversation, which is called so where it has no title yet."""
    if not connection.execute(SQL["touch"], {**key, "title": title}).rowcount:
        raise NotFoundError(GONE)


def _followed(parents: Parents, roles: dict[int, str], ordinal: int, role: str) -> int | None:
    """What a message of that role follows."""
    if roles.get(ordinal) != role:
        raise NotFoundError(NO_MESSAGE)
    return parents[ordinal]


def _append(connection: Connection[TupleRow], key: dict[str, str], parent: int | None, **values: str) -> int:
    """The ordinal of a new message, which the current branch ends with."""
    (ordinal,) = connection.execute(SQL["append"], {**key, "parent": parent, **values}).fetchone() or (0,)
    connection.execute(SQL["choose"], {**key, "leaf": ordinal})
    return int(ordinal)
