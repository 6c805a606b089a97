"""A project's documents: take in, follow, list, remove."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO

from assistant.summaries import DocumentSummary, IngestionSummary, on_its_way, summary
from assistant.view import Turn
from assistant.waiting import Waiting
from rag_system.embeddings.protocol import EmbeddingModel, Manifest
from rag_system.errors import ForbiddenError, IngestionError, InputError
from rag_system.ingestion.accepting import UPLOADS, Acceptor, SameName, find_files, upload_path
from rag_system.ingestion.addresses import shown
from rag_system.ingestion.describing import describe, new_document
from rag_system.ingestion.indexing import MERGE_AT_END, MERGE_EVERY
from rag_system.ingestion.jobs import Jobs, Worker, WorkerThread
from rag_system.ingestion.loaders.ocr import OcrOptions, can_recognise
from rag_system.ingestion.report import Accepted, IngestReport, OnProgress, failed, index_version, reported
from rag_system.ingestion.spacy_entities import EntityExtractor, entity_extractor
from rag_system.ingestion.tagging import tag_project
from rag_system.ingestion.temporary import temporary_folder
from rag_system.ingestion.unpacking import AskPassword
from rag_system.ingestion.web import fetch_with
from rag_system.search.scope import find_documents
from rag_system.settings import Settings
from rag_system.storage.audit import write_down
from rag_system.storage.connection import Database
from rag_system.storage.documents import (
    SampleHeading,
    brought_by,
    find_document,
    list_documents,
    path_of,
    sample_headings,
)
from rag_system.storage.files import digest
from rag_system.storage.ingestions import (
    Ingestion,
    cancel_ingestion,
    forget_removed,
    get_ingestion,
    keep_removed,
    list_ingestions,
    retry_ingestion,
    stop_publication,
)
from rag_system.storage.projects import get_project
from rag_system.storage.publishing import Describe, NewDocument, remove_document
from rag_system.storage.rebuilding import accept_outdated, accept_rebuild, switch
from rag_system.storage.segments import merge_segments
from rag_system.storage.sql import queries

__all__ = ["UPLOADS", "Library"]

_SQL = queries("rag_system.storage.queries", "library.sql")

SAMPLED = 30  # documents looked at for something to suggest
PART_BYTES = 1 << 20  # of an upload, at a time


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
            return [summary(row) for row in list_documents(connection, self._project)]

    def holds(self, path: str) -> bool:
        """Whether there is a document at `path`."""
        with self._database.connection() as connection:
            return find_document(connection, self._project, path) is not None

    def count(self) -> int:
        """How many there are."""
        with self._database.connection() as connection:
            (number,) = connection.execute(_SQL["count"], {"project": self._project}).fetchone() or (0,)
        return int(number)

    def headings(self, documents: Sequence[str] = ()) -> list[SampleHeading]:
        """What a few of the documents speak of; of `documents` (paths), where there are some."""
        return self._database.run(sample_headings, self._project, limit=SAMPLED, paths=documents)

    def beside(self, turn: Turn) -> list[SampleHeading]:
        """The sections that were found for an answer and are not cited by it, the best first."""
        cited = {(each.path, each.section) for each in turn.citations}
        found = {
            (each.path, each.section): None
            for each in turn.funnel.survivors
            if each.section and not each.state and each.project in ("", self._project)
        }
        with self._database.connection() as connection:
            rows = {path: find_document(connection, self._project, path) for path in dict.fromkeys(p for p, _ in found)}
        return [
            SampleHeading(
                title=row.title,
                path=path,
                category=row.category,
                identifiers=row.identifiers,
                heading=section.rsplit(" › ", 1)[-1],
            )
            for path, section in found
            if (path, section) not in cited and (row := rows[path])
        ]

    def remove(self, document_id: str) -> bool:
        """Take a document out of the project, and what came with it. False when it was not there."""
        with self._database.connection() as connection:
            path = path_of(connection, self._project, document_id)
            forget_removed(connection, self._project)
            keep_removed(connection, self._project, document_id)
            if not remove_document(connection, self._project, document_id):
                return False
            write_down(connection, self._project, "document.remove", path)
            for below, its_path in brought_by(connection, self._project, path):
                keep_removed(connection, self._project, below)
                remove_document(connection, self._project, below)
                write_down(connection, self._project, "document.remove", its_path)
        self._unhurried.run(merge_segments, self._project, more_than=MERGE_EVERY)
        return True

    # ------------------------------------------------------------ taking in

    def add(
        self,
        paths: Sequence[Path],
        *,
        same_name: SameName = "keep",
        password_of: AskPassword | None = None,
        on_progress: OnProgress | None = None,
    ) -> Iterator[IngestReport]:
        """Index files and directories; a directory's files keep their path relative to it. As `Acceptor.accept`."""
        missing = next((path for path in paths if not path.exists()), None)
        if missing is not None:
            raise InputError(f"No existe «{missing}». Revise la ruta.")
        files = find_files(paths)
        return self.add_files(files, same_name=same_name, password_of=password_of, on_progress=on_progress)

    def add_files(
        self,
        files: Sequence[tuple[Path, str]],
        *,
        origin: str = "",
        same_name: SameName = "keep",
        password_of: AskPassword | None = None,
        on_progress: OnProgress | None = None,
    ) -> Iterator[IngestReport]:
        """Accept the files under the given paths and see them through, one report a file as it is over.

        This process works on the queue meanwhile. If it ends early, what was accepted stays in the queue; if only its
        worker does, `EndedWorkerError` is raised.
        """
        accepting = partial(self._acceptor(self._unhurried).accept, origin=origin, same_name=same_name)
        if password_of is not None:
            accepting = partial(accepting, password_of=password_of)
        waiting = Waiting(self._unhurried, self._project, len(files), on_progress)
        working = self._worker(waiting)
        with ExitStack() as stack:
            for file, path in files:
                waiting.expect(len(accepted := accepting(file, path)) - 1)
                for each in accepted:
                    if each.report is not None:
                        yield waiting.told(each.report)
                    elif waiting.add(each.ingestion_id, each.path, beside=each.beside):  # the first one
                        stack.enter_context(working)
                yield from waiting.over(block=False)
            yield from self._rest(waiting, working)

    def _rest(self, waiting: Waiting, working: WorkerThread) -> Iterator[IngestReport]:
        while waiting:
            working.check()
            yield from waiting.over(block=True)

    def add_url(self, url: str, *, on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Read a page of the web and see it through; one that cannot be read is told like a file that cannot."""
        self._must_be_open()  # before anybody is asked
        try:
            with fetch_with(self._settings, url) as page:
                files = [(page.file, page.path)]
                yield from self.add_files(files, origin=page.url, on_progress=on_progress)
        except IngestionError as error:
            yield failed(shown(url), error)

    def accept_stream(
        self,
        name: str,
        stream: IO[bytes],
        *,
        same_name: SameName = "ask",
        password: str = "",
        in_folders: bool = False,
    ) -> list[Accepted]:
        """Take an upload into the queue, read part by part from where the stream stands, and what it brings.

        Only the last part of `name` is used, unless it is to stay `in_folders`.
        `same_name` and the errors of reports: as `Acceptor.accept`.
        """
        return self._accept(f"{UPLOADS}/{upload_path(name, in_folders=in_folders)}", stream, same_name, password)

    def accept_text(self, path: str, text: str) -> Accepted:
        """The same with a text, which becomes the document at `path`, whatever it was."""
        (accepted,) = self._accept(path, BytesIO(text.encode("utf-8", "replace")), "replace", "")
        return accepted

    def _accept(self, path: str, stream: IO[bytes], same_name: SameName, password: str) -> list[Accepted]:
        acceptor = self._acceptor(self._database)
        try:
            with temporary_folder() as folder:
                with (file := folder / "documento").open("w+b") as copy:
                    shutil.copyfileobj(stream, copy, PART_BYTES)
                    copy.seek(0)
                    source = f"upload:{digest(copy)[0]}"  # each is another's, but for the same bytes
                return acceptor.accept(
                    file,
                    path,
                    source=source,
                    same_name=same_name,
                    password_of=lambda _, tried: "" if tried else password,
                )
        except OSError as error:
            reason = f"No se pudo guardar el archivo: {error.strerror or 'error de disco'}. Libere espacio y repita."
            return [Accepted(path=path, report=failed(path, IngestionError(reason)))]

    def accept_url(self, url: str) -> list[Accepted]:
        """Read a page of the web into the queue: this waits for its server, not for a worker."""
        self._must_be_open()  # before anybody is asked
        try:
            with fetch_with(self._settings, url) as page:
                acceptor = self._acceptor(self._database)
                return acceptor.accept(page.file, page.path, origin=page.url)
        except IngestionError as error:
            return [Accepted(path=shown(url), report=failed(shown(url), error))]

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
        row = self._unhurried.run(get_project, self._project)
        if row.embedding_model in (None, manifest.model_id):
            yield from self._refresh(on_progress)
            return
        while True:
            accepted = self._unhurried.run(
                accept_rebuild, self._project, manifest, index_version=index_version(self._settings)
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
            accepted = self._unhurried.run(
                accept_outdated, self._project, index_version=index_version(self._settings), scans=scans, but=tried
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
        self._unhurried.run(merge_segments, self._project, more_than=MERGE_AT_END)
        return True

    def see_through(self, accepted: Mapping[str, str], on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Work on accepted ingestions, by id with their path, until all are over; one report each.

        Those that have no job yet are found by the worker's own sweep.
        """
        waiting = Waiting(self._unhurried, self._project, len(accepted), on_progress)
        for ingestion_id, path in accepted.items():
            waiting.add(ingestion_id, path)
        with self._worker(waiting) as working:
            yield from self._rest(waiting, working)

    # ------------------------------------------------------------ the queue

    def ingestions(self) -> list[IngestionSummary]:
        """What waits, is worked on or failed, in the order in which it was accepted."""
        rows = self._database.run(list_ingestions, self._project)
        publishing = any(row.stage == "publish" for row in rows)
        return [on_its_way(row, publishing=publishing) for row in rows]

    def worker_is_alive(self) -> bool:
        """Whether some worker, on any machine, attends to the queue."""
        with self._database.connection() as connection:
            (alive,) = connection.execute(_SQL["worker_is_alive"]).fetchone() or (False,)
        return bool(alive)

    def cancel(self, ingestion_id: str) -> bool:
        """Give up a file that is not a document yet; its old version stays. False when there is nothing to give up.

        One that is being published is given up at its next batch, or published when that was the last.
        """
        self._database.run(stop_publication, self._project, ingestion_id)
        return self._database.run(cancel_ingestion, self._project, ingestion_id)

    def retry(self, ingestion_id: str) -> bool:
        """Queue a failed file again. False when it is not one that failed."""
        size = self._database.run(retry_ingestion, self._project, ingestion_id)
        if size is None:
            return False
        Jobs(self._database).defer(self._project, ingestion_id, size_bytes=size)
        return True

    def must_hold(self, paths: Sequence[str]) -> None:
        """Raise `InputError`, with near paths, for a document that the project does not have."""
        self._database.run(find_documents, self._project, paths)

    def ingestion(self, ingestion_id: str) -> IngestReport | None:
        """What became of an accepted file; None while it is under way, or when it was cancelled."""
        row = self._database.run(get_ingestion, self._project, ingestion_id)
        return reported(row) if row is not None and row.is_over else None


def _prepared(entities: EntityExtractor, ingestion: Ingestion) -> tuple[NewDocument, Describe]:
    document = new_document(ingestion, ingestion.extracted or {})
    return document, describe(document, entities)
