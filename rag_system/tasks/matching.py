"""Which parts of documents correspond: by their headings, by what they mean, and those that speak of the other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_system.query.headings import heading_number
from rag_system.query.identifiers import extract_identifiers, same_identifier, without_identifiers
from rag_system.query.text import fold, query_terms
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.parts import Part

__all__ = ["Row", "Vectors", "aligned", "are_editions", "names", "of_the_others"]

ALIKE = 0.6  # of the words of two headings
EDITIONS = 0.7  # of the words of two titles

_ORDINAL = re.compile(r"(?:primer|segund|tercer|cuart|quint|sext|septim|octav|noven|decim|undecim|duodecim|unic|final)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

Vectors = Mapping[int, NDArray[np.float32]]  # of chunks, by id


@dataclass(frozen=True, slots=True)
class Row:
    """Parts that correspond, one a document; None where it has none."""

    parts: tuple[Part | None, ...]

    @property
    def headings(self) -> tuple[str, ...]:
        """Each in its own words, those that say the same once."""
        told = {_words(part.heading) or part.heading: part.heading for part in reversed(self.parts) if part}
        return tuple(reversed(told.values()))


def are_editions(documents: Sequence[WholeDocument]) -> bool:
    """Whether they are one text at different times: the same norm or, of none, the same title but for a number."""
    bases = [{identifier.partition("@")[0] for identifier in document.identifiers} for document in documents]
    if any(bases):
        return bool(set.intersection(*bases))
    first, *others = (_untimed(document.title) for document in documents)
    return all(_overlap(first, other) >= EDITIONS for other in others)


def _untimed(title: str) -> frozenset[str]:
    return frozenset(term for term in query_terms(title) if not term[0].isdigit())


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


# ---------------------------------------------------------------- what speaks of the other document


def of_the_others(documents: Sequence[WholeDocument], parts: Sequence[Sequence[Part]]) -> Iterator[tuple[int, Part]]:
    """Parts whose heading names another document, each with the place of its own: «Diferencias con la ISO 9001»."""
    for at, each in enumerate(parts):
        others = [document for document in documents if document is not documents[at]]
        for part in each:
            if part.heading and any(names(part.heading, other, of=documents[at]) for other in others):
                yield at, part


def names(text: str, document: WholeDocument, *, of: WholeDocument) -> bool:
    """Whether words in a document (`of`) name another one: by its norm or, of editions, its year; else by its title."""
    named = [each for each in extract_identifiers(text) if not any(same_identifier(each, o) for o in of.identifiers)]
    if any(same_identifier(each, own) for each in named for own in document.identifiers):
        return True
    years = set(_YEAR.findall(text)) - set(map(str, of.years))
    if years and are_editions((of, document)):
        return not years.isdisjoint(map(str, document.years))
    title = set(query_terms(without_identifiers(document.title)))
    return len(title) > 1 and title <= set(query_terms(text)) and title != set(query_terms(of.title))


# ---------------------------------------------------------------- what corresponds


def aligned(parts: Sequence[Sequence[Part]], *, vectors: Vectors, by_number: bool) -> list[Row]:
    """A row for each part of the first document that has its like in another one."""
    first, *others = ([part for part in each if part.heading] for each in parts)
    columns = [_pairs(first, other, vectors=vectors, by_number=by_number) for other in others]
    rows = (Row((part, *(column.get(at) for column in columns))) for at, part in enumerate(first))
    return [row for row in rows if any(row.parts[1:])]


def _pairs(first: Sequence[Part], other: Sequence[Part], *, vectors: Vectors, by_number: bool) -> dict[int, Part]:
    """The like of each part: that of the same words or, of editions, number; else the one near in meaning."""
    found: dict[int, int] = {}
    for at, part in enumerate(first):
        free = [place for place in range(len(other)) if place not in found.values()]
        likeness = [(_alike(part.heading, other[place].heading, by_number=by_number), -place) for place in free]
        best, place = max(likeness, default=(0.0, 0))
        if best >= ALIKE:
            found[at] = -place
    found |= _near(first, other, vectors, found)
    return {at: other[place] for at, place in found.items()}


def _near(first: Sequence[Part], other: Sequence[Part], vectors: Vectors, found: Mapping[int, int]) -> dict[int, int]:
    """The remaining parts that are each other's nearest, and nearer than the nearest of as many that are unrelated.

    Of each document is taken away what its parts have in common. The largest of n values that only chance spreads lies
    about √(2 ln n) standard deviations above their mean.
    """
    rows = [at for at in range(len(first)) if at not in found]
    columns = [at for at in range(len(other)) if at not in found.values()]
    if not (rows and columns) or any(
        chunk.chunk_id not in vectors for part in (*first, *other) for chunk in part.chunks
    ):
        return {}
    whole = _centred(first, vectors) @ _centred(other, vectors).T
    least = float(whole.mean() + whole.std() * math.sqrt(2 * math.log(max(*whole.shape, 2))))
    near = whole[np.ix_(rows, columns)]
    best = near.argmax(axis=1)
    return {
        rows[at]: columns[place]
        for at, place in enumerate(map(int, best))
        if near[at, place] >= least and int(near[:, place].argmax()) == at
    }


def _centred(parts: Sequence[Part], vectors: Vectors) -> NDArray[np.float32]:
    """A unit vector a part, without what all have in common."""
    means = np.array(
        [np.mean([vectors[chunk.chunk_id] for chunk in part.chunks], axis=0) for part in parts], np.float32
    )
    means -= means.mean(axis=0)
    lengths = np.linalg.norm(means, axis=1, keepdims=True).astype(np.float32)
    units: NDArray[np.float32] = means / np.maximum(lengths, np.float32(1e-9))
    return units


def _alike(one: str, other: str, *, by_number: bool) -> float:
    number = heading_number(one)
    if by_number and number is not None and number == heading_number(other):
        return 1.0
    return _overlap(_words(one), _words(other))


def _words(heading: str) -> frozenset[str]:
    """Those of a heading without its number; «PRIMERA» has none."""
    plain = fold(heading)
    number = re.match(r"\W*(?:[a-zñ]+\.?\s+)?(?:\d[\d.]*|[ivxlc]+)[\s.:)°º–—-]+", plain)
    rest = plain[number.end() :] if number else plain
    return (
        frozenset(term for term in query_terms(rest) if not _ORDINAL.match(term))
        if rest.strip(" .-–—")
        else frozenset()
    )
