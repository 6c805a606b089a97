"""Files go into the queue: at once a line for each of them, which then tells what became of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from assistant.wording import remarks
from rag_system.errors import LegajoError, PasswordNeededError, PasswordRefusedError, SameNameError
from rag_system.ingestion.accepting import UPLOADS, is_hidden
from ui.components.queue import Queue, look, standing, watched
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

    from assistant.project_assistant import ProjectAssistant
    from assistant.summaries import IngestionSummary
    from rag_system.ingestion.accepting import SameName
    from rag_system.ingestion.report import Accepted, IngestReport

__all__ = [
    "UploadResult",
    "accept_uploads",
    "ask_about",
    "is_document",
    "is_over",
    "questions",
    "render_uploads",
    "results_html",
    "results_of",
    "settled",
    "under_way",
]

_ICONS = {
    "accepted": "…",
    "reading": "…",
    "indexed": "✓",
    "updated": "✓",
    "unchanged": "✓",
    "empty": "!",
    "cancelled": "–",
    "removed": "–",
    "asks": "?",
}
_FAILED = "✕"
_SHOWN = 20  # lines: an archive may bring hundreds of documents
_QUESTIONS = (SameNameError.code, PasswordNeededError.code, PasswordRefusedError.code)


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadResult:
    """What became of one file."""

    name: str
    path: str = ""  # of the document that it is, or will be
    # reading: it comes from the web; accepted: it is in the queue; cancelled; asks; else a report's
    status: str
    ingestion_id: str = ""
    pages: int | None = None
    chunks: int = 0
    notes: tuple[str, ...] = ()  # Spanish sentences: why it failed, or what should be known of it
    code: str = ""  # of the error that it failed with
    file: UploadedFile | None = field(default=None, repr=False)  # while that is a question: see `accept_stream`
    in_folders: bool = False  # whether the file's name is a path that is kept


def accept_uploads(
    assistant: ProjectAssistant, files: Sequence[UploadedFile], *, in_folders: bool = False
) -> tuple[UploadResult, ...]:
    """Put the files into the queue one after another; a bad file never keeps the others out. In `in_folders`, their
    names are paths below a folder, which are kept, and what is hidden there is left out.
    """
    offered = [file for file in files if not in_folders or not is_hidden(file.name)]
    with st.spinner(text("upload.accepting", count=len(offered))):
        return tuple(result for file in offered for result in _accept(assistant, file, in_folders=in_folders))


def _accept(
    assistant: ProjectAssistant,
    file: UploadedFile,
    *,
    same_name: SameName = "ask",
    password: str = "",
    in_folders: bool = False,
) -> list[UploadResult]:
    """A line for the file, or for each document that it brings."""
    file.seek(0)
    try:
        accepted = assistant.library.accept_stream(
            file.name, file, same_name=same_name, password=password, in_folders=in_folders
        )
    except LegajoError as error:
        return [UploadResult(name=file.name, status="failed", notes=(str(error),))]
    results = results_of(accepted)
    if len(results) == 1 and results[0].code in _QUESTIONS:
        told = results[0].notes if results[0].code == PasswordRefusedError.code else ()
        return [replace(results[0], name=file.name, status="asks", notes=told, file=file, in_folders=in_folders)]
    return results


def results_of(accepted: Sequence[Accepted]) -> list[UploadResult]:
    """A line for each document that was accepted, and for each that was not."""
    return [_result(each.path.removeprefix(f"{UPLOADS}/"), each) for each in accepted]


def _result(name: str, accepted: Accepted) -> UploadResult:
    if accepted.report is None:
        return UploadResult(name=name, path=accepted.path, status="accepted", ingestion_id=accepted.ingestion_id)
    return _reported(name, accepted.report)


def _reported(name: str, report: IngestReport, *, ingestion_id: str = "") -> UploadResult:
    """What a report says of a file."""
    known = remarks(report)
    return UploadResult(
        name=name,
        path=report.path,
        status=report.status,
        ingestion_id=ingestion_id,
        pages=report.pages,
        chunks=report.chunks,
        notes=tuple(filter(None, (report.error, *known))),
        code=report.code,
    )


# ---------------------------------------------------------------- what is asked


def questions(results: Sequence[UploadResult]) -> list[tuple[UploadedFile | None, str]]:
    """What is asked: the page is to be shown again when that has changed."""
    return [(each.file, each.code) for each in results if each.file is not None]


def ask_about(assistant: ProjectAssistant, results: Sequence[UploadResult]) -> tuple[UploadResult, ...]:
    """Ask what must be known before a file is taken: which of two of a name is meant, or a password.

    The files as they stand.
    """
    same_name = [each for each in results if each.file is not None and each.code == SameNameError.code]
    everyone = _ask_all(len(same_name)) if len(same_name) > 1 else None
    return tuple(
        each
        for result in results
        for each in (
            _settled(assistant, result, everyone)
            if everyone is not None and result in same_name
            else _answered(assistant, result)
        )
    )


def _ask_all(count: int) -> dict[str, Any] | None:
    """One answer for all of the files whose name another has; as `_ask_which`."""
    with st.container(border=True, gap="small", key="ask-all"):
        st.markdown(text("upload.same_names", count=count))
        with st.container(horizontal=True, gap="small"):
            if st.button(text("upload.replace_all"), key="replace-all"):
                return {"same_name": "replace"}
            if st.button(text("upload.keep_all"), key="keep-all"):
                return {"same_name": "keep"}
            return {} if st.button(text("upload.drop_all"), key="drop-all", type="tertiary") else None


def _answered(assistant: ProjectAssistant, result: UploadResult) -> list[UploadResult]:
    file = result.file
    if file is None:
        return [result]
    with st.container(border=True, gap="small", key=f"ask-{file.file_id}"):
        answer = _ask_which(file) if result.code == SameNameError.code else _ask_password(file)
    if answer is None:
        return [result]
    return _settled(assistant, result, answer)


def _settled(assistant: ProjectAssistant, result: UploadResult, answer: dict[str, Any]) -> list[UploadResult]:
    """What becomes of a file with the answer to what was asked of it; an empty one: it is not taken."""
    if result.file is None or not answer:
        return [replace(result, status="cancelled", notes=(), file=None)]
    return _accept(assistant, result.file, in_folders=result.in_folders, **answer)


def _ask_which(file: UploadedFile) -> dict[str, Any] | None:
    """How the file is to be accepted; empty: not at all. None before there is an answer."""
    st.markdown(plain_label(text("upload.same_name", name=file.name)))
    with st.container(horizontal=True, gap="small"):
        if st.button(text("upload.replace"), key=f"replace-{file.file_id}"):
            return {"same_name": "replace"}
        if st.button(text("upload.keep_both"), key=f"keep-{file.file_id}"):
            return {"same_name": "keep"}
        return {} if st.button(text("queue.discard"), key=f"drop-{file.file_id}", type="tertiary") else None


def _ask_password(file: UploadedFile) -> dict[str, Any] | None:
    """The same. What is typed is gone with the form."""
    with st.form(f"password-{file.file_id}", clear_on_submit=True, border=False):
        label = plain_label(text("upload.password", name=file.name))
        password = st.text_input(label, type="password", autocomplete="off")
        st.caption(text("upload.password_help"))
        with st.container(horizontal=True, gap="small"):
            given = st.form_submit_button(text("upload.open"), type="primary")
            dropped = st.form_submit_button(text("queue.discard"), type="tertiary")
    if given and password:
        return {"password": password}
    return {} if dropped else None


# ---------------------------------------------------------------- in the conversation


def under_way(uploads: Sequence[UploadResult]) -> bool:
    """Whether something of them is still to come."""
    return any(each.status == "accepted" for each in uploads)


def is_over(uploads: Sequence[UploadResult]) -> bool:
    """Whether nothing is to come of them, and nothing is asked."""
    return not (under_way(uploads) or questions(uploads))


def is_document(result: UploadResult) -> bool:
    """Whether it can be asked."""
    return result.status in ("indexed", "updated", "unchanged")


def settled(assistant: ProjectAssistant, uploads: Sequence[UploadResult], queue: Queue) -> tuple[UploadResult, ...]:
    """The files of a message as they stand: those that left the queue with what became of them."""
    waiting = {each.ingestion_id for each in queue.under_way}
    return tuple(_standing(assistant, each, waiting) for each in uploads)


def _standing(assistant: ProjectAssistant, result: UploadResult, waiting: Collection[str]) -> UploadResult:
    if result.ingestion_id in waiting:
        return _again(result)
    if result.status == "accepted" or _may_be_retried(result):
        return _outcome(assistant, result)
    return result


def _again(result: UploadResult) -> UploadResult:
    """The same in the queue."""
    return UploadResult(name=result.name, path=result.path, status="accepted", ingestion_id=result.ingestion_id)


def _may_be_retried(result: UploadResult) -> bool:
    return result.status == "failed" and bool(result.ingestion_id)


def _outcome(assistant: ProjectAssistant, result: UploadResult) -> UploadResult:
    """What became of a file that the queue did not have when it was looked at."""
    key = result.ingestion_id
    if report := assistant.library.ingestion(key):
        return _reported(result.name, report, ingestion_id=key)
    if any(each.ingestion_id == key for each in assistant.library.ingestions()):
        return _again(result)  # a failed one that was queued again meanwhile
    return result if result.status == "failed" else replace(result, status="cancelled")


def render_uploads(assistant: ProjectAssistant, uploads: Sequence[UploadResult]) -> tuple[UploadResult, ...]:
    """A line for each file, which follows the queue for as long as one of them is in it, and what is asked of them; the
    files as they stand.
    """
    if under_way(uploads) or any(map(_may_be_retried, uploads)):
        uploads = _followed(assistant, uploads)
    else:
        st.html(results_html(uploads))
    return ask_about(assistant, uploads)


def _followed(assistant: ProjectAssistant, uploads: Sequence[UploadResult]) -> tuple[UploadResult, ...]:
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
    shown = [_result_html(result, waiting.get(result.ingestion_id, "")) for result in results[:_SHOWN]]
    rest = text("queue.more", count=len(results) - _SHOWN) if len(results) > _SHOWN else ""
    return f"<div class='legajo-uploads'><ul>{''.join(shown)}</ul>{escape(rest)}</div>"


def _result_html(result: UploadResult, standing_: str) -> str:
    facts = [standing_ or text(f"upload.status.{result.status}")]
    if result.status in ("indexed", "updated"):
        facts += [text("documents.pages", count=result.pages)] if result.pages else []
        facts += [text("documents.chunks", count=result.chunks)] if result.chunks else []
    notes = "".join(f"<small>{escape(translated(note))}</small>" for note in result.notes)
    return (
        f"<li class='{escape(result.status)}'><span aria-hidden='true'>{_ICONS.get(result.status, _FAILED)}</span>"
        f"<span><strong>{escape(result.name)}</strong> {escape(' · '.join(facts))}{notes}</span></li>"
    )
