"""How a document becomes visible, wherever its chunks and vectors come from: read and embedded, or copied."""

from __future__ import annotations

from psycopg import Connection

from rag_system.embeddings.protocol import Manifest
from rag_system.ingestion.describing import describe, new_document, read_as
from rag_system.ingestion.proportions import check_room
from rag_system.ingestion.spacy_entities import EntityExtractor
from rag_system.ingestion.tagging import tag_document
from rag_system.storage.documents import find_document
from rag_system.storage.ingestions import Ingestion, Lease, advance, finish, keep_extracted
from rag_system.storage.projects import ProjectRow
from rag_system.storage.publishing import NewDocument, OnBatch, Twin, find_twin, publish, publish_copy
from rag_system.storage.staging import clear_staged, count_staged

__all__ = ["make_visible", "outcome", "room_for", "twin_of"]


def make_visible(
    connection: Connection,
    lease: Lease,
    ingestion: Ingestion,
    document: NewDocument | None,
    *,
    project: ProjectRow,
    manifest: Manifest,
    index_version: str,
    entities: EntityExtractor,
    most_chunks: int,
    on_batch: OnBatch | None = None,
) -> bool:
    """Publish what is staged and end its ingestion; as a copy where the project holds the same content already.

    The caller holds the project's row, and has seen that its vectors are those of `manifest`. False when there is no
    such content, and no `document` to publish. Raises `IngestionError` where the project would get too many chunks.
    """
    twin = twin_of(connection, ingestion, index_version=index_version)
    if twin is not None:
        read = read_as(twin, ingestion.path, version=index_version)
        keep_extracted(connection, lease, read)
        document = new_document(ingestion, read)
        published = publish_copy(connection, lease, document, twin)
    elif document is not None:
        room = room_for(connection, project, ingestion.path, most_chunks=most_chunks)
        check_room(count_staged(connection, lease)[0], room=room, limit=most_chunks)
        described = describe(document, entities)
        published = publish(connection, lease, document, manifest, project, describe=described, on_batch=on_batch)
        tag_document(connection, project=lease.project, document_id=published.document_id)
    else:
        return False
    clear_staged(connection, lease)
    advance(connection, lease, "publish", done=published.chunks, total=published.chunks)
    finish(
        connection,
        lease,
        status="done",
        outcome=outcome(replaced=published.replaced, chunks=published.chunks),
        error=document.error,
        document_id=published.document_id,
        copy_of=published.copy_of,
    )
    return True


def twin_of(connection: Connection, ingestion: Ingestion, *, index_version: str) -> Twin | None:
    """The document that holds the same content already, if the project has one at another path."""
    key = {"sha256": ingestion.sha256, "index_version": index_version, "path": ingestion.path}
    return find_twin(connection, ingestion.project_id, **key)


def outcome(*, replaced: bool, chunks: int) -> str:
    """What an ingestion came to."""
    if not chunks:
        return "empty"
    return "updated" if replaced else "indexed"


def room_for(connection: Connection, project: ProjectRow, path: str, *, most_chunks: int) -> int:
    """How many chunks the project can still take for the document at `path`, whose older version makes room."""
    old = find_document(connection, project.project_id, path)
    freed = old.chunk_count if old is not None and not old.copy_of else 0
    return most_chunks - project.chunk_count + freed
