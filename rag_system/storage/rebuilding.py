"""An index built beside the old one, with another model, and the switch to it: one transaction, all or nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from psycopg import Connection

from rag_system.embeddings.protocol import Manifest
from rag_system.storage.documents import list_documents
from rag_system.storage.ingestions import Ingestion, Lease, accept_anew, built_ingestions
from rag_system.storage.projects import get_project, lock_project
from rag_system.storage.publishing import Describe, NewDocument, publish, set_model
from rag_system.storage.sql import queries

__all__ = ["accept_outdated", "accept_rebuild", "switch"]

_SQL = queries("rag_system.storage.queries", "rebuilding.sql")

Prepared = tuple[NewDocument, Describe]


def accept_outdated(
    connection: Connection, project: str, *, index_version: str, scans: bool, but: Collection[str]
) -> dict[str, str]:
    """Have read anew what another version of the program read, and with `scans` documents that have pages without text
    on which there may be some.

    Ingestion → path. Neither copies nor the paths of `but`, nor those for which newer bytes wait in the queue.
    """
    newer: dict[str, str] = dict(connection.execute(_SQL["waiting"], {"project": project}).fetchall())
    return {
        accept_anew(connection, project, each): each.path
        for each in list_documents(connection, project)
        if not each.copy_of
        and (each.index_version != index_version or (scans and set(each.empty_pages) - set(each.blank_pages)))
        and each.path not in but
        and newer.get(each.path, each.sha256) == each.sha256
    }


def accept_rebuild(connection: Connection, project: str, manifest: Manifest, *, index_version: str) -> dict[str, str]:
    """Have every document built anew for a model beside the index that answers; ingestion → path of those to be done.

    What an earlier call has built and is still as it was is not built twice.
    """
    lock_project(connection, project)
    wanted = {"model": manifest.model_id, "index_version": index_version}
    connection.execute(_SQL["forget_others"], {"project": project, **wanted})
    known = {(each.path, each.sha256) for each in built_ingestions(connection, project, manifest.model_id)}
    return {
        accept_anew(connection, project, each, target_model=manifest.model_id): each.path
        for each in list_documents(connection, project)
        if not each.copy_of and (each.path, each.sha256) not in known
    }


def switch(
    connection: Connection, project: str, manifest: Manifest, *, prepare: Callable[[Ingestion], Prepared]
) -> bool:
    """Put what was built in the place of the whole index, in the caller's transaction: readers see the old one until
    it ends. False when a document came or changed meanwhile, and has to be built first.
    """
    lock_project(connection, project)
    ready = built_ingestions(connection, project, manifest.model_id)
    documents = list_documents(connection, project)
    wanted = {(each.path, each.sha256) for each in documents if not each.copy_of}
    if wanted - {(each.path, each.sha256) for each in ready}:
        return False
    key: dict[str, Any] = {"project": project, "copies": [each.document_id for each in documents if each.copy_of]}
    for query in ("detach_copies", "empty", "empty_postings", "empty_segments", "empty_removed", "empty_means"):
        connection.execute(_SQL[query], key)
    connection.execute(_SQL["empty_entities"], key)
    set_model(connection, project, manifest)
    row = get_project(connection, project)
    for each in ready:
        if (each.path, each.sha256) in wanted:
            document, describe = prepare(each)
            lease = Lease(project=project, ingestion_id=each.ingestion_id, attempt=each.attempt)
            publish(connection, lease, document, manifest, row, describe=describe)
    connection.execute(_SQL["attach_copies"], key)
    connection.execute(_SQL["forget_built"], {"project": project, "ids": [each.ingestion_id for each in ready]})
    return True
