"""What is in force comes first, unless the question asks for what was; no passage mixes the two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_system.search.in_force import IN_FORCE_LESS, LESS, force
from rag_system.search.recipes import Recipe
from rag_system.search.selection import select
from rag_system.search.table import Table
from rag_system.types import Chunk, StateKind, TextState
from tests.builders import candidates, chunk, ranking, search_request, table
from tests.unit.test_widened_passages import law, widened

WAS = TextState(kind=StateKind.PREVIOUS, told="TEXTO ANTERIOR", by="Ley N° 40871", year=2019)
RULE = "El plazo para pedir la autorización de una feria ante la municipalidad es de {} días hábiles."
NEW, OLD = chunk(RULE.format("quince"), chunk_id=1), replace(chunk(RULE.format("treinta"), chunk_id=2), state=WAS)


def of_states(*states: str) -> Table:
    return Table(chunk_ids=list(range(len(states))), document_ids=["d"] * len(states), states=list(states))


def test_a_previous_text_gives_way_further_than_a_repealed_one() -> None:
    assert force(of_states("", "previous", "repealed"), past=False).tolist() == pytest.approx(
        [0.0, LESS["previous"], LESS["repealed"]]
    )
    assert LESS["previous"] > LESS["repealed"] > 0


def test_where_the_past_is_asked_for_what_is_in_force_gives_way() -> None:
    assert force(of_states("", "previous", "repealed"), past=True).tolist() == pytest.approx([IN_FORCE_LESS, 0.0, 0.0])
    assert force(of_states("", ""), past=True).tolist() == [0.0, 0.0]  # nothing to choose between


def test_what_another_document_repeals_is_repealed_but_for_what_was_replaced_before() -> None:
    known = replace(of_states("", "previous", ""), document_ids=["a", "a", "b"]).with_repealed({"a": WAS})
    assert known.states == ["repealed", "previous", ""]


def chosen(*chunks: Chunk) -> list[Chunk]:
    found = candidates(*((0.9 - n / 100, each) for n, each in enumerate(chunks)))
    ranked = ranking(found, search_request("¿?", recipe=Recipe(name="r", duplicate_similarity=0.3)))
    assert ranked.table.states == table(chunks).states
    return [chunks[row] for row in select(ranked, lambda row: chunks[row].text).chosen]


def test_a_previous_text_repeats_nothing_that_is_in_force() -> None:
    assert chosen(OLD, NEW) == [OLD, NEW]
    assert chosen(NEW, replace(NEW, chunk_id=3)) == [NEW]


def test_a_passage_has_one_state() -> None:
    around = law("Uno.", "Dos.", "Tres.", "Cuatro.")
    around[2], around[3] = replace(around[2], state=WAS), replace(around[3], state=WAS)
    assert widened([2], around, longest=500).runs == {2: range(2, 4)}
    assert widened([4], around, longest=500).runs == {4: range(4, 5)}
    assert widened([1], around, longest=500).runs == {1: range(1, 2)}
