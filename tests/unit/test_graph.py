"""What entities are worth: their own rarity, and co-occurrence against chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.search.strategies.graph import DECAY, NEIGHBOURS, Link, significance, worth


def link(neighbour: str, *, together: int, chunks: int, asked: str = "sunat", asked_chunks: int = 100) -> Link:
    return Link(asked=asked, asked_chunks=asked_chunks, neighbour=neighbour, neighbour_chunks=chunks, together=together)


ITSELF = link("sunat", together=100, chunks=100)


@pytest.mark.parametrize(
    ("observed", "expected", "value"),
    [
        (1, 1, 0.0),  # as chance has it
        (2, 8, 0.0),  # they avoid each other: z < 0
        (5, 1, 0.4903),  # z = 4: tanh(ln 5 / 3) = tanh(0.5365)
        (41, 1, 0.8448),  # z = 40: tanh(ln 41 / 3) = tanh(1.2379)
        (3, 0, 0.0),  # nothing is known of it
    ],
)
def test_significance_of_a_co_occurrence(observed: float, expected: float, value: float) -> None:
    assert significance(observed, expected) == pytest.approx(value, abs=1e-4)


@given(st.floats(0, 1e6), st.floats(1e-6, 1e6))
def test_significance_lies_between_zero_and_one(observed: float, expected: float) -> None:
    assert 0 <= significance(observed, expected) <= 1


def test_the_question_s_entities_share_one_by_their_rarity() -> None:
    other = link("ley:27444", asked="ley:27444", asked_chunks=500, together=200, chunks=500)
    values = worth([ITSELF, other], chunk_count=10_000)
    assert sum(values.values()) == pytest.approx(1)
    assert values["sunat"] > values["ley:27444"]


def test_neighbours_count_half_by_significance_and_hubs_and_strangers_do_not() -> None:
    links = [
        ITSELF,
        link("tribunal fiscal", together=40, chunks=100),  # expected 100 · 100 / 10,000 = 1: z = 39
        link("codigo civil", together=2, chunks=400),  # expected 4: they avoid each other
        link("poder ejecutivo", together=60, chunks=2_000),  # in a fifth of all chunks
    ]
    values = worth(links, chunk_count=10_000)
    assert values == {"sunat": pytest.approx(1), "tribunal fiscal": pytest.approx(DECAY * significance(40, 1))}


def test_a_sample_is_measured_against_what_is_expected_of_a_sample() -> None:
    sampled = [
        link("sunat", together=200, chunks=400, asked_chunks=400),
        link("tribunal fiscal", together=20, chunks=100, asked_chunks=400),  # expected 200 · 100 / 10,000 = 2
    ]
    assert worth(sampled, chunk_count=10_000)["tribunal fiscal"] == pytest.approx(DECAY * significance(20, 2))


def test_only_the_most_significant_neighbours_count() -> None:
    links = [ITSELF, *(link(f"nombre {n}", together=10 + n, chunks=100) for n in range(NEIGHBOURS + 5))]
    values = worth(links, chunk_count=10_000)
    assert set(values) == {"sunat", *(f"nombre {n}" for n in range(5, NEIGHBOURS + 5))}


def test_nothing_known_is_worth_nothing() -> None:
    assert worth([], chunk_count=0) == {}
