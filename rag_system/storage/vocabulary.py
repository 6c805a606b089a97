"""The words of projects: the terms of their postings, and the acronyms that their documents define."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from psycopg import Connection

from rag_system.storage.sql import queries

__all__ = ["ProjectVocabulary", "project_acronyms"]

_SQL = queries("rag_system.storage.queries", "vocabulary.sql")

_MOST_ALIKE = 2_000  # terms of one beginning that are offered: a third of a vocabulary of a million has fewer


class ProjectVocabulary:
    """The analysed terms of projects that are searched as one, as `query.spelling.Vocabulary`."""

    def __init__(self, connection: Connection, projects: Sequence[str]) -> None:
        self._connection = connection
        self._projects = projects

    def frequencies(self, words: Collection[str]) -> Mapping[str, int]:
        """Those of `words` that a chunk has, with how many have each."""
        return self._counted("frequencies", terms=sorted(words))

    def beginning(self, beginnings: Sequence[str], *, shortest: int, longest: int) -> Mapping[str, int]:
        """Terms of so many letters with one of the beginnings, with how many chunks have them: of each beginning, up to
        2,000 in a project.
        """
        lengths = {"shortest": shortest, "longest": longest}
        return self._counted("beginning", beginnings=sorted(set(beginnings)), **lengths, limit=_MOST_ALIKE)

    def _counted(self, query: str, **key: object) -> Mapping[str, int]:
        counted: Counter[str] = Counter()
        for project in self._projects:
            counted.update(dict(self._connection.execute(_SQL[query], {"project": project, **key}).fetchall()))
        return counted

    def texts(self, term: str) -> list[str]:
        """A few texts of each project that have the term, to see how people write it."""
        return [text for project in self._projects for text in self._texts_of(project, term)]

    def _texts_of(self, project: str, term: str) -> Iterator[str]:
        key = {"project": project, "term": term}
        packed = b"".join(row[0] for row in self._connection.execute(_SQL["chunks_of_term"], key, binary=True))
        ids = np.frombuffer(packed, "<i4").tolist()
        for title, heading_path, text in self._connection.execute(_SQL["texts"], {"project": project, "ids": ids}):
            yield " ".join((title, *heading_path, text))


def project_acronyms(connection: Connection, projects: Sequence[str], words: Sequence[str]) -> Mapping[str, str]:
    """The long forms that documents give to those of `words` that are acronyms; words come folded. Where projects
    differ, an earlier one is right.
    """
    found: dict[str, str] = {}
    for project in reversed(projects):
        found.update(connection.execute(_SQL["acronyms"], {"project": project, "acronyms": list(words)}).fetchall())
    return found
