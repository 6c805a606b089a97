"""Files go into the queue: at once a line for each of them, which then tells what became of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from assistant.wording import remarks
from rag_system.errors import LegajoError
from ui.components.queue import Queue, look, standing, watched
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from assistant.library import IngestionSummary
    from assistant.project_assistant import ProjectAssistant
    from rag_system.ingestion.report import IngestReport

__all__ = ["UploadResult", "accept_uploads", "render_uploads", "reported", "results_html", "settled", "under_way"]

_ICONS = {
    "accepted": "…",
    "reading": "…",
    "indexed": "✓",
    "updated": "✓",
    "unchanged": "✓",
    "empty": "!",
    "cancelled": "–",
}
_FAILED = "✕"


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadResult:
    """What became of one file."""

    name: str
    # reading: it comes from the web; accepted: it is in the queue; cancelled; else a report's
    status: str
    ingestion_id: str = ""
    pages: int | None = None
    chunks: int = 0
    notes: tuple[str, ...] = ()  # Spanish sentences: why it failed, or what should be known of it


def accept_uploads(assistant: ProjectAssistant, files: Sequence[UploadedFile]) -> tuple[UploadResult, ...]:
    """Put the files into the queue one after another; a bad file never keeps the others out."""
    with st.spinner(text("upload.accepting", count=len(files))):
        return tuple(_accept(assistant, file) for file in files)


def _accept(assistant: ProjectAssistant, file: UploadedFile) -> UploadResult:
    try:
        accepted = assistant.accept_stream(file.name, file)
    except LegajoError as error:
        return UploadResult(name=file.name, status="failed", notes=(str(error),))
    if isinstance(accepted, str):
        return UploadResult(name=file.name, status="accepted", ingestion_id=accepted)
    return reported(file.name, accepted)


def reported(name: str, report: IngestReport, *, ingestion_id: str = "") -> UploadResult:
    """What a report says of a file."""
    known = remarks(report)
    return UploadResult(
        name=name,
        status=report.status,
        ingestion_id=ingestion_id,
        pages=report.pages,
        chunks=report.chunks,
        notes=tuple(filter(None, (report.error, *known))),
    )


# ---------------------------------------------------------------- in the conversation


def under_way(uploads: Sequence[UploadResult]) -> bool:
    """Whether something of them is still to come."""
    return any(each.status == "accepted" for each in uploads)


def settled(assistant: ProjectAssistant, uploads: Sequence[UploadResult], queue: Queue) -> tuple[UploadResult, ...]:
    """The files of a message as they stand: those that left the queue with what became of them."""
    waiting = {each.ingestion_id for each in queue.under_way}
    return tuple(_standing(assistant, each, waiting) for each in uploads)


def _standing(assistant: ProjectAssistant, result: UploadResult, waiting: Collection[str]) -> UploadResult:
    if result.ingestion_id in waiting:
        return UploadResult(name=result.name, status="accepted", ingestion_id=result.ingestion_id)
    if result.status == "accepted" or _may_be_retried(result):
        return _outcome(assistant, result)
    return result


def _may_be_retried(result: UploadResult) -> bool:
    return result.status == "failed" and bool(result.ingestion_id)


def _outcome(assistant: ProjectAssistant, result: UploadResult) -> UploadResult:
    """What became of a file that the queue did not have when it was looked at."""
    key = result.ingestion_id
    if report := assistant.ingestion(key):
        return reported(result.name, report, ingestion_id=key)
    if key in {each.ingestion_id for each in assistant.ingestions()}:  # a failed one that was queued again meanwhile
        return UploadResult(name=result.name, status="accepted", ingestion_id=key)
    return result if result.status == "failed" else replace(result, status="cancelled")


def render_uploads(assistant: ProjectAssistant, uploads: Sequence[UploadResult]) -> tuple[UploadResult, ...]:
    """A line for each file, which follows the queue for as long as one of them is in it; the files as they stand."""
    if not (under_way(uploads) or any(map(_may_be_retried, uploads))):
        st.html(results_html(uploads))
        return tuple(uploads)
    queue = look(assistant)
    results = settled(assistant, uploads, queue)

    def show(queue: Queue) -> None:
        st.html(results_html(settled(assistant, results, queue), queue.under_way))
        if queue.unattended and under_way(results):
            st.warning(text("queue.unattended"), icon=":material/pause_circle:")

    def active(queue: Queue) -> bool:
        return not {each.ingestion_id for each in queue.under_way}.isdisjoint(each.ingestion_id for each in results)

    watched(show, assistant, queue, active=active)
    return results


# ---------------------------------------------------------------- lines


def results_html(results: Sequence[UploadResult], queue: Sequence[IngestionSummary] = ()) -> str:
    """One line a file: what happened, and why when it failed; of those in the queue, where they stand."""
    waiting = {each.ingestion_id: standing(each) for each in queue}
    rows = "".join(_result_html(result, waiting.get(result.ingestion_id, "")) for result in results)
    return f"<div class='legajo-uploads'><ul>{rows}</ul></div>"


def _result_html(result: UploadResult, standing_: str) -> str:
    facts = [standing_ or text(f"upload.status.{result.status}")]
    if result.status in ("indexed", "updated"):
        facts += [text("documents.pages", count=result.pages)] if result.pages else []
        facts += [text("documents.chunks", count=result.chunks)] if result.chunks else []
    notes = "".join(f"<small>{escape(note)}</small>" for note in result.notes)
    return (
        f"<li class='{escape(result.status)}'><span aria-hidden='true'>{_ICONS.get(result.status, _FAILED)}</span>"
        f"<span><strong>{escape(result.name)}</strong> {escape(' · '.join(facts))}{notes}</span></li>"
    )
