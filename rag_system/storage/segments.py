"""Segments of postings: a publication writes one, merging keeps them few. Their format is in `storage.postings`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from psycopg import Connection

from rag_system.batches import batches
from rag_system.storage.postings import Posting, merge
from rag_system.storage.projects import lock_project
from rag_system.storage.sql import queries, rows_of

__all__ = ["Segment", "add_segment", "count_segments", "list_segments", "merge_segments", "remember_removed"]

_SQL = queries("rag_system.storage.queries", "segments.sql")

# A segment is left alone when it has more than so many times the chunks of all later ones together: then there are at
# most log₅(N) segments after a merge, and a posting is rewritten about 4 · log₅(N) times in the life of a project. One
# that has lost half of its chunks is written anew, at the cost of what it has left: a search reads what was removed.
DOMINANCE = 4
ROWS_READ, BYTES_WRITTEN = 64, 1 << 20  # at once while merging: of a common term, a row may be a megabyte


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The postings that one publication wrote, or one merge of several."""

    segment: int
    first_chunk_id: int
    stop_chunk_id: int
    chunks: int  # when it was written
    live: int  # those that were not removed since
    has_removed: bool

    def dwarfs(self, later: Sequence[Segment]) -> bool:
        """Whether it is left alone: most of it is still there, and it is far bigger than all later ones together."""
        return 2 * self.live >= self.chunks and self.live > DOMINANCE * sum(each.live for each in later)


def add_segment(connection: Connection, project: str, segment: int, postings: Sequence[Posting]) -> None:
    """Write the postings of a new segment, whose ids follow those of all others."""
    if postings:
        _write(connection, project, segment, postings)
        span = range(min(p.first_id for p in postings), max(p.stop_id for p in postings))
        _register(connection, project, segment, span, chunks=len(span))


def remember_removed(connection: Connection, project: str, chunk_ids: range) -> None:
    """Keep the ids of a document that is gone until the merge that drops its postings."""
    key = {"project": project, "first": chunk_ids.start, "stop": chunk_ids.stop}
    connection.execute(_SQL["remember_removed"], key)


def count_segments(connection: Connection, project: str) -> int:
    """How many segments a search reads."""
    row = connection.execute(_SQL["count"], {"project": project}).fetchone()
    return int(row[0]) if row else 0


def list_segments(connection: Connection, project: str) -> list[Segment]:
    """The segments from the oldest to the newest."""
    return rows_of(connection, Segment, _SQL["list"], {"project": project})


def merge_segments(connection: Connection, project: str, *, more_than: int) -> bool:
    """When there are more than `more_than` segments, or half of their chunks are gone, merge the newest.

    The postings of removed chunks are dropped; old segments that dwarf the rest stay as they are. All in the caller's
    transaction, with a few postings in memory.
    """
    if count_segments(connection, project) <= more_than and not _mostly_removed(connection, project):
        return False
    lock_project(connection, project)
    newest = _not_dominant(list_segments(connection, project))
    if not newest or (len(newest) == 1 and not newest[0].has_removed):
        return False
    _merge(connection, project, newest)
    return True


def _mostly_removed(connection: Connection, project: str) -> bool:
    written, removed = connection.execute(_SQL["chunks"], {"project": project}).fetchone() or (0, 0)
    return bool(2 * removed > written)


def _not_dominant(segments: Sequence[Segment]) -> Sequence[Segment]:
    """The oldest segment that does not dwarf those after it, and all of them."""
    for at, segment in enumerate(segments):
        if not segment.dwarfs(segments[at + 1 :]):
            return segments[at:]
    return segments[-1:]


def _merge(connection: Connection, project: str, newest: Sequence[Segment]) -> None:
    """Put one segment in the place of the newest ones. The cursor goes on reading the rows that are deleted.

    It has begun before: of rows on another server it sees those that are there when it first reads (`postgres_fdw`).
    """
    into, span = newest[0].segment, range(newest[0].first_chunk_id, newest[-1].stop_chunk_id)
    key = {"project": project, "segment": into, "first": span.start}
    removed = [range(*row) for row in connection.execute(_SQL["removed"], key)]
    with connection.cursor(name="postings", binary=True) as cursor:
        cursor.itersize = ROWS_READ
        begun = cursor.execute(_SQL["read_postings"], key).fetchmany(ROWS_READ)
        for query in ("delete_postings", "delete", "forget_removed"):
            connection.execute(_SQL[query], key)
        merged = merge((Posting(*row) for row in chain(begun, cursor)), removed=removed)
        written = 0
        for batch in batches(merged, lambda each: len(each.chunk_ids) + len(each.weights), least=BYTES_WRITTEN):
            _write(connection, project, into, batch)
            written += len(batch)
    if written:
        _register(connection, project, into, span, chunks=sum(segment.live for segment in newest))


def _write(connection: Connection, project: str, segment: int, postings: Sequence[Posting]) -> None:
    columns = {
        "terms": [each.term for each in postings],
        "chunk_ids": [each.chunk_ids for each in postings],
        "weights": [each.weights for each in postings],
        "frequencies": [each.document_frequency for each in postings],
    }
    connection.execute(_SQL["add_postings"], {"project": project, "segment": segment, **columns}, binary=True)


def _register(connection: Connection, project: str, segment: int, span: range, *, chunks: int) -> None:
    key = {"project": project, "segment": segment, "first": span.start, "stop": span.stop, "chunks": chunks}
    connection.execute(_SQL["add"], key)
