"""The projects: which is shown, another one, and of the one that is shown its name, its facts and its people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import streamlit as st

from assistant.projects import COLOURS, Colour
from rag_system.errors import InputError
from ui.components.attempt import attempt
from ui.components.facts import render_facts
from ui.components.members import render_members
from ui.components.projects import dotted, project_button, show_project
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from assistant.assistant import PersonalAssistant
    from assistant.project_assistant import ProjectAssistant
    from assistant.projects import ProjectSettings, ProjectSummary

__all__ = ["render_projects"]

_LONGEST_NAME = 100
_COLOURS: tuple[Colour | Literal[""], ...] = ("", *COLOURS)


def render_projects(assistant: ProjectAssistant, person: PersonalAssistant, projects: Sequence[ProjectSummary]) -> None:
    """The whole page. A page of its own, for saving runs the page anew: that would end an answer being written."""
    st.title(text("projects.heading"), anchor=False)
    for each in projects:
        _row(each, assistant.project)
    _create(person)
    known = assistant.project_settings()
    st.header(dotted(known.name, known.colour), anchor=False)
    render_facts(assistant, editable=assistant.may("facts.add"))
    if not assistant.may("change_project"):
        return
    if person.settings.accounts != "local":
        render_members(assistant)
    _look(assistant, known)
    _delete(assistant, person, known)


def _row(summary: ProjectSummary, shown: str) -> None:
    """A button that shows it, and what there is to know of it."""
    with st.container(horizontal=True, wrap=False, vertical_alignment="center"):
        project_button(summary, shown, key="page")
        documents = text("documents.count", count=summary.documents)
        st.caption(f"{text(f'people.role.{summary.role}')} · {documents}", width="content")


def _create(person: PersonalAssistant) -> None:
    with (
        st.popover(text("projects.create"), icon=":material/add:"),
        st.form("legajo_new_project", clear_on_submit=True, border=False),
    ):
        name = st.text_input(text("people.new_project"), max_chars=_LONGEST_NAME)
        if st.form_submit_button(text("people.create"), type="primary"):
            attempt(lambda: _make(person, name), text("projects.created", name=name))


def _make(person: PersonalAssistant, name: str) -> None:
    """And show it."""
    if not person.create_project(name):
        raise InputError(text("projects.taken", name=name))
    show_project(name)


def _look(assistant: ProjectAssistant, known: ProjectSettings) -> None:
    with (
        st.expander(text("projects.look"), icon=":material/palette:", key="legajo_look"),
        st.form("legajo_project_look", border=False),
    ):
        name = st.text_input(text("projects.name"), known.name, max_chars=_LONGEST_NAME)
        colour = st.radio(
            text("projects.colour"),
            _COLOURS,
            index=_COLOURS.index(known.colour),
            format_func=_named,
            horizontal=True,
        )
        if st.form_submit_button(text("settings.save")):
            own_name = "" if name == assistant.project else name
            attempt(lambda: assistant.change_project(name=own_name, colour=colour), text("projects.saved"))


def _named(colour: str) -> str:
    name = colour or "none"
    return dotted(text(f"projects.colours.{name}"), colour)


def _delete(assistant: ProjectAssistant, person: PersonalAssistant, known: ProjectSettings) -> None:
    with st.popover(text("projects.delete"), icon=":material/delete:", type="tertiary"):
        count = text("documents.count", count=assistant.library.count())
        st.caption(plain_label(text("projects.delete_help", name=known.name, documents=count)))
        if st.button(text("projects.delete_now"), key="legajo_delete_project"):
            attempt(lambda: _forget(person, assistant.project), text("projects.deleted", name=known.name))


def _forget(person: PersonalAssistant, project: str) -> None:
    """And show another."""
    person.delete_project(project)
    show_project(None)
