"""Quantities that questions ask for, and whether a passage says them."""

from __future__ import annotations

import pytest

from rag_system.generation.quantities import unsaid_quantity
from rag_system.generation.silence import too_far
from tests.builders import chunk, evidence, request

LIBRARY = chunk(
    "La biblioteca abre con dos bibliotecarios de turno. El comité de lectura está conformado por cinco representantes "
    "de los vecinos. El carné de lector es gratuito. El préstamo de un libro dura un mes. Se celebra una feria al año, "
    "según la Ley 28086 y el artículo 12. La multa por demora se reduce a la mitad. El número de mesas de estudio será "
    "fijado por el reglamento interno. El 30 junio 2019 se renovaron los estantes de madera. La sala infantil mide "
    "cuarenta metros cuadrados. Los talleres de encuadernación se anuncian en el mural.",
    title="Reglamento de la biblioteca del barrio",
    headings=("Artículo 4.- Servicios",),
)
QUESTIONS = [
    ("¿Cuántos bibliotecarios hay de turno?", True),
    ("¿Cuántos miembros tiene el comité de lectura?", True),  # «cinco representantes»
    ("¿Cuánto cuesta el carné de lector?", True),  # «gratuito»
    ("¿Cuántos días dura el préstamo de un libro?", True),  # «un mes»
    ("¿Cuántas ferias se celebran?", True),  # «una feria», which is no figure
    ("¿Qué porcentaje se reduce de la multa por demora?", True),  # «la mitad»
    ("¿Cuántas mesas de estudio hay?", True),  # left to another norm
    ("¿Cuánto mide la sala infantil?", True),
    ("¿Cuántas clases de talleres hay?", True),  # a list would answer it
    ("¿Dónde se anuncian los talleres?", True),  # no quantity
    ("en unos cuantos días abre el taller de encuadernación?", True),
    ("¿Cuántos estantes de madera hay?", False),  # «30 junio 2019» is a date
    ("¿Cuántas sillas tiene la sala infantil?", False),
    ("¿Cuántas horas dura el taller de encuadernación?", False),
    ("¿Qué porcentaje de los lectores son niños?", False),
    ("¿Cuánto pesa el carné de lector?", False),
    ("¿Cuánto cuesta el taller de encuadernación?", False),
    ("¿Cuántos bibliotecarios de turno hay en la sede de Chachapoyas?", False),  # another place's
    ("¿Qué horario tiene el préstamo de libros?", True),  # no quantity
]


@pytest.mark.parametrize(("question", "said"), QUESTIONS)
def test_a_quantity_is_said_where_a_sentence_about_the_thing_holds_one_of_its_kind(question: str, said: bool) -> None:
    asked = request(question, evidence(LIBRARY))
    assert (unsaid_quantity(asked.plan, asked.evidence) == "") is said


def test_a_whole_story_is_let_pass() -> None:
    story = "Mi hijo lee en la sala infantil con sus primos todas las tardes, ¿cuántas sillas tiene esa sala?"
    asked = request(story, evidence(LIBRARY))
    assert unsaid_quantity(asked.plan, asked.evidence) == ""


@pytest.mark.parametrize("quoted", [True, False])
def test_it_silences_quotes_and_leaves_a_model_to_judge(quoted: bool) -> None:
    asked = request("¿Cuántas horas dura el taller de encuadernación?", evidence(LIBRARY))
    lack = too_far(asked.plan, asked.evidence, 0.9, lambda terms: dict.fromkeys(terms, 1.0), quoted=quoted)
    assert ("no se dice cuánto tiempo; lo más cercano está en" in lack) is quoted
