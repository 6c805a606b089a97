"""Courtesy around a question, what part of the collection is asked for, and what a conversation changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.courtesy import strip_courtesy
from rag_system.query.inventory import read_inventory
from rag_system.query.routing import route
from rag_system.query.typing_habits import mend, shorthand_in_full
from rag_system.types import InventoryFilter, Message, Route


@given(st.text(max_size=200))
def test_any_text_has_a_route(text: str) -> None:
    assert route(text) in Route


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Hola, ¿qué dice la Ley 29733?", "¿qué dice la Ley 29733?"),
        ("Hola, buenos días. ¿Qué dice la Ley 29733? Gracias", "¿Qué dice la Ley 29733?"),
        ("¡Hola! Quisiera saber el plazo para apelar, por favor.", "el plazo para apelar"),
        ("me despidieron ayer. ¿cuánto me pagan?", "me despidieron ayer. ¿cuánto me pagan?"),
        ("ok, ¿y la multa?", "¿y la multa?"),
        ("Buenas prácticas de manufactura", "Buenas prácticas de manufactura"),
        ("Buenas tardes", "Buenas tardes"),
        ("gracias", "gracias"),
        ("perfecto estado del inmueble", "perfecto estado del inmueble"),
        ("👍 ok ¿y la CTS?", "¿y la CTS?"),
        ("", ""),
    ],
)
def test_strip_courtesy(question: str, expected: str) -> None:
    assert strip_courtesy(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿qué documentos tienes?", InventoryFilter()),
        ("¿qué leyes tienes?", InventoryFilter(kinds=("ley",))),
        ("¿qué leyes tienes sobre teletrabajo?", InventoryFilter(topic="teletrabajo", kinds=("ley",))),
        ("¿Qué leyes tienes sobre Protección de Datos?", InventoryFilter(topic="Protección de Datos", kinds=("ley",))),
        ("lista los PDF", InventoryFilter(formats=("pdf",))),
        ("lista los archivos word", InventoryFilter(formats=("docx", "doc"))),
        ("¿tienes documentos en PDF o Word?", InventoryFilter(formats=("pdf", "docx", "doc"))),
        ("¿Qué decretos supremos tienes sobre salud?", InventoryFilter(topic="salud", kinds=("ds",))),
        ("¿Qué normas ISO tienes?", InventoryFilter(kinds=("iso",))),
        ("¿Qué leyes laborales tienes?", InventoryFilter(topic="laborales", kinds=("ley",))),
        ("¿Tienes algo sobre teletrabajo?", InventoryFilter(topic="teletrabajo")),
        ("¿qué normas tienes de calidad?", InventoryFilter(topic="calidad")),
        ("¿tienes algún manual de almacén?", InventoryFilter(topic="almacén")),
        ("¿Qué documentos hablan de teletrabajo?", InventoryFilter(topic="teletrabajo")),
        ("¿Qué documentos mencionan la ISO 27001?", InventoryFilter(topic="la ISO 27001")),
        ("¿qué manuales tienes?", InventoryFilter(topic="manuales")),
        ("¿tienes la ISO 9001?", InventoryFilter()),
        ("Hola, ¿qué documentos tienes sobre vacaciones, por favor?", InventoryFilter(topic="vacaciones")),
        ("¿qué archivos he subido?", InventoryFilter()),
        ("¿Sobre qué temas puedes responder?", InventoryFilter()),
        ("q docs tienes", InventoryFilter()),
    ],
)
def test_inventory_filter(question: str, expected: InventoryFilter) -> None:
    assert read_inventory(question) == expected


@pytest.mark.parametrize("question", ["¿y manuales?", "¿y en PDF?", "¿y sobre teletrabajo?", "¿cuáles son leyes?"])
def test_an_inventory_goes_on(question: str) -> None:
    history = [Message("user", "¿qué documentos tienes?"), Message("assistant", "Tengo 8 documentos.")]
    assert route(question, history) is Route.INVENTORY
    assert route(question) is not Route.INVENTORY


def test_an_assent_answers_an_offer() -> None:
    asked = Message("user", "¿Qué es la CTS?")
    offer = [asked, Message("assistant", "Es un beneficio. ¿Quiere que le explique cómo se calcula?")]
    told = [asked, Message("assistant", "Es un beneficio.")]
    assert route("sí, por favor", offer) is Route.RETRIEVE
    assert route("sí, por favor", told) is Route.TRIVIAL
    assert route("gracias", offer) is Route.TRIVIAL


@pytest.mark.parametrize(
    ("typed", "mended"),
    [
        ("q documentos tienes", "que documentos tienes"),
        ("que archivos ay", "que archivos hay"),
        ("que formas hay", "que formas hay"),
    ],
)
def test_mend(typed: str, mended: str) -> None:
    assert mend(typed) == mended


@pytest.mark.parametrize(
    ("typed", "in_full"),
    [
        ("y pa q guardan mis datos, pa q?", "y para que guardan mis datos, para que?"),
        ("Q pasa si falto", "Que pasa si falto"),
        ("¿y tmb los practicantes?", "¿y tambien los practicantes?"),
        ("q) plazo de entrega", "q) plazo de entrega"),
        ("el eje x que unidades tiene", "el eje x que unidades tiene"),
        ("¿hay tratamiento para la tb en niños?", "¿hay tratamiento para la tb en niños?"),
        ("what does q clause say about it", "what does q clause say about it"),
    ],
)
def test_shorthand_is_written_out(typed: str, in_full: str) -> None:
    assert shorthand_in_full(typed) == in_full


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Quién eres y qué puedes hacer?", Route.TRIVIAL),
        ("Hola, ¿cómo te llamas y qué haces?", Route.TRIVIAL),
        ("quien eres y para que sirves", Route.TRIVIAL),
        ("¿Quién eres y qué dice la ley 29733?", Route.RETRIEVE),
        ("¿Qué es la CTS y cómo funciona?", Route.RETRIEVE),
    ],
)
def test_two_questions_about_the_assistant(question: str, expected: Route) -> None:
    assert route(question) is expected
