"""A conversation as a tree: each message follows another one, and those that follow the same one are its versions.

Pure functions over the parent of each message, by ordinal; None is the parent of a first message.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["Parents", "branch", "newest_leaf", "versions"]

Parents = Mapping[int, int | None]  # in ascending order


def branch(parents: Parents, leaf: int | None) -> list[int]:
    """The messages from the first one down to `leaf`; none for None.

    >>> branch({0: None, 1: 0, 2: 0, 3: 2}, 3)
    [0, 2, 3]
    """
    path: list[int] = []
    while leaf is not None:
        path.append(leaf)
        leaf = parents[leaf]
    return path[::-1]


def newest_leaf(parents: Parents, ordinal: int) -> int:
    """Where one ends up who goes on from a message along the newest version of each that follows.

    >>> newest_leaf({0: None, 1: 0, 2: 0, 3: 2}, 0)
    3
    """
    children = {parent: each for each, parent in parents.items()}  # of several, the last one stays
    while ordinal in children:
        ordinal = children[ordinal]
    return ordinal


def versions(parents: Parents, ordinal: int) -> tuple[int, ...]:
    """A message and the others that follow the same one, oldest first.

    >>> versions({0: None, 1: 0, 2: 0, 3: 2}, 1)
    (1, 2)
    """
    return tuple(each for each, parent in parents.items() if parent == parents[ordinal])
