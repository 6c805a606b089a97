"""What is told of the time that files in the queue still take: a table of queues and of what files took before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assistant.remaining_time import with_remaining_time
from rag_system.storage.ingestions import Ingestion, TakenIn

NOW = datetime(2026, 11, 2, 12, tzinfo=UTC)
MB = 1_000_000


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


def file(path: str, size_bytes: int = 10_000, **values: Any) -> Ingestion:
    fields: dict[str, Any] = {
        "project_id": "pruebas",
        "ingestion_id": path,
        "path": path,
        "origin": "",
        "sha256": "0" * 64,
        "size_bytes": size_bytes,
        "target_model": "",
        "status": "queued",
        "stage": "",
        "done": 0,
        "total": 0,
        "reused": 0,
        "attempt": 1,
        "outcome": "",
        "error": "",
        "extracted": None,
        "document_id": None,
        "copy_of": "",
        "accepted_at": ago(1_000),
        "started_at": None,
        "embedding_since": None,
        "publishing_since": None,
        "finished_at": None,
        "retry_at": None,
    }
    return Ingestion(**{**fields, **values})


def embedding(path: str, *, since: float, done: int, total: int, started: float = 0.0, **values: Any) -> Ingestion:
    at_work: dict[str, Any] = {"status": "working", "stage": "embed"}
    times: dict[str, Any] = {"started_at": ago(max(started, since)), "embedding_since": ago(since)}
    return file(path, done=done, total=total, **at_work, **times, **values)


def reading(path: str, *, since: float, size_bytes: int = 10_000) -> Ingestion:
    return file(path, size_bytes, status="working", stage="read", started_at=ago(since))


def took(path: str, seconds: float, *, size_bytes: int = 10_000, until: float = 100.0) -> TakenIn:
    """A file that was done `until` seconds ago."""
    return TakenIn(path=path, size_bytes=size_bytes, started_at=ago(until + seconds), finished_at=ago(until))


NOTES = [took(f"{n}.md", 0.6, size_bytes=1_000, until=100 + n) for n in range(50)]
THREE_AT_ONCE = [took(f"{n}.pdf", 30.0, until=100 + 30 * (n // 3)) for n in range(30)]

CASES: dict[str, tuple[Sequence[Ingestion], Sequence[TakenIn], Sequence[float | None]]] = {
    "nothing was ever taken in": ([file("a.pdf")], [], [None]),
    "many like files, one after the other": (  # 30 s each
        [file(f"{n}.pdf") for n in range(3)],
        [took(f"{n}.pdf", 30.0, until=100 + 30 * n) for n in range(10)],
        [30.0, 60.0, 90.0],
    ),
    "many like files, three at once": ([file(f"{n}.pdf") for n in range(6)], THREE_AT_ONCE, [10, 20, 30, 40, 50, 60]),
    "twice the size takes twice the time": ([file("a.pdf", 20_000)], [took("b.pdf", 30.0)], [60.0]),
    "eight times the size, as nothing nearer is known": ([file("a.pdf", 80_000)], [took("b.pdf", 30.0)], [240.0]),
    "files of the same size tell it better": (
        [file("a.pdf", 80_000)],
        [took("b.pdf", 30.0), took("c.pdf", 90.0, size_bytes=90_000, until=200)],
        [80.0],
    ),
    "a large scan after notes": ([file("a.pdf", 10 * MB)], NOTES, [None]),
    "a large text after notes": ([file("a.md", 10 * MB)], NOTES, [None]),
    "small ones before one of which nothing is known": (
        [file("a.pdf", 10 * MB), file("b.md", 1_000), file("c.PDF", 20 * MB)],
        NOTES,
        [None, 0.6, None],
    ),
    "a scan that was read for long": (  # 300 of 1,000 in 10 s: 700 take 23.3 s, and 4 ms each to be published
        [embedding("a.pdf", since=10, done=300, total=1_000, started=610)],
        [],
        [27.3],
    ),
    "part was found done": (  # 100 in 100 s: 500 take 500 s
        [embedding("a.pdf", since=100, done=500, total=1_000, reused=400)],
        [],
        [504.0],
    ),
    "too few to tell a rate from": (  # 201 of 1,000 in 30 s, and 4 s to publish all, less half of what it was worked on
        [embedding("a.pdf", since=2, done=799, total=1_000, reused=796)],
        [took("b.pdf", 30.0)],
        [9.03],
    ),
    "three embed at once": (  # 100 of 200 in 10 s, and 0.8 s to publish
        [embedding(f"{n}.md", since=10, done=100, total=200) for n in range(3)],
        [],
        [10.8, 10.8, 10.8],
    ),
    "queued behind three that embed at once": (  # (3 * 10.8 + 30) / 3
        [*(embedding(f"{n}.pdf", since=10, done=100, total=200) for n in range(3)), file("d.pdf")],
        THREE_AT_ONCE,
        [10.8, 10.8, 10.8, 20.8],
    ),
    "read as long as others took": ([reading("a.pdf", since=30)], [took("b.pdf", 30.0)], [15.0]),
    "embeds its only batch": (  # 30 s + 0.4 s - 20 s / 2
        [embedding("a.pdf", since=5, done=0, total=100, started=20)],
        [took("b.pdf", 30.0)],
        [20.4],
    ),
    "read for much longer than others took": ([reading("a.pdf", since=70)], [took("b.pdf", 30.0)], [None]),
    "queued beside one of which nothing is known": (  # two of the three go on: 30 s / 2
        [reading("a.docx", since=5), file("b.pdf")],
        THREE_AT_ONCE,
        [None, 15.0],
    ),
    "queued behind three of which nothing is known": (
        [*(reading(f"{n}.docx", since=5) for n in range(3)), file("d.pdf")],
        THREE_AT_ONCE,
        [None, None, None, None],
    ),
    "waits for the publication of another": (  # 250 in 100 s: 750 take 300 s; then 1,000 at 4 ms
        [
            file("a.pdf", status="working", stage="embed", done=1_000, total=1_000),
            file("b.pdf", status="working", stage="publish", done=250, total=1_000, publishing_since=ago(100)),
        ],
        [],
        [304.0, 300.0],
    ),
    "one was tried in vain and waits": (
        [file("a.pdf", error="El servicio no responde.", retry_at=ago(-60)), file("b.pdf")],
        [took("c.pdf", 30.0)],
        [None, 30.0],
    ),
    "failed": (
        [file("a.pdf", status="failed", error="Dañado."), file("b.pdf")],
        [took("c.pdf", 30.0)],
        [None, 30],
    ),
}


@pytest.mark.parametrize(("rows", "taken", "told"), CASES.values(), ids=CASES.keys())
def test_what_is_told(rows: Sequence[Ingestion], taken: Sequence[TakenIn], told: Sequence[float | None]) -> None:
    found = [summary.remaining_s for summary in with_remaining_time(rows, taken, now=NOW)]
    assert found == [each if each is None else pytest.approx(each, rel=0.01) for each in told]
