"""Documents of a project that another one is to have too, or instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assistant.projects import Projects
from rag_system.errors import IngestionError
from rag_system.ingestion.copying import copy_document
from rag_system.ingestion.indexing import MERGE_AT_END
from rag_system.ingestion.report import IngestReport, failed
from rag_system.search.scope import find_documents
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from rag_system.storage.segments import merge_segments

__all__ = ["Copier"]


class Copier:
    """Copies and moves documents out of one project, without embedding anything again."""

    def __init__(self, database: Database, settings: Settings, project: str) -> None:
        self._database = database
        self._settings = settings
        self._project = project
        self._projects = Projects(database=database, settings=settings)

    def targets(self) -> dict[str, str]:
        """The other projects that who acts may change: what people call each, by its id."""
        others = (each for each in self._projects.all() if each.project != self._project)
        return {each.project: each.name for each in others if each.role in ("owner", "editor")}

    def copy(
        self, paths: Sequence[str], *, to: str, moves: bool = False, replaces: bool = False
    ) -> Iterator[IngestReport]:
        """Have the project `to` hold the documents at `paths` too, or instead of this one; one report each.

        A document is there whole or not at all. One whose path is taken by other content is told as failed, unless it
        `replaces` that. Who may not read here, or not change there (to move: nor here), gets `NotFoundError` or
        `ForbiddenError`; a path that is not there raises `InputError` before anything is done.
        """
        self._projects.must_exist(to)
        with self._database.connection() as connection:
            get_project(connection, self._project)
            find_documents(connection, self._project, paths)
        for path in dict.fromkeys(paths):
            yield self._copied(path, to, moves=moves, replaces=replaces)
        for changed in {to, self._project if moves else to}:
            self._database.unhurried().run(merge_segments, changed, more_than=MERGE_AT_END)

    def _copied(self, path: str, to: str, *, moves: bool, replaces: bool) -> IngestReport:
        try:
            return self._database.run(
                copy_document,
                path,
                source=self._project,
                target=to,
                settings=self._settings,
                moves=moves,
                replaces=replaces,
            )
        except IngestionError as error:
            return failed(path, error)
