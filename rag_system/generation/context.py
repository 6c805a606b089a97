"""Which passages the answerer reads, and under which numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rag_system.generation.prompt_budget import estimate_tokens, shorten_to
from rag_system.query.joining import shared_header
from rag_system.query.sentences import shortened
from rag_system.types import Candidate, Chunk, Evidence

__all__ = ["build_context"]

# A passage that only fits shorter than this says too little to be worth a number.
_SHORTEST_CUT_CHARS = 200


def build_context(
    candidates: Sequence[Candidate], *, max_chars: int, max_tokens: float = math.inf
) -> tuple[Evidence, ...]:
    """Evidence `[1]…[n]`, grouped by document in the order of each document's best passage.

    The room of `max_chars` characters, and of `max_tokens` by `estimate_tokens`, is given in the order of the scores,
    so that a weak passage of a good document never displaces a good one: first to the chunks that were found, then to
    their neighbours. The last that does not fit is cut at the end of a sentence.
    """
    fitting = _with_neighbours(list(_fit(_distinct(candidates), max_chars, max_tokens)), max_chars, max_tokens)
    first: dict[str, int] = {}
    for rank, (candidate, *_) in enumerate(fitting):
        first.setdefault(candidate.chunk.document_id, rank)
    fitting.sort(key=lambda each: first[each[0].chunk.document_id])  # stable: inside a document the score decides
    return tuple(
        Evidence(
            n=n,
            chunk=candidate.chunk,
            text=text,
            score=candidate.score,
            neighbours=neighbours,
            concepts=candidate.concepts,
            goes_on=_goes_on(candidate, text),
        )
        for n, (candidate, text, neighbours) in enumerate(fitting, start=1)
    )


def _goes_on(candidate: Candidate, text: str) -> bool:
    """Whether the list or table in which a text ends goes on, in the passage that did not fit or beyond it."""
    if text == candidate.text:
        return candidate.goes_on
    following = candidate.chunks[candidate.chunks.index(candidate.chunk) + 1 :]
    is_whole = text == candidate.chunk.text.strip() and len(following) > 0
    return is_whole and shared_header(text, following[0].text) > 0


def _with_neighbours(
    fitting: Sequence[tuple[Candidate, str]], max_chars: int, max_tokens: float
) -> list[tuple[Candidate, str, tuple[Chunk, ...]]]:
    """Whole passages instead of single chunks, best first, while there is room."""
    room = max_chars - sum(len(text) for _, text in fitting)
    tokens = max_tokens - sum(estimate_tokens(text) for _, text in fitting)
    widened: list[tuple[Candidate, str, tuple[Chunk, ...]]] = []
    for candidate, text in fitting:
        more = len(candidate.text) - len(text)
        cost = estimate_tokens(candidate.text) - estimate_tokens(text) if candidate.passage else 0
        if candidate.passage and more <= room and cost <= tokens:
            room, tokens = room - more, tokens - cost
            widened.append((candidate, candidate.text, candidate.chunks))
        else:
            widened.append((candidate, text, ()))
    return widened


def _distinct(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Best first, without blank passages and exact copies."""
    seen: set[str] = set()
    for candidate in sorted(candidates, key=lambda c: -c.score):
        key = " ".join(candidate.chunk.text.split())
        if key and key not in seen:
            seen.add(key)
            yield candidate


def _fit(candidates: Iterator[Candidate], max_chars: int, max_tokens: float) -> Iterator[tuple[Candidate, str]]:
    room, tokens = max_chars, max_tokens
    for candidate in candidates:
        text = candidate.chunk.text.strip()
        cut = shorten_to(shortened(text, room, least=min(_SHORTEST_CUT_CHARS, room)), tokens)
        if cut != text and len(cut) < min(_SHORTEST_CUT_CHARS, max_chars):
            continue
        text = cut
        room, tokens = room - len(text), tokens - estimate_tokens(text)
        yield candidate, text
