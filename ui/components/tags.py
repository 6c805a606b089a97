"""Tags on the page of the documents: put on and taken off, one document or all that are shown, and chosen to see theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from ui.components.attempt import attempt
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assistant.project_assistant import ProjectAssistant
    from assistant.summaries import DocumentSummary

    Tagged = Mapping[str, Sequence[str]]  # by tag, the paths of the documents that bear it

__all__ = ["choose_tag", "offer_tagging", "offer_tags"]

_CHOSEN = "legajo_tag_filter"


def choose_tag(tags: Tagged, ask: Callable[[Sequence[str]], None]) -> str:
    """The tag whose documents alone are listed, or none; and a way to ask them."""
    if st.session_state.get(_CHOSEN) not in tags:
        st.session_state.pop(_CHOSEN, None)
    if not tags:
        return ""
    chosen = st.pills(
        text("tags.filter"),
        list(tags),
        format_func=lambda tag: plain_label(f"{tag} ({len(tags[tag])})"),
        key=_CHOSEN,
    )
    if chosen and st.button(
        plain_label(text("tags.ask", name=chosen)), key="legajo_ask_tag", icon=":material/forum:", type="tertiary"
    ):
        ask(tags[chosen])
    return chosen or ""


def offer_tagging(assistant: ProjectAssistant, documents: Sequence[DocumentSummary], tags: Tagged) -> None:
    """One tag for all the documents that are shown: put on them, or taken off."""
    paths = [each.path for each in documents]
    with (
        st.popover(text("tags.several", count=len(paths)), icon=":material/label:", key="legajo_tag_several"),
        st.form("legajo_tagging", border=False, clear_on_submit=True),
    ):
        tag = st.selectbox(
            text("tags.name"),
            list(tags),
            index=None,
            accept_new_options=True,
            placeholder=text("tags.name_help"),
            key="legajo_tag_name",
        )
        with st.container(horizontal=True, gap="small"):
            added = st.form_submit_button(text("tags.add"), icon=":material/new_label:", type="primary")
            taken = st.form_submit_button(text("tags.take"), icon=":material/label_off:")
    if added:
        attempt(lambda: assistant.tags.add(tag or "", paths), text("tags.added", name=tag, count=len(paths)))
    if taken and tag:
        attempt(lambda: assistant.tags.take(tag, paths), text("tags.taken", name=tag, count=len(paths)))


def offer_tags(assistant: ProjectAssistant, document: DocumentSummary, tags: Tagged) -> None:
    """In the menu of a document: those that it bears, one less, another one."""
    borne = [tag for tag, paths in tags.items() if document.path in paths]
    key = f"tags-{document.document_id}-{'·'.join(borne)}"  # another one where they changed elsewhere
    chosen = st.multiselect(
        text("tags.heading"),
        list(tags),
        borne,
        accept_new_options=True,
        placeholder=text("tags.name_help"),
        key=key,
    )
    if set(chosen) != set(borne):
        attempt(lambda: _change(assistant, document.path, before=borne, after=chosen))


def _change(assistant: ProjectAssistant, path: str, *, before: Sequence[str], after: Sequence[str]) -> None:
    for tag in after:
        if tag not in before:
            assistant.tags.add(tag, [path])
    for tag in before:
        if tag not in after:
            assistant.tags.take(tag, [path])
