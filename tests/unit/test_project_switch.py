"""Which project a tab shows, run by Streamlit's own tester."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from assistant.projects import ProjectSummary
    from ui.components.projects import choose_project, show_project

    there = [
        ProjectSummary(project=each, name=each, role="owner", colour="", documents=0) for each in ("general", "obras")
    ]
    if st.button("obras", on_click=show_project, args=("obras",)):
        st.stop()  # as a click on a link does that comes before the project was chosen
    st.write(choose_project(there))


def test_a_page_that_is_opened_in_the_middle_of_a_switch_is_of_the_new_project() -> None:
    app = AppTest.from_function(script, default_timeout=120).run()
    app.button[0].click().run()
    app.query_params.clear()  # a link to a page carries no query
    assert app.run().markdown[0].value == "obras"
