"""When nothing that was found is about the question."""

from __future__ import annotations

import pytest

from rag_system.generation.confidence import Signals, is_off_topic

FLOOR = 0.64


@pytest.mark.parametrize(
    ("nearness", "coverage", "floor", "expected"),
    [
        (0.60, 0.20, FLOOR, True),  # far, with few of the words
        (0.60, 0.50, FLOOR, False),  # half of the words are there
        (0.70, 0.20, FLOOR, False),  # near: said in other words
        (0.74, 0.00, FLOOR, True),  # «kdkdkd skskks»: no word is anywhere
        (0.74, 0.00, 0.00, False),  # documents in another language have none of the words
    ],
)
def test_off_topic(nearness: float, coverage: float, floor: float, expected: bool) -> None:
    signals = Signals(nearness=nearness, coverage=coverage, passage_lead=0.1, sentence_lead=0.1)
    assert is_off_topic(signals, floor) is expected
