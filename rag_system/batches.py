"""Things taken several at a time, by what each of them weighs: memory does not grow with how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

__all__ = ["batches"]

Item = TypeVar("Item")


def batches(items: Iterable[Item], size_of: Callable[[Item], int], *, least: int) -> Iterator[list[Item]]:
    """The items in lists, each ended by the item that brings its size to `least`; the last one may stay below."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += size_of(item)
        if size >= least:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
