"""The forms that add files, folders, pages of the web and notes, and what is to be said of each that was added."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import streamlit as st

from rag_system.ingestion.loaders import SUPPORTED_EXTENSIONS
from rag_system.ingestion.loaders.sniff import SUPPORTED_FORMATS
from ui.components.fetching import fetch_page, render_fetches
from ui.components.notes import write_note
from ui.components.upload import accept_uploads, ask_about, questions, results_html
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from ui.components.upload import UploadResult

__all__ = ["adding_forms", "adding_results"]

_RESULTS = "legajo_results"


def adding_forms(assistant: ProjectAssistant, *, opened: bool) -> None:
    """Closed where there are documents: what is there comes first."""
    with st.expander(text("upload.heading"), icon=":material/add:", expanded=opened, key="legajo_adding"):
        names = ("upload.tab_files", "upload.tab_folder", "upload.tab_web", "notes.tab")
        files, folder, web, note = st.tabs([text(name) for name in names])
        with files, st.form("legajo_upload", clear_on_submit=True, border=False):
            _file_box(assistant, "upload.files", True)
        with folder, st.form("legajo_folder_upload", clear_on_submit=True, border=False):
            _file_box(assistant, "upload.folder", "directory")
        with web, st.form("legajo_address", clear_on_submit=True, border=False):
            _address_box(assistant)
        with note:
            write_note(assistant)


def _file_box(assistant: ProjectAssistant, label: str, multiple: Literal[True, "directory"]) -> None:
    files = st.file_uploader(
        text(label), type=SUPPORTED_EXTENSIONS, accept_multiple_files=multiple, key=f"legajo_files_{multiple}"
    )
    st.caption(
        text("upload.page_help", formats=translated(SUPPORTED_FORMATS), size=st.get_option("server.maxUploadSize"))
    )
    if multiple == "directory":
        st.caption(text("upload.folder_help"))
    if st.form_submit_button(text("upload.button"), type="primary", key=f"legajo_add_{multiple}") and files:
        accepted = accept_uploads(assistant, files, in_folders=multiple == "directory")
        known: list[UploadResult] = st.session_state.get(_RESULTS, [])
        st.session_state[_RESULTS] = [*known, *(each for each in accepted if each.status != "accepted")]
        st.rerun()  # the queue has the rest


def _address_box(assistant: ProjectAssistant) -> None:
    address = st.text_input(text("upload.address"), placeholder="https://", key="legajo_url").strip()
    st.caption(text("upload.address_help"))
    if st.form_submit_button(text("upload.address_button"), type="primary") and address:
        fetch_page(assistant, address)
        st.rerun()


def adding_results(assistant: ProjectAssistant) -> None:
    """A line for each file that is not in the queue, until it is put away, and what is asked of them."""
    results: list[UploadResult] = st.session_state.get(_RESULTS, [])
    if results:
        with st.container(horizontal=True, vertical_alignment="top", key="legajo_results_row"):
            st.html(results_html(results))
            if st.button(text("upload.put_away"), key="legajo_put_away", type="tertiary"):
                del st.session_state[_RESULTS]
                st.rerun()
        answered = ask_about(assistant, results)
        if questions(answered) != questions(results):
            st.session_state[_RESULTS] = [each for each in answered if each.status not in ("accepted", "cancelled")]
            st.rerun()
    render_fetches(assistant)
