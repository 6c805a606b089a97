"""What a person sees of a document, and of a file that is not one yet."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime

from rag_system.errors import (
    PasswordNeededError,
    PasswordRefusedError,
    UnreadableFileError,
    UnsupportedFormatError,
)
from rag_system.storage.documents import DocumentRow
from rag_system.storage.ingestions import Ingestion

__all__ = ["DocumentSummary", "IngestionSummary", "on_its_way", "summary"]


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
    source: str = ""  # the file that it was read from; see `source_of`
    container: str = ""  # path of the archive or message that brought it
    empty_pages: tuple[int, ...] = ()  # pages without text
    ocr_pages: tuple[int, ...] = ()  # pages read by optical character recognition
    blank_pages: tuple[int, ...] = ()  # of the empty ones: nothing to be read on them
    hidden_pages: tuple[int, ...] = ()  # with text that no reader sees, left out; (0,) where there are no pages
    copy_of: str = ""  # path of the document that holds the same content
    language: str = ""  # ISO 639-1

    @property
    def file_name(self) -> str:
        return self.path.rsplit("/", 1)[-1]


_OF_A_ROW = tuple(each.name for each in fields(DocumentSummary) if each.name != "chunks")


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
    can_help: bool = True  # another try of one that failed: not where the file itself is to blame


# What is wrong with a file itself, or with how it is kept: read again it is the same.
_LASTING = frozenset(
    kind.code for kind in (UnsupportedFormatError, UnreadableFileError, PasswordNeededError, PasswordRefusedError)
)


def on_its_way(row: Ingestion, *, publishing: bool) -> IngestionSummary:
    """An ingestion that is not over; whether its project is publishing something."""
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
        can_help=row.code not in _LASTING,
    )


def summary(row: DocumentRow) -> DocumentSummary:
    """A stored document."""
    known = {name: getattr(row, name) for name in _OF_A_ROW}
    tuples = {name: tuple(value) for name, value in known.items() if isinstance(value, list)}
    return DocumentSummary(**known | tuples, chunks=row.chunk_count)
