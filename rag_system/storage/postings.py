"""Packed BM25 postings: how words become bytes, and how segments merge. Scoring is in `search.bm25`.

A posting stores only the saturated term frequency, quantised to one byte, from which every BM25 variant follows:

    ctd    = tf / (1 − b + b · length / mean length)
    weight = ctd / (k1 + ctd)                                     stored: round(255 · weight), at least 1

A term that is in many chunks is stored as a run: a byte for each of consecutive ids, 0 where the term is absent.
"""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

__all__ = ["K1", "ChunkTerms", "Ids", "Posting", "Weights", "in_ranges", "merge", "pack"]

K1 = 1.2  # Robertson & Zaragoza 2009, §3.3: usual range 1.2…2
B = 0.75
HEADING_WEIGHT = 2  # a word of the title or a heading counts as two of the body
BYTES_PER_PAIR = 5  # an id and a weight; a run has one byte for each id between its first and its last
SHORTEST_RUN = 512  # chunks with the term; below, the many small segments of a run of files would each be looked up

Ids = NDArray[np.int32]
Weights = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkTerms:
    """The analysed words of a chunk, by field."""

    chunk_id: int
    heading: Sequence[str]
    body: Sequence[str]

    def __len__(self) -> int:
        return len(self.heading) + len(self.body)


@dataclass(frozen=True, slots=True)
class Posting:
    """A term's chunks in one segment: int32 little-endian ids, ascending, and as many uint8 weights.

    A run has only its first id, and the weights of the consecutive ids from there.
    """

    term: str
    chunk_ids: bytes
    weights: bytes
    document_frequency: int  # chunks with the term

    @property
    def is_run(self) -> bool:
        return len(self.chunk_ids) < 4 * len(self.weights)

    @property
    def first_id(self) -> int:
        return int.from_bytes(self.chunk_ids[:4], "little")

    @property
    def stop_id(self) -> int:
        """The id after the last one."""
        return self.first_id + len(self.weights) if self.is_run else int.from_bytes(self.chunk_ids[-4:], "little") + 1

    def pairs(self) -> tuple[Ids, Weights]:
        """The ids, ascending, and their weights, whatever the form."""
        ids, weights = np.frombuffer(self.chunk_ids, "<i4"), np.frombuffer(self.weights, np.uint8)
        if not self.is_run:
            return ids, weights
        present = np.flatnonzero(weights)
        return (present + self.first_id).astype(np.int32), weights[present]

    def raised(self, by: int) -> Posting:
        """The same with that added to its ids."""
        if not by:
            return self
        ids = (np.frombuffer(self.chunk_ids, "<i4") + np.int32(by)).astype("<i4").tobytes()
        return Posting(self.term, ids, self.weights, self.document_frequency)


def pack(chunks: Iterable[ChunkTerms], *, mean_length: float) -> list[Posting]:
    """The postings of a new segment; `chunks` come in ascending order of id, `mean_length` is in terms."""
    ids: dict[str, list[int]] = defaultdict(list)
    weights: dict[str, bytearray] = defaultdict(bytearray)
    for chunk in chunks:
        norm = K1 * (1 - B + B * len(chunk) / max(mean_length, 1.0))
        frequency = Counter[str](chunk.body)
        for term in chunk.heading:
            frequency[term] += HEADING_WEIGHT
        weight = {tf: max(round(255 * tf / (tf + norm)), 1) for tf in set(frequency.values())}
        for term, tf in frequency.items():
            ids[term].append(chunk.chunk_id)
            weights[term].append(weight[tf])
    return [_packed(term, ids[term], weights[term]) for term in sorted(ids)]


def merge(postings: Iterable[Posting], *, removed: Sequence[range] = ()) -> Iterator[Posting]:
    """One segment out of many, without the chunks in `removed`. Holds one term at a time.

    `postings` come sorted by term and, those of a term, by id: the ids of a segment all precede those of the next.
    """
    for term, group in groupby(postings, key=lambda posting: posting.term):
        parts = list(group)
        if not removed and sum(part.document_frequency for part in parts) < SHORTEST_RUN:  # as most are: none is a run
            yield _joined(term, parts)
            continue
        ids, weights = (np.concatenate(arrays) for arrays in zip(*(part.pairs() for part in parts), strict=True))
        live = ~in_ranges(ids, removed)
        if live.any():
            yield _posting(term, ids[live], weights[live])


def in_ranges(chunk_ids: Ids, ranges: Sequence[range]) -> NDArray[np.bool_]:
    """Which of the ids lie in one of the ranges, which do not overlap."""
    if not ranges:
        return np.zeros(len(chunk_ids), bool)
    bounds = np.array(sorted((r.start, r.stop) for r in ranges), np.int32)
    at = np.searchsorted(bounds[:, 0], chunk_ids, side="right") - 1
    inside: NDArray[np.bool_] = (at >= 0) & (chunk_ids < bounds[at, 1])
    return inside


def _packed(term: str, ids: Sequence[int], weights: bytearray) -> Posting:
    if len(ids) < SHORTEST_RUN:
        return Posting(term, struct.pack(f"<{len(ids)}i", *ids), bytes(weights), len(ids))
    return _posting(term, np.array(ids, "<i4"), np.frombuffer(weights, np.uint8))


def _joined(term: str, parts: Sequence[Posting]) -> Posting:
    ids, weights = b"".join(part.chunk_ids for part in parts), b"".join(part.weights for part in parts)
    return Posting(term, ids, weights, len(weights))


def _posting(term: str, ids: Ids, weights: Weights) -> Posting:
    """In the shorter of the two forms."""
    count, span = len(ids), int(ids[-1]) - int(ids[0]) + 1
    if count < SHORTEST_RUN or span >= BYTES_PER_PAIR * count:
        return Posting(term, ids.tobytes(), weights.tobytes(), count)
    run = np.zeros(span, np.uint8)
    run[ids - ids[0]] = weights
    return Posting(term, ids[:1].tobytes(), run.tobytes(), count)
