"""Which sentences say most of what a text says, without a model: those nearest to the centroid of all of them.

A sentence is the set of its index terms; the centroid counts in how many sentences each term stands (Radev et al.,
«Centroid-based summarization of multiple documents», 2004). A formula, a source or a date shares its words with nothing
that follows, so it is never near.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rag_system.generation.passages import Kind
from rag_system.query.sentences import CELL
from rag_system.query.text import query_terms
from rag_system.tasks.parts import Part
from rag_system.tasks.quoting import OPENING_CHARS, Said, sentences

__all__ = ["FEWEST_WORDS", "central_of", "first_of", "first_told", "telling", "telling_of", "whole_sentences"]

FEWEST_WORDS = 5  # less names something, and says nothing of it
FEWEST_ENTRIES = 3  # of an index: an item that ends in a number is none
HEADING_WEIGHT = 2  # sentences that a heading counts for
FIRST = 1.5  # what the first sentence's nearness counts: writers tell first what a section is about
LATER = 0.04  # of its nearness, what another loses for each one before it
SHORT_ITEM = 120  # characters of an item that does not stand for itself
LATEST = 8  # sentences after which it loses no more
SAID_ALREADY = 0.7  # of its nearness, what it loses where all its words were said by those chosen before

_WAITS = re.compile(r"^\W*[Qq]ue\b|(?:,|\s[ye]|\b[A-ZÁÉÍÓÚÑ]{4,})$")  # «…; DECRETA»
_ENTRY = re.compile(r"(?:\d+\.|[A-Z]\.)+\d*\s.*\s(\d{1,4})", re.DOTALL)  # «2.6. Gestión de paquetes 51»

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
    return _best(_ranked(list(_candidates(said, longest)), part.heading, _counted(said))) or _first(said)


def telling_of(parts: Sequence[Part], title: str, among: int, *, longest: int) -> Said | None:
    """Of the first sentences of a text that tell something, the one that tells most of it."""
    said = list(sentences(parts))
    return _best(_ranked(list(islice(_candidates(said, longest), among)), title, _counted(said)))


def first_of(parts: Sequence[Part]) -> Said | None:
    """How a text begins that tells nothing by itself: a row, a few words."""
    return _first(list(sentences(parts)))


def whole_sentences(part: Part, *, longest: int) -> Iterator[Said]:
    """Those of a part that say something, and its lists, as far as these fit."""
    return _candidates(list(sentences([part])), longest)


def first_told(part: Part, *, longest: int = OPENING_CHARS) -> Said | None:
    """The first sentence of a part that says something."""
    return next(whole_sentences(part, longest=longest), None)


def central_of(parts: Sequence[Part], number: int) -> list[tuple[Part, Said]]:
    """So many sentences that tell most of a text, in its order, each with its part; fewer where it has no more.

    No two are from one part while there are others.
    """
    counts = _counted(list(sentences(parts)))
    left = [
        (at, ranked)
        for at, part in enumerate(parts)
        if (ranked := _ranked(list(_candidates(list(sentences([part])), OPENING_CHARS)), part.heading, counts))
    ]
    chosen: list[tuple[int, _Ranked]] = []
    known: Terms = frozenset()
    while len(chosen) < number and (
        rest := [(at, one) for at, each in left for one in each if (at, one) not in chosen]
    ):
        turns = Counter(parts[at].path for at, _ in chosen)  # one from each part, then again
        fewest = min(turns[parts[at].path] for at, _ in rest)
        fresh = ((at, one) for at, one in rest if turns[parts[at].path] == fewest)
        at, best = max(fresh, key=lambda each: each[1].news(known))
        chosen.append((at, best))
        known |= best.terms
    return [(parts[at], best.said) for at, best in sorted(chosen, key=lambda each: (each[0], each[1].said.start))]


def _best(ranked: Sequence[_Ranked]) -> Said | None:
    best = max(ranked, default=None, key=lambda each: each.near)
    return best.said if best else None


def _first(said: Sequence[Said]) -> Said | None:
    """The first of what says nothing by itself: a row, a few words; no formula in capitals, note or index."""
    return next((each for run in _runs(said) if not _is_index(run) for each in run if not _is_empty(each)), None)


def _is_empty(said: Said) -> bool:
    is_word = any(letter.isalpha() for letter in said.text)  # «(132)» is the number of a note
    return said.kind is Kind.NOTE or said.text.isupper() or said.text.endswith(":") or not is_word


def _counted(said: Sequence[Said]) -> Counter[str]:
    """In how many sentences each term stands."""
    return Counter(term for each in said for term in set(query_terms(each.text)))


def _ranked(told: Sequence[Said], heading: str, counts: Mapping[str, int]) -> list[_Ranked]:
    """Sentences with how near each comes to the centroid of a text, as counted, under a heading; in the order given."""
    headed = set(query_terms(heading)) if heading else set[str]()
    ranked: list[_Ranked] = []
    for at, said in enumerate(told):
        terms = frozenset(query_terms(said.text))
        count = sum(counts.get(term, 0) for term in terms) + HEADING_WEIGHT * len(terms & headed)
        near = count / math.sqrt(len(terms) or 1)
        ranked.append(_Ranked(near * (1 - LATER * min(at, LATEST) if at else FIRST), said, terms))
    return ranked


def _candidates(said: Sequence[Said], longest: int) -> Iterator[Said]:
    """Whole sentences that say something; a list from what announces it, as far as it fits, and no item alone."""
    for run in _runs(said):
        first = run[0]
        if first.kind not in (Kind.PROSE, Kind.ITEM) or CELL in first.text or _is_remark(first.text) or _is_index(run):
            continue
        whole = _as_it_fits(run, longest)
        if _says_something(whole.text):
            yield whole


def _runs(said: Sequence[Said]) -> Iterator[list[Said]]:
    """Each sentence by itself, but items with what announces their list; short ones of no such with the first."""
    run: list[Said] = []
    for each in said:
        if run and not _goes_on(run[0], each):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _goes_on(first: Said, item: Said) -> bool:
    if item.kind is not Kind.ITEM or item.chunk != first.chunk or CELL in item.text:
        return False
    return item.lead == first.text if item.lead else first.kind is Kind.ITEM and len(first.text) <= SHORT_ITEM


def _is_remark(text: str) -> bool:
    """«(Publicado el 22 de junio)», «EL PRESIDENTE DE LA REPÚBLICA», «Que, mediante …», «en uso de sus facultades y».

    Says nothing by itself: formulas, and recitals, which wait for their verb.
    """
    return text.isupper() or _WAITS.search(text) is not None or (text.startswith("(") and text.endswith((")", ").")))


def _is_index(run: Sequence[Said]) -> bool:
    """Whether a list tells where sections stand: each item begins with a number, and ends in one as high at least."""
    pages = [int(found[1]) for each in run if (found := _ENTRY.fullmatch(each.text))]
    return FEWEST_ENTRIES <= len(pages) == len(run) and pages == sorted(pages)


def _as_it_fits(run: Sequence[Said], longest: int) -> Said:
    """What stands first, with as much of its list as fits into so many characters, and so much as says something."""
    first = run[0]
    texts = [first.chunk.text[first.start : each.start + len(each.text)] for each in run]
    whole = [text for text in texts if _says_something(text)]
    fitting = [text for text in whole if len(text) <= longest]
    return replace(first, text=next(iter(fitting[-1:] or whole or texts)))


def _says_something(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS and not text.endswith(":")
