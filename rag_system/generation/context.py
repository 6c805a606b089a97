"""Which passages the answerer reads, and under which numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rag_system.query.sentences import sentence_end_before
from rag_system.types import Candidate, Evidence

__all__ = ["build_context"]

# A passage that only fits shorter than this says too little to be worth a number.
_SHORTEST_CUT_CHARS = 200


def build_context(candidates: Sequence[Candidate], *, max_chars: int) -> tuple[Evidence, ...]:
    """Evidence `[1]…[n]`, grouped by document in the order of each document's best passage.

    The room of `max_chars` characters is given in the order of the scores, so that a weak passage of a good
    document never displaces a good one; the last that does not fit is cut at the end of a sentence.
    """
    fitting = list(_fit(_distinct(candidates), max_chars))
    first: dict[str, int] = {}
    for rank, (candidate, _) in enumerate(fitting):
        first.setdefault(candidate.chunk.document_id, rank)
    fitting.sort(key=lambda pair: first[pair[0].chunk.document_id])  # stable: inside a document the score decides
    return tuple(
        Evidence(n=n, chunk=candidate.chunk, text=text, score=candidate.score)
        for n, (candidate, text) in enumerate(fitting, start=1)
    )


def _distinct(candidates: Sequence[Candidate]) -> Iterator[Candidate]:
    """Best first, without blank passages and exact copies."""
    seen: set[str] = set()
    for candidate in sorted(candidates, key=lambda c: -c.score):
        key = " ".join(candidate.chunk.text.split())
        if key and key not in seen:
            seen.add(key)
            yield candidate


def _fit(candidates: Iterator[Candidate], max_chars: int) -> Iterator[tuple[Candidate, str]]:
    room = max_chars
    for candidate in candidates:
        text = candidate.chunk.text.strip()
        if len(text) > room:
            text = _shorten(text, room)
            if len(text) < min(_SHORTEST_CUT_CHARS, max_chars):
                continue
        room -= len(text)
        yield candidate, text


def _shorten(text: str, room: int) -> str:
    """At most `room` characters, ending with a sentence, or with a word where one sentence is longer than that."""
    end = sentence_end_before(text, room)
    if end >= min(_SHORTEST_CUT_CHARS, room):
        return text[:end].rstrip()
    return text[:room].rsplit(None, 1)[0].rstrip() if room > 0 else ""
