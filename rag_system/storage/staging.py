"""Chunks and vectors of a file that is not published yet, in batches, each committed: a crash costs one batch.

Nothing here is seen by a search. `storage.publishing` moves it, and cancelling an ingestion drops it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pgvector import HalfVector
from psycopg import Connection

from rag_system.storage.ingestions import Lease
from rag_system.storage.sql import insert_rows, queries, rows_of
from rag_system.storage.states import read_state, stored_state
from rag_system.types import ChunkDraft

__all__ = [
    "StagedText",
    "clear_staged",
    "count_staged",
    "next_without_vector",
    "reuse_vectors",
    "stage_chunks",
    "stage_copy",
    "stage_vectors",
    "staged_batches",
]

_SQL = queries("rag_system.storage.queries", "staging.sql")

BATCH = 2_048  # chunks read at once while publishing


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedText:
    """What a staged chunk needs to be embedded."""

    ordinal: int
    heading_path: Sequence[str]
    text: str
    content_hash: str


def clear_staged(connection: Connection, lease: Lease) -> None:
    """Drop what an earlier attempt left half written, or what is published."""
    connection.execute(_SQL["clear"], lease.key)


def stage_chunks(connection: Connection, lease: Lease, drafts: Iterable[ChunkDraft]) -> int:
    """Write chunks as they come, in constant memory; returns how many."""
    count, ingestion_id = 0, UUID(lease.ingestion_id)

    def rows() -> Iterator[tuple[object, ...]]:
        nonlocal count
        for d in drafts:
            count += 1
            pages = (d.page_first, d.page_last, list(d.page_starts) or None)
            place = (lease.project, ingestion_id, d.ordinal)
            yield *place, list(d.heading_path), *pages, d.text, d.tokens, d.content_hash, stored_state(d.state)

    insert_rows(connection, _SQL["add_chunk"], rows())
    return count


def stage_copy(connection: Connection, lease: Lease, source: str, chunk_ids: range) -> None:
    """Write the chunks and vectors of a document of another project, whose ids these are."""
    place = {"source": source, "first": chunk_ids.start, "stop": chunk_ids.stop}
    connection.execute(_SQL["copy"], {**lease.key, **place})


def stage_vectors(connection: Connection, lease: Lease, vectors: Iterable[tuple[int, list[float]]]) -> None:
    """Write vectors by the ordinal of their chunk."""
    place = (lease.project, UUID(lease.ingestion_id))
    rows = ((*place, ordinal, HalfVector(vector)) for ordinal, vector in vectors)
    insert_rows(connection, _SQL["add_vector"], rows)


def reuse_vectors(connection: Connection, lease: Lease) -> int:
    """Take the vectors of content that the project already holds; returns how many."""
    return connection.execute(_SQL["reuse_vectors"], lease.key).rowcount


def count_staged(connection: Connection, lease: Lease) -> tuple[int, int]:
    """Chunks, and those of them that have their vector."""
    chunks, vectors = connection.execute(_SQL["count"], lease.key).fetchone() or (0, 0)
    return chunks, vectors


def next_without_vector(connection: Connection, lease: Lease, *, after: int, limit: int) -> list[StagedText]:
    """At most `limit` chunks to embed whose ordinal is above `after`, in order."""
    return rows_of(connection, StagedText, _SQL["without_vector"], {**lease.key, "after": after, "limit": limit})


def staged_batches(connection: Connection, lease: Lease) -> Iterator[tuple[list[ChunkDraft], list[HalfVector]]]:
    """The chunks with their vectors, in order, a few thousand at a time."""
    first = 0
    while True:
        place = {**lease.key, "from": first, "to": first + BATCH}
        drafts = [_draft(*row) for row in connection.execute(_SQL["chunks"], place)]
        if not drafts:
            return
        vectors = [vector for (vector,) in connection.execute(_SQL["vectors"], place, binary=True)]
        yield drafts, vectors
        first += len(drafts)


def _draft(
    ordinal: int,
    path: list[str],
    first: int | None,
    last: int | None,
    starts: list[int] | None,
    text: str,
    tokens: int,
    content_hash: str,
    state: Mapping[str, Any] | None,
) -> ChunkDraft:
    return ChunkDraft(
        ordinal=ordinal,
        heading_path=tuple(path),
        text=text,
        page_first=first,
        page_last=last,
        tokens=tokens,
        content_hash=content_hash,
        page_starts=tuple(starts or ()),
        state=read_state(state),
    )
