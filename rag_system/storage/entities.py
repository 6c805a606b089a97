"""What chunks mention: written with their document, counted over the project, and taken out with the document."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import Connection

from rag_system.storage.sql import insert_rows, queries

__all__ = ["add_chunk_entities", "count_entities", "move_entities", "uncount_entities"]

_SQL = queries("rag_system.storage.queries", "entities.sql")


def add_chunk_entities(connection: Connection, project: str, *, first: int, entities: Sequence[Sequence[str]]) -> None:
    """Write what chunks mention, `entities[i]` belonging to chunk `first + i`."""
    rows = ((project, chunk_id, list(named)) for chunk_id, named in enumerate(entities, first) if named)
    insert_rows(connection, _SQL["add_chunk"], rows)


def count_entities(connection: Connection, project: str, document_id: str) -> None:
    """Gather and count what the chunks of a document mention, when all of them are written."""
    for query in ("gather", "count"):
        connection.execute(_SQL[query], {"project": project, "document_id": document_id})


def move_entities(connection: Connection, project: str, document_id: str, heir: str) -> None:
    """Leave a document's mentions to the one that takes its chunks."""
    connection.execute(_SQL["move"], {"project": project, "document_id": document_id, "heir": heir})


def uncount_entities(connection: Connection, project: str, document_id: str) -> None:
    """Take a document's mentions out of the counts, before it is deleted; its rows leave with it."""
    connection.execute(_SQL["uncount"], {"project": project, "document_id": document_id})
