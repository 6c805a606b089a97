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
    (
        "¿Cuántas sillas tiene la sala infantil?",
        False,
    ),  # no passage has the word, or counts what may be called otherwise
    ("¿Cuántos lectores vinieron a la feria en 2018?", False),
    ("¿Cuántos talleres tiene la sala infantil?", False),
    ("¿Cuántas horas dura el taller de encuadernación?", False),
    ("¿Qué porcentaje de los lectores son niños?", False),
    ("q monto pide el taller de encuadernación", False),
    ("¿Cuánto pesa el carné de lector?", False),
    ("¿Cuánto cuesta el taller de encuadernación?", False),
    ("¿Cuántos bibliotecarios de turno hay en la sede de Chachapoyas?", False),  # another place's
    ("¿Qué horario tiene el préstamo de libros?", True),  # no quantity
]


@pytest.mark.parametrize(("question", "said"), QUESTIONS)
def test_a_quantity_is_said_where_a_sentence_about_the_thing_holds_one_of_its_kind(question: str, said: bool) -> None:
    asked = request(question, evidence(LIBRARY))
    assert (unsaid_quantity(asked.plan, asked.evidence) == "") is said


PLAINLY = [
    ("¿Cuántos cupos por salón guardan para niños ciegos?", "Se reservan tres vacantes por aula a los ciegos.", True),
    ("¿Cuánto cobran por el carné de lector en 2023?", "Por el carné de lector se cobra S/ 8.00.", True),
    ("¿Hasta qué monto se reclama sin abogado?", "Se reclama sin abogado hasta diez (10) URP.", True),
    ("¿Cuántos alumnos hay por aula?", "Alumnos por aula: 25", True),
    ("¿Cuántas copias del contrato se entregan?", "El contrato se extiende por triplicado.", True),
    (
        "¿Cuántas sesiones ordinarias hace el concejo al mes?",
        "El concejo se reúne en sesión ordinaria no menos de dos, ni más de cuatro veces al mes.",
        True,
    ),
    ("¿Cuántas copias del contrato se entregan?", "El contrato se extiende por escrito.", False),
    (
        "¿Cuántas sesiones ordinarias hace el concejo al mes?",
        "El concejo se reúne en sesión ordinaria, y su comisión no menos de dos, para lo que disponga la ley.",
        False,
    ),
    ("¿Cuántos alumnos hay por aula?", "Concepto | Cantidad\nAlumnos por aula | 25", True),
    ("¿Cuántas aulas tiene el colegio?", "Número de aulas del colegio: 12.", True),
    ("¿Cuántos puertos USB tiene el equipo?", "Puertos USB del equipo: 4", True),
    ("¿Cuántas sesiones tiene el curso?", "Sesiones del curso: del 1 al 8.", True),
    ("¿Cuánto cuesta la matrícula?", "Concepto | Precio\nMatrícula | 150,00", True),
    ("¿Cuántos habitantes tiene el distrito?", "La población del distrito: 45 210.", True),
    ("¿Cuántas personas viven en el distrito?", "La población del distrito es de 45 210 habitantes.", True),
    ("¿Cuántos habitantes tiene el distrito?", "El distrito tiene una población de 45 210.", True),
    (
        "¿Cuántos habitantes tiene el distrito?",
        "El distrito limita por el norte con la hoja -0662 (9a) Lobitos.",
        False,
    ),
    ("¿Cuántos árbitros forman el tribunal?", "Los árbitros del tribunal son tres.", True),
    ("¿Cuántos testigos necesita el testamento?", "Los testigos del testamento serán, por lo menos, dos.", True),
    ("¿Cuántas audiencias se hacen al año?", "Se harán como mínimo dos (02) Audiencias Públicas al año.", True),
    ("¿Cuántos megas puede tener el archivo?", "El archivo no debe exceder de 20 MB.", True),
    (
        "¿Cuántos inscritos tiene el registro?",
        "El registro de inscritos de la sede de la capital fija el número de datos.",
        False,
    ),
    ("¿Cuántas personas cobraron por el correo?", "La persona que recibe el correo cobra un monto equivalente.", False),
    ("¿Cuántas universidades cerró la moratoria?", "La moratoria de universidades es de cinco años.", False),
    ("¿Cuántos niños fueron a la vacunación?", "La vacunación es de los niños hasta los 24 meses de edad.", False),
    ("¿Cuánto gana el supervisor?", "El supervisor cobra su remuneración en la oficina.", False),
    ("¿Cuánto gana el supervisor?", "El supervisor cobra una remuneración mínima.", True),
    ("¿Cuántas vacaciones me tocan?", "Son treinta días calendario de descanso vacacional.", True),
    (
        "¿Cuántas faltas injustificadas causan el despido?",
        "Es falta grave que da lugar al despido la ausencia por más de tres días y las ausencias injustificadas por "
        "más de cinco días.",
        True,
    ),
    ("¿Cuántos votos se necesitan para la vacancia?", "Los votos de la vacancia son dos tercios.", True),
    ("¿Cuántos votos eligen al presidente?", "Al presidente lo eligen los votos de la mayoría absoluta.", True),
    ("¿Cuántos votos eligen al presidente?", "Al presidente lo eligen los votos de todos, por unanimidad.", True),
    ("¿Cuántas copias de la solicitud van?", "Las copias de la solicitud van por duplicado.", True),
    ("¿Cuántas copias de la solicitud van?", "Las copias de la solicitud van por triplicado.", True),
    ("¿Cuánto tarda el arranque del equipo?", "El arranque del equipo tarda 30 segundos.", True),
    ("¿Cuánto tarda el arranque del equipo?", "El segundo arranque del equipo es el de prueba.", False),
    ("¿Cuánto cuesta la matrícula?", "La matrícula cuesta 150 €.", True),
    ("¿Cuánto cuesta la matrícula?", "La matrícula cuesta 150€.", True),
    ("¿Cuánto cuesta la matrícula?", "La matrícula cuesta € 150.", True),
    ("¿Cuánto cuesta la matrícula?", "La matrícula cuesta 1 500 pesos.", True),
    ("¿Cuánto pesa el instalador del programa?", "El instalador del programa pesa 350 KB.", True),
    ("¿Cuánto mide el tubo?", "El tubo: de 350 cm.", True),
    ("¿Cuántos kilómetros por hora puedo ir en zona escolar?", "En zona escolar: 30 km/h.", True),
    ("¿Cuántos metros de retiro?", "El retiro es de 3 m.", True),
    ("¿Cuántas horas extras puedo hacer al día?", "Las horas extras al día no tienen límite.", True),
    ("¿Cuántos decibeles se permiten de noche?", "De noche se permiten 50 dB en zona residencial.", True),
    ("¿Cuántos decibeles se permiten de noche?", "Decibeles que se permiten de noche en la zona: 50 dB.", True),
    ("¿Cuántos vatios consume el horno?", "Consumo del horno: 1500 W.", True),
    ("¿Cuántos vatios consume el horno?", "Los vatios que consume el horno: 1500 W.", True),
    ("¿A cuánto asciende la multa?", "La multa asciende a 2 UIT.", True),
    ("¿A cuánto asciende la multa?", "La multa la cobra el tesorero.", False),
    ("¿De cuánto es la garantía?", "La garantía es de 24 meses.", True),
    ("¿De cuánto es la garantía?", "La garantía la da el vendedor.", False),
    ("¿Cuántas copias de la solicitud van?", "Las copias de la solicitud van en el orden de la directiva 25.", False),
    ("¿Cuántas copias de la solicitud van?", "Copias de la solicitud, desde: 2019.", False),  # a year
    ("¿Cuántas copias de la solicitud van?", "| 3 | Copias de la solicitud |", False),  # a row's number
]


