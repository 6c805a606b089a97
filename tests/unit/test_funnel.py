"""What a search tells about itself: counts that add up, and the names behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rag_system.search.funnel import EXAMPLES, trace
from rag_system.search.recipes import get_recipe
from rag_system.search.selection import Selection
from rag_system.types import Candidate, Funnel
from tests.builders import chunk, ranking, search_request

QUESTION = "¿Qué plazo hay para apelar?"


def traced(
    found: Sequence[Candidate],
    selection: Selection,
    *,
    proposals: Mapping[str, Sequence[int]],
    rejected: Mapping[str, Sequence[int]] | None = None,
    identifiers: Sequence[str] = (),
    absent: Sequence[str] = (),
) -> Funnel:
    wanted = search_request(QUESTION, recipe=get_recipe("default"), top_k=3, identifiers=identifiers)
    whole = ranking(found, wanted, proposals=proposals, rejected=rejected)
    return trace(whole, selection, lambda row: found[row].chunk, absent=absent)


def candidate(number: int, score: float, text: str = "nada", **scores: float) -> Candidate:
    return Candidate(
        chunk=chunk(text, chunk_id=number, document=f"d{number}", headings=("Título I", "Apelaciones")),
        score=score,
        scores=scores,
    )


FIRST = candidate(1, 0.9, "Los PLAZOS son de quince días.", semantic=0.9, metadata=0.25)
SECOND = candidate(2, 0.5, semantic=0.8, metadata=0.0)
NAMED = candidate(3, 0.1, semantic=0.7, metadata=1.0)
COPY = candidate(4, 0.8, semantic=0.85, metadata=0.0)
OTHER = replace(
    candidate(5, 0.7, semantic=0.7, metadata=0.0), chunk=replace(COPY.chunk, chunk_id=5, identifiers=("ley:1",))
)
BEHIND = candidate(6, 0.3, semantic=0.7, metadata=0.0)

FOUND = [FIRST, COPY, OTHER, SECOND, BEHIND, NAMED]
FUNNEL = traced(
    FOUND,
    Selection(chosen=(0, 3, 5), guaranteed=(5,), repeats=((1, 0),)),
    proposals={"semantic": [1, 2, 4, 5, 6], "lexical": [1], "metadata": [3]},
    rejected={"off_topic": [2]},
    identifiers=("ley:1", "ley:2"),
    absent=("ley:2",),
)


def test_every_candidate_is_counted_once() -> None:
    assert FUNNEL.generated == {"semantic": 5, "lexical": 1, "metadata": 1}
    assert (FUNNEL.merged, FUNNEL.returned) == (6, 3)
    assert FUNNEL.rejected == {"off_topic": 1, "near_duplicate": 1, "beyond_top_k": 1}


def test_a_survivor_says_who_proposed_it_and_what_matched() -> None:
    first, second, named = FUNNEL.survivors
    assert (first.proposed_by, second.proposed_by, named.proposed_by) == (
        ("semantic", "lexical"),
        ("semantic",),
        ("metadata",),
    )
    assert (first.words, first.heading_words) == (("PLAZOS",), ("Apelaciones",))
    assert [each.guaranteed for each in FUNNEL.survivors] == [False, False, True]


def test_levels_spread_cosines_and_leave_shares_as_they_are() -> None:
    first, second, named = FUNNEL.survivors
    # cosines lie in 0.7…0.9 here; fused scores in 0.1…0.9: (0.5 − 0.1) / 0.8
    assert (first.levels["semantic"], second.levels["semantic"], named.levels["semantic"]) == (1.0, 0.5, 0.0)
    assert (first.level, second.level, named.level) == (1.0, 0.5, 0.0)
    assert (first.levels["metadata"], named.levels["metadata"]) == (0.25, 1.0)


def test_each_reason_has_examples_that_say_what_they_are() -> None:
    off_topic, copy, behind = FUNNEL.examples
    assert (off_topic.reason, off_topic.identifiers, off_topic.repeats) == ("off_topic", ("ley:1",), "")
    assert (copy.reason, copy.repeats) == ("near_duplicate", FIRST.chunk.path)
    assert (behind.reason, behind.chunk_id) == ("beyond_top_k", 6)


def test_a_norm_that_no_candidate_is_is_named() -> None:
    assert FUNNEL.reading is not None
    assert (FUNNEL.reading.identifiers, FUNNEL.reading.absent) == (("ley:1", "ley:2"), ("ley:2",))
    assert FUNNEL.reading.words == ("plazo", "apelar")


def test_one_below_a_lower_score_gave_way() -> None:
    funnel = traced([FIRST, SECOND], Selection(chosen=(1, 0)), proposals={"semantic": [1, 2]})
    assert [each.ceded for each in funnel.survivors] == [False, True]


@given(st.lists(st.tuples(st.floats(0, 2), st.sampled_from(["chosen", "off_topic", "low", "behind"])), max_size=30))
def test_counts_add_up_and_levels_stay_in_their_range(scored: list[tuple[float, str]]) -> None:
    found = [candidate(n, score, semantic=score / 2) for n, (score, _) in enumerate(scored)]
    fate = {name: [row for row, (_, f) in enumerate(scored) if f == name] for _, name in scored}
    rejected = {name: group for name, group in fate.items() if name in ("off_topic", "low")}
    chosen = Selection(chosen=tuple(fate.get("chosen", ())))
    funnel = traced(found, chosen, proposals={"semantic": list(range(len(found)))}, rejected=rejected)
    assert funnel.merged == funnel.returned + sum(funnel.rejected.values()) == len(found)
    levels = [*(each.level for each in funnel.survivors), *(each.level for each in funnel.examples)]
    assert all(0 <= level <= 1 for level in levels)
    named = [each.reason for each in funnel.examples]
    assert all(named.count(reason) == min(count, EXAMPLES) for reason, count in funnel.rejected.items())
