"""Files on their way to be documents: accepted, followed, cancelled, retried. Their chunks are in `storage.staging`.

Whoever works on an ingestion holds the number of its attempt. A cancelled, replaced or restarted ingestion has another
number or none, so that a worker which was given up for dead writes nothing: its next write raises `SupersededError`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import uuid4

from psycopg import Connection
from psycopg.types.json import Jsonb

from rag_system.errors import StorageError
from rag_system.storage.documents import DocumentRow
from rag_system.storage.files import drop_unused_file
from rag_system.storage.sql import queries, row_of, rows_of

__all__ = [
    "OF_THE_FILE",
    "REMOVED_KEPT",
    "Ingestion",
    "Lease",
    "Stage",
    "SupersededError",
    "Unattended",
    "accept",
    "accept_anew",
    "advance",
    "anything_due",
    "awaits_other",
    "built_ingestions",
    "cancel_ingestion",
    "finish",
    "forget_done",
    "forget_removed",
    "get_ingestion",
    "ingestions_among",
    "is_anothers",
    "keep_extracted",
    "keep_removed",
    "list_ingestions",
    "release",
    "removed_long_ago",
    "restore_removed",
    "retry_ingestion",
    "start",
    "statuses_among",
    "stop_others",
    "stop_publication",
    "tell_publication",
    "unattended",
    "withdraw_missing",
    "withdraw_others",
]

OF_THE_FILE = ("path", "sha256", "size_bytes", "origin", "source", "container", "given_title")  # its document's, too
REMOVED_KEPT = timedelta(hours=1)  # how long what was removed can be brought back
Stage = Literal["read", "chunk", "embed", "publish"]

_SQL = queries("rag_system.storage.queries", "ingestions.sql")


class SupersededError(StorageError):
    """La incorporación se canceló, o la continúa otro proceso."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """A file that was accepted, and where it stands."""

    project_id: str
    ingestion_id: str
    path: str
    origin: str  # a web address, a watched folder, or empty
    source: str  # the file that it was read from, «upload:…», or empty
    container: str  # path of the archive or message that brought it, or empty
    given_title: str  # what a person calls the document, or empty
    sha256: str
    size_bytes: int
    target_model: str  # that a rebuild is for; empty for the project's own
    status: str  # "queued", "working", "ready" (waits for the others of a rebuild), "done", "failed" or "removed"
    stage: str  # of one that is worked on: "read", "chunk", "embed" or "publish"
    done: int  # chunks embedded, or published
    total: int
    rate: float | None  # chunks a second of late; None before the first batch of an attempt
    attempt: int  # times it was started
    outcome: str  # of one that is done: "indexed", "updated", "unchanged" or "empty"
    error: str
    code: str  # of the error, where it failed: `rag_system.errors`
    extracted: Mapping[str, Any] | None
    document_id: str | None
    copy_of: str  # path of the document with the same content
    retry_at: datetime | None  # of one that was tried in vain and waits

    @property
    def is_over(self) -> bool:
        return self.status in ("ready", "done", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to work on an ingestion, until somebody else starts it."""

    project: str
    ingestion_id: str
    attempt: int
    crashes: int = 1  # attempts in a row, this one included, of which nothing more was heard
    tries: int = 0  # attempts in a row before this one that ended with what may pass by itself

    @property
    def key(self) -> dict[str, object]:
        return {"project": self.project, "ingestion_id": self.ingestion_id, "attempt": self.attempt}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unattended:
    """An ingestion that no job will do."""

    project_id: str
    ingestion_id: str
    size_bytes: int


# ---------------------------------------------------------------- accepting


def accept(
    connection: Connection,
    project: str,
    *,
    path: str,
    sha256: str,
    size_bytes: int,
    origin: str = "",
    source: str = "",
    container: str = "",
    given_title: str = "",
    target_model: str = "",
) -> str:
    """Write down that the stored bytes are to become the document at `path`; returns the ingestion's id.

    The same bytes that already wait for that path are one ingestion; other bytes take their place. What is rebuilt for
    a `target_model` takes no place of what waits to become its document.
    """
    key = {"project": project, "path": path, "target_model": target_model}
    connection.execute(_SQL["take_turns"], key)
    live = row_of(connection, Ingestion, _SQL["live"], key)
    if live is not None and live.sha256 == sha256:
        return live.ingestion_id
    withdrawn = connection.execute(_SQL["withdraw"], key).fetchall()
    ingestion_id = str(uuid4())
    about = {"origin": origin, "source": source, "container": container, "given_title": given_title}
    row = {"ingestion_id": ingestion_id, "sha256": sha256, "size": size_bytes}
    connection.execute(_SQL["accept"], {**key, **about, **row})
    _drop_unused(connection, project, withdrawn)  # only now: the bytes may be the same
    return ingestion_id


