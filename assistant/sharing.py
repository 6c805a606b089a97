"""A conversation as a link shows it: to be read by whoever has it, and by the database's own rules nothing else.

Of the link's secret only the SHA-256 is stored. It shows the branch as it stood when it was shared, without what is
known of the search: that names documents which were not cited.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from psycopg.rows import dict_row

from assistant.conversation_rows import SQL, read_turns
from assistant.view import Turn
from rag_system.errors import NotFoundError
from rag_system.generation.provider_redaction import without_provider
from rag_system.storage.connection import Database
from rag_system.types import Funnel, Usage

__all__ = ["SharedConversation", "new_secret", "read_shared", "stored_secret"]

_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedConversation:
    """What a link shows."""

    title: str
    turns: Sequence[Turn]


def new_secret() -> str:
    """What a link ends with: 43 letters and signs."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def stored_secret(secret: str) -> str:
    """What is kept of it."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def read_shared(database: Database, secret: str) -> SharedConversation:
    """The conversation of a link. One that was never given out, or was revoked, raises `NotFoundError`."""
    link = stored_secret(secret)
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
