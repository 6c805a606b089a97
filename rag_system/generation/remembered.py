"""What people asked to be remembered, as sources of an answer: numbered below 0, and of no document.

All of it is in a model's prompt, as far as there is room. Who quotes gets the facts that hold much of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from rag_system.query.text import analyze_terms, query_terms
from rag_system.types import Chunk, Evidence, Fact

__all__ = ["as_sources", "nearest_first", "telling"]

# Of the question's words, 0…1, that a fact must hold to be quoted: measured with 40 facts beside the sample documents
# and the manuals of `evaluation/`, see docs/reference/answers.md.
MUCH = 0.5


def as_sources(facts: Iterable[Fact]) -> tuple[Evidence, ...]:
    """`[M1]` points at the fact of number 1."""
    return tuple(Evidence(n=-fact.number, chunk=_chunk(fact), text=fact.text, score=0.0) for fact in facts)


def _chunk(fact: Fact) -> Chunk:
    return Chunk(
        chunk_id=-fact.number,
        document_id="",
        path="",
        title="",
        heading_path=(),
        page_first=None,
        page_last=None,
        text=fact.text,
    )


def nearest_first(question: str, facts: Sequence[Evidence]) -> list[Evidence]:
    """Those with most of the question's words, and of these the latest."""
    return sorted(facts, key=lambda fact: (-_held(question, fact.text), fact.n))


def telling(question: str, facts: Sequence[Evidence]) -> list[Evidence]:
    """The facts that may be an answer by themselves."""
    return [fact for fact in facts if _held(question, fact.text) >= MUCH]


def _held(question: str, fact: str) -> float:
    """The share of the question's words that a fact holds."""
    asked = _asked(question)
    return len(asked & _said(fact)) / len(asked) if asked else 0.0


@lru_cache(maxsize=16)
def _asked(question: str) -> frozenset[str]:
    return frozenset(query_terms(question))


@lru_cache(maxsize=1024)
def _said(fact: str) -> frozenset[str]:
    """Kept: each question asks for those of all facts."""
    return frozenset(analyze_terms(fact))
