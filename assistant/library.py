"""A project's documents: take in, follow, list, remove."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO

from assistant.waiting import Waiting
from rag_system.embeddings.protocol import EmbeddingModel, Manifest
from rag_system.errors import ForbiddenError, IngestionError, InputError
from rag_system.ingestion.accepting import UPLOADS, Acceptor, find_files, upload_path
from rag_system.ingestion.addresses import shown
from rag_system.ingestion.describing import describe, new_document
from rag_system.ingestion.indexing import MERGE_AT_END, MERGE_EVERY
from rag_system.ingestion.jobs import Jobs, Worker, WorkerThread
from rag_system.ingestion.loaders.ocr import OcrOptions, can_recognise
from rag_system.ingestion.report import IngestReport, OnProgress, failed, index_version, reported
from rag_system.ingestion.spacy_entities import EntityExtractor, entity_extractor
from rag_system.ingestion.tagging import tag_project
from rag_system.ingestion.temporary import temporary_folder
from rag_system.ingestion.web import fetch_with
from rag_system.search.scope import find_documents
from rag_system.settings import Settings
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.documents import (
    DocumentRow,
    SampleHeading,
    find_document,
    list_documents,
    path_of,
    sample_headings,
)
from rag_system.storage.ingestions import (
    Ingestion,
    cancel_ingestion,
    get_ingestion,
    list_ingestions,
    retry_ingestion,
    stop_publication,
)
from rag_system.storage.projects import get_project
from rag_system.storage.publishing import Describe, NewDocument, remove_document
from rag_system.storage.rebuilding import accept_outdated, accept_rebuild, switch
from rag_system.storage.segments import merge_segments
from rag_system.storage.sql import queries

__all__ = ["UPLOADS", "DocumentSummary", "IngestionSummary", "Library"]

_SQL = queries("rag_system.storage.queries", "library.sql")

SAMPLED = 30  # documents looked at for something to suggest
PART_BYTES = 1 << 20  # of an upload, at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSummary:
    """A document as a person sees it."""

    document_id: str
    path: str
    title: str
    format: str
    category: str
    pages: int | None
    chunks: int
    size_bytes: int
    status: str  # "indexed" or "empty"
    error: str
    identifiers: tuple[str, ...]
    updated_at: datetime
    origin: str = ""  # the web address that it came from, or the folder that is watched
    empty_pages: tuple[int, ...] = ()  # pages without text
    ocr_pages: tuple[int, ...] = ()  # pages read by optical character recognition
    blank_pages: tuple[int, ...] = ()  # of the empty ones: nothing to be read on them
    hidden_pages: tuple[int, ...] = ()  # with text that no reader sees, left out; (0,) where there are no pages
    copy_of: str = ""  # path of the document that holds the same content

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestionSummary:
    """A file that is not a document yet."""

    ingestion_id: str
    path: str
    status: str  # "queued", "working", "ready" or "failed"
    stage: str  # of one that is worked on: "read", "chunk", "embed", "publish", or "wait" while another is published
    done: int  # chunks embedded, or published
    total: int
    size_bytes: int
    error: str
    remaining_s: float | None  # of its stage, at the rate of late; None when none is known
    retry_at: datetime | None = None  # of one that was tried in vain and waits


class Library:
    """The documents of a project."""

    def __init__(
        self, *, database: Database, settings: Settings, embeddings: Callable[[], EmbeddingModel], project: str
    ) -> None:
        self._database = database
        self._unhurried = database.unhurried()  # for what may take long, and where nobody sits before it
        self._project = project
        self._settings = settings
        self._embeddings = embeddings

    # ------------------------------------------------------------ what there is

    def all(self) -> list[DocumentSummary]:
        """By path."""
        with self._database.connection() as connection:
            return [_summary(row) for row in list_documents(connection, self._project)]

    def holds(self, path: str) -> bool:
        """Whether there is a document at `path`."""
        with self._database.connection() as connection:
            return find_document(connection, self._project, path) is not None

    def count(self) -> int:
        """How many there are."""
        with self._database.connection() as connection:
            (number,) = connection.execute(_SQL["count"], {"project": self._project}).fetchone() or (0,)
        return int(number)

    def headings(self) -> list[SampleHeading]:
        """What a few of the documents speak of."""
        with self._database.connection() as connection:
            return sample_headings(connection, self._project, limit=SAMPLED)

    def remove(self, document_id: str) -> bool:
        """Take a document out of the project. False when it was not there."""
        with self._database.connection() as connection:
            path = path_of(connection, self._project, document_id)
            if not remove_document(connection, self._project, document_id):
                return False
            write_down(connection, self._project, "document.remove", path)
        with self._unhurried.connection() as connection:
            merge_segments(connection, self._project, more_than=MERGE_EVERY)
        return True

    # ------------------------------------------------------------ taking in

    def add(self, paths: Sequence[Path], *, on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Index files and directories; a directory's files keep their path relative to it."""
        missing = next((path for path in paths if not path.exists()), None)
        if missing is not None:
            raise InputError(f"No existe «{missing}». Revise la ruta.")
        return self.add_files(find_files(paths), on_progress=on_progress)

    def add_files(
        self,
        files: Sequence[tuple[Path, str]],
        *,
        origin: str = "",
        on_progress: OnProgress | None = None,
    ) -> Iterator[IngestReport]:
        """Accept the files under the given paths and see them through, one report a file as it is over.

        This process works on the queue meanwhile. If it ends early, what was accepted stays in the queue; if only its
        worker does, `EndedWorkerError` is raised.
        """
        acceptor = self._acceptor(self._unhurried)
        return self._all_through(acceptor, files, origin, on_progress)

    def _all_through(
        self,
        acceptor: Acceptor,
        files: Sequence[tuple[Path, str]],
        origin: str,
        on_progress: OnProgress | None,
    ) -> Iterator[IngestReport]:
        waiting = Waiting(self._unhurried, self._project, len(files), on_progress)
        working = self._worker(waiting)
        with ExitStack() as stack:
            for file, path in files:
                accepted = acceptor.accept(file, path, origin=origin)
                if isinstance(accepted, IngestReport):
                    yield waiting.told(accepted)
                elif waiting.add(accepted, path):  # the first one
                    stack.enter_context(working)
                yield from waiting.over(block=False)
            while waiting:
                working.check()
                yield from waiting.over(block=True)

    def add_url(self, url: str, *, on_progress: OnProgress | None = None) -> IngestReport:
        """Read a page of the web and see it through; one that cannot be read is told like a file that cannot."""
        self._must_be_open()  # before anybody is asked
        try:
            with fetch_with(self._settings, url) as page:
                (report,) = self.add_files([(page.file, page.path)], origin=page.url, on_progress=on_progress)
                return report
        except IngestionError as error:
            return failed(shown(url), error)

    def accept_stream(self, name: str, stream: IO[bytes]) -> str | IngestReport:
        """Take an upload into the queue, read part by part from where the stream stands.

        Its ingestion's id, or a report where nothing is to be done. Only the last part of `name` is used.
        """
        return self._accept(f"{UPLOADS}/{upload_path(name)}", stream)

    def accept_text(self, path: str, text: str) -> str | IngestReport:
        """The same with a text, which becomes the document at `path`."""
        return self._accept(path, BytesIO(text.encode("utf-8", "replace")))

    def _accept(self, path: str, stream: IO[bytes]) -> str | IngestReport:
        acceptor = self._acceptor(self._database)
        try:
            with temporary_folder() as folder:
                with (file := folder / "documento").open("wb") as copy:
                    shutil.copyfileobj(stream, copy, PART_BYTES)
                return acceptor.accept(file, path)
        except OSError as error:
            reason = f"No se pudo guardar el archivo: {error.strerror or 'error de disco'}. Libere espacio y repita."
            return failed(path, IngestionError(reason))

    def accept_url(self, url: str) -> str | IngestReport:
        """Read a page of the web into the queue: this waits for its server, not for a worker."""
        self._must_be_open()  # before anybody is asked
        try:
            with fetch_with(self._settings, url) as page:
                return self._acceptor(self._database).accept(page.file, page.path, origin=page.url)
        except IngestionError as error:
            return failed(shown(url), error)

    def _must_be_open(self) -> None:
        """To who acts, for changes."""
        with self._database.connection() as connection:
            get_project(connection, self._project)
            if not connection.execute(_SQL["may_change"], {"project": self._project}).rowcount:
                raise ForbiddenError

    def _acceptor(self, database: Database) -> Acceptor:
        return Acceptor(database=database, embeddings=self._embeddings, settings=self._settings, project=self._project)

    def _worker(self, waiting: Waiting) -> WorkerThread:
        return WorkerThread(
            Worker(
                database=self._database,
                embeddings=self._embeddings,
                settings=self._settings,
                on_stage=waiting.wake,
                on_finished=waiting.wake,
            )
        )

    # ------------------------------------------------------------ anew

    def reindex(self, *, on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Read anew what an older program read, and scanned pages that can be recognised now; or build the whole index
        for another embedding model beside the old one, which answers until the switch.

        One report a file; what is built already is not built twice.
        """
        manifest = self._embeddings().manifest
        with self._unhurried.connection() as connection:
            row = get_project(connection, self._project)
        if row.embedding_model in (None, manifest.model_id):
            yield from self._refresh(on_progress)
            return
        while True:
            with self._unhurried.connection() as connection:
                accepted = accept_rebuild(
                    connection, self._project, manifest, index_version=index_version(self._settings)
                )
            failed = False
            for report in self.see_through(accepted, on_progress):
                failed = failed or report.status == "failed"
                yield report
            if failed or self._switch(manifest):
                return

    def _refresh(self, on_progress: OnProgress | None) -> Iterator[IngestReport]:
        scans = can_recognise(OcrOptions(self._settings.ocr, self._settings.ocr_languages))
        tried: set[str] = set()
        while True:
            with self._unhurried.connection() as connection:
                accepted = accept_outdated(
                    connection, self._project, index_version=index_version(self._settings), scans=scans, but=tried
                )
            if not accepted:
                return
            tried.update(accepted.values())
            yield from self.see_through(accepted, on_progress)  # then copies, whose original was read anew

    def _switch(self, manifest: Manifest) -> bool:
        with self._unhurried.connection() as connection:
            if not switch(
                connection,
                self._project,
                manifest,
                prepare=partial(_prepared, entity_extractor(self._settings)),
            ):
                return False
            tag_project(connection, self._project, embeddings=self._embeddings)
        with self._unhurried.connection() as connection:
            merge_segments(connection, self._project, more_than=MERGE_AT_END)
        return True

    def see_through(self, accepted: Mapping[str, str], on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Work on accepted ingestions, by id with their path, until all are over; one report each.

        Those that have no job yet are found by the worker's own sweep.
        """
        waiting = Waiting(self._unhurried, self._project, len(accepted), on_progress)
        for ingestion_id, path in accepted.items():
            waiting.add(ingestion_id, path)
        with self._worker(waiting) as working:
            while waiting:
                working.check()
                yield from waiting.over(block=True)

    # ------------------------------------------------------------ the queue

    def ingestions(self) -> list[IngestionSummary]:
        """What waits, is worked on or failed, in the order in which it was accepted."""
        with self._database.connection() as connection:
            rows = list_ingestions(connection, self._project)
        publishing = any(row.stage == "publish" for row in rows)
        return [_on_its_way(row, publishing=publishing) for row in rows]

    def worker_is_alive(self) -> bool:
        """Whether some worker, on any machine, attends to the queue."""
        with self._database.connection() as connection:
            (alive,) = connection.execute(_SQL["worker_is_alive"]).fetchone() or (False,)
        return bool(alive)

    def cancel(self, ingestion_id: str) -> bool:
        """Give up a file that is not a document yet; its old version stays. False when there is nothing to give up.

        One that is being published is given up at its next batch, or published when that was the last.
        """
        with self._database.connection() as connection:
            stop_publication(connection, self._project, ingestion_id)
        with self._database.connection() as connection:
            return cancel_ingestion(connection, self._project, ingestion_id)

    def retry(self, ingestion_id: str) -> bool:
        """Queue a failed file again. False when it is not one that failed."""
        with self._database.connection() as connection:
            size = retry_ingestion(connection, self._project, ingestion_id)
        if size is None:
            return False
        Jobs(self._database).defer(self._project, ingestion_id, size_bytes=size)
        return True

    def must_hold(self, paths: Sequence[str]) -> None:
        """Raise `InputError`, with near paths, for a document that the project does not have."""
        with self._database.connection() as connection:
            find_documents(connection, self._project, paths)

    def ingestion(self, ingestion_id: str) -> IngestReport | None:
        """What became of an accepted file; None while it is under way, or when it was cancelled."""
        with self._database.connection() as connection:
            row = get_ingestion(connection, self._project, ingestion_id)
        return reported(row) if row is not None and row.is_over else None


def _prepared(entities: EntityExtractor, ingestion: Ingestion) -> tuple[NewDocument, Describe]:
    document = new_document(ingestion, ingestion.extracted or {})
    return document, describe(document, entities)


def _on_its_way(row: Ingestion, *, publishing: bool) -> IngestionSummary:
    waits = publishing and row.stage == "embed" and 0 < row.total <= row.done  # publishers of a project take turns
    return IngestionSummary(
        ingestion_id=row.ingestion_id,
        path=row.path,
        status=row.status,
        stage="wait" if waits else row.stage,
        done=row.done,
        total=row.total,
        size_bytes=row.size_bytes,
        error=row.error,
        remaining_s=(row.total - row.done) / row.rate if row.rate and not waits else None,
        retry_at=row.retry_at,
    )


def _summary(row: DocumentRow) -> DocumentSummary:
    return DocumentSummary(
        document_id=row.document_id,
        path=row.path,
        title=row.title,
        format=row.format,
        category=row.category,
        pages=row.pages,
        chunks=row.chunk_count,
        size_bytes=row.size_bytes,
        status=row.status,
        error=row.error,
        identifiers=tuple(row.identifiers),
        updated_at=row.updated_at,
        origin=row.origin,
        empty_pages=tuple(row.empty_pages),
        ocr_pages=tuple(row.ocr_pages),
        blank_pages=tuple(row.blank_pages),
        hidden_pages=tuple(row.hidden_pages),
        copy_of=row.copy_of,
    )
