"""What does not wait for a database that is away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rag_system.storage.connection import telling

__all__ = ["AwayError", "impatient"]


class AwayError(Exception):
    """The database is away, and has been for a while."""


@contextmanager
def impatient() -> Iterator[None]:
    """Raises `AwayError` in place of a wait of more than two seconds, in this thread."""
    with telling(_give_up):
        yield


def _give_up() -> None:
    raise AwayError
