"""What a question asks for, and which sentences have it."""

from __future__ import annotations

import pytest

from rag_system.generation.asking import before_the_copula, is_kind_word, read_question, speaks_of_itself
from rag_system.query.text import fold

# A question, a sentence that has what it asks for, and one about the same that has not.
PAIRS = [
    ("¿Qué plazo hay para apelar?", "Se apela dentro de quince (15) días.", "La apelación se presenta por escrito."),
    ("¿Cuánto demora el trámite?", "Se resuelve en dos meses.", "El trámite es gratuito y presencial."),
    ("¿Con cuánta anticipación aviso? plazo", "Se avisa treinta días antes.", "El aviso se da por escrito."),
    ("¿Cada cuánto se revisa?", "La revisión es semestral.", "La revisión la hace el jefe."),
    ("¿Cuándo se paga la gratificación?", "Se paga en julio y en diciembre.", "La gratificación es un beneficio."),
    ("¿Cuánto cuesta la copia?", "La copia cuesta S/ 3,50.", "La copia se entrega en caja."),
    ("¿Cuánto cobran por la copia?", "La copia no está sujeta a cobro alguno.", "La copia se cobra en caja."),
    ("¿Qué costo tienen las visitas?", "Las visitas guiadas son gratuitas.", "Las visitas son guiadas."),
    ("¿Es gratis la visita?", "La visita cuesta 5 soles.", "La visita es guiada."),
    ("¿De cuánto es la multa?", "La multa es de 2 UIT.", "La multa la impone el alcalde."),
    ("¿Quién firma el informe?", "El informe está a cargo del secretario.", "El informe se archiva un año."),
    ("¿Dónde se presenta el recurso?", "Se presenta en la mesa de partes, ante la oficina.", "El recurso es gratis."),
    ("¿Dónde se publica el informe?", "Se publica en la página web.", "El informe se publica cada año."),
    ("¿Por qué motivos se pierde?", "Se pierde por sentencia firme.", "Se pierde el derecho al pasaporte."),
    ("¿Quién paga el examen?", "El examen está a cargo del empleador.", "El examen cuesta el 5 % de una UIT."),
    ("¿A dónde va la multa?", "Se deposita en el Banco de la Nación.", "La multa es de 2 UIT."),
    ("¿Cuánto paga quien no vota?", "Paga el 2 % de una UIT.", "Lo que paga está a cargo del alcalde."),
    ("¿Qué multas hay para quienes botan basura?", "La multa es de 2 % de la UIT.", "Se barre la calle."),
    ("¿Qué castigo recibe quien maltrata un libro?", "Pierde el carné.", "El libro es de tapa dura."),
    ("Si vendo el auto, ¿a quién le cobran?", "Responde el titular.", "El pago es de 2 % de la UIT."),
    ("¿Puedo fumar en el local?", "Está prohibido fumar.", "El local abre temprano."),
    ("¿Es obligatorio el examen?", "El examen es facultativo.", "El examen consta de dos partes."),
    ("¿Cuántos años dura el cargo?", "El cargo dura un (1) año.", "El cargo es honorífico."),
    ("¿Hasta cuándo rige la medida?", "Rige en tanto persista el riesgo.", "La medida la dicta el juez."),
    ("¿En qué meses se poda?", "Se poda en junio y julio.", "La poda es anticipada."),
    ("¿Cuándo no se necesita permiso?", "No se requiere permiso en casa.", "El permiso se pide el 3 de mayo."),
    ("¿Qué sanción hay por no avisar?", "La omisión se sanciona con suspensión.", "El aviso se da por escrito."),
    ("¿Qué horario de atención hay?", "Se atiende de ocho a cinco.", "Se atiende de una sede a otra."),
]


@pytest.mark.parametrize(("question", "answers", "does_not"), PAIRS)
def test_the_kind_of_thing(question: str, answers: str, does_not: str) -> None:
    asked = read_question(fold(question))
    assert asked.most >= asked.worth(fold(answers)) > asked.worth(fold(does_not))


def test_a_number_of_something_else_is_worth_less() -> None:
    asked = read_question("¿cuantos controles tiene el anexo?")
    assert asked.worth("el anexo reune 93 controles.") == asked.most
    assert 0.0 < asked.worth("los controles siguen el apartado 5.7.") < asked.most
    assert asked.counts("reune noventa y tres (93) controles,")
    assert not asked.counts("93 anexos de los controles")


@pytest.mark.parametrize(
    "sentence",
    [
        "La municipalidad se encarga de aplicar las multas.",
        "El costo es por cuenta del solicitante.",
        "El empleador asume el costo del examen.",
        "El examen es pagado por el empleador.",
    ],
)
def test_a_sentence_that_names_who(sentence: str) -> None:
    assert read_question("¿quien paga el examen?").says_outright(fold(sentence))
    assert not read_question("¿cuanto cuesta el examen?").says_outright(fold(sentence))


@pytest.mark.parametrize(("question", "something"), [("¿y de los accidentes?", False), ("¿y cuándo vence?", True)])
def test_a_question_that_asks_for_nothing_known(question: str, something: bool) -> None:
    assert read_question(fold(question)).something is something


FIGURES = [
    ("El plazo para apelar es de quince (15) días.", 1.0),
    ("218.2 El término para la interposición de los recursos es de quince (15) días perentorios.", 1.0),
    ("La autoridad resuelve dentro de los treinta (30) días.", 0.4),
    ("El plazo se cuenta desde la notificación.", 0.0),
]


