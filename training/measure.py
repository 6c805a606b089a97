"""How well an encoder finds the chunks of kept questions, by vectors alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import torch

from training.lessons import Collection, Lesson
from training.network import Encoder, Reader

__all__ = ["PREFIX", "measure"]

PREFIX = "query: "
DEPTH = 50
GROUP = 32

Figures = dict[str, dict[str, float]]


def measure(
    encoder: Encoder, read: Reader, collection: Collection, kept: Mapping[str, Sequence[Lesson]]
) -> dict[str, Figures]:
    """By set and kind: how many, the share found among the first 1, 5 and 10, and the mean reciprocal rank.

    A question is searched in its own collection.
    """
    names = np.array([chunk["collection"] for chunk in collection.chunks])
    own = {name: torch.from_numpy(np.flatnonzero(names == name)) for name in np.unique(names)}
    vectors = torch.from_numpy(collection.vectors)
    return {name: _figures(encoder, read, vectors, own, lessons) for name, lessons in kept.items()}


def _figures(
    encoder: Encoder,
    read: Reader,
    vectors: torch.Tensor,
    own: Mapping[str, torch.Tensor],
    lessons: Sequence[Lesson],
) -> Figures:
    ranks = defaultdict[str, list[int]](list)
    with torch.no_grad():
        for at in range(0, len(lessons), GROUP):
            group = lessons[at : at + GROUP]
            asked = encoder(*read([PREFIX + lesson.question for lesson in group]))
            for lesson, vector in zip(group, asked, strict=True):
                similar = vectors @ vector
                rivals = similar[own[lesson.document.partition("/")[0]]]
                ranks[lesson.kind].append(1 + int((rivals > similar[list(lesson.right)].max()).sum()))
    return {
        kind: {
            "n": len(of),
            **{f"R@{k}": round(sum(rank <= k for rank in of) / len(of), 3) for k in (1, 5, 10)},
            "MRR": round(sum(1 / rank for rank in of if rank <= DEPTH) / len(of), 3),
        }
        for kind, of in sorted(ranks.items())
    }
