"""Which project is shown, and the way to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from rag_system import DEFAULT_PROJECT
from rag_system.errors import NotFoundError
from ui.components.addresses import PROJECT
from ui.markup import plain_label
from ui.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assistant.projects import ProjectSummary

__all__ = ["choose_project", "dotted", "project_button", "project_switch", "show_project"]

_STATE = "legajo_project"
_SHOWN = 5  # beside every page; the others are a click further


def choose_project(projects: Sequence[ProjectSummary]) -> str | None:
    """The id of the one that this tab shows; None where there is none.

    It stands in the address (`?proyecto=…`), so that a copied link, or a document's, leads to the same. One that is not
    to be seen raises `NotFoundError`, as one does that is not there: another in its place would be taken for it.
    """
    there = [each.project for each in projects]
    asked = st.query_params.get(PROJECT)
    if asked is not None and asked not in there:
        raise NotFoundError(text("projects.unknown", name=asked), code="unknown_project", project=asked)
    wanted = (asked, st.session_state.get(_STATE), DEFAULT_PROJECT, *there)
    shown = next((each for each in wanted if each in there), None)
    st.session_state[_STATE] = shown
    if shown in (None, DEFAULT_PROJECT):
        st.query_params.pop(PROJECT, None)
    else:
        st.query_params[PROJECT] = shown
    return shown


def project_switch(projects: Sequence[ProjectSummary], shown: str) -> None:
    """A button for each project; nothing where there is but one."""
    if len(projects) < 2:
        return
    st.html(f"<h2 class='legajo-side-title'>{text('app.nav_projects')}</h2>")
    with st.container(key="legajo_projects", gap=None):
        for each in projects[:_SHOWN]:
            project_button(each, shown)
        if len(projects) > _SHOWN:
            with st.expander(text("projects.more"), key="legajo_more_projects"):
                for each in projects[_SHOWN:]:
                    project_button(each, shown)


def project_button(project: ProjectSummary, shown: str, *, key: str = "side") -> None:
    """One click shows the project."""
    st.button(
        dotted(project.name, project.colour),
        key=f"project-{key}-{project.project}",
        type="secondary" if project.project == shown else "tertiary",
        width="stretch",
        on_click=show_project,
        args=(project.project,),
    )


def show_project(project: str | None) -> None:
    """From the next run on; None: whichever there is."""
    st.session_state[_STATE] = project  # whoever goes to another page at once leaves the address behind
    st.query_params.clear()  # its conversation is of the other project
    if project is not None:
        st.query_params[PROJECT] = project


def dotted(name: str, colour: str) -> str:
    """A name behind a dot of its project's colour."""
    dot = f":{colour}[●] " if colour else ""
    return f"{dot}{plain_label(name)}"
