"""How much a file of some bytes may become."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.proportions import (
    check_chunks,
    check_pages,
    check_text,
    most_chunks,
    most_pages,
    most_text,
)

BOUNDS = [
    (most_text, check_text, 635, 65_536 + 200 * 635),
    (most_pages, check_pages, 635, 200 + 158),  # 635 / 4 = 158.75
    (most_chunks, check_chunks, 635, 200 + 158),
    (most_text, check_text, 10 * 2**20, 65_536 + 2_000 * 2**20),
    (most_pages, check_pages, 10 * 2**20, 200 + 2_621_440),
    (most_chunks, check_chunks, 10 * 2**20, 200 + 2_621_440),
]


@pytest.mark.parametrize(("most", "check", "size", "expected"), BOUNDS)
def test_what_is_in_proportion_passes_and_one_more_is_a_sentence(
    most: Callable[[int], int], check: Callable[..., None], size: int, expected: int
) -> None:
    assert most(size) == expected
    check(expected, size_bytes=size)
    with pytest.raises(UnreadableFileError, match=rf"^El archivo pesa {size} bytes y daría [^\n]+\.$"):
        check(expected + 1, size_bytes=size)
