"""Whether a question only brings a name up: where somebody comes from, the agency that everybody deals with.

Such a name makes no question unanswerable, as long as the best passage speaks of what is asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag_system.generation.terms import TermReader, topic_terms
from rag_system.generation.word_patterns import load_data, one_of
from rag_system.query.text import fold, query_terms
from rag_system.types import Evidence

__all__ = ["is_in_passing"]

_DATA = load_data("depaso.toml")
_ACRONYM = re.compile(one_of(_DATA["siglas"]))
_OF_SOMEBODY = one_of(_DATA["de_alguien"])
_MOST = 0.6  # of what else the question is about: the best passage must hold as much


def is_in_passing(name: str, question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether the best passage speaks of what a question asks besides a name, which is not what is asked about."""
    printed, folded = fold(name), fold(question)
    brought_up = _ACRONYM.fullmatch(printed) or re.search(rf"\b{_OF_SOMEBODY}\s*{re.escape(printed)}\b", folded)
    if not brought_up:
        return False
    terms = [term for term in topic_terms(question) if term not in set(query_terms(name))]
    best = max(evidence, key=lambda item: item.score, default=None)
    if not terms or best is None:
        return False
    titles = (part for chunk in best.chunks for part in (chunk.title, *chunk.heading_path))
    held = TermReader(question, terms)(" ".join((*titles, best.text)))
    return len(held) >= _MOST * len(terms)