def accept_anew(connection: Connection, project: str, document: DocumentRow, *, target_model: str = "") -> str:
    """The same of a document's own bytes, to become it once more or to become its copy in another project."""
    own = {name: getattr(document, name) for name in OF_THE_FILE}
    return accept(connection, project, **own, target_model=target_model)


def is_anothers(connection: Connection, project: str, path: str, *, source: str, sha256: str) -> bool:
    """Whether a path is that of a document which another file than `source` became, or is becoming.

    Until the transaction ends nobody else comes to have the path. Other bytes of the same file, and the same bytes of
    another, are no other's; nor is a document of which nobody knows where it is from.
    """
    key = {"project": project, "path": path}
    connection.execute(_SQL["take_turns"], key)
    row = connection.execute(_SQL["is_anothers"], {**key, "source": source, "sha256": sha256}).fetchone()
    return row is not None and bool(row[0])


def withdraw_missing(connection: Connection, project: str, container: str, *, paths: Sequence[str]) -> None:
    """Forget what an archive or a message was to bring that has none but these `paths` any more."""
    key = {"project": project, "container": container, "paths": list(paths)}
    _drop_unused(connection, project, connection.execute(_SQL["withdraw_missing"], key).fetchall())


def withdraw_others(connection: Connection, project: str, *, path: str, sha256: str) -> None:
    """Forget other bytes that were accepted for `path`, whatever became of them: those of `sha256` are the newest.

    A publication of them that is under way is waited for (`stop_others` makes that short): what the project holds is
    read after this.
    """
    key = {"project": project, "path": path}
    connection.execute(_SQL["take_turns"], key)
    withdrawn = connection.execute(_SQL["withdraw_others"], {**key, "sha256": sha256}).fetchall()
    _drop_unused(connection, project, withdrawn)


def _drop_unused(connection: Connection, project: str, digests: Sequence[tuple[str]]) -> None:
    for (sha256,) in digests:
        drop_unused_file(connection, project, sha256)


def unattended(connection: Connection) -> list[Unattended]:
    """What was accepted in any project and has no job."""
    return rows_of(connection, Unattended, _SQL["unattended"])


def anything_due(connection: Connection) -> bool:
    """Whether any project has something in the queue or being worked on."""
    (due,) = connection.execute(_SQL["anything_due"]).fetchone() or (False,)
    return bool(due)


# ---------------------------------------------------------------- working


def start(connection: Connection, project: str, ingestion_id: str) -> Lease | None:
    """Begin an attempt; None when the ingestion is over or gone."""
    row = connection.execute(_SQL["start"], {"project": project, "ingestion_id": ingestion_id}).fetchone()
    if row is None:
        return None
    attempt, crashes, tries = row
    return Lease(project=project, ingestion_id=ingestion_id, attempt=attempt, crashes=crashes, tries=tries)


def advance(connection: Connection, lease: Lease, stage: Stage, *, done: int = 0, total: int = 0) -> None:
    """Say how far the work is. Until the transaction ends nobody can take it over."""
    _write(connection, "advance", lease, stage=stage, done=done, total=total)


def keep_extracted(connection: Connection, lease: Lease, extracted: Mapping[str, Any]) -> None:
    """Keep what was read from the file beside its staged chunks: from here on a new attempt need not read again."""
    _write(connection, "extracted", lease, extracted=Jsonb(extracted))


def finish(
    connection: Connection,
    lease: Lease,
    *,
    status: Literal["ready", "done", "failed"],
    outcome: str = "",
    error: str = "",
    code: str = "",
    document_id: str | None = None,
    copy_of: str = "",
) -> None:
    """End the work, in the transaction of what it brought about."""
    _write(
        connection,
        "finish",
        lease,
        status=status,
        outcome=outcome,
        error=error,
        code=code,
        document_id=document_id,
        copy_of=copy_of,
    )


def tell_publication(connection: Connection, lease: Lease, *, done: int, total: int) -> None:
    """Say how far a publication is that another transaction writes. Raises when it is to be given up.

    What holds this up for long makes it fail: `StorageError` from the connection.
    """
    connection.execute(_SQL["limit_waiting"])
    row = connection.execute(_SQL["tell_publication"], {**lease.key, "done": done, "total": total}).fetchone()
    if row is None or row[0]:
        raise SupersededError


def stop_publication(connection: Connection, project: str, ingestion_id: str) -> None:
    """Have a publication that takes long given up at its next batch: then it can be cancelled.

    To be committed before the ingestion is waited for.
    """
    connection.execute(_SQL["stop_publication"], {"project": project, "ingestion_id": ingestion_id})


