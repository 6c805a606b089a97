"""Conversations: what was asked, what was answered, and what each answer cited.

A conversation is a tree (`assistant.branches`): to ask again or otherwise adds a version beside the former one, and one
branch is the current one. An answer is stored while it is written, so that a program that dies leaves what it had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from threading import Event
from typing import Any
from uuid import uuid4

from psycopg import Connection
from psycopg.rows import TupleRow, class_row
from psycopg_pool import PoolClosed

from assistant.branches import Parents, branch, newest_leaf, versions
from assistant.conversation_rows import GONE, PATIENCE, SQL, cited_row, conversation_key, read_turns, stored
from assistant.conversation_search import TITLE, ConversationHit, find, learn, unlearn
from assistant.passwords import digest, new_secret
from assistant.view import State, Turn
from rag_system.background import begin
from rag_system.errors import InputError, LegajoError, NotFoundError
from rag_system.query.markup import one_line, strip_invisible
from rag_system.query.titles import title_of
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from rag_system.types import Message

__all__ = ["KEPT", "SAVED", "ConversationSummary", "Conversations", "NewestMessage", "Place"]

_NO_MESSAGE = "Ese mensaje no está en la conversación, o no es de los que se pueden repetir."

SAVED = "conversaciones"  # the folder of those that were saved as documents
KEPT = timedelta(days=30)  # how long what was deleted can be restored
_BEAT_S = 1.0  # between two drafts of an answer
_WHOLE_CONVERSATION = 60  # messages that a task may look at; a question leans on the last few (`settings`)
_SHORTEST_BEGINNING = 4  # letters of an id


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSummary:
    """A line of the list of conversations."""

    conversation_id: str
    title: str  # the matter of the first question, or what a person called it
    updated_at: datetime
    deleted_at: datetime | None = None
    pinned: bool = False
    archived: bool = False  # listed apart, until something is asked in it
    folder: str = ""  # '': in none
    shared: bool = False  # a link shows it
    saved_as: str = ""  # path of the document that it was saved as


@dataclass(frozen=True, slots=True, kw_only=True)
class NewestMessage:
    """What tells whether a window still shows a conversation as it is."""

    ordinal: int
    state: State


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an answer will stand, with what it answers."""

    ordinal: int
    question: str
    history: tuple[Message, ...]  # of its branch, oldest first


