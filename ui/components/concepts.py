"""The concepts of the library: the tree, a form for one concept, the whole tree as text, and the choice of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from assistant.concepts import parse_tree, put_concept, take_concept, write_tree
from rag_system.errors import InputError
from rag_system.types import Concept
from ui.markup import plain_label
from ui.texts import text
from ui.texts.saying import translated

if TYPE_CHECKING:
    from assistant.concepts import ConceptSummary
    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

__all__ = ["choose_concept", "concept_switch", "concepts_html", "render_concepts"]

_INDENT = "\N{EM SPACE}"
_VERSION = "legajo_concepts_version"  # another one empties every field: what was in them is saved
_UNROLLED, _ROLL_PIXELS = 12, 320  # concepts that are shown at their full height, and the height of more


def render_concepts(assistant: ProjectAssistant, overview: Sequence[ConceptSummary], *, editable: bool) -> None:
    """A section that opens on the tree and, where one may, on what changes it."""
    with st.expander(text("concepts.heading"), icon=":material/account_tree:", key="legajo_concepts"):
        st.caption(text("concepts.help"))
        if overview:
            with st.container(height=_ROLL_PIXELS if len(overview) > _UNROLLED else "content", border=False):
                st.html(concepts_html(overview))
        if not editable:
            return
        one, whole = st.tabs([text("concepts.single"), text("concepts.whole")])
        with one:
            _edit_one(assistant, overview)
        with whole:
            _edit_whole(assistant)


@st.fragment
def concept_switch(assistant: ProjectAssistant, chat: Chat) -> None:
    """What questions are confined to. A fragment: choosing must not stop an answer that is being written."""
    overview = [] if chat.all_projects else assistant.concepts.overview()  # concepts are of one project
    if not overview:
        chat.concept = ""
        return
    chat.concept = choose_concept(overview, label=text("concepts.scope"), key="legajo_concept_scope")


def choose_concept(overview: Sequence[ConceptSummary], *, label: str, key: str) -> str:
    """A list to choose a concept from, with the documents about each; empty for all."""
    labels = {each.name: f"{_indented(each)} ({each.documents})" for each in overview}
    chosen = st.selectbox(
        label,
        ["", *labels],
        format_func=lambda name: labels.get(name, text("concepts.all")),
        key=key,
    )
    return chosen or ""


def concepts_html(overview: Sequence[ConceptSummary]) -> str:
    """The tree, a line a concept: its other names, and how much is about it."""
    return f"<ul class='legajo-concepts'>{''.join(map(_item, overview))}</ul>"


def _item(summary: ConceptSummary) -> str:
    counts = f"{text('documents.count', count=summary.documents)} · {text('documents.chunks', count=summary.chunks)}"
    small = " · ".join(filter(None, (", ".join(summary.aliases), counts)))
    return (
        f"<li style='margin-left: {1.5 * summary.depth}em'>{escape(summary.name)} <small>{escape(small)}</small></li>"
    )


def _indented(summary: ConceptSummary) -> str:
    return f"{_INDENT * summary.depth}{summary.name}"


# ---------------------------------------------------------------- changing it


def _edit_one(assistant: ProjectAssistant, overview: Sequence[ConceptSummary]) -> None:
    version = st.session_state.setdefault(_VERSION, 0)
    known = {each.name: each for each in overview}
    chosen = st.selectbox(
        text("concepts.which"),
        ["", *known],
        format_func=lambda name: _indented(known[name]) if name in known else text("concepts.new"),
        key=f"legajo_concept_{version}",
    )
    old = known.get(chosen or "")
    with st.form(f"legajo_concept_form_{version}_{chosen}", border=False):
        entered = _fields(old, list(known), key=f"{version}_{chosen}")
        saved = st.form_submit_button(text("concepts.save"), type="primary")
        removed = old is not None and st.form_submit_button(text("concepts.remove"), icon=":material/delete:")
    if saved:
        _change(assistant, lambda tree: put_concept(tree, entered, instead_of=old.name if old else ""))
    if removed and old is not None:
        _change(assistant, lambda tree: take_concept(tree, old.name))


def _fields(old: ConceptSummary | None, names: Sequence[str], *, key: str) -> Concept:
    """What is typed of one concept; aliases stand one a line."""
    name = st.text_input(text("concepts.name"), old.name if old else "", key=f"legajo_concept_name_{key}")
    parents = ["", *(each for each in names if old is None or each != old.name)]
    parent = st.selectbox(
        text("concepts.parent"),
        parents,
        index=parents.index(old.parent) if old else 0,
        format_func=lambda each: each or text("concepts.top"),
        key=f"legajo_concept_parent_{key}",
    )
    aliases = st.text_area(
        text("concepts.aliases"), "\n".join(old.aliases) if old else "", key=f"legajo_concept_aliases_{key}"
    )
    return Concept(name=name, parent=parent or "", aliases=tuple(aliases.splitlines()))


def _edit_whole(assistant: ProjectAssistant) -> None:
    version = st.session_state.setdefault(_VERSION, 0)
    with st.form(f"legajo_concepts_text_{version}", border=False):
        written = st.text_area(
            text("concepts.text"),
            write_tree(assistant.concepts.tree()),
            height=_ROLL_PIXELS,
            key=f"legajo_concepts_written_{version}",
        )
        if st.form_submit_button(text("concepts.save_whole"), type="primary"):
            _change(assistant, lambda _: parse_tree(written))


def _change(assistant: ProjectAssistant, change: Callable[[list[Concept]], list[Concept]]) -> None:
    """Save the changed tree; what is wrong with it is said, and the fields keep what was typed."""
    try:
        with st.spinner(text("concepts.saving")):
            changed = change(assistant.concepts.tree())
            assistant.concepts.replace(changed)
    except InputError as error:
        for line in str(error).splitlines():
            st.error(plain_label(translated(line)), icon=":material/error:")
        return
    st.session_state[_VERSION] += 1
    st.toast(text("concepts.saved"))
    st.rerun()
