"""Tags on the page of the documents: put on one or on all that are shown, taken off, and chosen to see only theirs."""

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

__all__ = ["choose_tag", "offer_question", "offer_tagging", "offer_tags"]

_CHOSEN = "legajo_tag_filter"
_TIMES = "legajo_tagged_times"  # another one is another menu, which is closed


def choose_tag(tags: Tagged) -> str:
    """The tag whose documents alone are listed, or none."""
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
    return chosen or ""


def offer_question(tag: str, paths: Sequence[str], ask: Callable[[Sequence[str]], None]) -> None:
    """To ask the documents of the chosen tag."""
    if tag and st.button(plain_label(text("tags.ask", name=tag)), key="legajo_ask_tag", icon=":material/forum:"):
        ask(paths)


def offer_tagging(assistant: ProjectAssistant, documents: Sequence[DocumentSummary], tags: Tagged) -> None:
    """One tag for all the documents that are shown: put on them, or taken off."""
    paths = [each.path for each in documents]
    times = st.session_state.get(_TIMES, 0)
    with (
        st.popover(text("tags.several", count=len(paths)), icon=":material/label:", key=f"legajo_tag_several_{times}"),
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
        attempt(lambda: _once(assistant.tags.add, tag or "", paths), text("tags.added", name=tag, count=len(paths)))
    if taken and tag:
        attempt(lambda: _once(assistant.tags.take, tag, paths), text("tags.taken", name=tag, count=len(paths)))


def _once(change: Callable[[str, Sequence[str]], object], tag: str, paths: Sequence[str]) -> None:
    """Done, the menu closes."""
    change(tag, paths)
    st.session_state[_TIMES] = st.session_state.get(_TIMES, 0) + 1


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
