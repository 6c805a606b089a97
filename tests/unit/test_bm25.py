"""BM25 over packed postings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.search.bm25 import Bm25, Variant, score
from rag_system.storage.postings import ChunkTerms, Posting, merge, pack
from tests.effort import examples

PLAIN = Bm25(coordination=False)


def chunks(*bodies: str, heading: str = "", first: int = 0) -> list[ChunkTerms]:
    return [ChunkTerms(chunk_id=first + i, heading=heading.split(), body=body.split()) for i, body in enumerate(bodies)]


def test_one_term_in_one_of_two_chunks() -> None:
    postings = pack(chunks("plazo apelar", "multa pago"), mean_length=2.0)
    found = score(["plazo"], postings, chunk_count=2, bm25=PLAIN)
    # idf = ln(1 + (2 − 1 + ½) / (1 + ½)) = ln 2; with tf = 1 and mean length the weight is 1 / (1 + 1.2),
    # so the score is ln 2 · 2.2 / 2.2
    assert found.of(np.array([0, 1], np.int32)).tolist() == [pytest.approx(math.log(2), rel=0.01), 0]
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
    assert list(merge(sorted(two, key=lambda p: p.term))) == one
    ids = np.arange(len(bodies), dtype=np.int32)
    apart, merged = (score(["plazo", "ley"], found, chunk_count=len(bodies)) for found in (two, one))
    assert np.array_equal(apart.of(ids), merged.of(ids))


def test_merging_drops_removed_chunks() -> None:
    postings = pack(chunks("plazo", "plazo multa", "multa"), mean_length=1.0)
    merged = list(merge(postings, removed=[range(2, 3), range(1, 2)]))
    assert [(p.term, p.pairs()[0].tolist(), p.document_frequency) for p in merged] == [("plazo", [0], 1)]


def collection(generator: np.random.Generator, shares: Sequence[float], stops: Sequence[int]) -> list[Posting]:
    """Segments that end at `stops`, with a term for each of `shares`, which says in how many chunks it is."""
    postings: list[Posting] = []
    for start, stop in pairwise([0, *stops]):
        bodies = [
            [
                f"t{n}"
                for n, share in enumerate(shares)
                if generator.random() < share
                for _ in range(generator.poisson(1) + 1)
            ]
            for _ in range(start, stop)
        ]
        terms = [ChunkTerms(chunk_id=start + i, heading=(), body=body) for i, body in enumerate(bodies)]
        postings += pack(terms, mean_length=4.0)
    return postings


def exhaustive(terms: Sequence[str], postings: Sequence[Posting], *, chunk_count: int, bm25: Bm25) -> list[float]:
    """The score of every chunk, from the formulas, posting by posting."""
    scores, matched, ceiling = [0.0] * chunk_count, [0.0] * chunk_count, 0.0
    for term in terms:
        pairs = [pair for p in postings if p.term == term for pair in zip(*p.pairs(), strict=True)]
        idf = math.log(1 + (chunk_count - len(pairs) + 0.5) / (len(pairs) + 0.5))
        ceiling += idf
        for chunk_id, weight in pairs:
            scores[chunk_id] += idf * saturated(weight / 255, bm25.variant)
            matched[chunk_id] += idf
    return [s * (0.5 + 0.5 * m / ceiling if bm25.coordination else 1) for s, m in zip(scores, matched, strict=True)]


def saturated(weight: float, variant: Variant) -> float:
    if variant is Variant.L:
        ctd = 1.2 * weight / max(1 - weight, 1 / 512)
        return 2.2 * (ctd + 1) / (1.2 + ctd + 1)
    return 2.2 * weight + (1 if variant is Variant.PLUS else 0)


def best(scores: Mapping[int, float], limit: int) -> list[int]:
    return sorted((i for i in scores if scores[i] > 0), key=lambda i: (-scores[i], i))[:limit]


@settings(max_examples=examples(30))
@given(
    seed=st.integers(0, 2**32 - 1),
    shares=st.lists(st.sampled_from([0.0, 0.002, 0.02, 0.1, 0.4, 0.9]), min_size=1, max_size=7),
    sizes=st.lists(st.integers(1, 700), min_size=1, max_size=3),
    limit=st.integers(1, 60),
    bm25=st.builds(Bm25, variant=st.sampled_from(Variant), coordination=st.booleans()),
    gone=st.sampled_from([[], [range(5, 40)], [range(100, 400), range(0, 7)]]),
)
def test_the_best_are_those_of_scoring_everything(
    seed: int, shares: list[float], sizes: list[int], limit: int, bm25: Bm25, gone: list[range]
) -> None:
    stops = list(accumulate(sizes))
    postings = collection(np.random.default_rng(seed), shares, stops)
    terms = [f"t{n}" for n in range(len(shares))]
    found = score(terms, postings, chunk_count=stops[-1], removed=gone, bm25=bm25)
    everything = np.arange(stops[-1], dtype=np.int32)
    scores = dict(enumerate(found.of(everything).tolist()))
    expected = exhaustive(terms, postings, chunk_count=stops[-1], bm25=bm25)
    removed = {i for each in gone for i in each}
    assert np.allclose(list(scores.values()), [0 if i in removed else e for i, e in enumerate(expected)], rtol=1e-5)
    assert found.top(limit) == best(scores, limit)
    within = [range(0, stops[-1] // 3), range(stops[-1] // 2, stops[-1])]
    assert found.top(limit, within=within) == best({i: scores[i] for each in within for i in each}, limit)


def test_a_common_term_is_stored_as_a_run_and_reads_the_same() -> None:
    bodies = ["plazo " * (1 + i % 3) if i % 4 else "multa" for i in range(2_000)]
    by_term = {p.term: p for p in pack(chunks(*bodies, first=7), mean_length=2.0)}
    common, rare = by_term["plazo"], by_term["multa"]
    assert (common.is_run, rare.is_run) == (True, False)
    assert (common.first_id, common.stop_id, common.document_frequency) == (8, 2_007, 1_500)
    ids, weights = common.pairs()
    assert ids.tolist() == [7 + i for i in range(2_000) if i % 4]
    assert weights.min() > 0
    assert len(common.chunk_ids) + len(common.weights) < len(ids) * 5


def test_few_or_scattered_chunks_are_stored_one_by_one() -> None:
    (few,) = pack(chunks(*["plazo"] * 100), mean_length=1.0)
    bodies = ["plazo" if i % 6 == 0 else "multa" for i in range(6_000)]
    scattered = {p.term: p for p in pack(chunks(*bodies), mean_length=1.0)}["plazo"]
    assert (few.is_run, scattered.is_run) == (False, False)
    assert scattered.stop_id == 5_995


@pytest.mark.parametrize("length", [1, 10_000])
def test_a_word_of_a_very_long_chunk_still_has_a_weight(length: int) -> None:
    (posting,) = (p for p in pack(chunks("plazo " + "x " * length), mean_length=1.0) if p.term == "plazo")
    assert posting.weights[0] > 0
