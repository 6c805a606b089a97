"""An in-memory reranker for tests: counts shared words, nothing to load."""

from __future__ import annotations

from collections.abc import Sequence

from rag_system.query.text import query_terms

__all__ = ["WordOverlapReranker"]


class WordOverlapReranker:
    """Log-odds that grow with the share of the question's terms that a text has: −5 for none, 5 for all."""

    def __init__(self) -> None:
        self.read: list[str] = []  # every text that was judged, in order

    @property
    def name(self) -> str:
        return "word-overlap"

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        self.read += texts
        asked = set(query_terms(question))
        return [10 * len(asked.intersection(query_terms(text))) / max(len(asked), 1) - 5 for text in texts]
