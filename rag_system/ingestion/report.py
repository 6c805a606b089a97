"""What became of a file, as it is told to a person or a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from rag_system.errors import IngestionError
from rag_system.ingestion.spacy_entities import entities_in_use
from rag_system.settings import Settings
from rag_system.storage.documents import DocumentRow
from rag_system.storage.ingestions import Ingestion, Stage
from rag_system.types import PAGE_NOTES

__all__ = [
    "Accepted",
    "IngestProgress",
    "IngestReport",
    "OnProgress",
    "cancelled",
    "failed",
    "index_version",
    "reported",
    "unchanged",
]

_PROGRAM = "15"  # raise it when a file would be read, cut or analysed differently: files are then indexed anew

Status = Literal["indexed", "updated", "unchanged", "empty", "failed", "removed"]
Passed = Literal["copied", "moved"]  # from one project to another


def index_version(settings: Settings) -> str:
    """How files are read and cut: a document of another version is outdated."""
    read = f"{_PROGRAM}/{settings.chunk_tokens}/{settings.chunk_overlap_tokens}"
    entities = entities_in_use(settings)
    return read if entities == "none" else f"{read}/{entities}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What became of one file."""

    path: str
    status: Status | Passed
    pages: int | None = None
    chunks: int = 0
    error: str = ""
    code: str = ""  # of the error, where the file failed: `rag_system.errors`
    params: Mapping[str, str | float] = field(default_factory=dict)  # what its sentence names
    document_id: str = ""
    empty_pages: tuple[int, ...] = ()  # pages without text: scanned, and not read by optical character recognition
    ocr_pages: tuple[int, ...] = ()
    blank_pages: tuple[int, ...] = ()  # of the empty ones: nothing to be read on them
    hidden_pages: tuple[int, ...] = ()  # with text that no reader sees, left out; (0,) where there are no pages
    copy_of: str = ""  # path of the document that already holds this content
    beside: str = ""  # path that the file would have had, where another file's document has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A file that is in the queue, or of which nothing is to be done."""

    path: str
    ingestion_id: str = ""  # empty: there is a report
    report: IngestReport | None = None
    beside: str = ""  # as in a report


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestProgress:
    """Where a run stands."""

    path: str
    stage: Stage | Literal[""]  # empty: it waits
    done: int  # of this stage: chunks while they are embedded or published, otherwise 0
    total: int
    files_done: int
    files_total: int
    error: str = ""  # why it waits for another try
    retry_at: datetime | None = None


OnProgress = Callable[[IngestProgress], None]


def unchanged(document: DocumentRow) -> IngestReport:
    """The file is as it was when it was indexed."""
    notes: dict[str, Any] = {name: tuple(getattr(document, name)) for name in PAGE_NOTES}
    return IngestReport(
        path=document.path,
        status="unchanged",
        pages=document.pages,
        chunks=document.chunk_count,
        error=document.error,
        document_id=document.document_id,
        **notes,
        copy_of=document.copy_of,
    )


def reported(ingestion: Ingestion) -> IngestReport:
    """What an ingestion that is over came to."""
    read: dict[str, Any] = dict(ingestion.extracted or {})
    notes: dict[str, Any] = {name: tuple(read.get(name, ())) for name in PAGE_NOTES}
    return IngestReport(
        path=ingestion.path,
        status="failed" if ingestion.status == "failed" else ingestion.outcome or "indexed",  # type: ignore[arg-type]
        pages=read.get("pages"),
        chunks=ingestion.total if ingestion.status in ("done", "ready") else 0,
        error=ingestion.error,
        code=ingestion.code or IngestionError.code if ingestion.status == "failed" else "",  # older ones kept none
        document_id=ingestion.document_id or "",
        **notes,
        copy_of=ingestion.copy_of,
    )


def failed(path: str, error: IngestionError) -> IngestReport:
    """The file became no document."""
    return IngestReport(path=path, status="failed", **error.fields)


def cancelled(path: str) -> IngestReport:
    """Somebody gave the file up, or accepted a newer version of it, while it was waited for."""
    return failed(path, IngestionError("Se canceló, o llegó una versión más nueva del archivo.", code="cancelled"))
