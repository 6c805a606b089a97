"""Where and how a person asks, by Streamlit's own tester: kept questions, chosen documents, thumbs, offers."""

from __future__ import annotations

import pytest

from assistant.project_assistant import ProjectAssistant
from tests.fakes.provider_server import FakeProviderServer
from tests.faults.processes import until
from tests.small_library import MANUAL, Opening
from tests.tested_pages import QUESTION, ask, captions, lines, opened, press, run
from ui.texts import text

pytestmark = pytest.mark.usefixtures("known_components")

TYPED = "¿Qué equipo se entrega en teletrabajo?"


def asked(assistant: ProjectAssistant) -> list[str]:
    """The questions of the last conversation."""
    conversation = assistant.conversations.recent()[0].conversation_id
    return [turn.content for turn in assistant.turns(conversation) if turn.role == "user"]


def test_a_question_is_kept_asked_with_a_click_renamed_and_removed(assistant: ProjectAssistant) -> None:
    app = opened(ask(run(assistant), QUESTION), "legajo_saved")
    app = app.button(key="legajo_save_last").click().run()
    assert "legajo_save_last" not in {each.key for each in app.button}
    next(each for each in app.text_area if each.label == text("saved.typed")).set_value(TYPED)
    app = press(app, text("saved.save"))
    app = press(app, TYPED)
    assert asked(assistant) == [QUESTION, TYPED]
    app = opened(app.button(key="legajo_new").click().run(), "legajo_saved")
    first, second = assistant.saved_questions.all()
    app.selectbox(key="legajo_saved_which").set_value(first.question_id).run()
    next(each for each in app.text_input if each.label == text("saved.name")).set_value("La primera").run()
    app = app.button(key="legajo_saved_rename").click().run()
    app = app.button(key=f"saved-{first.question_id}").click().run()
    assert asked(assistant) == [first.question]
    for left in ([second.question], []):
        app = opened(app, "legajo_saved").button(key="legajo_saved_remove").click().run()
        assert [each.question for each in assistant.saved_questions.all()] == left
    assert not app.exception


def test_a_conversation_is_confined_to_chosen_documents_until_all_are_asked(assistant: ProjectAssistant) -> None:
    app = opened(run(assistant), "legajo_documents_scope")
    app.multiselect(key="legajo_chosen_documents").set_value([MANUAL]).run()
    assert "Solo en «teletrabajo.md»" in captions(app)
    app = ask(app, QUESTION)
    assert "Busqué solo en «teletrabajo.md»." in captions(app)
    again = run(assistant, conversation=assistant.conversations.recent()[0].conversation_id)
    assert "Solo en «teletrabajo.md»" in captions(again)
    app = again.button(key="legajo_ask_all").click().run()
    assert asked(assistant) == [QUESTION, QUESTION]
    assert "En todos los documentos" in captions(app)
    assert "legajo_ask_all" not in {each.key for each in app.button}


def test_an_answer_that_found_nothing_tells_what_was_searched(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), "¿Quién ganó el campeonato de ajedrez?")
    assert text("why.heading_none") in [each.label for each in app.expander]
    assert "ajedrez" in lines(app)
    assert "Quedaron" in lines(app)
    app = ask(app, "¿Qué documentos tienes?")
    turn = assistant.turns(assistant.conversations.recent()[0].conversation_id)[-1]
    assert "Manual de teletrabajo" in turn.content
    assert turn.sources == ()


def test_a_second_thumb_takes_the_place_of_the_first_and_a_second_click_takes_it_back(
    assistant: ProjectAssistant,
) -> None:
    app = ask(run(assistant), QUESTION)
    app = app.button(key="legajo_thumb_down_1").click().run()
    assert text("rating.why") in [each.label for each in app.get("button_group")]
    app = app.button(key="legajo_thumb_up_1").click().run()
    assert app.get("button_group") == []
    assert app.button(key="legajo_thumb_up_1").label == text("rating.up_chosen")
    assert app.button(key="legajo_thumb_down_1").label == text("rating.down")
    app = app.button(key="legajo_thumb_up_1").click().run()
    assert app.button(key="legajo_thumb_up_1").label == text("rating.up")


def test_an_error_offers_to_try_again(opening: Opening, provider: FakeProviderServer) -> None:
    provider.play("cut")
    local = {"llm_provider": "local", "llm_base_url": f"{provider.url}/v1", "local_api_key": "played-1"}
    assistant = opening(**local)
    app = ask(run(assistant), QUESTION)
    assert "cortó la respuesta" in app.error[0].value
    app = app.button(key="legajo_retry").click().run()
    assert "2/2" in captions(app)


def test_an_address_is_offered_to_be_added_and_can_be_asked_all_the_same(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), "https://www.municipio.example/permisos")
    assert assistant.conversations.recent() == []
    assert {"legajo_page_add", "legajo_page_ask"} <= {each.key for each in app.button}
    app.button(key="legajo_page_ask").click().run()
    assert asked(assistant) == ["https://www.municipio.example/permisos"]


def test_an_address_of_ones_own_network_is_refused_with_the_reason(assistant: ProjectAssistant) -> None:
    app = ask(run(assistant), "http://127.0.0.1:9/intranet")
    app = app.button(key="legajo_page_add").click().run()
    until(lambda: "dirección privada" in lines(app.run()), "the page has been tried")
