"""Conversations: what was asked, what was answered, and what each answer cited.

A conversation is a tree (`assistant.branches`): to ask again or otherwise adds a version beside the former one, and one
branch is the current one. `assistant.turn_store` writes what is said.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from psycopg import Connection
from psycopg.rows import TupleRow

from assistant.branches import Parents, branch, newest_leaf, versions
from assistant.conversation_rows import (
    GONE,
    NO_MESSAGE,
    PATIENCE,
    SQL,
    conversation_key,
    read_leaf,
    read_tree,
    read_turns,
)
from assistant.conversation_search import TITLE, ConversationHit, find, learn, unlearn
from assistant.passwords import digest, new_secret
from assistant.view import State, Turn
from rag_system.errors import InputError, NotFoundError
from rag_system.query.markup import one_line
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from rag_system.storage.sql import row_of, rows_of

__all__ = ["KEPT", "SAVED", "ConversationSummary", "Conversations", "NewestMessage"]

SAVED = "conversaciones"  # the folder of those that were saved as documents
KEPT = timedelta(days=30)  # how long what was deleted can be restored
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


class Conversations:
    """The stored conversations of a project.

    One that is not there, or was deleted, raises `NotFoundError` where something is to be written into it.
    """

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    # ------------------------------------------------------------ the list

    def create(self) -> str:
        """The id of a new, empty conversation; it is listed from its first question on."""
        conversation = str(uuid4())

        def write(connection: Connection[TupleRow]) -> str:
            get_project(connection, self._project)
            connection.execute(SQL["create"], self._key(conversation))
            return conversation

        return self._database.again(write)

    def recent(
        self, *, limit: int | None = 50, deleted: bool = False, archived: bool = False, filed: bool | None = None
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
        return self._database.run(rows_of, ConversationSummary, SQL[query], {"project": self._project, **values})

    def search(self, words: str, *, limit: int = 20) -> list[ConversationHit]:
        """The latest conversations that have all the words, each with its sentence that has most of them."""
        return self._database.run(find, self._project, words, limit=limit, patience=PATIENCE)

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
            parents, _ = read_tree(connection, key)
            said = branch(parents, read_leaf(connection, key))
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

    def newest(self, conversation: str) -> NewestMessage | None:
        """The last message of the current branch: cheap enough to be asked for every few seconds."""
        key = {**self._key(conversation), "patience": PATIENCE}
        return self._database.run(row_of, NewestMessage, SQL["newest"], key)

    def unredacted_turns(self, conversation: str) -> list[Turn]:
        """The current branch from its first message on, with who answered, also where the project hides that.

        Nothing of a conversation that is gone.
        """
        key = self._key(conversation)

        def read(connection: Connection[TupleRow]) -> tuple[Parents, list[Turn]]:
            parents, _ = read_tree(connection, key)
            return parents, read_turns(connection, key, branch(parents, read_leaf(connection, key)))

        parents, turns = self._database.again(read)
        return [replace(turn, versions=versions(parents, turn.ordinal)) for turn in turns if turn.ordinal is not None]

    def choose(self, conversation: str, ordinal: int) -> None:
        """Make the branch of a message the current one, down to the newest of what follows it."""
        key = self._key(conversation)
        with self._database.connection() as connection:
            parents, _ = read_tree(connection, key)
            if ordinal not in parents:
                raise NotFoundError(NO_MESSAGE)
            self._change(connection, "choose", key, leaf=newest_leaf(parents, ordinal))

    # ------------------------------------------------------------

    def _change(self, connection: Connection[TupleRow], query: str, key: dict[str, str], **values: object) -> bool:
        """Whether there was something to change."""
        return bool(connection.execute(SQL[query], {**key, **values}).rowcount)

    def _key(self, conversation: str) -> dict[str, str]:
        return conversation_key(self._project, conversation)
