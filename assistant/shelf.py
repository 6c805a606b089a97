"""What is done to a document that is there, or was a moment ago: called otherwise, read anew, brought back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg import Connection

from rag_system.errors import ForbiddenError, InputError, NotFoundError
from rag_system.ingestion.describing import index_terms
from rag_system.ingestion.jobs import Jobs
from rag_system.ingestion.text import clean_line
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.documents import find_document, path_of, rename_document
from rag_system.storage.ingestions import accept_anew, restore_removed
from rag_system.storage.projects import get_project

__all__ = ["LONGEST_TITLE", "Shelf"]

LONGEST_TITLE = 200  # characters


class Shelf:
    """The documents of a project, one by one. Who may not change them gets `ForbiddenError`; of one that is not there
    everybody gets `NotFoundError`.
    """

    def __init__(self, database: Database, project: str) -> None:
        self._database = database
        self._project = project

    def rename(self, document_id: str, title: str) -> None:
        """Call a document otherwise: so it is listed, cited and found, also when its file changes. Its path stays.

        Nothing, or more than 200 characters, raises `InputError`.
        """
        title = clean_line(title)
        if not 0 < len(title) <= LONGEST_TITLE:
            raise InputError(
                f"Escriba un título, de hasta {LONGEST_TITLE} caracteres.", code="title_length", limit=LONGEST_TITLE
            )
        with self._changing() as connection:
            path = rename_document(connection, self._project, document_id, title=title, terms=index_terms(title))
            write_down(connection, self._project, "document.rename", _there(path))

    def reread(self, document_id: str) -> str:
        """Queue a document's own bytes to be read anew; its ingestion's id. It can be asked meanwhile as it was."""
        with self._changing() as connection:
            path = _there(path_of(connection, self._project, document_id))
            document = find_document(connection, self._project, path)
            assert document is not None, "it was there in this transaction"  # noqa: S101
            ingestion_id = accept_anew(connection, self._project, document)
            write_down(connection, self._project, "document.reread", path)
        Jobs(self._database).defer(self._project, ingestion_id, size_bytes=document.size_bytes)
        return ingestion_id

    def restore(self, path: str) -> int:
        """Queue what was removed from `path` within the last hour, with what had come in it; how many files that is."""
        with self._changing() as connection:
            restored = restore_removed(connection, self._project, path)
            if not restored:
                raise NotFoundError(
                    f"«{path}» ya no se puede recuperar. Agregue el archivo de nuevo.", code="not_restorable", path=path
                )
            for _, each, _ in restored:
                write_down(connection, self._project, "document.restore", each)
        for ingestion_id, _, size in restored:
            Jobs(self._database).defer(self._project, ingestion_id, size_bytes=size)
        return len(restored)

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        """A transaction of who may change documents; others are told so before anything is looked up."""
        with self._database.connection() as connection:
            if get_project(connection, self._project).role not in ("owner", "editor"):
                raise ForbiddenError
            yield connection


def _there(path: str | None) -> str:
    """The path of a document that is there."""
    if not path:
        raise NotFoundError("Ese documento ya no está en la biblioteca.", code="unknown_document")
    return path
