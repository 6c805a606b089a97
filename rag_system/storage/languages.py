"""The sum of a project's vectors in each language, kept with every document that comes and goes.

Half-precision elements are multiples of 2⁻²⁴ below 1, so their sums in double precision are exact: what is subtracted
leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from psycopg import Connection

from rag_system.storage.sql import queries

__all__ = ["count_vectors", "uncount_vectors"]

_SQL = queries("rag_system.storage.queries", "languages.sql")


def count_vectors(connection: Connection, project: str, language: str, vectors: Sequence[Sequence[float]]) -> None:
    """Add a document's vectors to the sum of its language."""
    _add(connection, project, language, vectors, sign=1)


def uncount_vectors(connection: Connection, project: str, document_id: str) -> None:
    """Take a document's vectors out of the sum, before it is deleted."""
    rows = connection.execute(
        _SQL["vectors_of"], {"project": project, "document_id": document_id}, binary=True
    ).fetchall()
    if rows:
        _add(connection, project, rows[0][0], [embedding.to_list() for _, embedding in rows], sign=-1)
        connection.execute(_SQL["forget_empty"], {"project": project})


def _add(connection: Connection, project: str, language: str, vectors: Sequence[Sequence[float]], *, sign: int) -> None:
    total = sign * np.asarray(vectors, np.float16).sum(axis=0, dtype=np.float64)
    change = {"language": language, "vectors": sign * len(vectors), "total": total.tolist()}
    connection.execute(_SQL["add"], {"project": project, **change}, binary=True)
