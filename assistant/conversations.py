"""Conversations: what was asked, what was answered, and what each answer cited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID, uuid4

from psycopg import Connection
from psycopg.rows import TupleRow, class_row, dict_row
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from assistant.view import ShownCitation, Turn
from rag_system.errors import InputError, NotFoundError
from rag_system.query.markup import strip_invisible
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from rag_system.storage.sql import queries
from rag_system.types import Funnel, Message, Usage

__all__ = ["ConversationSummary", "Conversations"]

_SQL = queries("rag_system.storage.queries", "conversations.sql")
_GONE = "Esa conversación no existe o ya no está. Abra una de la lista o empiece otra."
_PLAIN = ("content", "provider", "model", "abstained", "incomplete", "error")  # columns that hold what a turn holds


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationSummary:
    """A line of the list of conversations."""

    conversation_id: str
    title: str  # the first question, shortened, or what a person called it
    updated_at: datetime


class Conversations:
    """The stored conversations of a project.

    One that is not there, or no longer, raises `NotFoundError` where something is to be written into it.
    """

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def create(self) -> str:
        """A new, empty conversation; it is listed from its first question on."""
        conversation = str(uuid4())
        with self._database.connection() as connection:
            get_project(connection, self._project)
            connection.execute(_SQL["create"], self._key(conversation))
        return conversation

    def recent(self, *, limit: int) -> list[ConversationSummary]:
        """The most recent first."""
        with (
            self._database.connection() as connection,
            connection.cursor(row_factory=class_row(ConversationSummary)) as c,
        ):
            return c.execute(_SQL["list"], {"project": self._project, "limit": limit}).fetchall()

    def rename(self, conversation: str, title: str) -> None:
        """Give a conversation another title than its first question: of it the first 80 characters, on one line."""
        title = " ".join(strip_invisible(title).split())
        if not title:
            raise InputError("El nombre está vacío. Escriba cómo se llamará la conversación.")
        with self._database.connection() as connection:
            connection.execute(_SQL["rename"], {**self._key(conversation), "title": title})

    def delete(self, conversation: str) -> None:
        """Forget a conversation with its messages and citations."""
        with self._database.connection() as connection:
            if connection.execute(_SQL["delete"], self._key(conversation)).rowcount:
                write_down(connection, self._project, "conversation.delete", conversation)

    def history(self, conversation: str, *, limit: int) -> tuple[Message, ...]:
        """The last `limit` messages, oldest first."""
        with self._database.connection() as connection:
            rows = connection.execute(_SQL["recent"], {**self._key(conversation), "limit": limit}).fetchall()
        return tuple(Message(role=role, content=content) for role, content in reversed(rows))

    def record_question(self, conversation: str, question: str) -> int:
        """Store a question and, empty and incomplete, the place of its answer, which is returned.

        So an answer stands below its question, whenever it comes.
        """
        key, question = self._key(conversation), strip_invisible(question)
        with self._database.connection() as connection:
            if not connection.execute(_SQL["touch"], {**key, "title": question}).rowcount:
                raise NotFoundError(_GONE)
            connection.execute(_SQL["append"], {**key, "role": "user", "content": question, "incomplete": False})
            answer = {**key, "role": "assistant", "content": "", "incomplete": True}
            (place,) = connection.execute(_SQL["append"], answer).fetchone() or (0,)
        return int(place)

    def record_answer(
        self,
        conversation: str,
        place: int,
        answer: Turn,
        *,
        beside: Callable[[Connection[TupleRow]], None] | None = None,
    ) -> None:
        """Store an answer in its place with what it cited; nothing when the conversation is gone.

        `beside` writes what stands or falls with it.
        """
        key = {**self._key(conversation), "ordinal": place}
        with self._database.connection() as connection:
            connection.execute(_SQL["touch"], {**key, "title": ""})
            if beside is not None:
                beside(connection)
            if not connection.execute(_SQL["fill"], {**key, **_stored(answer)}).rowcount:
                return
            rows = [{**key, **asdict(cited), "position": at} for at, cited in enumerate(answer.citations)]
            with connection.cursor() as cursor:
                cursor.executemany(_SQL["cite"], rows)

    def turns(self, conversation: str) -> list[Turn]:
        """Every message, oldest first."""
        key = self._key(conversation)
        citations: dict[int, list[ShownCitation]] = defaultdict(list)
        with self._database.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
            for row in cursor.execute(_SQL["citations"], key):
                citations[row.pop("ordinal")].append(ShownCitation(**row))
            messages = cursor.execute(_SQL["messages"], key).fetchall()
        return [_turn(row, citations[row["ordinal"]]) for row in messages]

    def _key(self, conversation: str) -> dict[str, str]:
        try:
            return {"project": self._project, "conversation": str(UUID(conversation))}
        except ValueError:
            raise NotFoundError(_GONE) from None


def _turn(row: dict[str, Any], citations: Iterable[ShownCitation]) -> Turn:
    row["funnel"] = _funnels().validate_python(row["funnel"])
    row["usage"] = Usage(**row["usage"])
    for several in ("unsupported", "notices"):
        row[several] = tuple(row[several])
    return Turn(citations=tuple(citations), **row)


@cache
def _funnels() -> TypeAdapter[Funnel]:
    """Reads what `asdict` made of a funnel, also of one that had fewer fields."""
    return TypeAdapter(Funnel)


def _stored(answer: Turn) -> dict[str, object]:
    return {
        **{name: getattr(answer, name) for name in _PLAIN},
        "metrics": Jsonb(dict(answer.metrics)),
        "funnel": Jsonb(asdict(answer.funnel)),
        "unsupported": list(answer.unsupported),
        "notices": list(answer.notices),
        "usage": Jsonb(answer.usage.reported),
    }
