"""Files that are not documents yet, as a person sees them, with an honest estimate of when they will be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from posixpath import splitext

from assistant.wording import reason
from rag_system.storage.ingestions import Ingestion, TakenIn

__all__ = ["IngestionSummary", "with_remaining_time"]

LEAST_DONE = 8  # chunks that an attempt embedded before a rate is told from them
PUBLISHING_S = 0.004  # a chunk: the approximate index takes in some hundreds of vectors a second; docs/benchmarks.md
FARTHEST = 3  # powers of two between a file's size and that of those which it is measured by
UNLIKE_AFTER = 2  # times what files of its kind took, one that has told nothing of itself yet is not like them
LEAST_AT_ONCE = 0.5  # files; with less, what is queued waits for one of which nothing is known


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
    def is_due(self) -> bool:
        """Whether it is worked on, or will be as soon as it is its turn."""
        return self.status in ("queued", "working") and self.retry_at is None

    @property
    def reason(self) -> str:
        """Why it failed, or why it waits and until when; empty where there is nothing to say."""
        return reason(self.error, self.retry_at)


def with_remaining_time(
    rows: Sequence[Ingestion], taken: Sequence[TakenIn], *, now: datetime
) -> list[IngestionSummary]:
    """Each with the time until it is searchable, as far as something says it: what it did itself, or what files of its
    kind took lately, of all `taken`.

    Of a queue, those ahead come first, small ones before large ones, and what comes after an unknown time is unknown.
    """
    pace = _Pace(taken)
    working = {row.ingestion_id: _time_left(row, pace, now) for row in rows if row.status == "working"}
    at_once = pace.at_once - sum(left is None for left in working.values())  # who knows when those make room
    ahead = sum(left or 0.0 for left in working.values())
    remaining = working | _publications_in_turn(rows, working)
    due = [row for row in rows if row.status == "queued" and row.retry_at is None]
    for row in sorted(due, key=lambda row: (row.size_bytes.bit_length(), row.accepted_at)):
        usual = pace.usual_s(row)
        if usual is None or at_once < LEAST_AT_ONCE:
            break
        ahead += usual
        remaining[row.ingestion_id] = ahead / at_once
    publishing = any(row.publishing_since for row in rows)
    return [_summary(row, remaining.get(row.ingestion_id), publishing=publishing) for row in rows]


class _Pace:
    """What files took lately by kind, which is a suffix and a size: a byte of a note says nothing of one of a scan."""

    def __init__(self, taken: Sequence[TakenIn]) -> None:
        self._took: dict[tuple[str, int], tuple[float, int]] = {}  # seconds, bytes
        self._known: dict[tuple[str, int], float | None] = {}  # seconds a byte
        for each in taken:
            seconds, size = self._took.get(_kind(each), (0.0, 0))
            duration_s = (each.finished_at - each.started_at).total_seconds()
            self._took[_kind(each)] = seconds + duration_s, size + max(1, each.size_bytes)
        busy_s = _busy_s(taken)
        self.at_once = sum(seconds for seconds, _ in self._took.values()) / busy_s if busy_s else 1.0

    def usual_s(self, row: Ingestion) -> float | None:
        """Seconds from the start of such a file to its end, beside others; None when none like it was taken in."""
        kind = _kind(row)
        if kind not in self._known:
            self._known[kind] = self._seconds_a_byte(*kind)
        a_byte = self._known[kind]
        return None if a_byte is None else a_byte * row.size_bytes

    def _seconds_a_byte(self, suffix: str, size_class: int) -> float | None:
        for away in range(1, FARTHEST + 1):
            like = [self._took.get((suffix, size_class + step), (0.0, 0)) for step in range(-away, away + 1)]
            if size := sum(bytes_ for _, bytes_ in like):
                return sum(seconds for seconds, _ in like) / size
        return None


def _kind(file: Ingestion | TakenIn) -> tuple[str, int]:
    return splitext(file.path)[1].lower(), file.size_bytes.bit_length()


def _busy_s(taken: Sequence[TakenIn]) -> float:
    """Seconds in which at least one was worked on."""
    busy, until = timedelta(), datetime.min.replace(tzinfo=UTC)
    for each in sorted(taken, key=lambda each: each.started_at):
        busy += max(timedelta(), each.finished_at - max(each.started_at, until))
        until = max(until, each.finished_at)
    return busy.total_seconds()


def _time_left(row: Ingestion, pace: _Pace, now: datetime) -> float | None:
    """Seconds of work left on a file at work: from the chunks that were embedded or published, or from its kind."""
    if row.publishing_since is not None:
        a_chunk = (now - row.publishing_since).total_seconds() / row.done if row.done else PUBLISHING_S
        return a_chunk * (row.total - row.done)
    if _waits(row):
        return PUBLISHING_S * row.total
    embedded, usual = row.done - row.reused, pace.usual_s(row)
    if row.stage == "embed" and embedded >= LEAST_DONE and row.embedding_since is not None:
        elapsed = (now - row.embedding_since).total_seconds()
        return elapsed / embedded * (row.total - row.done) + PUBLISHING_S * row.total
    if usual is None or row.started_at is None:
        return None
    share = (row.total - row.done) / row.total if row.total else 1.0  # most of it may have been found done
    elapsed = (now - row.started_at).total_seconds()
    left = usual * share + PUBLISHING_S * row.total - elapsed / UNLIKE_AFTER
    return left if left > 0 else None


def _publications_in_turn(rows: Sequence[Ingestion], working: Mapping[str, float | None]) -> dict[str, float | None]:
    """Publishers of a project take turns: who waits for the one under way has its time before it too."""
    told, ahead = dict[str, float | None](), 0.0
    for row in sorted(rows, key=lambda row: row.publishing_since is None):
        if row.publishing_since is not None or _waits(row):
            ahead += working[row.ingestion_id] or 0.0
            told[row.ingestion_id] = ahead
    return told


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
