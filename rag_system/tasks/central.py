"""Which sentences say most of what a text says, without a model: those nearest to the centroid of all of them.

A sentence is the set of its index terms; the centroid counts in how many sentences each term stands (Radev et al.,
«Centroid-based summarization of multiple documents», 2004). A formula, a source or a date shares its words with nothing
that follows, so it is never near.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rag_system.generation.passages import CELL, Kind
from rag_system.query.text import query_terms
from rag_system.tasks.parts import Part
from rag_system.tasks.quoting import OPENING_CHARS, Said, sentences

__all__ = ["central_of", "first_told", "telling", "telling_of"]

FEWEST_WORDS = 5  # less names something, and says nothing of it
HEADING_WEIGHT = 2  # sentences that a heading counts for
FIRST = 1.5  # what the first sentence's nearness counts: writers tell first what a section is about
LATER = 0.04  # of its nearness, what another loses for each one before it
LATEST = 8  # sentences after which it loses no more
SAID_ALREADY = 0.7  # of its nearness, what it loses where all its words were said by those chosen before

_WAITS = re.compile(r"^\W*[Qq]ue\b|(?:,|\s[ye]|\b[A-ZÁÉÍÓÚÑ]{4,})$")  # «…; DECRETA»

Terms = frozenset[str]


@dataclass(frozen=True, slots=True)
class _Ranked:
    near: float
    said: Said
    terms: Terms

    def news(self, known: Terms) -> float:
        """How near it comes, less what others said already."""
        return self.near * (1 - SAID_ALREADY * len(self.terms & known) / max(len(self.terms), 1))


def telling(part: Part, *, longest: int = OPENING_CHARS) -> Said | None:
    """The sentence that tells most of a part; of one that only announces, with the beginning of its list."""
    said = list(sentences([part]))
    return _best(_ranked(list(_candidates(said, longest)), part.heading, said)) or _first(said)


def telling_of(parts: Sequence[Part], among: int, *, longest: int) -> Said | None:
    """Of the first sentences of a document, the one that tells most of it; where none tells anything, the first."""
    said = list(sentences(parts))
    return _best(_ranked(list(islice(_candidates(said, longest), among)), "", said)) or _first(said)


def first_told(part: Part, *, longest: int = OPENING_CHARS) -> Said | None:
    """The first sentence of a part that says something."""
    return next(_candidates(list(sentences([part])), longest), None)


def central_of(parts: Sequence[Part], number: int) -> list[Said]:
    """So many sentences that tell most of a document, in its order: no two from one part while there are others.

    Fewer where it has no more.
    """
    whole = list(sentences(parts))
    left = [
        (at, ranked)
        for at, part in enumerate(parts)
        if (ranked := _ranked(list(_candidates(list(sentences([part])), OPENING_CHARS)), part.heading, whole))
    ]
    chosen: list[tuple[int, _Ranked]] = []
    known: Terms = frozenset()
    while len(chosen) < number and (
        rest := [(at, one) for at, each in left for one in each if (at, one) not in chosen]
    ):
        turns = Counter(at for at, _ in chosen)  # one from each part, then again
        fewest = min(turns[at] for at, _ in rest)
        at, best = max(((at, one) for at, one in rest if turns[at] == fewest), key=lambda each: each[1].news(known))
        chosen.append((at, best))
        known |= best.terms
    return [best.said for _, best in sorted(chosen, key=lambda each: (each[0], each[1].said.start))]


def _best(ranked: Sequence[_Ranked]) -> Said | None:
    best = max(ranked, default=None, key=lambda each: each.near)
    return best.said if best else None


def _first(said: Sequence[Said]) -> Said | None:
    """The first of what says nothing by itself: a row, a few words; no formula in capitals and no editor's note."""
    return next((e for e in said if e.kind is not Kind.NOTE and not (e.text.isupper() or e.text.endswith(":"))), None)


def _ranked(told: Sequence[Said], heading: str, of: Sequence[Said]) -> list[_Ranked]:
    """Sentences with how near each comes to the centroid of a text under a heading; in the order given."""
    texts = (*[heading] * HEADING_WEIGHT, *(each.text for each in of))
    counts = Counter(term for text in texts if text for term in set(query_terms(text)))
    ranked: list[_Ranked] = []
    for at, said in enumerate(told):
        terms = frozenset(query_terms(said.text))
        near = sum(counts[term] for term in terms) / math.sqrt(len(terms) or 1)
        ranked.append(_Ranked(near * (1 - LATER * min(at, LATEST) if at else FIRST), said, terms))
    return ranked


def _candidates(said: Sequence[Said], longest: int) -> Iterator[Said]:
    """Whole sentences that say something; one that ends in a colon with its list, as far as it fits."""
    for each in said:
        if each.kind not in (Kind.PROSE, Kind.ITEM) or CELL in each.text or len(each.text.split()) < FEWEST_WORDS:
            continue
        whole = _with_items(each, said, longest) if each.text.endswith(":") else each
        if not (whole.text.endswith(":") or _is_remark(each.text)):
            yield whole


def _is_remark(text: str) -> bool:
    """«(Publicado el 22 de junio)», «EL PRESIDENTE DE LA REPÚBLICA», «Que, mediante …», «en uso de sus facultades y».

    Says nothing by itself: formulas, and recitals, which wait for their verb.
    """
    return text.isupper() or _WAITS.search(text) is not None or (text.startswith("(") and text.endswith((")", ").")))


def _with_items(lead: Said, said: Sequence[Said], longest: int) -> Said:
    end = lead.start + len(lead.text)
    for each in said:
        if each.chunk == lead.chunk and each.lead == lead.text and each.start + len(each.text) - lead.start <= longest:
            end = max(end, each.start + len(each.text))
    return replace(lead, text=lead.chunk.text[lead.start : end])
