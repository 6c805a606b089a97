"""Thoughts at the beginning of a text are not the answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.generation.reasoning_filter import ReasoningFilter

WHOLE = [
    ("Son 15 días.", "Son 15 días."),
    ("<think>A ver…</think>\n\nSon 15 días.", "Son 15 días."),
    ("\n<think>\nA ver…\n</think>Son <b>15</b> días.", "Son <b>15</b> días."),
    ("<think>sin final", ""),
    ("<th", "<th"),
    ("<tabla> de plazos", "<tabla> de plazos"),
    ("Son <think>15</think> días.", "Son <think>15</think> días."),
    ("", ""),
]


@pytest.mark.parametrize(("text", "shown"), WHOLE)
@settings(deadline=None, max_examples=30)  # the machine may be busy
@given(sizes=st.lists(st.integers(1, 6), max_size=30))
def test_in_any_pieces(text: str, shown: str, sizes: list[int]) -> None:
    spoken, start, pieces = ReasoningFilter(), 0, []
    for size in sizes:
        pieces.append(spoken.feed(text[start : start + size]))
        start += size
    assert "".join([*pieces, spoken.feed(text[start:]), spoken.close()]).lstrip() == shown
