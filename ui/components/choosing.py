"""Where a conversation looks for its answers: in all documents of its project, in some of them, or in all projects."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import streamlit as st

from assistant.tags import grouped
from ui.markup import plain_label
from ui.state import Asked
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assistant.project_assistant import ProjectAssistant
    from ui.state import Chat

    Tagged = Mapping[str, Sequence[str]]  # by tag, the paths of the documents that bear it

__all__ = ["document_switch", "offer_all", "offer_one"]

_ROOM_PIXELS = 260
_CHOICE, _POPOVER, _EVERYWHERE = "legajo_chosen_documents", "legajo_documents_scope", "legajo_all_projects"


@st.fragment
def document_switch(assistant: ProjectAssistant, chat: Chat) -> None:
    """Where questions are answered from. A fragment: choosing must not stop an answer that is being written."""
    has_others = len(assistant.project_names()) > 1
    if not (assistant.library.count() or has_others):
        chat.documents = ()
        return
    tags = assistant.tags.all()
    with st.container(horizontal=True, wrap=False, gap=None, vertical_alignment="center", key="legajo_scope_row"):
        st.caption(_told(chat, tags), width="content")
        place = st.popover(  # its words stay the same: with others it would close after each choice
            text("scope.choose"), icon=":material/filter_list:", key=_POPOVER, type="tertiary", on_change="rerun"
        )
        if chat.documents or chat.all_projects:
            st.button(
                text("scope.only_here") if chat.all_projects else text("scope.clear"),
                icon=":material/close:",
                type="tertiary",
                key="legajo_scope_clear",
                on_click=_open_up,
                args=(chat,),
            )
    # A long list is sent only to who asks for it. Its room is there before: it opens where that fits.
    with place, st.container(height=_ROOM_PIXELS, border=False):
        if place.open:
            if has_others:
                _choose_everywhere(chat)
            if not chat.all_projects:
                _choose(assistant, chat, tags)


def _told(chat: Chat, tags: Tagged) -> str:
    if chat.all_projects:
        return text("scope.all_projects")
    if len(chat.documents) == 1:
        return plain_label(text("scope.named", name=chat.documents[0].rsplit("/", 1)[-1]))
    named, rest = grouped(chat.documents, tags)
    if len(named) == 1 and not rest:
        return plain_label(text("scope.tagged", name=named[0], number=len(chat.documents)))
    return text("scope.some", count=len(chat.documents)) if chat.documents else text("scope.all")


def _choose_everywhere(chat: Chat) -> None:
    st.session_state[_EVERYWHERE] = chat.all_projects
    st.toggle(text("scope.everywhere"), key=_EVERYWHERE, on_change=_take_everywhere, args=(chat,))


def _take_everywhere(chat: Chat) -> None:
    chat.documents, chat.all_projects = (), bool(st.session_state[_EVERYWHERE])


def _choose(assistant: ProjectAssistant, chat: Chat, tags: Tagged) -> None:
    """Documents one by one, and those of a tag at once: in one list."""
    titles = {document.path: document.title or document.file_name for document in assistant.library.all()}
    labels = {(tag,): text("scope.tag", name=tag, number=len(paths)) for tag, paths in tags.items()}
    named, rest = grouped([path for path in chat.documents if path in titles], tags)
    st.session_state[_CHOICE] = [*((tag,) for tag in named), *rest]
    st.multiselect(
        text("scope.choose"),
        [*labels, *titles],
        format_func=lambda each: labels[each] if isinstance(each, tuple) else _named(each, titles),
        placeholder=text("scope.find"),
        key=_CHOICE,
        on_change=_take,
        args=(chat, tags),
    )


def _named(path: str, titles: dict[str, str]) -> str:
    """Title and file: many files bear the same title."""
    title, file_name = titles[path], path.rsplit("/", 1)[-1]
    return title if title == file_name else f"{title} · {file_name}"


def _take(chat: Chat, tags: Tagged) -> None:
    """What was chosen, as documents: a tag, in a tuple of its own, stands for all of its."""
    chosen: list[str | tuple[str]] = st.session_state[_CHOICE]
    paths = (tags.get(each[0], ()) if isinstance(each, tuple) else (each,) for each in chosen)
    chat.documents = tuple(dict.fromkeys(chain.from_iterable(paths)))


def _open_up(chat: Chat) -> None:
    chat.documents, chat.all_projects = (), False


def offer_all(chat: Chat) -> None:
    """Below an answer that found nothing in the chosen documents: the same question to all of them."""
    last = chat.last
    if not (last and last.abstained and last.funnel.documents):
        return
    st.button(
        plain_label(text("scope.ask_all")),
        icon=":material/library_books:",
        key="legajo_ask_all",
        on_click=_ask_again,
        args=(chat, ()),
    )


def offer_one(chat: Chat) -> None:
    """Below an answer that several documents give about as well: the same question to one of them."""
    last = chat.last
    if not (last and last.rivals):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="legajo_rivals"):
        st.caption(text("scope.rivals"))
        for position, path in enumerate(last.rivals):
            st.button(
                plain_label(path.rsplit("/", 1)[-1]),
                key=f"legajo_rival_{position}",
                on_click=_ask_again,
                args=(chat, (path,)),
            )


def _ask_again(chat: Chat, documents: tuple[str, ...]) -> None:
    """The last question, of these documents; of all, where there are none."""
    question = next((turn.content for turn in reversed(chat.said) if turn.role == "user"), "")
    chat.documents, chat.pending = documents, Asked(question=question)
