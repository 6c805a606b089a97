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
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rag_system.search.maxscore import Gains, Scores, Term, contenders, sum_gains
from rag_system.search.term_postings import TermPostings
from rag_system.storage.postings import K1, Ids, Posting, in_ranges

__all__ = ["Bm25", "LexicalScores", "Variant", "score"]

DELTA = 1.0  # Lv & Zhai 2011, §3


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
    """BM25 of the chunks of a project. A chunk is scored when it is asked for, or when it can be among the best."""

    terms: Sequence[Term]
    total_idf: float  # Σ idf of the question's terms: the ceiling that `coverage` is measured against
    coordination: bool = True
    removed: Sequence[range] = ()
    among: Ids | None = None  # the only chunks that score, ascending; None: all

    def of(self, chunk_ids: NDArray[np.int32]) -> Scores:
        """Score of each chunk, 0 for those without any of the terms. The ids are distinct."""
        order = np.argsort(chunk_ids, kind="stable")
        scores = np.empty(len(chunk_ids), np.float32)
        scores[order] = self._of_ascending(chunk_ids[order])
        return scores

    def coverage(self, chunk_ids: NDArray[np.int32]) -> Scores:
        """Score of each chunk relative to the ceiling, about 0…2. Ids without postings score 0."""
        return (self.of(chunk_ids) / np.float32(max(self.total_idf, 1e-9))).astype(np.float32)

    def top(self, limit: int, *, within: Sequence[range] = ()) -> list[int]:
        """The best chunk ids, best first; `within` confines them to ranges of ids, which do not overlap."""
        if within:
            ascending = sorted(within, key=lambda each: each.start)
            ids = np.concatenate([np.arange(each.start, each.stop, dtype=np.int32) for each in ascending])
            scores = self._of_ascending(ids)
        else:
            ids, scores = contenders(self.terms, self._value, limit, live=self._live)
        best = np.lexsort((ids, -scores))[:limit]
        return [int(i) for i in ids[best[scores[best] > 0]]]

    def _of_ascending(self, ids: Ids) -> Scores:
        scores = self._value(sum_gains(self.terms, ids))
        if self._is_confined:
            scores[~self._alive(ids)] = 0
        return scores

    def _value(self, gains: Gains) -> Scores:
        """BM25, times 0.5 + 0.5 · the share of the ceiling that the matched terms make up."""
        scores: Scores = gains.real.copy()
        if self.coordination and self.total_idf > 0:
            scores *= np.float32(0.5) + np.float32(0.5 / self.total_idf) * gains.imag
        return scores

    def _live(self, chunk_ids: Ids) -> Ids:
        return chunk_ids[self._alive(chunk_ids)] if self._is_confined else chunk_ids

    @property
    def _is_confined(self) -> bool:
        return bool(self.removed) or self.among is not None

    def _alive(self, chunk_ids: Ids) -> NDArray[np.bool_]:
        alive = ~in_ranges(chunk_ids, self.removed)
        return alive if self.among is None else alive & _is_among(chunk_ids, self.among)


def score(
    terms: Sequence[str],
    postings: Sequence[Posting],
    *,
    chunk_count: int,
    removed: Sequence[range] = (),
    among: Ids | None = None,
    bm25: Bm25 | None = None,
) -> LexicalScores:
    """The scores of the chunks that are not `removed`. `chunk_count` is the number of the live ones.

    `among` confines them to chunks of these ids, ascending; what a word weighs is still counted over all.

    The postings of a term come in the order of their segments.
    """
    bm25 = bm25 or Bm25()
    by_term: dict[str, list[Posting]] = defaultdict(list)
    for posting in postings:
        by_term[posting.term].append(posting)
    saturation = _saturation(bm25.variant)
    scored: list[Term] = []
    total = 0.0
    for term in dict.fromkeys(terms):
        found = TermPostings.of(by_term[term])
        total += (idf := _idf(found.document_frequency, chunk_count))
        scored.append(Term(postings=found, gains=(np.float32(idf) * saturation).astype(np.complex64)))
    return LexicalScores(terms=scored, total_idf=total, coordination=bm25.coordination, removed=removed, among=among)


def _is_among(chunk_ids: Ids, among: Ids) -> NDArray[np.bool_]:
    at = np.minimum(np.searchsorted(among, chunk_ids), max(len(among) - 1, 0))
    found: NDArray[np.bool_] = among[at] == chunk_ids if len(among) else np.zeros(len(chunk_ids), bool)
    return found


def _idf(document_frequency: int, chunk_count: int) -> float:
    """Lucene's: ln(1 + (N − df + ½) / (df + ½)), never negative. Postings of removed chunks may make df exceed N."""
    n = max(chunk_count, document_frequency)
    return float(np.log1p((n - document_frequency + 0.5) / (document_frequency + 0.5)))


@cache
def _saturation(variant: Variant) -> Gains:
    """By stored weight: BM25's share of a term as the real part, 1 as the imaginary one; 0 where the term is absent."""
    weight = np.arange(256, dtype=np.float32) / np.float32(255)
    if variant is Variant.L:
        ctd = K1 * weight / np.maximum(1 - weight, np.float32(1 / 512))
        share = (K1 + 1) * (ctd + DELTA) / (K1 + ctd + DELTA)
    else:
        share = np.float32(K1 + 1) * weight + np.float32(DELTA if variant is Variant.PLUS else 0)
    saturation: Gains = (share + 1j).astype(np.complex64)
    saturation[0] = 0
    return saturation
