"""From a file on disk to a searchable document: extract, chunk, embed, publish. Left to right, one method a step."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from rag_system.embeddings.protocol import EmbeddingModel
from rag_system.errors import EmbeddingError, IngestionError, InputError, UnreadableFileError
from rag_system.ingestion.chunking import chunk, embedding_text
from rag_system.ingestion.document import DocumentFacts, ExtractedDocument
from rag_system.ingestion.extraction import extract_safely
from rag_system.ingestion.facts import facts
from rag_system.query.entities import extract_entities
from rag_system.query.expansion import learn_acronyms
from rag_system.query.text import analyze_terms, fold
from rag_system.settings import Settings
from rag_system.storage.connection import Database
from rag_system.storage.documents import (
    DocumentRow,
    NewDocument,
    digest,
    find_document,
    known_embeddings,
    publish,
)
from rag_system.storage.postings import ChunkTerms
from rag_system.storage.projects import check_name
from rag_system.storage.segments import merge_segments
from rag_system.types import ChunkDraft

__all__ = ["INDEX_VERSION", "MERGE_EVERY", "Indexer", "IngestProgress", "IngestReport", "OnProgress", "find_files"]

INDEX_VERSION = "4"  # raise it when a file would be read, cut or analysed differently: files are then indexed anew
EMBED_BATCH = 256  # chunks
MERGE_EVERY, MERGE_AT_END = 128, 8  # postings segments that start a merge, during a long run and at its end
SPECIAL_TOKENS = 8  # of a model's limit, kept for its prefix and its own marks
LONGEST_TERM = 64  # characters; longer ones are no words, and would not fit in an index row
NO_TEXT = "El archivo no tiene texto: parece escaneado o vacío. Páselo por un OCR y vuelva a incorporarlo."

Status = Literal["indexed", "updated", "unchanged", "empty", "failed"]
Stage = Literal["read", "chunk", "embed", "publish"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of one file."""

    path: str
    status: Status
    pages: int | None = None
    chunks: int = 0
    error: str = ""
    document_id: str = ""
    empty_pages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    """Where a run stands."""

    path: str
    stage: Stage
    done: int  # of this stage: chunks while embedding, otherwise 0 or 1
    total: int
    files_done: int
    files_total: int


OnProgress = Callable[[IngestProgress], None]


