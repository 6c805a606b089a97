"""Segments of postings in a real PostgreSQL: what a merge keeps, drops and leaves alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from psycopg import Connection

from rag_system.storage import segments
from rag_system.storage.connection import Database
from rag_system.storage.postings import ChunkTerms, pack
from rag_system.storage.projects import create_project
from rag_system.storage.segments import (
    add_segment,
    count_segments,
    list_segments,
    merge_segments,
    remember_removed,
)

PROJECT = "pruebas"


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    with database.connection() as lent:
        create_project(lent, PROJECT)
        yield lent


def add(connection: Connection, sizes: Sequence[int]) -> None:
    """A segment of so many chunks for each size; every chunk has «ley», every third «plazo», each a word of its own."""
    first = 0
    for number, size in enumerate(sizes):
        ids = range(first, first + size)
        terms = [ChunkTerms(chunk_id=i, heading=(), body=["ley", f"p{i}", *(["plazo"] * (i % 3 == 0))]) for i in ids]
        add_segment(connection, PROJECT, number, pack(terms, mean_length=2.0))
        first += size


def spans(connection: Connection) -> list[tuple[int, int]]:
    return [(each.first_chunk_id, each.stop_chunk_id) for each in list_segments(connection, PROJECT)]


def ids_of(connection: Connection, term: str) -> list[int]:
    rows = connection.execute(
        "SELECT term, chunk_ids, weights, document_frequency FROM postings WHERE project_id = %s AND term = %s "
        "ORDER BY segment",
        [PROJECT, term],
        binary=True,
    )
    return [i for row in rows for i in segments.Posting(*row).pairs()[0].tolist()]


# Sizes of the segments, and where those that a merge leaves begin. A segment stays when it has more than four times
# the chunks of all later ones together.
TIERS = [
    ([10, 10, 10], [0]),
    ([100, 10, 10], [0, 100]),  # 100 > 4 · 20
    ([80, 10, 10], [0]),  # 80 = 4 · 20
    ([900, 100, 10, 10], [0, 900, 1000]),  # 900 > 4 · 120, 100 > 4 · 20
    ([30, 100, 1], [0]),  # the second would stay, but 30 ≤ 4 · 101
    ([50, 10, 1], [0, 50, 60]),
]


@pytest.mark.parametrize(("sizes", "starts"), TIERS)
def test_big_old_segments_are_left_alone(connection: Connection, sizes: list[int], starts: list[int]) -> None:
    add(connection, sizes)
    before = ids_of(connection, "ley"), ids_of(connection, "plazo")
    assert merge_segments(connection, PROJECT, more_than=0) == (len(starts) < len(sizes))
    assert [start for start, _ in spans(connection)] == starts
    assert (ids_of(connection, "ley"), ids_of(connection, "plazo")) == before
    assert before[0] == list(range(sum(sizes)))


def test_few_segments_wait(connection: Connection) -> None:
    add(connection, [5, 5, 5])
    assert not merge_segments(connection, PROJECT, more_than=3)
    assert count_segments(connection, PROJECT) == 3
    assert merge_segments(connection, PROJECT, more_than=2)
    assert count_segments(connection, PROJECT) == 1
    assert not merge_segments(connection, PROJECT, more_than=0)


def test_a_merge_drops_the_removed_of_the_segments_it_touches(connection: Connection) -> None:
    add(connection, [1000, 10, 10])
    for gone in (range(0, 50), range(1000, 1010), range(1012, 1015)):
        remember_removed(connection, PROJECT, gone)
    assert merge_segments(connection, PROJECT, more_than=0)
    assert spans(connection) == [(0, 1000), (1000, 1020)]
    assert ids_of(connection, "ley") == [*range(1000), 1010, 1011, *range(1015, 1020)]
    assert ids_of(connection, "p1001") == []
    removed = connection.execute("SELECT first_chunk_id FROM removed_chunks WHERE project_id = %s", [PROJECT])
    assert removed.fetchall() == [(0,)]  # those of the segment that stayed are still to be left out


def test_a_segment_of_removed_chunks_does_not_stay(connection: Connection) -> None:
    add(connection, [900, 20])
    remember_removed(connection, PROJECT, range(0, 900))
    assert merge_segments(connection, PROJECT, more_than=1)
    assert ids_of(connection, "ley") == list(range(900, 920))
    remember_removed(connection, PROJECT, range(900, 920))
    assert merge_segments(connection, PROJECT, more_than=0)
    assert (spans(connection), ids_of(connection, "ley")) == ([], [])


def test_what_is_mostly_gone_is_written_anew_without_waiting(connection: Connection) -> None:
    add(connection, [100])
    remember_removed(connection, PROJECT, range(0, 50))
    assert not merge_segments(connection, PROJECT, more_than=8)
    remember_removed(connection, PROJECT, range(50, 51))
    assert merge_segments(connection, PROJECT, more_than=8)
    assert (ids_of(connection, "ley"), ids_of(connection, "p3")) == (list(range(51, 100)), [])
    assert not merge_segments(connection, PROJECT, more_than=8)


def test_a_big_segment_that_is_mostly_gone_is_not_left_alone(connection: Connection) -> None:
    add(connection, [900, 20])
    remember_removed(connection, PROJECT, range(0, 500))  # 400 > 4 · 20, but 2 · 400 < 900
    assert merge_segments(connection, PROJECT, more_than=1)
    assert ids_of(connection, "ley") == list(range(500, 920))


def test_a_removed_document_may_have_chunks_without_words_at_its_ends(connection: Connection) -> None:
    terms = [ChunkTerms(chunk_id=i, heading=(), body=["ley"] * (i in {1, 2, 4})) for i in range(6)]
    add_segment(connection, PROJECT, 0, pack(terms, mean_length=1.0))  # two documents of three chunks
    remember_removed(connection, PROJECT, range(0, 3))
    assert merge_segments(connection, PROJECT, more_than=0)
    assert ids_of(connection, "ley") == [4]
    remember_removed(connection, PROJECT, range(3, 6))
    assert merge_segments(connection, PROJECT, more_than=0)
    assert (spans(connection), ids_of(connection, "ley")) == ([], [])
    assert connection.execute("SELECT 1 FROM removed_chunks WHERE project_id = %s", [PROJECT]).fetchone() is None


def test_more_postings_than_are_held_at_once(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "BYTES_WRITTEN", 200)
    add(connection, [size := 2 * segments.ROWS_READ, size])
    assert merge_segments(connection, PROJECT, more_than=0)
    assert all(ids_of(connection, f"p{i}") == [i] for i in range(2 * size))
    assert ids_of(connection, "ley") == list(range(2 * size))
