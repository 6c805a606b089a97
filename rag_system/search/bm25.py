"""BM25 over packed postings: how postings become scores. How they are made is in `storage.postings`.

Okapi BM25 (Robertson & Zaragoza 2009) with Lucene's inverse document frequency, and the Plus and L variants of
Lv & Zhai (2011), all three from the stored weight:

    Classic = (k1 + 1) · weight
    Plus    = Classic + δ
    L       = (k1 + 1) · (ctd + δ) / (k1 + ctd + δ),              ctd = k1 · weight / (1 − weight)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from rag_system.storage.postings import K1, Posting

__all__ = ["Bm25", "LexicalScores", "Variant", "score"]

DELTA = 1.0  # Lv & Zhai 2011, §3

FloatArray = NDArray[np.float32]


class Variant(StrEnum):
    CLASSIC = "classic"
    PLUS = "plus"
    L = "l"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25:
    """Query-time parameters."""

    variant: Variant = Variant.CLASSIC
    coordination: bool = True  # multiply by 0.5 + 0.5 · coverage


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalScores:
    """BM25 of every chunk of a project, addressed by chunk id."""

    scores: FloatArray
    total_idf: float  # Σ idf of the question's terms: the ceiling that `coverage` is measured against

    def coverage(self, chunk_ids: NDArray[np.int32]) -> FloatArray:
        """Score of each chunk relative to the ceiling, about 0…2. Ids without postings score 0."""
        known = chunk_ids < len(self.scores)
        found = np.where(known, self.scores[np.where(known, chunk_ids, 0)], np.float32(0))
        return (found / max(self.total_idf, 1e-9)).astype(np.float32)

    def top(self, limit: int, *, within: Sequence[range] = ()) -> list[int]:
        """The best chunk ids, best first; `within` confines them to ranges of ids."""
        if within:
            ids = np.concatenate([np.arange(r.start, min(r.stop, len(self.scores)), dtype=np.int32) for r in within])
        else:
            ids = np.flatnonzero(self.scores > 0).astype(np.int32)
        found = self.scores[ids]
        if len(ids) > limit:
            best = np.argpartition(-found, limit)[:limit]
            ids, found = ids[best], found[best]
        order = np.lexsort((ids, -found))
        return [int(i) for i in ids[order] if self.scores[i] > 0]


def score(
    terms: Sequence[str],
    postings: Sequence[Posting],
    *,
    chunk_count: int,
    removed: Sequence[range] = (),
    bm25: Bm25 | None = None,
) -> LexicalScores:
    """Score every chunk that has a posting and is not `removed`. `chunk_count` is the number of the live ones."""
    bm25 = bm25 or Bm25()
    by_term: dict[str, list[Posting]] = defaultdict(list)
    for posting in postings:
        by_term[posting.term].append(posting)
    scores = np.zeros(max((_last_id(posting) for posting in postings), default=0) + 1, np.float32)
    matched = np.zeros_like(scores)
    total = 0.0
    for term in dict.fromkeys(terms):
        found = by_term.get(term, [])
        idf = _idf(sum(len(p.weights) for p in found), chunk_count)
        total += idf
        for posting in found:
            ids = np.frombuffer(posting.chunk_ids, "<i4")
            scores[ids] += np.float32(idf) * _saturation(np.frombuffer(posting.weights, np.uint8), bm25.variant)
            if bm25.coordination:
                matched[ids] += np.float32(idf)
    if bm25.coordination and total > 0:
        scores *= np.float32(0.5) + np.float32(0.5 / total) * matched
    for gone in removed:
        scores[gone.start : gone.stop] = 0
    return LexicalScores(scores=scores, total_idf=total)


def _last_id(posting: Posting) -> int:
    """Ids ascend, so the last is the highest."""
    return int.from_bytes(posting.chunk_ids[-4:], "little")


def _idf(document_frequency: int, chunk_count: int) -> float:
    """Lucene's: ln(1 + (N − df + ½) / (df + ½)), never negative. Postings of removed chunks may make df exceed N."""
    n = max(chunk_count, document_frequency)
    return float(np.log1p((n - document_frequency + 0.5) / (document_frequency + 0.5)))


def _saturation(quantised: NDArray[np.uint8], variant: Variant) -> FloatArray:
    weight = quantised.astype(np.float32) / np.float32(255)
    if variant is Variant.L:
        ctd: FloatArray = K1 * weight / np.maximum(1 - weight, np.float32(1 / 512))
        return ((K1 + 1) * (ctd + DELTA) / (K1 + ctd + DELTA)).astype(np.float32)
    classic: FloatArray = np.float32(K1 + 1) * weight
    return np.add(classic, DELTA if variant is Variant.PLUS else 0, dtype=np.float32)
