"""A conversation as a link shows it: to be read by whoever has it, and by the database's own rules nothing else.

Of the link's secret only the SHA-256 is stored. It shows the branch as it stood when it was shared, without what is
known of the search: that names documents which were not cited.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from psycopg.rows import dict_row

from assistant.conversation_rows import SQL, read_turns
from assistant.passwords import digest
from assistant.view import Turn
from rag_system.errors import NotFoundError
from rag_system.generation.provider_redaction import without_provider
from rag_system.storage.connection import Database
from rag_system.types import Funnel, Usage

__all__ = ["SharedConversation", "read_shared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedConversation:
    """What a link shows."""

    title: str
    turns: Sequence[Turn]


def read_shared(database: Database, secret: str) -> SharedConversation:
    """The conversation of a link. One that was never given out, or was revoked, raises `NotFoundError`."""
    link = digest(secret)
    with (
        database.as_reader_of(link).connection() as connection,
        connection.cursor(row_factory=dict_row) as cursor,
    ):
        found = cursor.execute(SQL["by_link"], {"link": link}).fetchone()
        if found is None:
            raise NotFoundError("Ese enlace no muestra ninguna conversación, o ya no. Pida otro a quien la compartió.")
        title, ordinals = found.pop("title"), found.pop("ordinals")
        turns = read_turns(connection, found, ordinals)
    return SharedConversation(title=title, turns=tuple(map(_shown, turns)))


def _shown(turn: Turn) -> Turn:
    return replace(without_provider(turn, words="content"), funnel=Funnel(), metrics={}, usage=Usage())
