"""Files that are not documents yet, as a person sees them, with an honest estimate of when they will be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from assistant.wording import reason
from rag_system.storage.ingestions import Ingestion, Pace

__all__ = ["IngestionSummary", "with_remaining_time"]

LEAST_DONE = 8  # chunks that an attempt embedded before a rate is told from them
PUBLISHING_S = 0.004  # a chunk: the approximate index takes in some hundreds of vectors a second; docs/benchmarks.md


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestionSummary:
    """A file that is not a document yet."""

    ingestion_id: str
    path: str
    status: str  # "queued", "working", "ready" or "failed"
    stage: str  # of one that is worked on: "read", "chunk", "embed", "publish", or "wait" while another is published
    done: int  # chunks embedded, or published
    total: int
    size_bytes: int
    error: str
    remaining_s: float | None  # until it is searchable; None when nothing is known
    retry_at: datetime | None = None  # of one that was tried in vain and waits

    @property
    def reason(self) -> str:
        """Why it failed, or why it waits and until when; empty where there is nothing to say."""
        return reason(self.error, self.retry_at)


def with_remaining_time(rows: Sequence[Ingestion], known: Pace) -> list[IngestionSummary]:
    """Those ahead in the queue come first: an estimate counts their time too. Small files overtake large ones."""
    now, ahead = datetime.now(UTC), 0.0
    remaining: dict[str, float | None] = {}
    due = [row for row in rows if row.status in ("queued", "working")]
    for row in sorted(due, key=_turn):
        own = _own_time(row, known, now)
        if own is None:
            break  # what comes after an unknown time is unknown
        ahead += own
        remaining[row.ingestion_id] = ahead
    publishing = any(row.publishing_since for row in rows)
    return [_summary(row, remaining.get(row.ingestion_id), publishing=publishing) for row in rows]


def _turn(row: Ingestion) -> tuple[bool, bool, int, datetime]:
    waits = row.publishing_since is None
    return row.status == "queued", waits, row.size_bytes.bit_length(), row.accepted_at


def _own_time(row: Ingestion, known: Pace, now: datetime) -> float | None:
    """Seconds of work left, from the chunks that were embedded or published, or from what files took lately."""
    if row.publishing_since is not None:
        a_chunk = (now - row.publishing_since).total_seconds() / row.done if row.done else PUBLISHING_S
        return a_chunk * (row.total - row.done)
    if _waits(row):
        return PUBLISHING_S * row.total
    embedded = row.done - row.reused
    if row.stage == "embed" and embedded >= LEAST_DONE and row.started_at is not None:
        return (now - row.started_at).total_seconds() / embedded * (row.total - row.done) + PUBLISHING_S * row.total
    if not known.seconds_a_byte:
        return None
    as_others = known.seconds_a_byte * row.size_bytes
    if row.stage == "embed" and row.total:  # most of it may have been found done
        return as_others * (row.total - row.done) / row.total + PUBLISHING_S * row.total
    return as_others


def _waits(row: Ingestion) -> bool:
    """Whether all that is left is to be published; publishers of a project take turns."""
    return row.status == "working" and 0 < row.total <= row.done and row.publishing_since is None


def _summary(row: Ingestion, remaining_s: float | None, *, publishing: bool) -> IngestionSummary:
    return IngestionSummary(
        ingestion_id=row.ingestion_id,
        path=row.path,
        status=row.status,
        stage="wait" if publishing and _waits(row) else row.stage,
        done=row.done,
        total=row.total,
        size_bytes=row.size_bytes,
        error=row.error,
        remaining_s=remaining_s,
        retry_at=row.retry_at,
    )