def find_files(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Every file below `paths` with its path relative to the directory given; no hidden files, no links out of it."""
    found: list[tuple[Path, str]] = []
    for path in paths:
        if path.is_dir():
            root = path.resolve()
            inside = (Path(folder, name) for folder, _, names in os.walk(root) for name in names)
            found += sorted((f, f.relative_to(root).as_posix()) for f in inside if _is_offered(f, root))
        else:
            found.append((path, path.name))
    twice = next((name for name, count in Counter(name for _, name in found).items() if count > 1), None)
    if twice is not None:
        raise InputError(f"Hay dos archivos «{twice}». Incorpórelos por separado, o la carpeta que los contiene.")
    return found


def _is_offered(file: Path, root: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(root).parts)
    return not hidden and file.is_file() and file.resolve().is_relative_to(root)


class Indexer:
    """Indexes files into one project. Each file is published in one transaction; until then its old version answers."""

    def __init__(self, *, database: Database, embeddings: EmbeddingModel, settings: Settings, project: str) -> None:
        self._database = database
        self._embeddings = embeddings
        self._settings = settings
        self._project = project

    def run(self, files: Sequence[tuple[Path, str]], on_progress: OnProgress | None = None) -> Iterator[IngestReport]:
        """Index the files one after the other; a file that fails is reported and the rest goes on."""
        check_name(self._project)
        for number, (file, path) in enumerate(files):
            report = self._index(file, path, _Teller(path, number, len(files), on_progress))
            if report.status in ("indexed", "updated"):
                self._merge(more_than=MERGE_EVERY)
            yield report
        self._merge(more_than=MERGE_AT_END)

    def _index(self, file: Path, path: str, tell: _Teller) -> IngestReport:
        try:
            path.encode()
            return self._try_index(file, path, tell)
        except UnicodeEncodeError:
            shown = path.encode("utf-8", "replace").decode()
            return IngestReport(
                path=shown, status="failed", error="El nombre del archivo no es UTF-8. Cámbiele el nombre."
            )
        except (IngestionError, EmbeddingError) as error:
            return IngestReport(path=path, status="failed", error=str(error))
        except OSError as error:
            reason = error.strerror or type(error).__name__
            return IngestReport(path=path, status="failed", error=f"No se pudo leer el archivo: {reason}.")

    def _try_index(self, file: Path, path: str, tell: _Teller) -> IngestReport:
        tell("read", 0, 1)
        self._check_size(file)
        with file.open("rb") as stream:
            sha256, size = digest(stream)
        old = self._find(path)
        if old is not None and (old.sha256, old.index_version) == (sha256, INDEX_VERSION):
            return _unchanged(old)
        with extract_safely(file) as extracted:
            about = facts(extracted, path=path)
            tell("chunk", 0, 1)
            drafts = self._chunk(extracted, about)
        document = NewDocument(
            path=path,
            sha256=sha256,
            size_bytes=size,
            status="indexed" if drafts else "empty",
            error="" if drafts else NO_TEXT,
            facts=about,
            format=extracted.format,
            pages=extracted.pages,
            empty_pages=tuple(extracted.empty_pages),
            index_version=INDEX_VERSION,
            chunks=drafts,
            vectors=self._embed(about.title, drafts, tell),
            chunk_terms=[_chunk_terms(i, about.title, draft) for i, draft in enumerate(drafts)],
            document_terms=_document_terms(path, about),
            acronyms=_acronyms(drafts),
            entities=[extract_entities(draft.text) for draft in drafts],
        )
        tell("publish", 0, 1)
        return _report(document, document_id=self._publish(file, document), replaced=old is not None)

    def _check_size(self, file: Path) -> None:
        limit = self._settings.max_file_mb
        if not file.is_file():
            raise UnreadableFileError("No es un archivo. Indique un archivo o una carpeta que exista.")
        if file.stat().st_size > limit << 20:
            raise UnreadableFileError(
                f"El archivo supera el límite de {limit} MB. Divídalo o aumente LEGAJO_MAX_FILE_MB."
            )

    def _find(self, path: str) -> DocumentRow | None:
        with self._database.connection() as connection:
            return find_document(connection, self._project, path)

    def _chunk(self, extracted: ExtractedDocument, about: DocumentFacts) -> list[ChunkDraft]:
        settings = self._settings
        drafts = chunk(
            extracted,
            title=about.title,
            max_tokens=min(settings.chunk_tokens, self._embeddings.manifest.max_tokens - SPECIAL_TOKENS),
            overlap_tokens=settings.chunk_overlap_tokens,
            count_tokens=self._embeddings.count_tokens,
        )
        return list(drafts)

    def _embed(self, title: str, drafts: Sequence[ChunkDraft], tell: _Teller) -> list[list[float]]:
        """A vector for each chunk; content that the project already holds keeps its vector."""
        with self._database.connection() as connection:
            vectors = known_embeddings(connection, self._project, [draft.content_hash for draft in drafts])
        new = {
            d.content_hash: embedding_text(title, d.heading_path, d.text)
            for d in drafts
            if d.content_hash not in vectors
        }
        hashes = list(new)
        for start in range(0, len(hashes), EMBED_BATCH):
            tell("embed", start, len(hashes))
            batch = hashes[start : start + EMBED_BATCH]
            vectors |= zip(batch, self._embeddings.embed_documents([new[h] for h in batch]), strict=True)
        return [vectors[draft.content_hash] for draft in drafts]

    def _publish(self, file: Path, document: NewDocument) -> str:
        with self._database.connection() as connection, file.open("rb") as stream:
            return publish(connection, self._project, document, self._embeddings.manifest, stream)

    def _merge(self, *, more_than: int) -> None:
        with self._database.connection() as connection:
            merge_segments(connection, self._project, more_than=more_than)


class _Teller:
    """Tells the progress of one file to whoever asked for it."""

    def __init__(self, path: str, files_done: int, files_total: int, on_progress: OnProgress | None) -> None:
        self._where = {"path": path, "files_done": files_done, "files_total": files_total}
        self._on_progress = on_progress

    def __call__(self, stage: Stage, done: int, total: int) -> None:
        if self._on_progress is not None:
            self._on_progress(IngestProgress(stage=stage, done=done, total=total, **self._where))  # type: ignore[arg-type]


def _unchanged(old: DocumentRow) -> IngestReport:
    return IngestReport(
        path=old.path,
        status="unchanged",
        pages=old.pages,
        chunks=old.chunk_count,
        error=old.error,
        document_id=old.document_id,
        empty_pages=tuple(old.empty_pages),
    )


def _report(document: NewDocument, *, document_id: str, replaced: bool) -> IngestReport:
    status: Status = "empty" if document.status == "empty" else "updated" if replaced else "indexed"
    return IngestReport(
        path=document.path,
        status=status,
        pages=document.pages,
        chunks=len(document.chunks),
        error=document.error,
        document_id=document_id,
        empty_pages=tuple(document.empty_pages),
    )


def _chunk_terms(position: int, title: str, draft: ChunkDraft) -> ChunkTerms:
    heading = _terms(" ".join((title, *draft.heading_path)))
    return ChunkTerms(chunk_id=position, heading=heading, body=_terms(draft.text))


def _terms(text: str) -> list[str]:
    return [term for term in analyze_terms(text) if len(term) <= LONGEST_TERM]


def _acronyms(drafts: Sequence[ChunkDraft]) -> dict[str, str]:
    learned = learn_acronyms("\n".join(draft.text for draft in drafts))
    return {fold(acronym): long_form for acronym, long_form in learned.items()}


def _document_terms(path: str, about: DocumentFacts) -> list[str]:
    name = PurePosixPath(path).with_suffix("").as_posix().replace("_", " ").replace("/", " ")
    return _terms(f"{about.title} {name}")
