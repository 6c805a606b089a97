"""BM25 over packed postings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.search.bm25 import Bm25, Variant, score
from rag_system.storage.postings import ChunkTerms, Posting, merge, pack

PLAIN = Bm25(coordination=False)


def chunks(*bodies: str, heading: str = "", first: int = 0) -> list[ChunkTerms]:
    return [ChunkTerms(chunk_id=first + i, heading=heading.split(), body=body.split()) for i, body in enumerate(bodies)]


def test_one_term_in_one_of_two_chunks() -> None:
    postings = pack(chunks("plazo apelar", "multa pago"), mean_length=2.0)
    found = score(["plazo"], postings, chunk_count=2, bm25=PLAIN)
    # idf = ln(1 + (2 − 1 + ½) / (1 + ½)) = ln 2; with tf = 1 and mean length the weight is 1 / (1 + 1.2),
    # so the score is ln 2 · 2.2 / 2.2
    assert found.scores[0] == pytest.approx(math.log(2), rel=0.01)
    assert found.scores[1] == 0
    assert found.top(5) == [0]


def test_a_heading_word_counts_as_two_of_the_body() -> None:
    in_heading = pack([ChunkTerms(chunk_id=0, heading=["plazo"], body=["a", "b"])], mean_length=3.0)
    twice_in_body = pack([ChunkTerms(chunk_id=0, heading=[], body=["plazo", "plazo", "a"])], mean_length=3.0)
    weight = {p.term: p.weights for p in in_heading}["plazo"]
    assert weight == {p.term: p.weights for p in twice_in_body}["plazo"]


def test_a_shorter_chunk_with_the_same_words_wins() -> None:
    postings = pack(chunks("plazo apelar", "plazo apelar " + "relleno " * 30), mean_length=17.0)
    assert score(["plazo", "apelar"], postings, chunk_count=2).top(2) == [0, 1]


def test_coordination_prefers_a_chunk_with_both_terms() -> None:
    postings = pack(chunks("plazo plazo plazo plazo", "plazo apelar otra cosa"), mean_length=4.0)
    assert score(["plazo", "apelar"], postings, chunk_count=2).top(1) == [1]


def test_unknown_terms_lower_the_coverage_and_match_nothing() -> None:
    postings = pack(chunks("plazo apelar"), mean_length=2.0)
    known = score(["plazo"], postings, chunk_count=1)
    half = score(["plazo", "xyz"], postings, chunk_count=1)
    ids = np.array([0], np.int32)
    assert half.coverage(ids)[0] < known.coverage(ids)[0]
    assert score(["xyz"], [], chunk_count=1).top(5) == []


def test_coverage_of_ids_that_came_later_is_zero() -> None:
    found = score(["plazo"], pack(chunks("plazo"), mean_length=1.0), chunk_count=1)
    assert found.coverage(np.array([0, 7], np.int32)).tolist()[1] == 0


def test_top_within_ranges_ignores_the_rest() -> None:
    postings = pack(chunks("plazo", "plazo uno", "plazo dos tres"), mean_length=2.0)
    found = score(["plazo"], postings, chunk_count=3)
    assert found.top(5, within=[range(1, 3)]) == [1, 2]


@pytest.mark.parametrize("variant", list(Variant))
def test_every_variant_grows_with_the_frequency(variant: Variant) -> None:
    bodies = ["plazo " * n + "x " * (8 - n) for n in range(1, 9)]
    found = score(["plazo"], pack(chunks(*bodies), mean_length=8.0), chunk_count=100, bm25=Bm25(variant=variant))
    assert found.top(8) == [7, 6, 5, 4, 3, 2, 1, 0]


words = st.lists(st.sampled_from(["plazo", "apelar", "multa", "pago", "ley"]), min_size=1, max_size=12)


@given(st.lists(words, min_size=2, max_size=12), st.data())
def test_segments_and_their_merge_score_alike(bodies: list[list[str]], data: st.DataObject) -> None:
    all_chunks = [ChunkTerms(chunk_id=i, heading=(), body=body) for i, body in enumerate(bodies)]
    cut = data.draw(st.integers(1, len(bodies) - 1))
    one = pack(all_chunks, mean_length=6.0)
    two = pack(all_chunks[:cut], mean_length=6.0) + pack(all_chunks[cut:], mean_length=6.0)
    merged = list(merge(sorted(two, key=lambda p: p.term), live=np.arange(len(bodies), dtype=np.int32)))
    assert merged == one
    terms = ["plazo", "ley"]
    limits = {"chunk_count": len(bodies)}
    assert np.array_equal(score(terms, one, **limits).scores, score(terms, two, **limits).scores)


def test_merging_drops_removed_chunks() -> None:
    postings = pack(chunks("plazo", "plazo multa", "multa"), mean_length=1.0)
    merged = list(merge(postings, live=np.array([0], np.int32)))
    assert [(p.term, np.frombuffer(p.chunk_ids, "<i4").tolist()) for p in merged] == [("plazo", [0])]
    assert list(merge([Posting("a", b"", b"")], live=np.array([], np.int32))) == []
