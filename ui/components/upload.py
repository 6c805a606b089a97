"""Files become documents: progress while it happens, then one clear line a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from rag_system.errors import LegajoError
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from assistant.assistant import Assistant
    from rag_system.ingestion.report import IngestProgress

__all__ = ["UploadResult", "ingest_uploads", "results_html"]

_STAGES = ("read", "chunk", "embed", "publish")
_ICONS = {"indexed": "✓", "updated": "✓", "unchanged": "✓", "empty": "!", "failed": "✕"}


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadResult:
    """What became of one file."""

    name: str
    status: str  # indexed, updated, unchanged, empty, failed
    pages: int | None = None
    chunks: int = 0
    error: str = ""  # Spanish sentence, when it failed


def ingest_uploads(assistant: Assistant, files: Sequence[UploadedFile]) -> tuple[UploadResult, ...]:
    """Take in the files one after another, with a bar; a bad file never keeps the others out."""
    bar = st.progress(0.0, text=text("upload.working"))
    results = []
    for position, file in enumerate(files):
        show = _progress_painter(bar.progress, file.name, position, len(files))
        results.append(_ingest_one(assistant, file, show))
    bar.empty()
    return tuple(results)


def _ingest_one(assistant: Assistant, file: UploadedFile, show: Callable[[IngestProgress], None]) -> UploadResult:
    try:
        report = assistant.ingest_bytes(file.name, file.getvalue(), on_progress=show)
    except LegajoError as error:
        return UploadResult(name=file.name, status="failed", error=str(error))
    return UploadResult(
        name=file.name, status=report.status, pages=report.pages, chunks=report.chunks, error=report.error
    )


def _progress_painter(
    paint: Callable[[float, str], object], name: str, position: int, total: int
) -> Callable[[IngestProgress], None]:
    """Turns the stages of one file into its share of the bar."""

    def show(progress: IngestProgress) -> None:
        within = progress.done / progress.total if progress.total else 0.0
        share = (_STAGES.index(progress.stage) + min(within, 1.0)) / len(_STAGES)
        stage = text(f"upload.stage.{progress.stage}")
        paint((position + share) / total, plain_label(text("upload.progress", name=name, stage=stage)))

    return show


def results_html(results: Sequence[UploadResult]) -> str:
    """One line a file: what happened, and why when it failed."""
    rows = "".join(_result_html(result) for result in results)
    title = escape(text("upload.done", count=len(results)))
    return f"<div class='legajo-uploads'><p class='legajo-small-title'>{title}</p><ul>{rows}</ul></div>"


def _result_html(result: UploadResult) -> str:
    facts = [text(f"upload.status.{result.status}")]
    if result.status in ("indexed", "updated"):
        facts += [text("documents.pages", count=result.pages)] if result.pages else []
        facts += [text("documents.chunks", count=result.chunks)]
    reason = f"<small>{escape(result.error)}</small>" if result.error else ""
    return (
        f"<li class='{escape(result.status)}'><span aria-hidden='true'>{_ICONS.get(result.status, '·')}</span>"
        f"<span><strong>{escape(result.name)}</strong> {escape(' · '.join(facts))}{reason}</span></li>"
    )
