"""What a model wrote of documents as wholes, kept for whoever asks for the same again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from psycopg import Connection

from rag_system.storage.sql import queries

__all__ = ["KEPT", "MOST_KEPT", "forget_results_of", "keep_result", "known_results", "recall_result"]

_SQL = queries("rag_system.storage.queries", "task_results.sql")

KEPT = timedelta(days=30)  # after it was last asked for
MOST_KEPT = 5_000  # of a project: about 10 MB


def recall_result(connection: Connection, project: str, key: str) -> str | None:
    """What was written for that key."""
    row = connection.execute(_SQL["recall"], {"project": project, "key": key}).fetchone()
    return str(row[0]) if row else None


def known_results(connection: Connection, project: str, keys: Sequence[str]) -> set[str]:
    """Those of the keys for which something is kept."""
    rows = connection.execute(_SQL["known"], {"project": project, "keys": list(keys)})
    return {key for (key,) in rows}


def keep_result(connection: Connection, project: str, key: str, content: str, *, documents: Sequence[str]) -> None:
    """Keep what was written; `documents` are the ids of those that it was written of. What is old goes."""
    row = {"project": project, "key": key, "content": content, "documents": list(documents)}
    connection.execute(_SQL["keep"], row)
    connection.execute(_SQL["forget"], {"project": project, "kept": KEPT, "most": MOST_KEPT})


def forget_results_of(connection: Connection, project: str, document_id: str) -> None:
    """Forget what was written of a document that is removed, or read anew."""
    connection.execute(_SQL["forget_document"], {"project": project, "document_id": document_id})
