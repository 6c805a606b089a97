"""Passages that say what the thing is that the question asks to be told: «¿qué es una no conformidad?»."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from psycopg import Connection

from rag_system.query.definitions import defined_in
from rag_system.query.sentences import split_sentences
from rag_system.query.text import fold
from rag_system.search.request import SearchRequest
from rag_system.search.table import Column, Table

__all__ = ["Definition"]


class Definition:
    """What uses the thing has its name more often: a glossary names it once, among many others."""

    name: ClassVar[str] = "definition"

    def __init__(self, request: SearchRequest) -> None:
        self._things = request.things

    def send(self, connection: Connection) -> None:
        """Nothing to ask."""

    def propose(self) -> list[int]:
        return []

    def column(self, table: Table) -> Column:
        """1 for a passage that has a sentence which says so, or stands below the thing's name."""
        if not self._things:  # then no texts were read
            return np.zeros(len(table), np.float32)
        told = [(text, path[-1] if path else "") for text, path in zip(table.texts, table.heading_paths, strict=True)]
        columns = ([_is_defined(thing, *each) for each in told] for thing in self._things)
        return np.array(next(filter(any, columns), [False] * len(told)), np.float32)


def _is_defined(thing: frozenset[str], text: str, heading: str) -> bool:
    plain = fold(f"{heading} {text}")
    if not all(term in plain for term in thing):  # most: what has not all of its words says nothing of it
        return False
    said = [heading, *(span.text for span in split_sentences(text))]
    return any(defined_in(thing, said[at], said[at - 1]) == thing for at in range(1, len(said)))