@pytest.mark.parametrize(("question", "passage", "said"), PLAINLY)
def test_a_quantity_may_be_said_in_a_cell_after_a_colon_or_with_a_unit(question: str, passage: str, said: bool) -> None:
    asked = request(question, evidence(chunk(passage, title="Manual")))
    assert (unsaid_quantity(asked.plan, asked.evidence) == "") is said


def test_a_whole_story_is_let_pass() -> None:
    story = "Mi hijo lee en la sala infantil con sus primos todas las tardes, ¿cuántos talleres tiene esa sala?"
    asked = request(story, evidence(LIBRARY))
    assert unsaid_quantity(asked.plan, asked.evidence) == ""


LONG = [
    (
        "¿Cuántas sesiones tiene el taller de encuadernación que dan los sábados en la sala infantil?",
        False,
    ),
    ("¿Cuántos bibliotecarios están de turno para atender a la gente que llega a la biblioteca en la mañana?", True),
]


@pytest.mark.parametrize(("question", "said"), LONG)
def test_a_long_question_that_asks_first_is_no_story(question: str, said: bool) -> None:
    asked = request(question, evidence(LIBRARY))
    assert (unsaid_quantity(asked.plan, asked.evidence) == "") is said


@pytest.mark.parametrize("quoted", [True, False])
def test_it_silences_quotes_and_leaves_a_model_to_judge(quoted: bool) -> None:
    asked = request("¿Cuántas horas dura el taller de encuadernación?", evidence(LIBRARY))
    lack = too_far(asked.plan, asked.evidence, 0.9, lambda terms: dict.fromkeys(terms, 1.0), quoted=quoted)
    assert ("no se dice cuánto tiempo; lo más cercano está en" in lack) is quoted
