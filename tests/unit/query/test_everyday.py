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
    ("¿el colegio puede cerrar un aula?", "institución educativa"),
    ("me piden los libros del colegio completos", "textos escolares"),
    ("abrieron una licorería al frente", "venta de bebidas alcohólicas"),
    ("espero gemelos", "parto múltiple"),
    ("su hijo nació antes de tiempo", "nacimiento prematuro"),
    ("tengo una moneda gastada", "numerario deteriorado"),
    ("¿dónde me cambian un billete?", "canje de billetes"),
    ("quiero cobrar en plata", "pago en efectivo"),
    ("nos cambiaron el turno", "turnos de trabajo"),
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


OTHER_SENSES = [
    ("mi ex empleador no me paga la CTS", "cónyuge"),
    ("mi ex socio se llevó los libros", "cónyuge"),
    ("¿me pueden pagar la pensión de jubilación en otro banco?", "pensión de alimentos"),
    ("¿cuándo se paga la pensión de la AFP?", "pensión de alimentos"),
    ("no quiero declarar impuestos de más", "abstenerse de declarar"),
    ("delito de administración infiel", "adulterio"),
    ("¿ya fue fallado mi caso?", "producto defectuoso"),
    ("¿quién es el dueño del riesgo?", "propietario"),
    ("¿puedo apelar la sentencia?", "recursos administrativos"),
    ("préstamo de libros a domicilio", "crédito"),
    ("lo expulsaron del colegio de abogados", "separación del estudiante"),
    ("requisitos del colegio de ingenieros", "institución educativa"),
    ("colegio profesional de mi región", "institución educativa"),
    ("joyas de plata", "pago en efectivo"),
    ("libros contables del hijo", "textos escolares"),
    ("¿qué pasa si llego tarde a la audiencia?", "impuntualidad"),
    ("¿puedo hacer trabajo en el estado de emergencia?", "servidor público"),
    ("una idea loca para el proyecto", "curatela"),
    ("pensión de orfandad para un huérfano", "tutela"),
    ("¿hacia qué valor tiende la serie?", "proveedor"),
    ("requisito de actividad inventiva", "patente de invención"),
    ("sacos de cemento por metro cúbico", "obtener"),
    ("¿quién suelda la tubería?", "remuneración"),
    ("el sistema me bota un error", "despido"),
    ("¿dónde se pueden botar los escombros?", "despido"),
    ("jefe de estado", "empleador"),
    ("mi empresa debe emitir facturas", "empleador"),
    ("presa de relaves", "pena privativa de libertad"),
    ("contrato inválido por falta de firma", "persona con discapacidad"),
    ("historia clínica del paciente", "establecimiento de salud"),
    ("robo agravado con arma", "hurto"),
    ("choque eléctrico en el tablero", "accidente de tránsito"),
    ("papeleta de votación", "infracción de tránsito"),
    ("a la luz de la Constitución", "energía eléctrica"),
    ("¿cuánto tarda el concreto en fraguar?", "plazo máximo"),
    ("un pago bajo el sueldo mínimo", "reducción de la remuneración"),
    ("el talud debe ser estable", "contrato de duración indeterminada"),
    ("venció mi contrato de alquiler", "contrato sujeto a modalidad"),
    ("planilla de metrados en planilla electrónica", "planilla de pago"),
    ("comité de seguridad de la información", "comité de seguridad y salud en el trabajo"),
    ("accidente mortal en la carretera", "accidente de trabajo mortal"),
    ("replicación del ADN", "filiación extramatrimonial"),
    ("cáncer de la mama", "madre"),
    ("cambiar el nombre de la empresa", "cambio de nombre"),
    ("bodega de almacenamiento de vinos", "proveedor"),
    ("estudio de mecánica de suelos del terreno", "predio"),
    ("propaganda electoral en la vía pública", "publicidad"),
    ("¿cómo analizo mis datos con Python?", "tratamiento de datos personales"),
    ("vender mi celular usado", "tratamiento de datos personales"),
    ("área de octógonos regulares", "advertencias publicitarias"),
    ("se enciende la luz roja del equipo", "semáforo"),
    ("un carro de compras en la web", "vehículo"),
    ("¿qué sanción hay si no pago impuestos?", "inafectos"),
    ("el juez debe casar la sentencia", "matrimonio"),
    ("volver a postular a la beca", "reelección"),
    ("corregir un error del programa", "rectificación de errores"),
    ("vacaciones judiciales", "descanso vacacional"),
    ("¿qué dice el plan maestro?", "docente"),
    ("mordida de perro", "cohecho"),
    ("el trámite del recurso de casación", "procedimiento administrativo"),
    ("herencia de clases en programación", "sucesión"),
    ("¿qué pasa con mi abuelo si no hay testamento?", "persona adulta mayor"),
    ("documento falso usado en un juicio", "presunción de veracidad"),
]


@pytest.mark.parametrize(("question", "wrong"), OTHER_SENSES)
@pytest.mark.parametrize("typed", [str, fold])
def test_other_senses_add_nothing_wrong(question: str, wrong: str, typed) -> None:
    asked = typed(question)
    assert wrong not in everyday_words(asked) + relatives(asked)


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
