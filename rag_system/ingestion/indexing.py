"""From accepted bytes to a searchable document: read, chunk, embed, publish. Left to right, one method a step.

Each step ends in a commit, and a new attempt goes on from the last one. Nothing is visible before the last step.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from itertools import islice
from pathlib import Path, PurePath, PurePosixPath
from threading import Event, Lock
from traceback import extract_tb
from typing import Any, Self

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import EmbeddingServiceError, IngestionError, LegajoError, StorageError, UnreadableFileError
from rag_system.ingestion.chunking import chunk, embedding_text
from rag_system.ingestion.describing import is_usable, kept, new_document, without_text
from rag_system.ingestion.document import DocumentMetadata, ExtractedDocument
from rag_system.ingestion.document_metadata import document_metadata
from rag_system.ingestion.extraction import extract_safely
from rag_system.ingestion.loaders import OcrOptions
from rag_system.ingestion.proportions import check_chunks, check_room
from rag_system.ingestion.publication import make_visible, outcome, room_for, twin_of
from rag_system.ingestion.report import index_version
from rag_system.ingestion.spacy_entities import entity_extractor
from rag_system.ingestion.temporary import temporary_folder
from rag_system.memory import pressure
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.files import read_file
from rag_system.storage.ingestions import (
    Ingestion,
    Lease,
    Stage,
    SupersededError,
    advance,
    finish,
    get_ingestion,
    keep_extracted,
    release,
    start,
    tell_publication,
)
from rag_system.storage.projects import get_project, lock_project
from rag_system.storage.publishing import NewDocument
from rag_system.storage.segments import merge_segments
from rag_system.storage.staging import (
    StagedText,
    clear_staged,
    count_staged,
    next_without_vector,
    reuse_vectors,
    stage_chunks,
    stage_vectors,
)
from rag_system.telemetry.events import tell
from rag_system.timing import Stopwatch
from rag_system.types import ChunkDraft

__all__ = [
    "EMBED_BATCH",
    "MERGE_AT_END",
    "MERGE_EVERY",
    "Indexer",
    "InterruptedIndexingError",
    "LowMemoryError",
    "OnStage",
    "OtherModelError",
]

STAGE_BATCH = 2_048  # chunks written at once
EMBED_BATCH = 64  # chunks, and so what a crash costs at most, and who stops the program waits for: a second or two
MERGE_EVERY, MERGE_AT_END = 128, 8  # postings segments that start a merge, while more files wait and at the end
CONTENTS = 64  # locks that share all contents: two files rarely wait for each other without being copies
SPECIAL_TOKENS = 8  # of a model's limit, kept for its prefix and its own marks
MOST_CRASHES = 4  # in a row, without a single batch of headway: then the file is to blame
MOST_TRIES = 290  # that ended with a word on the database or the model; with the waits between them, a day
UNEXPECTED = "Legajo tropezó con un error propio en este archivo ({}). Puede reintentarlo; los demás continúan."

OnStage = Callable[[Stage], None]

_log = logging.getLogger(__name__)


class InterruptedIndexingError(StorageError):
    """El programa se cierra: la incorporación continuará cuando vuelva a abrirse."""


class OtherModelError(StorageError):
    """Espera a un proceso que tenga el modelo con el que se indexa."""


class LowMemoryError(StorageError):
    """Espera a que haya memoria libre en el equipo: las respuestas van primero."""


class Indexer:
    """Does the work of ingestions, several at a time if called from several threads.

    `on_stage` hears of each step before it begins. When `stopping` is set, work is put back in the queue at the next
    commit, and `InterruptedIndexingError` raised.
    """

    def __init__(
        self,
        *,
        database: Database,
        embeddings: Callable[[], EmbeddingModel],
        settings: Settings,
        stopping: Event | None = None,
        on_stage: OnStage | None = None,
    ) -> None:
        self._database = database.unhurried()
        self._embeddings = embeddings
        self._settings = settings
        self._version = index_version(settings)
        self._entities = entity_extractor(settings)
        self._ocr = OcrOptions(settings.ocr, settings.ocr_languages)
        self._stopping = stopping or Event()
        self._on_stage = on_stage
        self._contents = [Lock() for _ in range(CONTENTS)]
        self._watch = Stopwatch()  # of a job: `_as_job`

    def run(self, project: str, ingestion_id: str) -> None:
        """Bring an ingestion to its end: a document, or a failure with its reason. Nothing is done twice.

        Raises what another of `MOST_TRIES` attempts may get over: `StorageError`, `EmbeddingServiceError`.
        """
        self._as_job(project)._run(project, ingestion_id)

    def _as_job(self, project: str) -> Self:
        """The same work, in one project."""
        job = copy(self)
        job._database, job._watch = self._database.as_job(project), Stopwatch()
        return job

    def _run(self, project: str, ingestion_id: str) -> None:
        lease = self._database.run(start, project, ingestion_id)
        if lease is None:
            return
        outcome, code = "waiting", ""
        try:
            self._work(lease)
            outcome = "done"
        except SupersededError:
            outcome = "cancelled"
            _log.info("ingestion %s was cancelled or taken over", ingestion_id)
        except InterruptedIndexingError:
            self._put_back(lease, "")
            raise
        except (OtherModelError, LowMemoryError) as error:  # waits for as long as it takes
            self._put_back(lease, str(error))
            raise
        except (StorageError, EmbeddingServiceError) as error:
            code = error.code
            if lease.tries < MOST_TRIES:
                self._put_back(lease, str(error), tried=True)
                raise
            outcome = self._fail(lease, str(error), code)
        except LegajoError as error:
            code = error.code
            outcome = self._fail(lease, str(error), code)
        except OSError as error:
            code, reason = "file_unread", error.strerror or type(error).__name__
            outcome = self._fail(lease, f"No se pudo leer el archivo: {reason}.", code)
        except Exception as error:  # noqa: BLE001 the border of a job: a defect of ours ends with its file
            # Whoever asks for the log has the traceback: above "info" it would be on the terminal of who asks for none.
            _log.info("ingestion %s failed", ingestion_id, exc_info=True)
            code = LegajoError.code
            outcome = self._fail(lease, UNEXPECTED.format(_place(error)), code)
        finally:
            tell("ingestion", outcome=outcome, watch=self._watch, project=project, ingestion=ingestion_id, code=code)

    def merge(self, project: str, *, more_than: int) -> None:
        """Merge postings segments when there are more than so many."""
        self._database.as_job(project).run(merge_segments, project, more_than=more_than)

    def _put_back(self, lease: Lease, reason: str, *, tried: bool = False) -> None:
        self._database.run(release, lease, reason=reason, tried=tried)

    def _fail(self, lease: Lease, reason: str, code: str) -> str:
        with suppress(SupersededError), self._database.connection() as connection:
            finish(connection, lease, status="failed", error=reason, code=code)
        return "failed"

    def _check_stopping(self) -> None:
        if self._stopping.is_set():
            raise InterruptedIndexingError

    def _enter(self, stage: Stage) -> None:
        self._check_stopping()
        if stage in ("read", "embed") and pressure(self._settings):
            raise LowMemoryError
        if self._on_stage is not None:
            self._on_stage(stage)

    # ------------------------------------------------------------ the steps

    def _work(self, lease: Lease) -> None:
        if lease.crashes > MOST_CRASHES:
            raise UnreadableFileError(
                f"La incorporación se interrumpió {MOST_CRASHES} veces con este archivo. Divídalo o guárdelo de nuevo.",
                code="interrupted",
            )
        with self._database.connection() as connection:
            ingestion = get_ingestion(connection, lease.project, lease.ingestion_id)
            project = get_project(connection, lease.project)
        if ingestion is None:
            return
        model = self._embeddings().manifest.model_id
        if (ingestion.target_model or project.embedding_model) not in (None, model):
            raise OtherModelError
        with self._contents[int(ingestion.sha256[:8], 16) % CONTENTS]:
            self._bring(lease, ingestion, model)

    def _bring(self, lease: Lease, ingestion: Ingestion, model: str) -> None:
        """The steps that are left; of copies that come together, the others wait for the first."""
        if self._has_twin(ingestion) and self._publish(lease, ingestion, None):
            return
        read = ingestion.extracted
        if read is None or not is_usable(read, version=self._version, model=model):
            with self._watch.phase("read"):
                read = self._read(lease, ingestion)
        document = new_document(ingestion, read)
        with self._watch.phase("embed"):
            chunks = self._embed(lease, document.facts.title, reuse=not ingestion.target_model)
        if ingestion.target_model:
            self._database.run(finish, lease, status="ready", outcome=outcome(replaced=True, chunks=chunks))
        else:
            self._publish(lease, ingestion, document)

    def _has_twin(self, ingestion: Ingestion) -> bool:
        """Whether the project holds the same content already; not for another model, which it will hold whole."""
        if ingestion.target_model:
            return False
        with self._database.connection() as connection:
            return twin_of(connection, ingestion, index_version=self._version) is not None

    def _read(self, lease: Lease, ingestion: Ingestion) -> dict[str, Any]:
        """Extract the text and cut it; returns what is kept of the file besides its chunks."""
        self._enter("read")
        self._database.run(advance, lease, "read")
        name = PurePosixPath(ingestion.path).name
        with (
            self._file(lease.project, ingestion) as file,
            self._extracted(file, name) as extracted,
            self._watch.phase("chunk"),
        ):
            return self._chunk(lease, ingestion, extracted)

    def _extracted(self, file: Path, name: str) -> ExtractedDocument:
        try:
            return extract_safely(file, name=name, ocr=self._ocr, stopping=self._stopping)
        except UnreadableFileError:
            self._check_stopping()  # it was let go of, and may well be readable
            raise

    def _chunk(self, lease: Lease, ingestion: Ingestion, extracted: ExtractedDocument) -> dict[str, Any]:
        self._enter("chunk")
        about = document_metadata(extracted, path=ingestion.path)
        with self._database.connection() as connection:
            advance(connection, lease, "chunk")
            clear_staged(connection, lease)
            project, most = get_project(connection, lease.project), self._settings.max_project_chunks
            room = room_for(connection, project, ingestion.path, most_chunks=most)
        count, drafts = 0, self._drafts(extracted, about)
        while batch := list(islice(drafts, STAGE_BATCH)):  # cut outside of a transaction: a cancellation need not wait
            self._check_stopping()
            with self._database.connection() as connection:
                advance(connection, lease, "chunk")
                count += stage_chunks(connection, lease, batch)
            self._check_amount(lease, ingestion, count, room)
        model = self._embeddings().manifest.model_id
        error = "" if count else without_text(extracted, self._ocr)
        read = kept(extracted, about, version=self._version, model=model, error=error)
        self._database.run(keep_extracted, lease, read)
        return read

    @contextmanager
    def _file(self, project: str, ingestion: Ingestion) -> Iterator[Path]:
        """The stored bytes as a file: they may have been accepted by another machine."""
        with temporary_folder() as folder:
            # the suffix is all that the loaders need of the name; the rest could be too long for a file system
            file = (folder / "documento").with_suffix(PurePosixPath(ingestion.path).suffix[:10])
            with self._database.connection() as connection, file.open("wb") as stream:
                for part in read_file(connection, project, ingestion.sha256):
                    stream.write(part)
            yield file  # no connection is held while it is read

    def _drafts(self, extracted: ExtractedDocument, about: DocumentMetadata) -> Iterator[ChunkDraft]:
        settings, model = self._settings, self._embeddings()
        yield from chunk(
            extracted,
            title=about.title,
            max_tokens=min(settings.chunk_tokens, model.manifest.max_tokens - SPECIAL_TOKENS),
            overlap_tokens=settings.chunk_overlap_tokens,
            count_tokens=model.count_tokens,
        )

    def _embed(self, lease: Lease, title: str, *, reuse: bool) -> int:
        """A vector for each chunk; content that the project already holds keeps its vector. Returns the chunks."""
        self._enter("embed")
        with self._database.connection() as connection:
            advance(connection, lease, "embed")
            if reuse:
                reuse_vectors(connection, lease)
            total, done = count_staged(connection, lease)
            advance(connection, lease, "embed", done=done, total=total)
            waiting = next_without_vector(connection, lease, after=-1, limit=EMBED_BATCH)
        while waiting:
            vectors = self._vectors(title, waiting)
            done += len(waiting)
            with self._database.connection() as connection:
                advance(connection, lease, "embed", done=done, total=total)
                stage_vectors(connection, lease, vectors)
                waiting = next_without_vector(connection, lease, after=waiting[-1].ordinal, limit=EMBED_BATCH)
            self._enter("embed")
        return total

    def _vectors(self, title: str, waiting: Sequence[StagedText]) -> list[tuple[int, list[float]]]:
        texts = {each.content_hash: embedding_text(title, each.heading_path, each.text) for each in waiting}
        embedded = self._embeddings().embed_documents(list(texts.values()))
        by_hash = dict(zip(texts, embedded, strict=True))
        return [(each.ordinal, by_hash[each.content_hash]) for each in waiting]

    def _publish(self, lease: Lease, ingestion: Ingestion, document: NewDocument | None) -> bool:
        """Make the document visible, as a copy where the project holds its content already.

        False when it does not any more, and there is no `document` to publish.
        """
        self._enter("publish")
        with self._watch.phase("publish"), self._database.connection() as connection:
            project = lock_project(connection, lease.project)  # from here on nobody else publishes the same content
            manifest = self._embeddings().manifest
            if project.embedding_model not in (None, manifest.model_id):  # another worker's was quicker
                raise OtherModelError
            advance(connection, lease, "publish")  # after the project, as whoever withdraws an ingestion locks them
            return make_visible(
                connection,
                lease,
                ingestion,
                document,
                project=project,
                manifest=manifest,
                index_version=self._version,
                entities=self._entities,
                most_chunks=self._settings.max_project_chunks,
                on_batch=partial(self._tell_publication, lease),
            )

    def _check_amount(self, lease: Lease, ingestion: Ingestion, count: int, room: int) -> None:
        """What is too much is not kept for another try."""
        try:
            check_chunks(count, size_bytes=ingestion.size_bytes)
            check_room(count, room=room, limit=self._settings.max_project_chunks)
        except IngestionError:
            self._database.run(clear_staged, lease)
            raise

    def _tell_publication(self, lease: Lease, done: int, total: int) -> None:
        """Over a connection of its own: what the publication itself writes is not seen before its end.

        That nothing can be told costs the publication nothing: it goes on, and tells its next batch.
        """
        self._enter("publish")
        try:
            self._database.run(tell_publication, lease, done=done, total=total)
        except SupersededError:
            raise
        except StorageError as error:
            _log.warning("the publication of %s goes on untold: %s", lease.ingestion_id, error)


def _place(error: Exception) -> str:
    """«KeyError, facts.py:31»: no word of the error, which may be of the document."""
    innermost = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}, {PurePath(innermost.filename).name}:{innermost.lineno}"
