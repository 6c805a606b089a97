"""Segments of postings: a publication writes one, merging keeps them few. Their format is in `storage.postings`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from psycopg import Connection

from rag_system.storage.postings import Posting, merge
from rag_system.storage.projects import get_project, lock_project
from rag_system.storage.sql import copy_rows, queries

__all__ = ["add_segment", "merge_segments", "remember_removed"]

_SQL = queries("rag_system.storage.queries", "segments.sql")
_PROJECTS = queries("rag_system.storage.queries", "projects.sql")

_POSTING_TYPES = ("text", "text", "int4", "bytea", "bytea")


def add_segment(connection: Connection, project: str, segment: int, postings: Iterable[Posting]) -> None:
    """Write the postings of a new segment."""
    rows = ((project, p.term, segment, p.chunk_ids, p.weights) for p in postings)
    copy_rows(connection, _SQL["copy_postings"], _POSTING_TYPES, rows)


def remember_removed(connection: Connection, project: str, chunk_ids: range) -> None:
    """Keep the ids of chunks that are gone until the merge that drops their postings."""
    key = {"project": project, "first": chunk_ids.start, "stop": chunk_ids.stop}
    connection.execute(_SQL["remember_removed"], key)


def merge_segments(connection: Connection, project: str, *, more_than: int) -> bool:
    """Merge the postings into one segment when there are more than `more_than`, without those of removed chunks."""
    if get_project(connection, project).next_segment <= more_than:
        return False
    lock_project(connection, project)
    key = {"project": project}
    live = [row[0] for row in connection.execute(_SQL["live_chunk_ids"], key)]
    with connection.cursor(name="postings", binary=True) as cursor:
        rows = cursor.execute(_SQL["read_postings"], key)
        merged = list(merge((Posting(*row) for row in rows), live=np.asarray(live, np.int32)))
    connection.execute(_SQL["delete_postings"], key)
    add_segment(connection, project, 0, merged)
    connection.execute(_SQL["forget_removed"], key)
    connection.execute(_PROJECTS["reset_segments"], key)
    return True