def stop_others(connection: Connection, project: str, *, path: str, sha256: str) -> None:
    """The same for other bytes that were accepted for `path`, which those of `sha256` are to replace."""
    connection.execute(_SQL["stop_others"], {"project": project, "path": path, "sha256": sha256})


def release(connection: Connection, lease: Lease, *, reason: str = "", tried: bool = False) -> None:
    """Put the ingestion back in the queue, as it stands: this worker is going to end, is not the right one, or `tried`
    in vain.
    """
    connection.execute(_SQL["release"], {**lease.key, "error": reason, "tried": int(tried)})


def _write(connection: Connection, query: str, lease: Lease, **values: object) -> None:
    if connection.execute(_SQL[query], {**lease.key, **values}).fetchone() is None:
        raise SupersededError


# ---------------------------------------------------------------- following


def get_ingestion(connection: Connection, project: str, ingestion_id: str) -> Ingestion | None:
    """Where it stands; None when it was cancelled, or a newer version of the file took its place."""
    return row_of(connection, Ingestion, _SQL["get"], {"project": project, "ingestion_id": ingestion_id})


def awaits_other(connection: Connection, project: str, *, path: str, sha256: str) -> bool:
    """Whether other bytes than those of `sha256` wait to become the document at `path`, or failed to."""
    key = {"project": project, "path": path, "sha256": sha256}
    (awaited,) = connection.execute(_SQL["awaits_other"], key).fetchone() or (False,)
    return bool(awaited)


def list_ingestions(connection: Connection, project: str) -> list[Ingestion]:
    """What waits, is worked on or failed, in the order in which it was accepted."""
    return rows_of(connection, Ingestion, _SQL["list"], {"project": project})


def ingestions_among(connection: Connection, project: str, ids: Sequence[str]) -> list[Ingestion]:
    """Those of the given ones that have left the queue, or wait in it for another try."""
    return rows_of(connection, Ingestion, _SQL["among"], {"project": project, "ids": list(ids)})


def built_ingestions(connection: Connection, project: str, model_id: str) -> list[Ingestion]:
    """What was built for another model and waits for the others, by path."""
    return rows_of(connection, Ingestion, _SQL["built"], {"project": project, "model": model_id})


def statuses_among(connection: Connection, project: str, ids: Sequence[str]) -> dict[str, str]:
    """The status of each of the given ones that is there: cancelled and replaced ones are not. One that is queued after
    it was tried in vain is "waiting".
    """
    return dict(connection.execute(_SQL["statuses"], {"project": project, "ids": list(ids)}).fetchall())


def cancel_ingestion(connection: Connection, project: str, ingestion_id: str) -> bool:
    """Give a file up, whatever its stage; what was published before stays. False when there was nothing to give up."""
    row = connection.execute(_SQL["cancel"], {"project": project, "ingestion_id": ingestion_id}).fetchone()
    if row is None:
        return False
    drop_unused_file(connection, project, row[0])
    return True


def forget_done(connection: Connection, project: str, path: str) -> None:
    """Tell no more of the file that became a document which is not there any more."""
    connection.execute(_SQL["forget_done"], {"project": project, "path": path})


def keep_removed(connection: Connection, project: str, document_id: str) -> None:
    """Keep what it takes to bring a document back that is about to be taken out; for `REMOVED_KEPT`."""
    connection.execute(_SQL["keep_removed"], {"project": project, "document_id": document_id})


def restore_removed(connection: Connection, project: str, path: str) -> list[tuple[str, str, int]]:
    """Queue what was removed at `path`, and what came in it: id, path and bytes of each. Nothing: it is too late."""
    key = {"project": project, "path": path, "kept": REMOVED_KEPT}
    return connection.execute(_SQL["restore_removed"], key).fetchall()


def forget_removed(connection: Connection, project: str) -> None:
    """Forget the bytes of what was removed so long ago that it is not brought back."""
    rows = connection.execute(_SQL["forget_removed"], {"project": project, "kept": REMOVED_KEPT}).fetchall()
    _drop_unused(connection, project, rows)


def removed_long_ago(connection: Connection) -> list[str]:
    """The projects, of all, in which there is something to forget so."""
    return [project for (project,) in connection.execute(_SQL["removed_long_ago"], {"kept": REMOVED_KEPT})]


def retry_ingestion(connection: Connection, project: str, ingestion_id: str) -> int | None:
    """Queue a failed file again; its size in bytes, or None when it is not one that failed."""
    row = connection.execute(_SQL["retry"], {"project": project, "ingestion_id": ingestion_id}).fetchone()
    return None if row is None else int(row[0])
