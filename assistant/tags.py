"""Words that people put on documents to group them: a tag is there for as long as a document bears it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag_system.errors import ForbiddenError, InputError
from rag_system.ingestion.text import clean_line
from rag_system.query.text import fold
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.projects import get_project
from rag_system.storage.sql import queries

__all__ = ["LONGEST_TAG", "Tags", "grouped"]

LONGEST_TAG = 60  # characters
_SQL = queries("rag_system.storage.queries", "tags.sql")


class Tags:
    """Those of a project. Who may not change its documents gets `ForbiddenError`."""

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def all(self) -> dict[str, tuple[str, ...]]:
        """By name, the paths of the documents that bear each."""
        with self._database.connection() as connection:
            rows = connection.execute(_SQL["list"], {"project": self._project})
            return {tag: tuple(paths) for tag, paths in rows}

    def add(self, tag: str, paths: Sequence[str]) -> str:
        """Put a tag on documents, spelled as the one that differs in accents or capitals alone; how it is spelled.

        Nothing, or more than 60 characters, raises `InputError`. Paths that are not there are left out.
        """
        tag = clean_line(tag)
        if not 0 < len(tag) <= LONGEST_TAG:
            raise InputError(f"Escriba una etiqueta, de hasta {LONGEST_TAG} caracteres.")
        tag = next((known for known in self.all() if fold(known) == fold(tag)), tag)
        self._change("add", tag, paths)
        return tag

    def take(self, tag: str, paths: Sequence[str]) -> None:
        """Take a tag off documents."""
        self._change("take", tag, paths)

    def _change(self, query: str, tag: str, paths: Sequence[str]) -> None:
        with self._database.connection() as connection:
            if get_project(connection, self._project).role not in ("owner", "editor"):
                raise ForbiddenError
            values = {"project": self._project, "tag": tag, "paths": list(paths)}
            for (path,) in connection.execute(_SQL[query], values).fetchall():
                write_down(connection, self._project, "document.tag", path)


def grouped(chosen: Sequence[str], tags: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Chosen documents (paths) as the tags whose documents are all among them, largest first, and those left over.

    A tag of one document is that document, and one that adds nothing to larger ones is not told.
    """
    left, named = set(chosen), []
    for tag, paths in sorted(tags.items(), key=lambda each: -len(each[1])):
        if len(paths) > 1 and left.intersection(paths) and set(paths) <= set(chosen):
            named.append(tag)
            left -= set(paths)
    return named, [path for path in chosen if path in left]
