"""Which parts of documents correspond: by their headings, by what they mean, and those that speak of the other."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_system.query.headings import heading_name, heading_number
from rag_system.query.identifiers import extract_identifiers, same_identifier, without_identifiers
from rag_system.query.text import query_terms
from rag_system.storage.wholes import WholeDocument
from rag_system.tasks.parts import Part

__all__ = ["Row", "Vector", "Vectors", "aligned", "are_editions", "beside", "names", "nearest_to", "of_the_others"]

ALIKE = 0.6  # of the words of two headings
HEADED = 0.5  # of the words of a heading that says what is compared
EDITIONS = 0.7  # of the words of two titles

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

Vector = NDArray[np.float32]
Vectors = Mapping[int, Vector]  # of chunks, by id


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
    """A row for each part of the first document that has its like in another one: by their headings, or by meaning."""
    first, *others = ([part for part in each if part.heading] for each in parts)
    columns = [_pairs(first, other, vectors, by_number=by_number, far=False) for other in others]
    rows = (Row((part, *(column.get(at) for column in columns))) for at, part in enumerate(first))
    return [row for row in rows if any(row.parts[1:])]


def beside(parts: Sequence[Sequence[Part]], vectors: Vectors) -> list[Row]:
    """Every part in a row, beside the free one of each other document that comes nearest to it, however far."""
    first, *others = parts
    columns = [_pairs(first, other, vectors, by_number=False, far=True) for other in others]
    rows = [Row((part, *(column.get(at) for column in columns))) for at, part in enumerate(first)]
    for place, (other, column) in enumerate(zip(others, columns, strict=True), 1):
        left = [part for part in other if part not in column.values()]
        rows += [Row(tuple(part if at == place else None for at in range(len(parts)))) for part in left]
    return rows


def _pairs(
    first: Sequence[Part], other: Sequence[Part], vectors: Vectors, *, by_number: bool, far: bool
) -> dict[int, Part]:
    """Of each part the one like it, the likest first: of the same words or, of editions, number; else near in meaning.

    Unless they may be `far`, near is what is nearer than the nearest of as many pairs that are unrelated: the
    largest of n values that only chance spreads lies about √(2 ln n) standard deviations above their mean.
    """
    if not (first and other):
        return {}
    known = _are_known((*first, *other), vectors)
    near = _centred(first, vectors) @ _centred(other, vectors).T if known else np.zeros((len(first), len(other)))
    chance = near.mean() + near.std() * math.sqrt(2 * math.log(max(near.size, 2))) if known else np.inf
    alike = np.array([[_alike(one.heading, each.heading, by_number=by_number) for each in other] for one in first])
    near = np.where(alike >= ALIKE, 1 + alike, near)  # no cosine is above 1
    found: dict[int, Part] = {}
    while np.max(near) >= (min(chance, 1.0) if not far else -1.0):
        at, place = divmod(int(near.argmax()), len(other))
        found[at] = other[place]
        near[at, :] = near[:, place] = -np.inf
    return found


def nearest_to(
    meant: Vector | None,
    parts: Sequence[Part],
    vectors: Vectors,
    *,
    among: Sequence[Part],
    most: int,
    terms: AbstractSet[str],
) -> list[Part]:
    """At most so many of the parts of a document (`among`): those headed with these `terms`, then those nearest to a
    vector, none of which is farther from the nearest of all than from the middle; the first ones where they cannot be
    compared.
    """
    if meant is None or not parts or not _are_known(among, vectors):
        return list(parts[:most])
    near = {part: max(float(vectors[chunk.chunk_id] @ meant) for chunk in part.chunks) for part in among}
    least = (max(near.values()) + float(np.mean(list(near.values())))) / 2
    headed = {part for part in parts if len(_words(part.heading) & terms) >= HEADED * len(_words(part.heading) or "-")}
    nearest = sorted(parts, key=lambda part: (part in headed, near[part]), reverse=True)[:most]
    return [part for at, part in enumerate(nearest) if not at or part in headed or near[part] >= least]


def _are_known(parts: Sequence[Part], vectors: Vectors) -> bool:
    return all(chunk.chunk_id in vectors for part in parts for chunk in part.chunks)


def _centred(parts: Sequence[Part], vectors: Vectors) -> NDArray[np.float32]:
    """A unit vector a part, without what all of its document have in common."""
    means = np.array(
        [np.mean([vectors[chunk.chunk_id] for chunk in part.chunks], axis=0) for part in parts], np.float32
    )
    means -= means.mean(axis=0)
    lengths = np.linalg.norm(means, axis=1, keepdims=True).astype(np.float32)
    units: NDArray[np.float32] = means / np.maximum(lengths, np.float32(1e-9))
    return units


def _alike(one: str, other: str, *, by_number: bool) -> float:
    if by_number and (heading_number(one) or one) == (heading_number(other) or other):  # «PRIMERA» has no other name
        return 1.0
    return _overlap(_words(one), _words(other))


def _words(heading: str) -> frozenset[str]:
    """Those of a heading without its number."""
    name = heading_name(heading)
    return frozenset(query_terms(name)) if name.strip() else frozenset()
