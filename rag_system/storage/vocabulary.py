"""The words of a project: the terms of its postings, and the acronyms its documents define."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from psycopg import Connection

from rag_system.storage.sql import queries

__all__ = ["ProjectVocabulary", "project_acronyms"]

_SQL = queries("rag_system.storage.queries", "vocabulary.sql")

_LENGTH_DIFFERENCE = 2  # letters: as many as the slips that `query.spelling` forgives
# Letters that a slip of the ear puts one for the other at the start of a word.
_BEGINS_ALIKE = {letter: group for group in ("bv", "csz", "ckq", "gj", "yl", "iy", "h") for letter in group}


class ProjectVocabulary:
    """The analysed terms of a project, as `query.spelling.Vocabulary`."""

    def __init__(self, connection: Connection, project: str) -> None:
        self._connection = connection
        self._project = project

    def unknown(self, terms: Sequence[str]) -> list[str]:
        """Those of `terms` that no chunk has."""
        key = {"project": self._project, "terms": list(terms)}
        known = {row[0] for row in self._connection.execute(_SQL["known"], key)}
        return [term for term in terms if term not in known]

    def candidates(self, term: str) -> Iterable[tuple[str, int]]:
        """Terms of a similar length that begin with the same letter, or one that sounds like it."""
        for letter in dict.fromkeys(term[0] + _BEGINS_ALIKE.get(term[0], "")):
            key = {
                "project": self._project,
                "first": letter,
                "stop": chr(ord(letter) + 1),
                "shortest": len(term) - _LENGTH_DIFFERENCE,
                "longest": len(term) + _LENGTH_DIFFERENCE,
            }
            yield from self._connection.execute(_SQL["candidates"], key).fetchall()

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