class Conversations:
    """The stored conversations of a project.

    One that is not there, or was deleted, raises `NotFoundError` where something is to be written into it.
    """

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    # ------------------------------------------------------------ the list

    def create(self) -> str:
        """A new, empty conversation; it is listed from its first question on."""
        conversation = str(uuid4())

        def write(connection: Connection[TupleRow]) -> str:
            get_project(connection, self._project)
            connection.execute(SQL["create"], self._key(conversation))
            return conversation

        return self._database.again(write)

    def recent(
        self, *, limit: int | None, deleted: bool = False, archived: bool = False, filed: bool | None = None
    ) -> list[ConversationSummary]:
        """The pinned ones first, then the most recent; or those `archived`, or those `deleted` that can be restored.

        With `filed`, of them those that are in a folder, or those that are in none. A limit of None: all.
        """
        return self._summaries("list", limit=limit, deleted=deleted, archived=archived, filed=filed)

    def last(self) -> ConversationSummary | None:
        """The one that was written in last."""
        return next(iter(self._summaries("last")), None)

    def named(self, beginning: str, *, deleted: bool = False) -> ConversationSummary:
        """The one whose id begins so, in at least 4 letters; with `deleted` also one that can be restored."""
        beginning = beginning.strip().lower()
        if len(beginning) < _SHORTEST_BEGINNING:
            raise InputError(f"Escriba al menos {_SHORTEST_BEGINNING} letras del identificador de la conversación.")
        found = self._summaries("named", beginning=beginning.replace("\0", ""), deleted=deleted)
        if len(found) > 1:
            raise InputError(f"Hay {len(found)} conversaciones que comienzan con «{beginning}». Escriba más letras.")
        if not found:
            raise NotFoundError(
                f"No hay ninguna conversación «{beginning}». «legajo conversations list» muestra cuáles hay."
            )
        return found[0]

    def _summaries(self, query: str, **values: object) -> list[ConversationSummary]:
        with (
            self._database.connection() as connection,
            connection.cursor(row_factory=class_row(ConversationSummary)) as c,
        ):
            return c.execute(SQL[query], {"project": self._project, **values}).fetchall()

    def search(self, words: str, *, limit: int) -> list[ConversationHit]:
        """The latest conversations that have all the words, each with its sentence that has most of them."""
        with self._database.connection() as connection:
            return find(connection, self._project, words, limit=limit, patience=PATIENCE)

    # ------------------------------------------------------------ one of them

    def rename(self, conversation: str, title: str) -> None:
        """Give a conversation another title than it got by itself: of it the first 80 characters, on one line."""
        title = one_line(title)
        if not title:
            raise InputError("El nombre está vacío. Escriba cómo se llamará la conversación.")
        self._call(conversation, "rename", title=title)

    def call_otherwise(self, conversation: str, title: str, *, made: str) -> None:
        """Give a conversation another title than the one `made` of its question, unless a person has named it."""
        self._call(conversation, "call_otherwise", title=title, made=made)

    def _call(self, conversation: str, query: str, *, title: str, **values: str) -> None:
        key = self._key(conversation)
        with self._database.connection() as connection:
            if self._change(connection, query, key, title=title, **values):
                unlearn(connection, key, TITLE)
                learn(connection, key, TITLE, title)

    def pin(self, conversation: str, *, pinned: bool) -> None:
        """List a conversation before the others, or no longer."""
        with self._database.connection() as connection:
            self._change(connection, "pin", self._key(conversation), pinned=pinned)

    def archive(self, conversation: str, *, archived: bool) -> None:
        """List a conversation apart from the others, or among them again."""
        with self._database.connection() as connection:
            self._change(connection, "archive", self._key(conversation), archived=archived)

    def delete(self, conversation: str) -> None:
        """Take a conversation out of the list. It can be restored for 30 days, and is forgotten then."""
        with self._database.connection() as connection:
            connection.execute(SQL["forget_old"], {"project": self._project, "kept": KEPT})
            if self._change(connection, "delete", key := self._key(conversation)):
                write_down(connection, self._project, "conversation.delete", key["conversation"])

    def restore(self, conversation: str) -> None:
        """Bring a deleted conversation back. One that is not to be had any more raises `NotFoundError`."""
        with self._database.connection() as connection:
            if not self._change(connection, "restore", key := self._key(conversation), kept=KEPT):
                raise NotFoundError(GONE)
            write_down(connection, self._project, "conversation.restore", key["conversation"])

    def forget(self, conversation: str) -> None:
        """Remove a conversation for good, with its messages and citations."""
        with self._database.connection() as connection:
            if self._change(connection, "forget", key := self._key(conversation)):
                write_down(connection, self._project, "conversation.forget", key["conversation"])

    def mark_saved(self, conversation: str, path: str) -> None:
        """Remember the document that a conversation was saved as."""
        with self._database.connection() as connection:
            self._change(connection, "saved_as", self._key(conversation), path=path)

    def share(self, conversation: str) -> str:
        """The secret of a link that shows the current branch as it stands; a former link shows nothing from now on."""
        key, secret = self._key(conversation), new_secret()
        with self._database.connection() as connection:
            parents, _ = _tree(connection, key)
            said = branch(parents, _leaf(connection, key))
            if not said or not self._change(connection, "share", key, link=digest(secret), ordinals=said):
                raise NotFoundError(GONE)
            write_down(connection, self._project, "conversation.share", key["conversation"])
        return secret

    def unshare(self, conversation: str) -> None:
        """Revoke the link of a conversation."""
        with self._database.connection() as connection:
            if self._change(connection, "unshare", key := self._key(conversation)):
                write_down(connection, self._project, "conversation.unshare", key["conversation"])

    # ------------------------------------------------------------ what is said

    def record_question(self, conversation: str, question: str, *, instead_of: int | None = None) -> Place:
        """Store a question at the end of the current branch, and the place of its answer: empty, and being written.

        `instead_of` is the ordinal of a question that this one is another version of.
        """
        key, question = self._key(conversation), strip_invisible(question)
        last: list[int] = []  # message, at each attempt to write

        def write(connection: Connection[TupleRow]) -> Place:
            if not self._change(connection, "touch", key, title=title_of(question)):
                raise NotFoundError(GONE)
            parents, roles = _tree(connection, key)
            last.append(max(parents, default=-1))
            if (place := self._written(connection, key, question, parents, last)) is not None:
                return place
            before = _leaf(connection, key) if instead_of is None else _followed(parents, roles, instead_of, "user")
            asked = _append(connection, key, before, role="user", content=question, state="complete")
            learn(connection, key, asked, question)
            answer = _append(connection, key, asked, role="assistant", content="", state="writing")
            return self._place(connection, key, question, answer, branch(parents, before))

        return self._database.again(write)

    def record_retry(self, conversation: str, answer: int) -> Place:
        """The place of another answer to the question that the answer of that ordinal follows."""
        key = self._key(conversation)
        last: list[int] = []  # message, at each attempt to write

        def write(connection: Connection[TupleRow]) -> Place:
            if not self._change(connection, "touch", key, title=""):
                raise NotFoundError(GONE)
            parents, roles = _tree(connection, key)
            asked = _followed(parents, roles, answer, "assistant")
            said = connection.execute(SQL["said"], {**key, "ordinals": [asked], "limit": 1}).fetchone()
            if said is None:
                raise NotFoundError(_NO_MESSAGE)
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
        over, key = Event(), {**self._key(conversation), "ordinal": place.ordinal}
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
        key = {**self._key(conversation), "ordinal": place.ordinal}

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

    def newest(self, conversation: str) -> NewestMessage | None:
        """The last message of the current branch: cheap enough to be asked for every few seconds."""
        key = {**self._key(conversation), "patience": PATIENCE}
        with (
            self._database.connection() as connection,
            connection.cursor(row_factory=class_row(NewestMessage)) as cursor,
        ):
            return cursor.execute(SQL["newest"], key).fetchone()

    def turns(self, conversation: str) -> list[Turn]:
        """The current branch from its first message on; nothing of a conversation that is gone."""
        key = self._key(conversation)

        def read(connection: Connection[TupleRow]) -> tuple[Parents, list[Turn]]:
            parents, _ = _tree(connection, key)
            return parents, read_turns(connection, key, branch(parents, _leaf(connection, key)))

        parents, turns = self._database.again(read)
        return [replace(turn, versions=versions(parents, turn.ordinal)) for turn in turns if turn.ordinal is not None]

    def choose(self, conversation: str, ordinal: int) -> None:
        """Make the branch of a message the current one, down to the newest of what follows it."""
        key = self._key(conversation)
        with self._database.connection() as connection:
            parents, _ = _tree(connection, key)
            if ordinal not in parents:
                raise NotFoundError(_NO_MESSAGE)
            self._change(connection, "choose", key, leaf=newest_leaf(parents, ordinal))

    # ------------------------------------------------------------

    def _change(self, connection: Connection[TupleRow], query: str, key: dict[str, str], **values: object) -> bool:
        """Whether there was something to change."""
        return bool(connection.execute(SQL[query], {**key, **values}).rowcount)

    def _key(self, conversation: str) -> dict[str, str]:
        return conversation_key(self._project, conversation)


# ---------------------------------------------------------------- the tree


def _tree(connection: Connection[TupleRow], key: dict[str, str]) -> tuple[Parents, dict[int, str]]:
    rows = connection.execute(SQL["tree"], key).fetchall()
    return {ordinal: parent for ordinal, parent, _ in rows}, {ordinal: role for ordinal, _, role in rows}


def _leaf(connection: Connection[TupleRow], key: dict[str, str]) -> int | None:
    row = connection.execute(SQL["leaf"], key).fetchone()
    leaf: int | None = row[0] if row else None
    return leaf


def _followed(parents: Parents, roles: dict[int, str], ordinal: int, role: str) -> int | None:
    """What a message of that role follows."""
    if roles.get(ordinal) != role:
        raise NotFoundError(_NO_MESSAGE)
    return parents[ordinal]


def _append(connection: Connection[TupleRow], key: dict[str, str], parent: int | None, **values: str) -> int:
    """The ordinal of a new message, which the current branch ends with."""
    (ordinal,) = connection.execute(SQL["append"], {**key, "parent": parent, **values}).fetchone() or (0,)
    connection.execute(SQL["choose"], {**key, "leaf": ordinal})
    return int(ordinal)
