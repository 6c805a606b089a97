"""The library: what is in it, adding to it and taking out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from assistant.wording import remarks
from rag_system.ingestion.loaders import SUPPORTED_EXTENSIONS
from rag_system.ingestion.loaders.sniff import SUPPORTED_FORMATS
from ui.components.addresses import Place
from ui.components.concepts import choose_concept, render_concepts
from ui.components.copying import offer_copy
from ui.components.fetching import fetch_page, render_fetches
from ui.components.queue import queue_panel
from ui.components.upload import accept_uploads, ask_about, questions, results_html
from ui.markup import folded, plain_label
from ui.state import open_conversation
from ui.texts import text

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

    from assistant.project_assistant import ProjectAssistant
    from assistant.summaries import DocumentSummary
    from ui.components.queue import Queue
    from ui.state import Chat

__all__ = ["document_html", "render_documents"]

_PAGE = 25
_RESULTS = "legajo_results"


def render_documents(assistant: ProjectAssistant, chat: Chat, chat_page: Page, queue: Queue) -> None:
    """The whole page. The queue is as it was seen before."""
    documents = assistant.documents()
    st.title(text("documents.heading"), anchor=False)
    st.caption(text("documents.count", count=len(documents)) if documents else text("documents.none"))
    edits = assistant.may("remove_document")
    if edits:
        _adding(assistant)
        queue_panel(assistant, queue)
    else:
        st.caption(text("documents.read_only"))
    if not documents:
        return
    overview = assistant.concepts.overview()
    if edits or overview:
        render_concepts(assistant, overview, editable=edits)
    query = st.text_input(text("documents.filter"), key="legajo_filter", icon=":material/search:")
    concept = choose_concept(overview, label=text("concepts.filter"), key="legajo_concept_filter") if overview else ""
    about = assistant.concepts.documents(concept) if concept else None
    matching = [d for d in documents if _matches(d, query) and (about is None or d.document_id in about)]
    if not matching:
        st.caption(plain_label(text("documents.no_match", query=" · ".join(filter(None, (query, concept))))))
    shown = st.session_state.setdefault("legajo_shown_documents", _PAGE)
    targets = assistant.copier.targets()
    for document in matching[:shown]:
        _row(assistant, document, targets, partial(_ask_it, chat, chat_page, document.path), edits=edits)
    if len(matching) > shown and st.button(text("documents.more"), key="legajo_more"):
        st.session_state["legajo_shown_documents"] = shown + _PAGE
        st.rerun()


def _adding(assistant: ProjectAssistant) -> None:
    files, web = st.tabs([text("upload.tab_files"), text("upload.tab_web")])
    with files, st.form("legajo_upload", clear_on_submit=True, border=False):
        _file_box(assistant)
    with web, st.form("legajo_address", clear_on_submit=True, border=False):
        _address_box(assistant)
    if results := st.session_state.pop(_RESULTS, None):
        st.html(results_html(results))
        st.session_state[_RESULTS] = [each for each in results if each.file is not None]
        answered = ask_about(assistant, st.session_state[_RESULTS])
        if questions(answered) != questions(st.session_state[_RESULTS]):
            st.session_state[_RESULTS] = [each for each in answered if each.status not in ("accepted", "cancelled")]
            st.rerun()
    render_fetches()


def _file_box(assistant: ProjectAssistant) -> None:
    files = st.file_uploader(
        text("upload.heading"), type=SUPPORTED_EXTENSIONS, accept_multiple_files=True, key="legajo_files"
    )
    st.caption(text("upload.page_help", formats=SUPPORTED_FORMATS, size=st.get_option("server.maxUploadSize")))
    if st.form_submit_button(text("upload.button"), type="primary") and files:
        accepted = accept_uploads(assistant, files)
        st.session_state[_RESULTS] = [each for each in accepted if each.status != "accepted"]  # the queue has the rest
        st.rerun()


def _address_box(assistant: ProjectAssistant) -> None:
    address = st.text_input(text("upload.address"), placeholder="https://", key="legajo_url").strip()
    st.caption(text("upload.address_help"))
    if st.form_submit_button(text("upload.address_button"), type="primary") and address:
        fetch_page(assistant, address)
        st.rerun()


def _matches(document: DocumentSummary, query: str) -> bool:
    haystack = folded(f"{document.file_name} {document.title} {document.category}")
    return all(word in haystack for word in folded(query).split())


def _row(
    assistant: ProjectAssistant,
    document: DocumentSummary,
    targets: Mapping[str, str],
    ask: Callable[[], None],
    *,
    edits: bool,
) -> None:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        st.html(document_html(document, project=assistant.project))
        with st.popover(
            text("app.options"), icon=":material/more_horiz:", type="tertiary", key=f"more-{document.document_id}"
        ):
            if st.button(text("scope.ask_one"), key=f"ask-{document.document_id}", icon=":material/forum:"):
                ask()
            offer_copy(assistant, document, targets, moves=edits)
            if not edits:
                return
            st.caption(plain_label(text("documents.remove_confirm", name=document.file_name)))
            if st.button(text("documents.remove"), key=f"remove-{document.document_id}", icon=":material/delete:"):
                assistant.remove_document(document.document_id)
                st.toast(plain_label(text("documents.removed", name=document.file_name)))
                st.rerun()


def _ask_it(chat: Chat, chat_page: Page, path: str) -> None:
    """A new conversation with nothing but this document."""
    open_conversation(chat, None)
    chat.documents = (path,)
    st.switch_page(chat_page)


def document_html(document: DocumentSummary, *, project: str = "") -> str:
    """What there is to know of a document: what it is, what should be known before relying on it, where it is from."""
    known = remarks(document)
    origin = text("documents.origin", origin=document.origin) if document.origin else ""
    notes = "".join(f"<small>{escape(note)}</small>" for note in (document.error, *known, origin) if note)
    title, address = (
        escape(document.title or document.file_name),
        escape(Place(path=document.path, project=project).address),
    )
    link = f"<a href='{address}' target='_blank' rel='noopener'><strong>{title}</strong></a>"
    return f"<div class='legajo-document'>{link}<span>{escape(_facts(document))}</span>{notes}</div>"


def _facts(document: DocumentSummary) -> str:
    pages = text("documents.pages", count=document.pages) if document.pages else ""
    chunks = text("documents.chunks", count=document.chunks) if document.chunks else text("documents.empty_text")
    return " · ".join(filter(None, (document.path, document.format.upper(), pages, chunks)))
