"""A document of one project into another: its bytes, chunks and vectors are there, so nothing is read or embedded.

They are staged as if they had just been read, and published the way every file is, words, names and concepts included.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from psycopg import Connection

from rag_system.embeddings.protocol import Manifest
from rag_system.errors import IncompatibleStoreError, IngestionError, InputError, NotFoundError, StorageError
from rag_system.ingestion.describing import new_document, read_as
from rag_system.ingestion.publication import make_visible
from rag_system.ingestion.report import IngestReport, reported, unchanged
from rag_system.ingestion.spacy_entities import entity_extractor
from rag_system.settings import Settings
from rag_system.storage.audit import write_down
from rag_system.storage.documents import DocumentRow, find_document, path_of
from rag_system.storage.files import copy_file
from rag_system.storage.ingestions import Ingestion, accept_anew, awaits_other, get_ingestion, keep_extracted, start
from rag_system.storage.projects import ProjectRow, get_project, lock_project
from rag_system.storage.publishing import Twin, content_of, remove_document
from rag_system.storage.staging import clear_staged, stage_copy

__all__ = ["copy_document"]


def copy_document(
    connection: Connection,
    path: str,
    *,
    source: str,
    target: str,
    settings: Settings,
    moves: bool = False,
    replaces: bool = False,
) -> IngestReport:
    """Copy or move the document at `path` from one project to another, all in the caller's transaction.

    Who acts reads the source, or changes it to move, and changes the target: else `NotFoundError`, `ForbiddenError`.
    Other content at `path` in the target raises `IngestionError`, unless the document `replaces` it; vectors of another
    model raise `IncompatibleStoreError`.
    """
    if source == target:
        raise InputError(f"El documento ya está en «{target}». Elija otro proyecto.")
    locked = {name: lock_project(connection, name) for name in sorted({target, source if moves else target})}
    document = find_document(connection, source, path)
    if document is None:
        get_project(connection, source)
        raise NotFoundError(f"No hay ningún documento «{path}» en «{source}».", code="unknown_document", document=path)
    transfer = _Transfer(
        connection=connection,
        source=get_project(connection, source),
        target=locked[target],
        document=document,
        settings=settings,
    )
    report = transfer.take_in(replaces=replaces)
    if moves:
        remove_document(connection, source, document.document_id)
        write_down(connection, source, "document.move", path)
        return replace(report, status="moved")
    if path_of(connection, source, document.document_id) != path:  # then what was read of it need not be all
        raise _changed(path)
    if report.status != "unchanged":
        write_down(connection, source, "document.copy", path)
    return report


@dataclass(frozen=True, slots=True, kw_only=True)
class _Transfer:
    """What goes from where to where."""

    connection: Connection
    source: ProjectRow
    target: ProjectRow  # locked
    document: DocumentRow
    settings: Settings

    def take_in(self, *, replaces: bool) -> IngestReport:
        """Make the target have it too; nothing is done where it has."""
        connection, project, document = self.connection, self.target.project_id, self.document
        path, sha256, size = document.path, document.sha256, document.size_bytes
        old = find_document(connection, project, path)
        if old is not None and old.sha256 == sha256:
            return unchanged(old)
        if not replaces and (old is not None or awaits_other(connection, project, path=path, sha256=sha256)):
            raise IngestionError(
                f"En «{project}» ya hay otro documento en esa ruta. Quítelo antes, o pida sustituirlo (--replace).",
                code="path_taken",
                path=path,
            )
        self._check_models()
        copy_file(connection, project, source=self.source.project_id, sha256=sha256, size_bytes=size)
        accepted = accept_anew(connection, project, document)
        self._publish(accepted)
        write_down(connection, project, "document.add", path)
        return replace(reported(self._ingestion(accepted)), status="copied")

    def _check_models(self) -> None:
        """Vectors of two models are never searched together."""
        source, target = self.source, self.target
        if self.document.chunk_count and target.embedding_model not in (None, source.embedding_model):
            raise IncompatibleStoreError(
                f"«{source.project_id}» se indexó con el modelo {source.embedding_model} y «{target.project_id}», con "
                f"{target.embedding_model}. Ejecute «legajo reindex --project …» en el que no tenga el modelo actual, "
                "y vuelva a intentar."
            )

    def _publish(self, ingestion_id: str) -> None:
        """Stage what the source holds; from there on it takes the way of every file."""
        connection, content = self.connection, self._content()
        lease = start(connection, self.target.project_id, ingestion_id)
        assert lease is not None, "nobody else sees it"  # noqa: S101
        clear_staged(connection, lease)  # the same bytes may have been waiting
        first = content.first_chunk_id
        stage_copy(connection, lease, self.source.project_id, range(first, first + content.chunk_count))
        read = read_as(content, self.document.path, version=self.document.index_version)
        keep_extracted(connection, lease, read)
        ingestion = self._ingestion(ingestion_id)
        make_visible(
            connection,
            lease,
            ingestion,
            new_document(ingestion, read),
            project=self.target,
            manifest=self._manifest(),
            index_version=self.document.index_version,
            entities=entity_extractor(self.settings),
            most_chunks=self.settings.max_project_chunks,
        )

    def _content(self) -> Twin:
        content = content_of(self.connection, self.source.project_id, self.document.document_id)
        if content is None:
            raise _changed(self.document.path)
        return content

    def _manifest(self) -> Manifest:
        """Of whoever made the vectors, which need not be the model in use: nothing is asked of it."""
        source = self.source
        return Manifest(model_id=source.embedding_model or "", dimension=source.embedding_dimension or 0, max_tokens=0)

    def _ingestion(self, ingestion_id: str) -> Ingestion:
        ingestion = get_ingestion(self.connection, self.target.project_id, ingestion_id)
        assert ingestion is not None, "this transaction holds it"  # noqa: S101
        return ingestion


def _changed(path: str) -> StorageError:
    return StorageError(f"«{path}» cambió mientras se copiaba. Vuelva a intentar.")
