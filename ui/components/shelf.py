"""What is done to a document: called otherwise, read anew, taken out of the library, and brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from assistant.shelf import LONGEST_TITLE
from ui.components.attempt import attempt
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from assistant.project_assistant import ProjectAssistant
    from assistant.summaries import DocumentSummary

__all__ = ["offer_name", "offer_removal", "offer_rereading", "offer_undo"]

_REMOVED = "legajo_removed"  # project, path and name of the document that was removed last, to be undone


def offer_name(assistant: ProjectAssistant, document: DocumentSummary) -> None:
    """In the menu of a document, as all of these."""
    key, title = document.document_id, document.title or document.file_name
    with st.form(f"rename-form-{key}", border=False):
        name = st.text_input(text("documents.name"), title, max_chars=LONGEST_TITLE, key=f"name-{key}-{title}")
        if st.form_submit_button(text("documents.rename"), key=f"rename-{key}", icon=":material/edit:"):
            attempt(lambda: assistant.shelf.rename(key, name), text("documents.renamed", name=name))


def offer_rereading(assistant: ProjectAssistant, document: DocumentSummary) -> None:
    """Where it was read badly: after a better recognition of text was installed, say."""
    key = document.document_id
    if st.button(
        text("documents.reread"), key=f"reread-{key}", icon=":material/refresh:", help=text("documents.reread_help")
    ):
        attempt(lambda: assistant.shelf.reread(key))


def offer_removal(assistant: ProjectAssistant, document: DocumentSummary) -> None:
    """At once, for it can be undone."""
    st.caption(plain_label(text("documents.remove_confirm", name=document.file_name)))
    if st.button(text("documents.remove"), key=f"remove-{document.document_id}", icon=":material/delete:"):
        attempt(lambda: _remove(assistant, document))


def _remove(assistant: ProjectAssistant, document: DocumentSummary) -> None:
    assistant.library.remove(document.document_id)
    st.session_state[_REMOVED] = (assistant.project, document.path, document.file_name)


def offer_undo(assistant: ProjectAssistant) -> None:
    """Which document was removed last, and the way back."""
    project, path, name = st.session_state.get(_REMOVED, ("", "", ""))
    if project != assistant.project:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="legajo_removed_row"):
        st.markdown(plain_label(text("documents.removed", name=name)))
        if st.button(text("documents.undo"), key="legajo_undo_removal", icon=":material/undo:"):
            del st.session_state[_REMOVED]
            attempt(lambda: assistant.shelf.restore(path), text("documents.restoring", name=name))
