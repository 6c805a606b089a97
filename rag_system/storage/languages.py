"""The sum of a project's vectors in each language, kept with every document that comes and goes.

Half-precision elements are multiples of 2⁻²⁴ below 1, so their sums in double precision are exact: what is subtracted
leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from psycopg import Connection

from rag_system.storage.sql import queries

__all__ = ["count_vectors", "uncount_vectors"]

Vector = Sequence[float] | NDArray[np.float16]
Total = NDArray[np.float64]

_ROWS_READ = 1_000  # at once

_SQL = queries("rag_system.storage.queries", "languages.sql")


def count_vectors(connection: Connection, project: str, language: str, vectors: Sequence[Vector]) -> None:
    """Add vectors to the sum of their language."""
    _add(connection, project, language, _total(vectors), count=len(vectors))


def uncount_vectors(connection: Connection, project: str, document_id: str) -> None:
    """Take a document's vectors out of the sum, before it is deleted. A copy has none of its own."""
    key, language, total, count = {"project": project, "document_id": document_id}, "", None, 0
    with connection.cursor(name="vectors", binary=True) as cursor:
        cursor.itersize = _ROWS_READ
        for language, embedding in cursor.execute(_SQL["vectors_of"], key):  # noqa: B007  (all of one language)
            vector = embedding.to_numpy().astype(np.float64)
            total = vector if total is None else total + vector
            count += 1
    if total is not None:
        _add(connection, project, language, -total, count=-count)
        connection.execute(_SQL["forget_empty"], {"project": project})


def _total(vectors: Sequence[Vector]) -> Total:
    total: Total = np.asarray(vectors, np.float16).sum(axis=0, dtype=np.float64)
    return total


def _add(connection: Connection, project: str, language: str, total: Total, *, count: int) -> None:
    change = {"language": language, "vectors": count, "total": total.tolist()}
    connection.execute(_SQL["add"], {"project": project, **change}, binary=True)
