"""Further angles of the question: what a model would look for besides its words."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.search.strategies.lexical import Lexical
from rag_system.search.strategies.protocol import Column, Probe, Table
from rag_system.search.strategies.semantic import Semantic

__all__ = ["Angles"]


class Angles:
    """Chunks near an angle, by vector and by words. The question ranks them; being near an angle lifts them a little.

    The lift falls evenly from 1 for an angle's nearest chunk to 0 for all that are not among its nearest. It takes the
    rank, not the cosine, so that it means the same in every language of the project and asks the database for nothing
    more. Of several angles the best counts: they look in different directions, and a passage answers one of them.
    """

    name: ClassVar[str] = "angles"

    def __init__(self, probe: Probe) -> None:
        alone = [replace(probe, vector=angle.vector, original_vector=None, terms=angle.terms) for angle in probe.angles]
        self._meanings = [_Meaning(each) for each in alone]
        self._words = [Lexical(each) for each in alone]
        self._lifts: dict[int, float] = {}

    def send(self, connection: Connection) -> None:
        for search in (*self._meanings, *self._words):
            search.send(connection)

    def propose(self) -> list[int]:
        for chunk_id, lift in chain.from_iterable(meaning.lifts().items() for meaning in self._meanings):
            self._lifts[chunk_id] = max(lift, self._lifts.get(chunk_id, 0.0))
        return list(dict.fromkeys((*self._lifts, *chain.from_iterable(words.propose() for words in self._words))))

    def column(self, table: Table) -> Column:
        return np.array([self._lifts.get(chunk.chunk_id, 0.0) for chunk in table.chunks], np.float32)


class _Meaning(Semantic):
    """The nearest vectors of one angle."""

    def lifts(self) -> dict[int, float]:
        """The lift of each chunk found: in the whole project, in a language, or in the documents that are named."""
        limit, found = self._probe.recipe.candidates, dict[int, float]()
        for cursor in self._cursors:
            for rank, (chunk_id, *_) in enumerate(cursor):
                found[chunk_id] = max(1 - rank / limit, found.get(chunk_id, 0.0))
        return found
