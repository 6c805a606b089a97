"""The words of a project: the terms of its postings, and the acronyms its documents define."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from psycopg import Connection

from rag_system.storage.sql import queries

__all__ = ["ProjectVocabulary", "project_acronyms"]

_SQL = queries("rag_system.storage.queries", "vocabulary.sql")

_MOST_ALIKE = 2_000  # terms of one beginning that are offered: a third of a vocabulary of a million has fewer


class ProjectVocabulary:
    """The analysed terms of a project, as `query.spelling.Vocabulary`."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection = connection
        self._project = project

    def frequencies(self, words: Collection[str]) -> Mapping[str, int]:
        """Those of `words` that a chunk has, with how many have each."""
        key = {"project": self._project, "terms": sorted(words)}
        return dict(self._connection.execute(_SQL["frequencies"], key).fetchall())

    def beginning(self, beginnings: Sequence[str], *, shortest: int, longest: int) -> Mapping[str, int]:
        """Terms of so many letters with one of the beginnings, up to 2,000 of each, with how many chunks have them."""
        lengths = {"shortest": shortest, "longest": longest}
        key = {"project": self._project, "beginnings": sorted(set(beginnings)), **lengths, "limit": _MOST_ALIKE}
        return dict(self._connection.execute(_SQL["beginning"], key).fetchall())

    def texts(self, term: str) -> list[str]:
        """A few texts that have the term, to see how people write it."""
        key = {"project": self._project, "term": term}
        packed = b"".join(row[0] for row in self._connection.execute(_SQL["chunks_of_term"], key, binary=True))
        ids = np.frombuffer(packed, "<i4").tolist()
        rows = self._connection.execute(_SQL["texts"], {"project": self._project, "ids": ids})
        return [" ".join((title, *heading_path, text)) for title, heading_path, text in rows]


def project_acronyms(connection: Connection, project: str, words: Sequence[str]) -> Mapping[str, str]:
    """The long forms that the project's documents give to those of `words` that are acronyms; words come folded."""
    return dict(connection.execute(_SQL["acronyms"], {"project": project, "acronyms": list(words)}).fetchall())
