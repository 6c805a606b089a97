"""The rows of accepted files: what counts as headway, and how fast it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from assistant.library import Library
from assistant.waiting import Waiting
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.ingestions import (
    Ingestion,
    Lease,
    SupersededError,
    accept,
    advance,
    cancel_ingestion,
    finish,
    list_ingestions,
    start,
    stop_publication,
    tell_publication,
)
from rag_system.storage.postings import ChunkTerms
from rag_system.storage.projects import create_project, lock_project
from rag_system.storage.publishing import Described, NewDocument, publish
from rag_system.storage.staging import stage_chunks, stage_vectors
from rag_system.types import ChunkDraft, DocumentMetadata
from tests.indexing import library_of

PROJECT = "pruebas"


@pytest.fixture
def ingestion_id(database: Database) -> str:
    with database.connection() as connection:
        create_project(connection, PROJECT)
        return accept(connection, PROJECT, path="norma.md", sha256="0" * 64, size_bytes=10)


@pytest.fixture
def library(database: Database, settings: Settings) -> Library:
    return library_of(database=database, settings=settings, embeddings=HashEmbeddings, project=PROJECT)


def standing(database: Database) -> Ingestion:
    with database.connection() as connection:
        (row,) = list_ingestions(connection, PROJECT)
    return row


def begin(database: Database, ingestion_id: str, *, found: int) -> Lease:
    """An attempt that comes as far as embedding, and finds so many of 1,000 chunks embedded."""
    with database.connection() as connection:
        lease = start(connection, PROJECT, ingestion_id)
        assert lease is not None
        advance(connection, lease, "embed")
        advance(connection, lease, "embed", done=found, total=1_000)
    return lease


def test_attempts_that_add_nothing_are_crashes_in_a_row(database: Database, ingestion_id: str) -> None:
    assert [begin(database, ingestion_id, found=256).crashes for _ in range(4)] == [1, 2, 3, 4]


def test_an_attempt_that_embeds_something_is_headway(database: Database, ingestion_id: str) -> None:
    begin(database, ingestion_id, found=0)
    lease = begin(database, ingestion_id, found=0)
    with database.connection() as connection:
        advance(connection, lease, "embed", done=256, total=1_000)
    assert begin(database, ingestion_id, found=256).crashes == 2


def test_the_rate_is_that_of_the_last_batches(database: Database, ingestion_id: str) -> None:
    lease = begin(database, ingestion_id, found=400)
    assert standing(database).rate is None  # what it found done tells nothing
    told = []
    for done, after_s in ((500, 100), (600, 10)):
        with database.connection() as connection:
            connection.execute(
                "UPDATE ingestions SET advanced_at = advanced_at - make_interval(secs => %s)", (after_s,)
            )
            advance(connection, lease, "embed", done=done, total=1_000)
        told.append(standing(database).rate)
    # 100 in 100 s are 1 a second; 100 in 10 s are 10, which count for a third: (2 · 1 + 10) / 3
    assert told == [pytest.approx(1, rel=0.01), pytest.approx(4, rel=0.05)]
    begin(database, ingestion_id, found=600)
    assert standing(database).rate is None


def test_what_is_left_is_told_at_that_rate(library: Library, database: Database, ingestion_id: str) -> None:
    lease = begin(database, ingestion_id, found=0)
    with database.connection() as connection:
        connection.execute("UPDATE ingestions SET advanced_at = advanced_at - interval '100 s'")
        advance(connection, lease, "embed", done=500, total=1_000)
    (summary,) = library.ingestions()
    assert (summary.stage, summary.done, summary.total) == ("embed", 500, 1_000)
    assert summary.remaining_s == pytest.approx(100, rel=0.01)


def test_a_publication_tells_its_own_rate_and_who_waits_for_it_says_so(
    library: Library, database: Database, ingestion_id: str
) -> None:
    lease = begin(database, ingestion_id, found=1_000)
    with database.connection() as connection:
        other = accept(connection, PROJECT, path="otra.md", sha256="1" * 64, size_bytes=20)
    begin(database, other, found=1_000)
    with database.connection() as connection:
        tell_publication(connection, lease, done=250, total=1_000)
        connection.execute("UPDATE publications SET began_at = began_at - interval '100 s'")
    published, waits = sorted(library.ingestions(), key=lambda each: each.path)
    assert (published.stage, published.done, published.total) == ("publish", 250, 1_000)
    assert published.remaining_s == pytest.approx(300, rel=0.01)  # 250 in 100 s: 750 take 300 s
    assert (waits.stage, waits.remaining_s) == ("wait", None)


def test_a_publication_that_is_to_be_given_up_is_told_so_once(database: Database, ingestion_id: str) -> None:
    lease = begin(database, ingestion_id, found=1_000)
    with database.connection() as connection:
        tell_publication(connection, lease, done=0, total=1_000)
        stop_publication(connection, PROJECT, ingestion_id)
        with pytest.raises(SupersededError):
            tell_publication(connection, lease, done=250, total=1_000)
    again = begin(database, ingestion_id, found=1_000)
    with database.connection() as connection:
        tell_publication(connection, again, done=0, total=1_000)


def test_a_publication_that_has_told_nothing_yet_is_given_up_too(database: Database, ingestion_id: str) -> None:
    died = begin(database, ingestion_id, found=1_000)
    with database.connection() as connection:
        tell_publication(connection, died, done=250, total=1_000)
    lease = begin(database, ingestion_id, found=1_000)
    with database.connection() as connection:
        stop_publication(connection, PROJECT, ingestion_id)
        with pytest.raises(SupersededError):
            tell_publication(connection, lease, done=0, total=1_000)


def test_more_chunks_than_two_bytes_count_are_published(database: Database, ingestion_id: str) -> None:
    many, lease = 33_000, begin(database, ingestion_id, found=0)
    drafts = (
        ChunkDraft(
            ordinal=n, heading_path=(), text=f"{n}", page_first=n, page_last=n, tokens=1, content_hash=f"{n:064}"
        )
        for n in range(many)
    )
    facts = DocumentMetadata(title="", language="es", category="", identifiers=(), mentions=(), authors=(), years=())
    document = NewDocument(path="norma.md", sha256="0" * 64, size_bytes=10, facts=facts)
    embeddings = HashEmbeddings(dimension=2)
    with database.connection() as connection:
        stage_chunks(connection, lease, drafts)
        stage_vectors(connection, lease, ((n, [1.0, 0.0]) for n in range(many)))
        row = lock_project(connection, lease.project)
        published = publish(connection, lease, document, embeddings.manifest, row, describe=numbers_alone)
        assert published.chunks == connection.execute("SELECT count(*) FROM chunks").fetchall()[0][0] == many


def numbers_alone(drafts: Sequence[ChunkDraft]) -> Described:
    """Chunks whose only word is their number."""
    terms = [ChunkTerms(chunk_id=n, heading=(), body=(draft.text,)) for n, draft in enumerate(drafts)]
    return Described(terms=terms, entities=[()] * len(drafts), acronyms={})


def test_what_came_of_a_file_is_forgotten_with_its_document(
    library: Library, database: Database, tmp_path: Path
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"La nota {name}.", encoding="utf-8")
    reports = {report.path: report for report in library.add([tmp_path])}
    assert library.remove(reports["a.txt"].document_id)
    with database.connection() as connection:
        told = connection.execute("SELECT path, status FROM ingestions ORDER BY path").fetchall()
        assert told == [("a.txt", "removed"), ("b.txt", "done")]  # for an hour it can be brought back


def test_a_file_that_is_over_is_told_without_looking_at_all_that_are_waited_for(database: Database) -> None:
    waiting = Waiting(database, PROJECT, 3, None)
    with database.connection() as connection:
        create_project(connection, PROJECT)
        ids = [accept(connection, PROJECT, path=f"{n}.md", sha256=str(n) * 64, size_bytes=1) for n in range(3)]
        for number, each in enumerate(ids):
            waiting.add(each, f"{number}.md")
    assert list(waiting.over(block=True)) == []
    with database.connection() as connection:
        for each in ids[:2]:
            lease = start(connection, PROJECT, each)
            assert lease is not None
            finish(connection, lease, status="done", outcome="indexed")
        cancel_ingestion(connection, PROJECT, ids[2])
    waiting.rest(60)
    waiting.wake(ids[1])
    assert [report.path for report in waiting.over(block=False)] == ["1.md"]
    waiting.rest(0)
    waiting.wake("read")
    assert {(report.path, report.status) for report in waiting.over(block=False)} == {
        ("0.md", "indexed"),
        ("2.md", "failed"),
    }
    assert not waiting


def test_the_next_job_is_found_without_looking_at_all_others(database: Database) -> None:
    fetch = "SELECT procrastinate_fetch_job_v2(ARRAY['ingestion'], %s)"
    with database.connection() as connection:
        ((worker,),) = connection.execute("SELECT worker_id FROM procrastinate_register_worker_v1()").fetchall()
        connection.execute(fetch.encode(), [worker])  # reads the catalogue
        connection.execute(
            "INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock)"
            " SELECT 'ingestion', 'legajo.index', -(n % 20), n::text, n::text FROM generate_series(1, 3000) AS n"
        )
        for _ in range(2):
            ((plan,),) = connection.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {fetch}".encode(), [worker])
    assert plan[0]["Plan"]["Shared Hit Blocks"] < 300  # pages of 8 KiB: 164 with the index by lock, 609 without
