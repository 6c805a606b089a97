"""Messages with what they cite, as rows of the database: an answer is read back as it was shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import TupleRow, dict_row
from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from assistant.branches import Parents
from assistant.view import ShownCitation, Turn
from rag_system.errors import NotFoundError
from rag_system.storage.sql import queries
from rag_system.storage.states import read_state, stored_state
from rag_system.types import Funnel, Usage

__all__ = [
    "GONE",
    "NO_MESSAGE",
    "PATIENCE",
    "SQL",
    "cited_row",
    "conversation_key",
    "read_leaf",
    "read_tree",
    "read_turns",
    "stored",
]

SQL = queries("rag_system.storage.queries", "conversations.sql")
GONE = "Esa conversación no existe o ya no está. Abra una de la lista o empiece otra."
NO_MESSAGE = "Ese mensaje no está en la conversación, o no es de los que se pueden repetir."
PATIENCE = timedelta(seconds=10)  # without a draft of an answer: nobody writes it any more
_PLAIN = ("content", "provider", "model", "abstained", "incomplete", "error", "state")  # columns with what a turn holds


def conversation_key(project: str, conversation: str) -> dict[str, str]:
    """A conversation, as queries name it. What is no id raises `NotFoundError`, as one that is not there."""
    try:
        return {"project": project, "conversation": str(UUID(conversation))}
    except ValueError:
        raise NotFoundError(GONE) from None


def read_tree(connection: Connection[TupleRow], key: Mapping[str, str]) -> tuple[Parents, dict[int, str]]:
    """The parent and the role of each message, by ordinal."""
    rows = connection.execute(SQL["tree"], key).fetchall()
    return {ordinal: parent for ordinal, parent, _ in rows}, {ordinal: role for ordinal, _, role in rows}


def read_leaf(connection: Connection[TupleRow], key: Mapping[str, str]) -> int | None:
    """The last message of the current branch."""
    row = connection.execute(SQL["leaf"], key).fetchone()
    leaf: int | None = row[0] if row else None
    return leaf


def read_turns(connection: Connection[TupleRow], key: Mapping[str, str], ordinals: Sequence[int]) -> list[Turn]:
    """Messages of a conversation, in order; `key` names it and its project."""
    wanted = {**key, "ordinals": list(ordinals), "patience": PATIENCE}
    citations: dict[int, list[ShownCitation]] = defaultdict(list)
    with connection.cursor(row_factory=dict_row) as cursor:
        for row in cursor.execute(SQL["citations"], wanted):
            state = read_state(row.pop("state"))
            citations[row.pop("ordinal")].append(ShownCitation(**row, state=state))
        return [_turn(row, citations[row["ordinal"]]) for row in cursor.execute(SQL["messages"], wanted)]


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


def cited_row(citation: ShownCitation) -> dict[str, object]:
    """A citation as the columns of its row."""
    return {**asdict(citation), "state": stored_state(citation.state)}


def stored(answer: Turn) -> dict[str, object]:
    """An answer as the columns of its message."""
    return {
        **{name: getattr(answer, name) for name in _PLAIN},
        "metrics": Jsonb(dict(answer.metrics)),
        "funnel": Jsonb(asdict(answer.funnel)),
        "unsupported": list(answer.unsupported),
        "notices": list(answer.notices),
        "usage": Jsonb(answer.usage.reported),
    }
