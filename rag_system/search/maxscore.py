"""MaxScore (Turtle & Flood 1995, §4): the few chunks among which the best ones are, without scoring them all.

The terms are ordered from the rarest to the commonest. A chunk whose rarest term is the j-th can gain at most what that
term gives for its weight there and, from each later term, what its heaviest posting gives. Where that is less than the
score of `limit` chunks that are known already, the chunk is never looked at: postings of common terms are only looked
up for the chunks that rarer terms brought.

What a chunk gains is a complex number, so that its two sums are made at once: the real part is the BM25 score, the
imaginary part the inverse document frequency of the terms it has. Both only grow from term to term.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_system.search.term_postings import TermPostings
from rag_system.storage.postings import Ids

__all__ = ["Gains", "Scores", "Term", "Value", "contenders", "sum_gains"]

Gains = NDArray[np.complex64]
Scores = NDArray[np.float32]
Value = Callable[[Gains], Scores]  # the score of what was gained; grows with both parts

PROBED_TERMS, PROBED_CHUNKS = 3, 300  # rarest terms, and chunks of each, that are scored first to know what is good
MOSTLY = 0.25  # share of hopeful postings from which adding them all costs less than looking some up
SLACK = np.float32(1 - 1e-5)  # more than the rounding of sums made in another order


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term of the question."""

    postings: TermPostings
    gains: Gains  # (256,): what a chunk gains by the term, by weight; nothing at 0, then growing

    @property
    def most(self) -> np.complex64:
        """What a chunk gains at most."""
        best: np.complex64 = self.gains[self.postings.max_weight]
        return best


def sum_gains(terms: Sequence[Term], chunk_ids: Ids) -> Gains:
    """What each chunk gains by all terms; the ids ascend."""
    total = np.zeros(len(chunk_ids), np.complex64)
    for term in terms:
        places, weights = term.postings.find(chunk_ids)
        total[places] += term.gains[weights]
    return total


def contenders(terms: Sequence[Term], value: Value, limit: int, *, live: Callable[[Ids], Ids]) -> tuple[Ids, Scores]:
    """Ids, ascending, that hold the `limit` best chunks and all that tie with the last of them, and few others; with
    the score of each.

    `live` leaves out the chunks that are gone.
    """
    rarest_first = sorted(
        (term for term in terms if term.postings.document_frequency), key=lambda term: term.postings.document_frequency
    )
    if not rarest_first:
        return np.zeros(0, np.int32), np.zeros(0, np.float32)
    threshold = _known_good(rarest_first, value, limit, live)
    hopeful = _hopeful(rarest_first, value, threshold)
    ids = live(_distinct(hopeful))
    mostly = [len(ids) >= MOSTLY * t.postings.document_frequency for t, ids in zip(rarest_first, hopeful, strict=True)]
    added = [term for term, whole in zip(rarest_first, mostly, strict=True) if whole]
    looked_up = [term for term, whole in zip(rarest_first, mostly, strict=True) if not whole]
    gains = _sum_all(added, stop=max(term.postings.stop for term in rarest_first))[ids]
    for number, term in enumerate(looked_up):
        missing = sum((later.most for later in looked_up[number:]), np.complex64(0))
        keep = np.flatnonzero(value(gains + missing) >= threshold)
        ids, gains = ids[keep], gains[keep]
        places, weights = term.postings.find(ids)
        gains[places] += term.gains[weights]
    scores = value(gains)
    best = scores >= threshold
    return ids[best], scores[best]


def _known_good(rarest_first: Sequence[Term], value: Value, limit: int, live: Callable[[Ids], Ids]) -> np.float32:
    """A score that at least `limit` chunks reach."""
    probes = [term.postings.heaviest(PROBED_CHUNKS) for term in rarest_first[:PROBED_TERMS]]
    scores = value(sum_gains(rarest_first, live(_distinct(probes))))
    if len(scores) < limit:
        return np.float32(0)
    kth: np.float32 = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    return kth * SLACK


def _hopeful(rarest_first: Sequence[Term], value: Value, threshold: np.float32) -> list[Ids]:
    """Of each term, the chunks that can reach the threshold though no rarer term is in them."""
    hopeful: list[Ids] = []
    later = np.complex64(0)
    for term in reversed(rarest_first):
        reach = value(term.gains[1:] + later)
        hopeful.append(term.postings.at_least(1 + int(np.searchsorted(reach, threshold))))
        later += term.most
    return hopeful[::-1]


def _sum_all(terms: Sequence[Term], *, stop: int) -> Gains:
    """What every chunk up to `stop` gains by these terms. The system backs only the pages that a posting touches."""
    table = np.zeros(stop, np.complex64)
    for term in terms:
        term.postings.add_to(table, term.gains)
    return table


def _distinct(several: Sequence[Ids]) -> Ids:
    """Each id once, ascending. (`np.unique` of NumPy 2 hashes integers: a hundred times slower than sorting them.)"""
    ids = np.sort(np.concatenate(several))
    first = np.ones(len(ids), bool)
    np.not_equal(ids[1:], ids[:-1], out=first[1:])
    return ids[first]
