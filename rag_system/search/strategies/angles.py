"""Further angles of the question: what a model would look for besides its words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.search.request import SearchRequest
from rag_system.search.strategies.semantic import Semantic
from rag_system.search.table import Column, Table

__all__ = ["Angles"]


class Angles:
    """Chunks near an angle. The question ranks them; being near an angle lifts them a little.

    The lift falls evenly from 1 for an angle's nearest chunk to 0 for all that are not among its nearest. It takes the
    rank, not the cosine, so that it means the same in every language of the project and asks the database for nothing
    more. Of several angles the best counts: they look in different directions, and a passage answers one of them. The
    words of an angle are not looked up: what they add by themselves is not among the results, and costs as much again.
    """

    name: ClassVar[str] = "angles"

    def __init__(self, request: SearchRequest) -> None:
        self._searches = [
            _Nearest(replace(request, embedded=partial(list, each), original_vector=None))
            for each in request.angle_vectors
        ]
        self._lifts: dict[int, float] = {}

    def send(self, connection: Connection) -> None:
        for search in self._searches:
            search.send(connection)

    def propose(self) -> list[int]:
        for search in self._searches:
            for chunk_id, lift in search.lifts():
                self._lifts[chunk_id] = max(lift, self._lifts.get(chunk_id, 0.0))
        return list(self._lifts)

    def column(self, table: Table) -> Column:
        return np.array([self._lifts.get(chunk_id, 0.0) for chunk_id in table.chunk_ids], np.float32)


class _Nearest(Semantic):
    """The nearest vectors of one angle."""

    def lifts(self) -> list[tuple[int, float]]:
        """What was found everywhere, in each language, or in the documents that are named, with its lift."""
        limit = self._request.recipe.candidates
        return [(chunk_id, 1 - rank / limit) for ids in self._ranked() for rank, chunk_id in enumerate(ids)]
