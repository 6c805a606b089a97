"""What chunks mention: written with their document, counted over the project, and taken out with the document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from psycopg import Connection

from rag_system.storage.sql import copy_rows, queries

__all__ = ["add_entities", "uncount_entities"]

_SQL = queries("rag_system.storage.queries", "entities.sql")

_ENTITY_TYPES = ("text", "text", "uuid", "int4[]")
_CHUNK_TYPES = ("text", "int4", "text[]")


def add_entities(
    connection: Connection, project: str, document_id: UUID, *, first: int, entities: Sequence[Sequence[str]]
) -> None:
    """Write what a document's chunks mention, `entities[i]` belonging to chunk `first + i`, and count it."""
    chunks: dict[str, list[int]] = defaultdict(list)
    for chunk_id, named in enumerate(entities, first):
        for entity in named:
            chunks[entity].append(chunk_id)
    by_entity = ((project, entity, document_id, ids) for entity, ids in chunks.items())
    copy_rows(connection, _SQL["copy_entity_chunks"], _ENTITY_TYPES, by_entity)
    by_chunk = ((project, chunk_id, list(named)) for chunk_id, named in enumerate(entities, first) if named)
    copy_rows(connection, _SQL["copy_chunk_entities"], _CHUNK_TYPES, by_chunk)
    connection.execute(_SQL["count"], {"project": project, "document_id": document_id})


def uncount_entities(connection: Connection, project: str, document_id: str) -> None:
    """Take a document's mentions out of the counts, before it is deleted; its rows leave with it."""
    connection.execute(_SQL["uncount"], {"project": project, "document_id": document_id})
