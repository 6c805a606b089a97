"""To let another project have a document too, or instead: in the document's menu, where there is another project."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import streamlit as st

from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.summaries import DocumentSummary
    from rag_system.ingestion.report import IngestReport

__all__ = ["offer_copy"]

_WAYS = {"copy": ":material/content_copy:", "move": ":material/drive_file_move:"}
_TAKEN = "legajo_copy_taken"  # the document and the project whose path was taken: what is asked next replaces that


def offer_copy(
    assistant: ProjectAssistant, document: DocumentSummary, targets: Mapping[str, str], *, moves: bool
) -> None:
    """The choice of a project, and the ways to get there: to move is also to take away from here."""
    if not targets:
        return
    key = document.document_id
    to = st.selectbox(
        text("copying.to" if moves else "copying.only_to"),
        list(targets),
        index=None,
        format_func=lambda project: targets.get(project, project),
        placeholder=text("copying.choose"),
        key=f"copy-to-{key}",
    )
    if to is None:
        return
    replaces = st.session_state.get(_TAKEN) == (key, to)
    if replaces:
        st.caption(plain_label(text("copying.taken", project=targets[to])))
    with st.container(horizontal=True):
        for way, icon in list(_WAYS.items())[: 1 + moves]:
            label = text(f"copying.{way}_over") if replaces else text(f"copying.{way}")
            if st.button(label, key=f"{way}-{key}", icon=icon):
                report = _copied(assistant, document, to, moves=way == "move", replaces=replaces)
                _tell(report, name=document.file_name, project=targets[to])


def _copied(
    assistant: ProjectAssistant, document: DocumentSummary, to: str, *, moves: bool, replaces: bool
) -> IngestReport:
    with st.spinner(text("copying.doing")):
        (report,) = assistant.copier.copy([document.path], to=to, moves=moves, replaces=replaces)
    st.session_state[_TAKEN] = (document.document_id, to) if report.code == "path_taken" else None
    return report


def _tell(report: IngestReport, *, name: str, project: str) -> None:
    """What came of it; what is in the way is said in the menu, in the next run."""
    if report.code != "path_taken":
        told = (
            translated(report.error)
            if report.status == "failed"
            else text(f"copying.{report.status}", name=name, project=project)
        )
        st.toast(plain_label(told))
    st.rerun()
