"""The whole plan of a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.generation import replies
from rag_system.query.courtesy import strip_courtesy
from rag_system.query.plan import analyze
from rag_system.query.typing_habits import shorthand_in_full
from rag_system.types import Courtesy, InventoryFilter, Message, QueryPlan, Route


def test_a_question_with_everything() -> None:
    plan = analyze("  Hola, ¿qué dice Arias (2020) sobre la Ley N.º 29.733 y la ISO/IEC 27001:2022?  ")
    assert plan == QueryPlan(
        question="Hola, ¿qué dice Arias (2020) sobre la Ley N.º 29.733 y la ISO/IEC 27001:2022?",
        route=Route.RETRIEVE,
        standalone_question="¿qué dice Arias (2020) sobre la Ley N.º 29.733 y la ISO/IEC 27001:2022?",
        citation=True,
        authors=("arias",),
        years=(2020,),
        identifiers=("ley:29733", "iso:27001@2022"),
        kind="question",
        probability=plan.probability,
    )


def test_shorthand_is_searched_in_full_letters_and_is_no_follow_up() -> None:
    plan = analyze("q plazo hay pa devolver un equipo")
    assert (plan.question, plan.standalone_question, plan.reformulated) == (
        "q plazo hay pa devolver un equipo",
        "que plazo hay para devolver un equipo",
        False,
    )


def test_an_inventory_question_carries_its_filter() -> None:
    plan = analyze("¿qué leyes tienes sobre teletrabajo?")
    assert (plan.route, plan.inventory) == (Route.INVENTORY, InventoryFilter(topic="teletrabajo", kinds=("ley",)))


def test_courtesy_is_not_searched() -> None:
    plan = analyze("gracias", [Message("user", "¿Qué es la CTS?"), Message("assistant", "Un beneficio.")])
    assert (plan.route, plan.reformulated, plan.citation) == (Route.TRIVIAL, False, False)


SAID = {
    "about": ["¿En qué nos puedes ayudar?", "¿Qué tal? ¿Qué servicios ofreces?", "Hola, ¿quién eres?",
              "¿Qué puedes hacer?", "quiero saber quién eres", "¿puedes ayudarme por favor?", "¿Estás ahí?"],
    "farewell": ["hasta luego", "nos vemos mañana", "gracias, adiós", "ok, gracias, hasta luego", "feliz día",
                 "me voy", "Que tengas un buen día", "no tengo más preguntas", "Eso es todo"],
    "thanks": ["gracias", "Muchas gracias", "ya veo, gracias", "ok muchas gracias", "te lo agradezco",
               "eres muy amable", "gracias por responder", "excelente respuesta", "agradezco tu ayuda"],
    "greeting": ["HOLA", "¿Qué tal?", "buenas", "Buenas noches", "Hola, mi nombre es Juan", "bien, ¿y tú?", "saludos",
                 "¿Cómo estás hoy?", "hola, tengo una duda"],
    "acknowledgement": ["ok", "claro", "ya entendí", "perfecto", "👍", "👌🏽 🙏", "está bien"],
    "nothing": ["", "?", "¿¿??", "...", "🤔🤔🤔", "😀😀 !!", "a", "<b></b>"],
    "other_script": ["劳动者的年假有多少天？", "ما هي مدة الإجازة السنوية؟", "Сколько дней отпуска?", "hola, 你好"],
}  # fmt: skip


@pytest.mark.parametrize(("said", "message"), [(said, message) for said in SAID for message in SAID[said]])
def test_what_courtesy_says_decides_its_reply(said: Courtesy, message: str) -> None:
    plan = analyze(message)
    assert (plan.courtesy, replies.courtesy(plan)) == (said, replies.COURTESIES[said])


def test_a_question_has_no_courtesy() -> None:
    assert analyze("Hola, gracias. ¿Qué plazo hay para apelar?").courtesy == ""
    assert analyze("Hola, ¿qué documentos tienes?").courtesy == ""


def test_a_long_question_is_cut_at_a_word_and_says_so() -> None:
    plan = analyze("palabra " * 200)
    assert len(plan.question) <= 1000
    assert plan.question.endswith("palabra")
    assert "1000" in plan.notices[0]


def test_a_long_word_is_cut_too() -> None:
    assert len(analyze("a" * 3000).question) == 1000


@pytest.mark.parametrize("message", ["", "  ", "?", "a", "1", "¿?", "👍"])
def test_what_is_too_short_is_not_searched(message: str) -> None:
    assert analyze(message).route is Route.TRIVIAL


def test_the_notice_says_how_much_to_write() -> None:
    assert "3" in analyze("a").notices[0]
    assert analyze("ok").notices == ()


def test_two_letters_are_a_question_inside_a_conversation() -> None:
    history = [Message("user", "¿Qué requisitos pide la licencia en Lima?"), Message("assistant", "Tres [1].")]
    assert analyze("IR", history).route is Route.RETRIEVE


def test_invisible_characters_go() -> None:
    assert analyze("\ufeffLey\x00 29733\u200b").question == "Ley 29733"


@given(st.text(max_size=300), st.lists(st.text(max_size=50), max_size=4))
def test_any_message_has_a_plan(question: str, turns: list[str]) -> None:
    history = [Message("assistant" if index % 2 else "user", turn) for index, turn in enumerate(turns)]
    plan = analyze(question, history)
    assert plan.reformulated == (
        plan.standalone_question not in (plan.question, strip_courtesy(shorthand_in_full(plan.question)))
    )
    assert plan.citation == bool(plan.authors)
    assert "\x00" not in plan.question
