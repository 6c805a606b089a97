"""Entities: chunks that mention what the question names, or what stands beside it more often than chance has it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log1p, sqrt, tanh
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.query.entities import Mention, possible_entities
from rag_system.search.collection import Part
from rag_system.search.request import SearchRequest
from rag_system.search.strategies.protocol import Found, Rows
from rag_system.search.table import Column, Table
from rag_system.storage.sql import queries

__all__ = ["Graph", "Link", "merged", "significance", "worth"]

_SQL = queries("rag_system.search.strategies", "graph.sql")

FEWEST = 2  # entities that a question names before they are followed: of one alone, its words say as much (measured)
ASKED = 5  # entities of the question that are followed, at most: the rarest
NEIGHBOURS = 8  # that count, at most: the most significant
DECAY = 0.5  # what a neighbour is worth beside the entity itself: one hop
SAMPLE, PER_DOCUMENT = 100, 25  # chunks of an entity whose other entities are counted, and of one document
BESIDE = 40  # neighbours of an entity that are weighed, at most
LEAST_TOGETHER = 2  # chunks that two entities must share: meeting once is chance
HUB_SHARE = 0.05  # an entity in more than this share of all chunks says nothing…
HUB_CHUNKS = 20  # …unless it is in no more chunks than these
PROPOSED = 10  # chunks that hold several of the question's entities, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Two entities in a sample of the first one's chunks; with itself, `together` is the size of that sample."""

    asked: str
    asked_chunks: int  # of the whole collection
    neighbour: str
    neighbour_chunks: int
    together: int  # chunks of the sample that mention both
    chunk_ids: Sequence[int] = ()  # those chunks, where the question may name both


class Graph:
    """What a question names together, and its neighbours by co-occurrence, one hop away."""

    name: ClassVar[str] = "graph"

    def __init__(self, request: SearchRequest) -> None:
        self._request = request
        self._found: list[Found] = []
        self._worth: Mapping[str, float] = {}

    @cached_property
    def _mentions(self) -> Mapping[str, Mention]:
        """What the question may name, by key."""
        return {mention.key: mention for mention in possible_entities(self._request.plan.standalone_question)}

    def send(self, connection: Connection) -> None:
        if self._mentions:
            for part in self._request.collection.parts:
                self._found.append((part, connection.execute(_SQL["neighbours"], self._key(part))))

    def propose(self) -> list[int]:
        """Chunks of the samples that mention several of the question's entities, those with the rarest first."""
        links = self._links()
        asked = {link.asked for link in links}
        if len(asked) < FEWEST:
            return []
        self._worth = worth(links, chunk_count=self._request.collection.chunk_count)
        held: dict[int, set[str]] = {}
        for link in links:
            if link.neighbour in asked and link.neighbour != link.asked:
                for chunk_id in link.chunk_ids:
                    held.setdefault(chunk_id, set()).update((link.asked, link.neighbour))
        may_answer = filter(self._request.may_answer, held)
        return sorted(may_answer, key=lambda i: (-sum(self._worth[entity] for entity in held[i]), i))[:PROPOSED]

    def column(self, table: Table) -> Column:
        """0…1: the worth of what each candidate mentions."""
        worths = [sum(self._worth.get(entity, 0.0) for entity in entities) for entities in table.entities]
        return np.minimum(np.array(worths, np.float32), np.float32(1))

    def _key(self, part: Part) -> dict[str, object]:
        return {
            "project": part.name,
            "keys": list(self._mentions),
            "hub": _hub(part.project.chunk_count),
            "asked": ASKED,
            "sample": SAMPLE,
            "per_document": PER_DOCUMENT,
            "least": LEAST_TOGETHER,
            "beside": BESIDE,
        }

    def _links(self) -> list[Link]:
        """What the database knows, without entities that the question names inside longer ones."""
        links = [link for part, rows in self._found for link in _links(part, rows)]
        found = [self._mentions[key] for key in {link.asked for link in links}]
        whole = {mention.key for mention in found if not any(mention.within(other) for other in found)}
        return merged(link for link in links if link.asked in whole)


def _links(part: Part, rows: Rows) -> Iterator[Link]:
    for asked, asked_chunks, neighbour, neighbour_chunks, together, chunk_ids in rows.fetchall():
        yield Link(
            asked=asked,
            asked_chunks=asked_chunks,
            neighbour=neighbour,
            neighbour_chunks=neighbour_chunks,
            together=together,
            chunk_ids=[part.first + chunk_id for chunk_id in chunk_ids or ()],
        )


def merged(links: Iterable[Link]) -> list[Link]:
    """One link for each pair of entities, whichever project it comes from: what each counted is added up."""
    of_pair: dict[tuple[str, str], Link] = {}
    for link in links:
        known = of_pair.get(pair := (link.asked, link.neighbour))
        of_pair[pair] = link if known is None else _added(known, link)
    chunks = {asked: link.asked_chunks for (asked, other), link in of_pair.items() if asked == other}
    return [replace(link, asked_chunks=chunks.get(link.asked, link.asked_chunks)) for link in of_pair.values()]


def _added(one: Link, other: Link) -> Link:
    return replace(
        one,
        asked_chunks=one.asked_chunks + other.asked_chunks,
        neighbour_chunks=one.neighbour_chunks + other.neighbour_chunks,
        together=one.together + other.together,
        chunk_ids=[*one.chunk_ids, *other.chunk_ids],
    )


def worth(links: Sequence[Link], *, chunk_count: int) -> dict[str, float]:
    """What mentioning each entity is worth: those of the question share 1 by their rarity, neighbours get a part of it.

    The part is `DECAY` · significance. Sampled chunks stand for all of an entity's chunks: what is expected by chance
    is counted over the sample.
    """
    chunks = {link.asked: link.asked_chunks for link in links}
    rarity = {entity: log1p(chunk_count / count) for entity, count in chunks.items()}
    asked = {entity: value / sum(rarity.values()) for entity, value in rarity.items()}
    sampled = {link.asked: link.together for link in links if link.neighbour == link.asked}
    beside: defaultdict[str, float] = defaultdict(float)
    for link in links:
        if link.neighbour in asked or link.neighbour_chunks > _hub(chunk_count) or link.together < LEAST_TOGETHER:
            continue
        expected = sampled[link.asked] * link.neighbour_chunks / chunk_count
        value = DECAY * significance(link.together, expected) * asked[link.asked]
        beside[link.neighbour] = max(beside[link.neighbour], value)
    best = sorted(beside.items(), key=lambda pair: (-pair[1], pair[0]))[:NEIGHBOURS]
    return {**{entity: value for entity, value in best if value > 0}, **asked}


def significance(observed: float, expected: float) -> float:
    """tanh(ln(1 + z) / 3) of a co-occurrence, z being (observed − expected) / √expected; 0…1, 0 where they avoid.

    Hubs are expected everywhere, so that meeting them says little: z is small.
    """
    z = (observed - expected) / sqrt(expected) if expected > 0 else 0.0
    return tanh(log1p(max(z, 0.0)) / 3)


def _hub(chunk_count: int) -> int:
    """The most chunks that an entity may be in and still say something."""
    return max(int(HUB_SHARE * chunk_count), HUB_CHUNKS)
