"""Files that are not documents yet, as a person sees them, with an honest estimate of when they will be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rag_system.storage.ingestions import Ingestion, Pace

__all__ = ["IngestionSummary", "with_remaining_time"]

LEAST_DONE = 8  # chunks that an attempt embedded before a rate is told from them


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestionSummary:
    """A file that is not a document yet."""

    ingestion_id: str
    path: str
    status: str  # "queued", "working", "ready" or "failed"
    stage: str  # of one that is worked on: "read", "chunk", "embed" or "publish"
    done: int  # chunks embedded
    total: int
    size_bytes: int
    error: str
    remaining_s: float | None  # until it is searchable; None when nothing is known


def with_remaining_time(rows: Sequence[Ingestion], known: Pace) -> list[IngestionSummary]:
    """Those ahead in the queue come first: an estimate counts their time too. Small files overtake large ones."""
    now, ahead = datetime.now(UTC), 0.0
    remaining: dict[str, float | None] = {}
    due = [row for row in rows if row.status in ("queued", "working")]
    for row in sorted(due, key=lambda row: (row.status == "queued", row.size_bytes.bit_length(), row.accepted_at)):
        own = _own_time(row, known, now)
        if own is None:
            break  # what comes after an unknown time is unknown
        ahead += own
        remaining[row.ingestion_id] = ahead
    return [_summary(row, remaining.get(row.ingestion_id)) for row in rows]


def _own_time(row: Ingestion, known: Pace, now: datetime) -> float | None:
    """Seconds of work left, from the chunks that were embedded, or from what files took lately."""
    embedded = row.done - row.reused
    if row.stage == "embed" and embedded >= LEAST_DONE and row.started_at is not None:
        return (now - row.started_at).total_seconds() / embedded * (row.total - row.done)
    return known.seconds_a_byte * row.size_bytes if known.seconds_a_byte else None


def _summary(row: Ingestion, remaining_s: float | None) -> IngestionSummary:
    return IngestionSummary(
        ingestion_id=row.ingestion_id,
        path=row.path,
        status=row.status,
        stage=row.stage,
        done=row.done,
        total=row.total,
        size_bytes=row.size_bytes,
        error=row.error,
        remaining_s=remaining_s,
    )
