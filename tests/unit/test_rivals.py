"""Between which documents a person is offered to choose below an answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.view import RIVALS, ShownCitation, Turn
from rag_system.types import Funnel, Reading, Survivor

CITED = ShownCitation(
    n=1, chunk_id=1, document="a.md", path="a.md", section="", page=None, quote="Quince días.", passage="Quince días."
)
READING = Reading(standalone_question="¿Qué plazo hay para apelar?")


def survivor(path: str, level: float, *, state: str = "") -> Survivor:
    return Survivor(
        chunk_id=1,
        path=path,
        page=None,
        section="",
        score=level,
        level=level,
        scores={},
        levels={},
        proposed_by=("semantic",),
        state=state,
    )


def turn(*survivors: Survivor, **funnel: object) -> Turn:
    found = Funnel(reading=READING, survivors=survivors)
    return Turn(role="assistant", citations=(CITED,), funnel=replace(found, **funnel))  # type: ignore[arg-type]


NEAR = (survivor("a.md", 1.0), survivor("a.md", 0.98), survivor("b.md", 0.95))


@pytest.mark.parametrize(
    ("answer", "offered"),
    [
        (turn(*NEAR), ("a.md", "b.md")),
        (turn(*NEAR, *(survivor(f"{n}.md", 0.96) for n in range(RIVALS))), ("a.md", "0.md", "1.md")),
        (turn(survivor("b.md", 0.8), survivor("a.md", 1.0)), ("a.md", "b.md")),
        (turn(survivor("a.md", 1.0), survivor("b.md", 0.5)), ()),
        (turn(survivor("a.md", 1.0), survivor("b.md", 0.99, state="texto derogado")), ()),
        (turn(), ()),
        (turn(*NEAR, documents=("a.md", "b.md")), ()),
        (turn(*NEAR, projects=("general", "obras")), ()),
        (turn(*NEAR, reading=replace(READING, identifiers=("ley:27444",))), ()),
        (turn(*NEAR, reading=replace(READING, authors=("arias",))), ()),
        (turn(*NEAR, reading=None), ()),
        (replace(turn(*NEAR), citations=()), ()),
    ],
)
def test_who_may_be_meant_is_offered_where_nobody_was_named(answer: Turn, offered: tuple[str, ...]) -> None:
    assert answer.rivals == offered
