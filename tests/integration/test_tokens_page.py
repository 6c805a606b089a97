"""Tokens of other programs, made and withdrawn in the chat."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from assistant.assistant import Assistant, PersonalAssistant
from rag_system import LOCAL_PERSON
from rag_system.embeddings.testing import HashEmbeddings
from rag_system.settings import Settings


def script(person):  # type: ignore[no-untyped-def]  # its source is copied out of this module
    from ui.components.tokens import render_tokens

    render_tokens(person, "general")


def opened(person: PersonalAssistant) -> AppTest:
    return AppTest.from_function(script, kwargs={"person": person}, default_timeout=120).run()


def test_a_token_is_made_shown_once_and_withdrawn(settings: Settings) -> None:
    with Assistant.open(settings, embeddings=HashEmbeddings()) as assistant:
        person = assistant.as_person(LOCAL_PERSON)
        person.create_project("general")
        app = opened(person)
        app.button(key="FormSubmitter:legajo_tokens-Crear token").click().run()
        assert "nombre" in app.error[0].value
        app.text_input[0].set_value("intranet")
        app.button(key="FormSubmitter:legajo_tokens-Crear token").click().run()
        (secret,) = (each.value for each in app.code)
        bearer = assistant.bearer(secret)
        assert (bearer.person, bearer.scopes, bearer.project) == (LOCAL_PERSON, ["search", "ask"], "general")
        app.button(key="legajo_token_kept").click().run()
        assert not app.code
        assert secret not in str([each.value for each in (*app.caption, *app.markdown)])
        app.button(key=f"legajo_withdraw_{bearer.token_id}").click().run()
        assert person.tokens.all() == []
        assert not app.exception
