"""The library: what is in it, adding to it and taking out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from assistant.notes import is_note
from assistant.wording import identifier_name, remarks
from ui.components.adding import adding_forms, adding_results
from ui.components.addresses import Place
from ui.components.concepts import choose_concept, render_concepts
from ui.components.copying import offer_copy
from ui.components.notes import edit_note, is_open, open_note
from ui.components.queue import queue_panel
from ui.components.shelf import offer_name, offer_removal, offer_rereading, offer_undo
from ui.components.tags import choose_tag, offer_question, offer_tagging, offer_tags
from ui.markup import folded, plain_label
from ui.state import open_conversation
from ui.texts import language_name, text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from streamlit.navigation.page import Page

    from assistant.concepts import ConceptSummary
    from assistant.project_assistant import ProjectAssistant
    from assistant.summaries import DocumentSummary
    from ui.components.queue import Queue
    from ui.state import Chat

__all__ = ["document_html", "render_documents"]

_PAGE = 25
_NAMES = 4  # of a document, shown


def render_documents(assistant: ProjectAssistant, chat: Chat, chat_page: Page, queue: Queue) -> None:
    """The whole page. The queue is as it was seen before."""
    documents = assistant.library.all()
    st.title(text("documents.heading"), anchor=False)
    st.caption(text("documents.count", count=len(documents)) if documents else text("documents.none"))
    edits = assistant.may("library.remove")
    if edits:
        queue_panel(assistant, queue)
        adding_results(assistant)
        offer_undo(assistant)
        edit_note(assistant)
        adding_forms(assistant, opened=not documents)
    else:
        st.caption(text("documents.read_only"))
    if not documents:
        return
    overview = assistant.concepts.overview()
    _list(assistant, documents, overview, partial(_ask_them, chat, chat_page), edits=edits)
    if edits or overview:
        render_concepts(assistant, overview, editable=edits)


def _list(
    assistant: ProjectAssistant,
    documents: Sequence[DocumentSummary],
    overview: Sequence[ConceptSummary],
    ask: Callable[[Sequence[str]], None],
    *,
    edits: bool,
) -> None:
    tags = assistant.tags.all()
    query = st.text_input(text("documents.filter"), key="legajo_filter", icon=":material/search:")
    tag = choose_tag(tags)
    tagged = tags.get(tag)
    concept = choose_concept(overview, label=text("concepts.filter"), key="legajo_concept_filter") if overview else ""
    about = assistant.concepts.documents(concept) if concept else None
    matching = [
        d
        for d in documents
        if _matches(d, query) and (about is None or d.document_id in about) and (tagged is None or d.path in tagged)
    ]
    if not matching:
        st.caption(plain_label(text("documents.no_match", query=" · ".join(filter(None, (query, tag, concept))))))
    with st.container(horizontal=True, gap="small"):
        offer_question(tag, tags.get(tag, ()), ask)
        if matching and edits:
            offer_tagging(assistant, matching, tags)
    shown = st.session_state.setdefault("legajo_shown_documents", _PAGE)
    targets = assistant.copier.targets()
    for document in matching[:shown]:
        _row(assistant, document, targets, tags, partial(ask, (document.path,)), edits=edits)
    if len(matching) > shown and st.button(text("documents.more"), key="legajo_more"):
        st.session_state["legajo_shown_documents"] = shown + _PAGE
        st.rerun()


def _matches(document: DocumentSummary, query: str) -> bool:
    haystack = folded(f"{document.file_name} {document.title} {document.category}")
    return all(word in haystack for word in folded(query).split())


def _row(
    assistant: ProjectAssistant,
    document: DocumentSummary,
    targets: Mapping[str, str],
    tags: Mapping[str, Sequence[str]],
    ask: Callable[[], None],
    *,
    edits: bool,
) -> None:
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        borne = [tag for tag, paths in tags.items() if document.path in paths]
        st.html(document_html(document, project=assistant.project, tags=borne))
        edited = "-edited" if is_open(assistant, document.path) else ""  # another key: then the menu closes
        key = f"more-{document.document_id}{edited}"
        with st.popover(text("app.options"), icon=":material/more_horiz:", type="tertiary", key=key):
            if st.button(text("scope.ask_one"), key=f"ask-{document.document_id}", icon=":material/forum:"):
                ask()
            if edits and is_note(document.path):
                st.button(
                    text("notes.edit"),
                    key=f"note-{document.document_id}",
                    icon=":material/edit_note:",
                    on_click=open_note,
                    args=(assistant, document.path),
                )
            if edits:
                offer_name(assistant, document)
                offer_tags(assistant, document, tags)
            offer_copy(assistant, document, targets, moves=edits)
            if edits:
                offer_rereading(assistant, document)
                offer_removal(assistant, document)


def _ask_them(chat: Chat, chat_page: Page, paths: Sequence[str]) -> None:
    """A new conversation with nothing but these documents."""
    open_conversation(chat, None)
    chat.documents = tuple(paths)
    st.switch_page(chat_page)


def document_html(document: DocumentSummary, *, project: str = "", tags: Sequence[str] = ()) -> str:
    """What there is to know of a document: what it is, what should be known before relying on it, where it is from."""
    known = map(translated, filter(None, (document.error, *remarks(document))))
    origin = text("documents.origin", origin=document.origin) if document.origin else ""
    notes = "".join(f"<small>{escape(note)}</small>" for note in (*known, origin) if note)
    title, address = (
        escape(document.title or document.file_name),
        escape(Place(path=document.path, project=project).address),
    )
    link = f"<a href='{address}' target='_blank' rel='noopener'><strong>{title}</strong></a>"
    facts = "".join(f"<span>{escape(line)}</span>" for line in (_facts(document), _about(document)) if line)
    borne = "".join(f"<li>{escape(tag)}</li>" for tag in tags)
    named = f"<ul class='legajo-tags' aria-label='{escape(text('tags.heading'))}'>{borne}</ul>" if borne else ""
    return f"<div class='legajo-document'>{link}{facts}{named}{notes}</div>"


def _facts(document: DocumentSummary) -> str:
    pages = text("documents.pages", count=document.pages) if document.pages else ""
    chunks = text("documents.chunks", count=document.chunks) if document.chunks else text("documents.empty_text")
    kind = text("notes.mark") if is_note(document.path) else document.format.upper()
    return " · ".join(filter(None, (document.path, kind, pages, chunks)))


def _about(document: DocumentSummary) -> str:
    """Its language, and the names that it is asked for by."""
    language = language_name(document.language)
    names = list(map(identifier_name, document.identifiers))
    more = text("documents.more_names", count=len(names) - _NAMES) if len(names) > _NAMES else ""
    return " · ".join(filter(None, (language, *names[:_NAMES], more)))
