"""Packed BM25 postings: how words become bytes, and how segments merge. Scoring is in `search.bm25`.

A posting stores only the saturated term frequency, quantised to one byte, from which every BM25 variant follows:

    ctd    = tf / (1 − b + b · length / mean length)
    weight = ctd / (k1 + ctd)                                     stored: round(255 · weight)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

__all__ = ["K1", "ChunkTerms", "Posting", "merge", "pack"]

K1 = 1.2  # Robertson & Zaragoza 2009, §3.3: usual range 1.2…2
B = 0.75
HEADING_WEIGHT = 2.0  # a word of the title or a heading counts as two of the body


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
    """A term's chunks in one segment: int32 little-endian ids and uint8 weights, of equal count."""

    term: str
    chunk_ids: bytes
    weights: bytes


def pack(chunks: Iterable[ChunkTerms], *, mean_length: float) -> list[Posting]:
    """The postings of a new segment; `chunks` come in ascending order of id, `mean_length` is in terms."""
    ids: dict[str, list[int]] = defaultdict(list)
    weights: dict[str, bytearray] = defaultdict(bytearray)
    for chunk in chunks:
        norm = K1 * (1 - B + B * len(chunk) / max(mean_length, 1.0))
        frequency: Counter[str] = Counter(chunk.body)
        heading = Counter(chunk.heading)
        for term in frequency.keys() | heading.keys():
            tf = frequency[term] + HEADING_WEIGHT * heading[term]
            ids[term].append(chunk.chunk_id)
            weights[term].append(round(255 * tf / (tf + norm)))
    return [Posting(t, np.asarray(ids[t], "<i4").tobytes(), bytes(weights[t])) for t in sorted(ids)]


def merge(postings: Iterable[Posting], *, live: NDArray[np.int32]) -> Iterator[Posting]:
    """One segment out of many, sorted by term, with only the chunks whose ids are in `live`."""
    alive = np.zeros(int(live.max()) + 1 if len(live) else 0, bool)
    alive[live] = True
    for term, group in groupby(postings, key=lambda posting: posting.term):
        pieces = list(group)
        ids = np.concatenate([np.frombuffer(p.chunk_ids, "<i4") for p in pieces])
        weights = np.concatenate([np.frombuffer(p.weights, np.uint8) for p in pieces])
        keep = np.flatnonzero(ids < len(alive))
        keep = keep[alive[ids[keep]]]
        if len(keep):
            keep = keep[np.argsort(ids[keep], kind="stable")]
            yield Posting(term, ids[keep].tobytes(), weights[keep].tobytes())
