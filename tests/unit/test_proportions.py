"""How much a file of some bytes may become."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rag_system.errors import UnreadableFileError
from rag_system.ingestion.proportions import check_chunks, check_pages, check_text

BOUNDS = [
    (check_text, 635, 65_536 + 200 * 635),
    (check_pages, 635, 200 + 158),  # 635 / 4 = 158.75
    (check_chunks, 635, 200 + 158),
    (check_text, 10 * 2**20, 65_536 + 2_000 * 2**20),
    (check_pages, 10 * 2**20, 200 + 2_621_440),
    (check_chunks, 10 * 2**20, 200 + 2_621_440),
]


@pytest.mark.parametrize(("check", "size", "most"), BOUNDS)
def test_what_is_in_proportion_passes_and_one_more_is_a_sentence(
    check: Callable[..., None], size: int, most: int
) -> None:
    check(most, size_bytes=size)
    with pytest.raises(UnreadableFileError, match=rf"^El archivo pesa {size} bytes y daría [^\n]+\.$"):
        check(most + 1, size_bytes=size)
