"""Search in what was said, with the analysis that documents and questions share: without accents, by stems.

Each message's terms are kept beside it (`conversation_terms`). What no program got to store them for, because it died
while it wrote or is of an older version, is analysed by the next search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from psycopg import Connection
from psycopg.rows import TupleRow, dict_row

from rag_system.errors import InputError
from rag_system.query.sentences import split_sentences
from rag_system.query.text import analyze_terms, query_terms
from rag_system.storage.sql import queries

__all__ = ["TITLE", "ConversationHit", "find", "learn", "unlearn"]

_SQL = queries("rag_system.storage.queries", "conversations.sql")
_LONGEST_TERM = 100  # letters: a row of an index holds some 2,700 bytes
_LONGEST_EXCERPT = 240  # letters
_AT_ONCE = 1_000  # messages that one search analyses; the next one goes on

TITLE = -1  # where a conversation's title stands among the ordinals of its messages


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationHit:
    """A conversation that was found, and where."""

    conversation_id: str
    title: str
    updated_at: datetime
    ordinal: int  # of the message; `TITLE` where only the title has the words
    role: str  # "user" or "assistant"; empty for the title
    excerpt: str  # the sentence of the message that has most of the words; empty for the title
    said_at: datetime


def learn(connection: Connection[TupleRow], key: Mapping[str, object], ordinal: int, text: str) -> None:
    """Keep the terms of a message; `key` names project and conversation."""
    message = {**key, "ordinal": ordinal}
    connection.execute(
        _SQL["learn"], {**message, "terms": sorted({term[:_LONGEST_TERM] for term in analyze_terms(text)})}
    )
    connection.execute(_SQL["indexed"], message)


def unlearn(connection: Connection[TupleRow], key: Mapping[str, object], ordinal: int) -> None:
    """Drop the terms of a message."""
    connection.execute(_SQL["unlearn"], {**key, "ordinal": ordinal})


def find(
    connection: Connection[TupleRow], project: str, words: str, *, limit: int, patience: timedelta
) -> list[ConversationHit]:
    """The latest conversations with all of the words, at most `limit`.

    An answer of which nothing was written for `patience` is whole as it is.
    """
    terms = [term[:_LONGEST_TERM] for term in query_terms(words)]
    if not terms:
        raise InputError("No hay nada que buscar. Escriba una o más palabras.")
    rest = {"project": project, "patience": patience, "limit": _AT_ONCE}
    for conversation, ordinal, content in connection.execute(_SQL["to_index"], rest).fetchall():
        learn(connection, {"project": project, "conversation": conversation}, ordinal, content)
    wanted = {"project": project, "terms": terms, "count": len(terms), "limit": limit}
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(_SQL["search"], wanted).fetchall()
    return [ConversationHit(excerpt=_sentence(row.pop("content"), frozenset(terms)), **row) for row in rows]


def _sentence(text: str, terms: frozenset[str]) -> str:
    """Of the sentences that have most of the terms the first one, shortened around them to what a line holds."""
    sentences = [" ".join(each.text.split()) for each in split_sentences(text)]
    best = max(sentences, key=lambda each: len(terms.intersection(analyze_terms(each))), default="")
    return best if len(best) <= _LONGEST_EXCERPT else f"{best[: _LONGEST_EXCERPT - 1]}…"
