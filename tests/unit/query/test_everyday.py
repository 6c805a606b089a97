"""What people say finds what documents write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.everyday import _LONGEST, _said, everyday_words, relatives, with_written_words
from rag_system.query.expansion import expand
from rag_system.query.text import fold

SAID = [
    ("¿me pueden quitar el brevete?", "licencia de conducir"),
    ("me botaron sin motivo", "despido arbitrario"),
    ("¿pueden botarme estando embarazada?", "despido"),
    ("me piden una coima", "cohecho"),
    ("mi jefe no me paga", "empleador"),
    ("¿pueden cortarme la luz? me llegó el recibo de luz", "energía eléctrica"),
    ("perdí mi celular", "teléfono móvil"),
    ("bullying en el colegio", "violencia escolar"),
    ("subieron la mensualidad del colegio", "pensión de enseñanza"),
    ("vivo con mi conviviente hace cinco años", "unión de hecho"),
    ("¿cuándo caduca?", "vence"),
    ("¿me devuelven lo que pagué?", "reembolso"),
    ("¿puedo sacar mi título?", "obtener"),
    ("¿qué cubre el SOAT?", "seguro obligatorio de accidentes de tránsito"),
    ("se me perdió el DNI", "documento nacional de identidad"),
    ("me cayó una papeleta", "infracción de tránsito"),
    ("me quieren botar sin causa", "despido arbitrario"),
    ("nos rebajaron el sueldo", "reducción de la remuneración"),
    ("¿qué pasa si no declaré a tiempo?", "no presentar la declaración jurada dentro de los plazos"),
    ("¿hasta cuándo puedo reclamar la garantía?", "caducidad"),
    ("mi papá no le pasa pensión a mi hermano", "pensión de alimentos"),
    ("quiero poner una bodega", "licencia de funcionamiento"),
    ("¿puedo cargar cosas pesadas en el almacén?", "manipulación manual de cargas"),
    ("se llevaron mi carro al corralón", "depósito vehicular"),
    ("ya no quiero seguir el trámite", "desistimiento"),
    ("¿puede entrar a mi casa la policía?", "inviolabilidad del domicilio"),
    ("quebró la empresa", "quiebra"),
    ("vivo en una casa prestada", "comodato"),
    ("nos hackearon el servidor", "incidente de seguridad de la información"),
]


@pytest.mark.parametrize(("question", "written"), SAID)
@pytest.mark.parametrize("typed", [str, fold, str.upper])
def test_everyday_words(question: str, written: str, typed) -> None:
    asked = typed(question)
    assert written in everyday_words(asked)
    assert written in expand(asked)


@pytest.mark.parametrize(
    "question", ["¿puedo ir al baño?", "el plato está roto", "una casa en la esquina", "¿qué dice la Ley 29783?", ""]
)
def test_other_words_are_left_alone(question: str) -> None:
    assert everyday_words(question) == []
    assert with_written_words(question) == question


@pytest.mark.parametrize(
    ("question", "written"),
    [
        ("me botan sin motivo", ["despido arbitrario", "indemnización"]),  # longer than «botan», which is silent
        ("¿hasta cuándo puedo denunciar a la tienda?", ["plazo de prescripción", "proveedor"]),
    ],
)
def test_each_expression_is_heard_before_one_has_two_words(question: str, written: list[str]) -> None:
    assert everyday_words(question)[:2] == written


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("se siembra papa", "padre"),
        ("ha vuelto", "redondeo de precios"),
        ("¿qué medidas debe adoptar la empresa?", "adopción"),
        ("el trabajador fue repuesto", "partes y accesorios"),
        ("sin embargo, ¿puedo seguir?", "cobranza coactiva"),
        ("¿quién llama a la ambulancia?", "comercio ambulatorio"),
        ("¿cómo separar los residuos?", "separación de cuerpos"),
        ("el operador de la máquina", "intervención quirúrgica"),
    ],
)
def test_a_word_of_several_senses_needs_company(question: str, wrong: str) -> None:
    assert wrong not in everyday_words(question)


def test_every_expression_can_be_found() -> None:
    assert all(term.isalnum() for said in _said() for term in said)  # none is left between braces
    assert max(map(len, _said())) <= _LONGEST


def test_it_leads_one_way_and_never_repeats_the_question() -> None:
    assert everyday_words("licencia de conducir") == []
    assert everyday_words("brevete o licencia de conducir") == []


def test_an_acronym_is_no_other_word_of_its_stem() -> None:
    assert "sociedad anónima cerrada" not in expand("¿puedo sacar plata?")
    assert "impuesto a la renta" not in expand("¿puedo ir de vacaciones?")
    assert "impuesto a la renta" in expand("¿cuánto es el IR anual?")
    assert "micro y pequeña empresa" in expand("beneficios de las mypes")


@pytest.mark.parametrize(
    ("one", "other"),
    [("¿cuándo buscan?", "búsqueda"), ("devolver", "devolución"), ("elección", "elegir"), ("lo detienen", "detención")],
)
def test_verbs_and_their_nouns(one: str, other: str) -> None:
    assert other in relatives(one)


@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    assert with_written_words(text).startswith(text)
    assert all(everyday_words(text))
    assert all(relatives(text))
