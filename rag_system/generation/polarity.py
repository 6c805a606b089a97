"""Which of the words that a question asks for a sentence says the other way: «mortal» where «no mortal» is asked.

A «no» is often only the manner of asking, and a sentence with a «no» may well be the answer. So a word is said the
other way only where another sentence says it as it was asked; where it was asked without a negation, only by one that
names a kind, the negation right before its word: «personal no docente», and not «no tendrán derecho»; and where yes or
no is asked, only what the question says of itself counts: «no tengo garantía, ¿lo reciben?».
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from rag_system.generation.sense import Said, said_in
from rag_system.query.context_dependence import QUESTION_WORDS
from rag_system.query.text import fold

__all__ = ["say_contrary"]

_ASKS_WHAT = re.compile(
    rf"(?:^|[^\w\s]\s*|\b(?:a|con|de|desde|en|hasta|para|por|y)\s+)(?:{QUESTION_WORDS})\b"
    r"|\b(?:cual(?:es)?|cuant[oa]s?|quien(?:es)?|donde|cuando|como)\b"
)
_LAST_CLAUSE = re.compile(r"[^,;:.¿]*$")
_OPENS_WITH_NO = re.compile(r"\W*(?:y\s+)?no\b")


def say_contrary(question: str, terms: Collection[str], said: Sequence[Sequence[str]]) -> list[bool]:
    """Of each sentence, whether it says a term of the question the other way, where another one says it as asked.

    said: a sentence, and what stands above it, which tells of the words that it does not have itself.
    """
    asked, rows = _asked(question), [_together(map(said_in, each)) for each in said]
    denied = asked.denied & frozenset(terms)
    affirmed = (asked.affirmed & frozenset(terms)) - denied
    as_asked = frozenset[str]().union(*((denied & each.denied) | (affirmed & each.affirmed) for each in rows))
    return [not as_asked.isdisjoint(_contrary(denied, affirmed, each)) for each in rows]


def _asked(question: str) -> Said:
    """What a question says of what it asks for; where it asks yes or no, nothing is affirmed."""
    folded = fold(question)
    if _ASKS_WHAT.search(folded):
        return said_in(folded)
    last = _LAST_CLAUSE.search(folded.rstrip(" ?!."))
    asking = last[0] if last else ""
    told, of_kind = said_in(folded.rstrip(" ?!.").removesuffix(asking)), said_in(asking).kinds
    return Said(denied=told.denied | (frozenset() if _OPENS_WITH_NO.match(asking) else of_kind))


def _together(texts: Iterable[Said]) -> Said:
    """What the texts say, each of the words that those before it do not have."""
    whole = Said()
    for each in texts:
        known = whole.affirmed | whole.denied
        whole = Said(*(mine | (theirs - known) for mine, theirs in zip(whole, each, strict=True)))
    return whole


def _contrary(denied: frozenset[str], affirmed: frozenset[str], said: Said) -> frozenset[str]:
    return (denied & (said.affirmed - said.denied)) | (affirmed & (said.kinds - said.affirmed))
