"""Which sections of two documents are put side by side, and what is told of the others."""

from __future__ import annotations

from rag_system.tasks.matching import aligned
from rag_system.tasks.parts import Part, Stretch
from tests.builders import chunk


def parts(first: int, *headings: str) -> list[Part]:
    chunks = [chunk(f"Dice algo de {heading}.", chunk_id=n) for n, heading in enumerate(headings, start=first)]
    return [
        Part(path=(heading,), stretches=(Stretch(each, 0, each.text),))
        for heading, each in zip(headings, chunks, strict=True)
    ]


def test_that_both_are_the_first_says_something_of_editions_alone() -> None:
    one, other = (
        parts(1, "Objeto", "PRIMERA", "Segunda.- Vigencia"),
        parts(11, "Objeto", "PRIMERA", "Segunda.- Multas"),
    )
    laws, editions = (aligned([one, other], vectors={}, by_number=by_number) for by_number in (False, True))
    assert [row.headings for row in laws] == [("Objeto",)]
    assert [row.headings for row in editions] == [("Objeto",), ("PRIMERA",)]


def test_a_section_is_beside_the_one_of_its_name_whatever_their_ordinals() -> None:
    one, other = parts(1, "Segunda.- Vigencia"), parts(11, "ÚNICA.- Vigencia")
    assert len(aligned([one, other], vectors={}, by_number=False)) == 1
