"""The postings of one term over all segments, as a search looks them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rag_system.storage.postings import Ids, Posting, Weights

__all__ = ["TermPostings"]

_SAMPLE = 4096  # weights from which `heaviest` reads where the heavy ones begin
_NO_IDS = np.zeros(0, np.int32)

Places = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class TermPostings:
    """The chunks of a term and their weights, 1…255. The arrays are views of the bytes that the database sent."""

    document_frequency: int  # chunks with the term
    chunk_ids: Ids  # ascending; those that are not in a run
    weights: Weights
    runs: Sequence[tuple[int, Weights]]  # first id, and the weights of consecutive ids, 0 where the term is absent

    @classmethod
    def of(cls, postings: Sequence[Posting]) -> TermPostings:
        """`postings` are those of one term, in the order of their segments."""
        pairs = [posting for posting in postings if not posting.is_run]
        return cls(
            document_frequency=sum(posting.document_frequency for posting in postings),
            chunk_ids=np.frombuffer(b"".join(posting.chunk_ids for posting in pairs), "<i4"),
            weights=np.frombuffer(b"".join(posting.weights for posting in pairs), np.uint8),
            runs=[(p.first_id, np.frombuffer(p.weights, np.uint8)) for p in postings if p.is_run],
        )

    @cached_property
    def max_weight(self) -> int:
        return max((int(weights.max()) for weights in self._all_weights() if len(weights)), default=0)

    @property
    def stop(self) -> int:
        """The first id after all of them."""
        ends = [int(self.chunk_ids[-1]) + 1] if len(self.chunk_ids) else [0]
        return max(ends + [first + len(weights) for first, weights in self.runs])

    def find(self, chunk_ids: Ids) -> tuple[Places, Weights]:
        """Where in `chunk_ids`, which ascend, the term is, and its weights there."""
        found = [self._find_among_pairs(chunk_ids)]
        for first, weights in self.runs:
            start, stop = np.searchsorted(chunk_ids, [first, first + len(weights)])
            inside = weights[chunk_ids[start:stop] - first]
            present = np.flatnonzero(inside)
            found.append((present + start, inside[present]))
        if len(found) == 1:
            return found[0]
        return np.concatenate([places for places, _ in found]), np.concatenate([weights for _, weights in found])

    def _find_among_pairs(self, chunk_ids: Ids) -> tuple[Places, Weights]:
        """The shorter list is looked up in the longer one."""
        own = self.chunk_ids
        if not len(own) or not len(chunk_ids):
            return np.zeros(0, np.intp), self.weights[:0]
        if len(own) < len(chunk_ids):
            places = np.searchsorted(chunk_ids, own)
            places[places == len(chunk_ids)] = 0
            here = np.flatnonzero(chunk_ids[places] == own)
            return places[here], self.weights[here]
        at = np.searchsorted(own, chunk_ids)
        at[at == len(own)] = 0
        here = np.flatnonzero(own[at] == chunk_ids)
        return here, self.weights[at[here]]

    def at_least(self, weight: int) -> Ids:
        """The chunks where the term weighs at least `weight`, 1…256."""
        if weight > self.max_weight:
            return _NO_IDS
        heavy = [self.chunk_ids if weight <= 1 else self.chunk_ids[self.weights >= weight]]
        heavy += [(np.flatnonzero(weights >= weight) + first).astype(np.int32) for first, weights in self.runs]
        return np.concatenate(heavy)

    def heaviest(self, count: int) -> Ids:
        """Up to `count` of the chunks where the term weighs most: a good guess, from a sample of the weights."""
        if self.document_frequency <= count:
            return self.at_least(1)
        step = max(self.document_frequency // _SAMPLE, 1)
        sample = np.concatenate([weights[::step] for weights in self._all_weights()])
        sample = np.sort(sample[sample > 0])
        heavy = max(len(sample) * count // self.document_frequency, 1)
        return self.at_least(int(sample[-heavy:][0]) if len(sample) else 1)[:count]

    def add_to(self, table: NDArray[np.complex64], values: NDArray[np.complex64]) -> None:
        """Add to the row of every chunk that has the term what `values` says for its weight; `values[0]` is 0."""
        table[self.chunk_ids] += values[self.weights]
        for first, weights in self.runs:
            table[first : first + len(weights)] += values[weights]

    def _all_weights(self) -> list[Weights]:
        return [self.weights, *(weights for _, weights in self.runs)]
