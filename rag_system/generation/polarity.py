"""Which sentence speaks of what the question excludes: «mortal» where «no mortal» is asked.

A «no» is often only the manner of asking, and a sentence with a «no» may well be the answer. So only what another
sentence names as a kind counts, the negation right before its word («personal no docente», «sin garantía», and not «no
tendrán derecho»), and only where the question denies it.
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


def say_contrary(question: str, terms: Collection[str], said: Sequence[Sequence[str]]) -> list[bool]:
    """Of each sentence, whether it affirms what the question denies, where another one names that as a kind.

    said: a sentence, and what stands above it, which tells of the words that it does not have itself.
    """
    denied, rows = _asked(question) & frozenset(terms), [_together(map(said_in, each)) for each in said]
    as_asked = frozenset[str]().union(*(denied & each.kinds for each in rows))
    return [not as_asked.isdisjoint(each.affirmed - each.denied) for each in rows]


def _asked(question: str) -> frozenset[str]:
    """What a question denies; where it asks yes or no, only kinds."""
    folded = fold(question)
    if _ASKS_WHAT.search(folded):
        return said_in(folded).denied
    last = _LAST_CLAUSE.search(folded.rstrip(" ?!."))
    asking = last[0] if last else ""
    return said_in(folded.rstrip(" ?!.").removesuffix(asking)).denied | said_in(asking).kinds


def _together(texts: Iterable[Said]) -> Said:
    """What the texts say, each of the words that those before it do not have."""
    whole = Said()
    for each in texts:
        known = whole.affirmed | whole.denied
        whole = Said(*(mine | (theirs - known) for mine, theirs in zip(whole, each, strict=True)))
    return whole