@pytest.mark.parametrize(("sentence", "expected"), FIGURES)
def test_a_sentence_that_sets_a_figure(sentence: str, expected: float) -> None:
    assert read_question("¿que plazo hay para apelar?").sets_a_figure(fold(sentence)) == expected
    assert read_question("¿que es un recurso?").sets_a_figure(fold(sentence)) == 0.0


SHAPES = [
    ("¿Qué es el teletrabajo?", True, False),
    ("¿Qué se entiende por domicilio?", True, False),
    ("define trazabilidad", True, False),
    ("¿Cuáles son los requisitos de la solicitud?", False, True),
    ("¿Qué derechos tiene el titular?", False, True),
    ("¿Qué debe contener el escrito?", False, True),
    ("pasos para inscribirse", False, True),
    ("¿Cuánto dura el permiso?", False, False),
]


@pytest.mark.parametrize(("question", "defines", "lists"), SHAPES)
def test_definitions_and_lists(question: str, defines: bool, lists: bool) -> None:
    asked = read_question(fold(question))
    assert (asked.defines, asked.lists) == (defines, lists)


SUBJECTS = [
    ("El teletrabajo es una modalidad de trabajo.", "el teletrabajo ", True),
    ("1.1 Son actos administrativos, las declaraciones de las entidades.", "actos administrativos", True),
    ("b) Entiéndase por domicilio el lugar en que se reside.", "domicilio", True),
    ("RTO: tiempo máximo de recuperación.", "rto", True),
    ("El acto administrativo es eficaz desde que se notifica.", "el acto administrativo ", False),
    ("1.2 No son actos administrativos:", "", False),
    ("Para los efectos de esta directiva, la sala es un lugar para leer.", "la sala ", True),
    ("Se presenta por escrito", "", False),
]


@pytest.mark.parametrize(("sentence", "subject", "says_what_it_is"), SUBJECTS)
def test_what_a_sentence_is_about(sentence: str, subject: str, says_what_it_is: bool) -> None:
    assert before_the_copula(fold(sentence)) == (subject, says_what_it_is)


def test_words_that_only_name_the_kind() -> None:
    assert all(map(is_kind_word, ("plazo", "dias", "cuanto", "demora", "monto")))
    assert not any(map(is_kind_word, ("apelar", "plazoleta", "licencia")))


ITSELF = [
    ("Esta guía resume, con palabras propias, la Ley N.° 29733.", True),
    ("Publicado en el diario oficial El Peruano el 17 de diciembre.", True),
    ("Que, mediante el Oficio N.° 12, la oficina remite el proyecto;", True),
    ("El plazo vence el día quince.", False),
    ("Quien publica el acto responde por él.", False),
]


@pytest.mark.parametrize(("sentence", "expected"), ITSELF)
def test_a_document_that_tells_of_itself(sentence: str, expected: bool) -> None:
    assert speaks_of_itself(fold(sentence)) is expected


OUTRIGHT = [
    # question, sentence, whether it says who, or that one may
    ("¿Quién evalúa el plan?", "La evaluación está a cargo de la gerencia.", True),
    ("¿Quién evalúa el plan?", "El plan se evalúa cada año.", False),
    ("¿Puede la empresa despedir a una embarazada?", "Queda prohibido que la empresa despida a una embarazada.", True),
    ("¿Se pueden acumular las vacaciones?", "Las vacaciones no son acumulables.", True),
    ("¿Puede la empresa despedir a una embarazada?", "Se presume que el despido es por el embarazo.", False),
    ("¿Qué plazo hay?", "La evaluación está a cargo de la gerencia.", False),
]


@pytest.mark.parametrize(("question", "sentence", "expected"), OUTRIGHT)
def test_who_and_whether_are_said_outright(question: str, sentence: str, expected: bool) -> None:
    assert read_question(fold(question)).says_outright(fold(sentence)) is expected


STRAYING = [
    ("¿En cuántos días se entrega la copia?", "31.1 Si el solicitante no recoge la copia, se archiva.", True),
    ("¿En cuántos días se entrega la copia?", "La copia se entrega en diez días.", False),
    ("¿Qué pasa si no recojo la copia?", "Si el solicitante no recoge la copia, se archiva.", False),
]


@pytest.mark.parametrize(("question", "sentence", "expected"), STRAYING)
def test_what_holds_for_another_case(question: str, sentence: str, expected: bool) -> None:
    assert read_question(fold(question)).strays(fold(sentence)) is expected


def test_a_date_is_no_amount() -> None:
    asked = read_question("¿cuando se pagan las gratificaciones?")
    assert asked.sets_a_figure(fold("El monto es el promedio de los últimos seis meses.")) == 0.0
    assert asked.sets_a_figure(fold("El pago se hace dentro de los quince días.")) == 1.0


def test_recitals_and_what_editors_add() -> None:
    assert speaks_of_itself(fold("Que el artículo 59 dispone que una ley regule los derechos;"))
    assert speaks_of_itself(fold("Entidad deroga directiva de notificaciones [Resolución 71-2026-ENT-PRE]"))
    assert not speaks_of_itself(fold("El plazo es de un año.(*) Artículo modificado, publicado el 3 de mayo."))
