"""What is searched: a project, or several as if they were one.

Chunk ids are counted per project. In a search of several, those of each follow those of the one before: what the
database says is raised by `Part.first`, and what it is asked for is lowered. Everything in between (postings, scores,
passages) sees one collection, whose words weigh what they weigh over all of it and whose languages are those of all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, groupby

from psycopg import Connection

from rag_system.embeddings.protocol import Manifest
from rag_system.storage.projects import COMMON_LANGUAGE, ProjectRow, filled_projects, main_language

__all__ = ["Collection", "Part", "read_collection"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A project in a collection."""

    project: ProjectRow
    first: int  # its chunk 0 in the collection

    @property
    def name(self) -> str:
        return self.project.project_id


@dataclass(frozen=True, kw_only=True)
class Collection:
    """The projects of one search; of equal scores, those of an earlier one come first.

    Several are read in the transaction that searches them: what is published later has ids that others have here.
    """

    projects: Sequence[ProjectRow]
    is_wide: bool = False  # more than the project in which it is asked, as far as there are others

    @cached_property
    def parts(self) -> Sequence[Part]:
        pairs = zip(self.projects, self._firsts, strict=False)
        return [Part(project=project, first=first) for project, first in pairs]

    @cached_property
    def _firsts(self) -> Sequence[int]:
        counters = [project.next_chunk_id for project in self.projects]
        return list(accumulate(counters[:-1], initial=0))

    @cached_property
    def chunk_count(self) -> int:
        return sum(project.chunk_count for project in self.projects)

    @cached_property
    def languages(self) -> Mapping[str, int]:
        """Chunks of each."""
        return sum((Counter(project.languages) for project in self.projects), Counter[str]())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(project.project_id for project in self.projects)

    def among(self, names: Sequence[str]) -> Collection:
        """The same without projects of other names."""
        return replace(self, projects=[each for each in self.projects if each.project_id in names])

    @property
    def is_in_common_language(self) -> bool:
        """Whether no other language leads, in which passages have none of a question's words."""
        return main_language(self.languages) == COMMON_LANGUAGE

    def part_of(self, chunk_id: int) -> Part:
        """The project whose chunk that is, or would be."""
        return self.parts[max(bisect_right(self._firsts, chunk_id) - 1, 0)]

    def own(self, chunk_ids: Iterable[int]) -> Iterator[tuple[Part, list[int]]]:
        """Chunks of the collection as their projects know them."""
        ascending = sorted(chunk_ids)
        if len(self.parts) == 1:
            yield from [(self.parts[0], ascending)] * bool(ascending)
            return
        for first, group in groupby(ascending, key=lambda chunk_id: self.part_of(chunk_id).first):
            yield self.part_of(first), [chunk_id - first for chunk_id in group]


def read_collection(connection: Connection, project: str, manifest: Manifest) -> tuple[Collection, list[str]]:
    """All projects with something in them that who acts may read, `project` first, and the names of those left out:
    their vectors are another model's, and cannot be compared. Where all are, none is left out: `check_model` refuses.
    """
    rows = filled_projects(connection, project)
    searched = [row for row in rows if row.embedding_model == manifest.model_id] or rows
    return Collection(projects=searched, is_wide=True), [row.project_id for row in rows if row not in searched]
