"""Work on documents: what a message wants done with which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.plan import analyze
from rag_system.query.tasks import OFFER, read_task
from rag_system.types import Message, Task, TaskKind


def document(*names: str, kind: TaskKind = "summarise", what: str = "") -> Task:
    return Task(kind=kind, of="documents", names=names, what=what)


def part(section: str, *names: str, certain: bool = True) -> Task:
    return Task(kind="summarise", of="section", names=names, section=section, certain=certain)


def subject(name: str) -> Task:
    return Task(kind="summarise", of="documents", names=(name,), certain=False)


@pytest.mark.parametrize(
    ("question", "task"),
    [
        ("Resume este documento", document()),
        ("Resúmeme la Guía de la Ley N.º 29733, por favor", document("la Guía de la Ley N.º 29733")),
        ("hazme un resumen", Task(kind="summarise")),
        ("resume el capítulo III del Código Penal", part("capítulo III", "Código Penal")),
        ("Resume las Conclusiones de la tesis", part("Conclusiones", "tesis", certain=False)),
        ("resume todo lo que hemos hablado", Task(kind="summarise", of="conversation")),
        ("resume todos los documentos", Task(kind="summarise", of="collection")),
        ("resume el silencio administrativo", subject("el silencio administrativo")),
        ("hazme un resumen, ¿de qué trata el silencio administrativo?", subject("el silencio administrativo")),
        ("¿quién escribió el manual «Redes, boyas y anclas»?",
         document("el manual «Redes, boyas y anclas", kind="facts", what="author")),
        ("¿cuántas páginas tiene el manual de agua, suelo y aire?",
         document("el manual de agua, suelo y aire", kind="facts", what="pages")),
        ("¿Cuándo se firmó la ley 29409?", document("la ley 29409", kind="facts", what="date")),
        ("¿quién promulgó la ley 29409?", document("la ley 29409", kind="facts", what="signatories")),
        ("¿Qué diferencia hay entre la ISO 9001:2008 y la 2015?",
         document("la ISO 9001:2008", "la 2015", kind="compare")),
        ("compara los dos contratos", document(kind="compare")),
        ("compara la ley 27444 en lo de los plazos con la ley 30225",
         document("la ley 27444", "la ley 30225", kind="compare", what="los plazos")),
        ("compara el reglamento de becas en cuanto a plazos y montos con el manual de viajes",
         document("el reglamento de becas", "el manual de viajes", kind="compare", what="plazos y montos")),
        ("compara lo que dicen la ISO 9001 y la ISO 45001 sobre la política y el manual",
         document("la ISO 9001", "la ISO 45001", kind="compare", what="la política y el manual")),
        ("¿Qué diferencia hay entre la ley 29733 y la ley 29783 en cuanto a las sanciones y el reglamento?",
         document("la ley 29733", "la ley 29783", kind="compare", what="las sanciones y el reglamento")),
        ("compara los plazos de la ley 27444 y la ley 30225",
         document("la ley 27444", "la ley 30225", kind="compare", what="los plazos")),
        ("compara la Ley 30036 con la Ley 31572 en lo de los equipos",
         document("la Ley 30036", "la Ley 31572", kind="compare", what="los equipos")),
        ("compara la Ley 30036 con la Ley 31572 en cuanto a los equipos",
         document("la Ley 30036", "la Ley 31572", kind="compare", what="los equipos")),
        ("dame todos los plazos del reglamento", document("reglamento", kind="list_all", what="plazos")),
        ("lista fechas del acta", document("acta", kind="list_all", what="fechas")),
        ("diferencias entre el nuevo reglamento de becas y el reglamento de viajes",
         document("el nuevo reglamento de becas", "el reglamento de viajes", kind="compare")),
        ("resume el nuevo contrato de trabajo", document("el nuevo contrato de trabajo")),
        ("resume el último reglamento de tesis", document("el último reglamento de tesis")),
        ("todas las obligaciones del empleador", Task(kind="list_all", what="obligaciones del empleador")),
        ("traduce el artículo 5 al inglés", Task(kind="translate", of="section", section="artículo 5", what="inglés")),
        ("tradúcelo al inglés", Task(kind="translate", what="inglés")),
        ("Redacta una carta de reclamo con eso", Task(kind="draft", of="answer", what="carta de reclamo")),
        ("¿Quién firma el acta?", document("acta", kind="facts", what="signatories")),
        ("compara el procedimiento de compras y la directiva de viáticos en cuanto a los responsables",
         document("el procedimiento de compras", "la directiva de viáticos", kind="compare", what="los responsables")),
        ("¿cuál de las dos leyes tiene multas más altas, la 29733 o la ley 29783?",
         document("la 29733", "la ley 29783", kind="compare", what="tiene multas más altas")),
        ("entre la guía de huertos y la guía de riego, ¿cuál pide más agua?",
         document("la guía de huertos", "la guía de riego", kind="compare", what="pide más agua")),
        ("¿Cuáles son las diferencias entre la ley 29733 y la ley 29783?",
         document("la ley 29733", "la ley 29783", kind="compare")),
        ("¿cuál es la diferencia entre el reglamento interno y el manual, en cuanto a plazos?",
         document("el reglamento interno", "el manual", kind="compare", what="plazos")),
        ("compara el contrato de Ana y el contrato de Luis, el cual venció",
         document("el contrato de Ana", "el contrato de Luis, el cual venció", kind="compare")),
        ("compara la ley 29733 y la 29783 y cuál es más estricta",
         document("la ley 29733", "la 29783", kind="compare", what="es más estricta")),
        ("¿cuál tiene más artículos, la ley 29733 o la 29783?",
         document("la ley 29733", "la 29783", kind="compare", what="tiene más artículos")),
        ("resume la página de licencias", document("la página de licencias")),
        ("resume la primera página del manual", part("primera página", "manual", certain=False)),
        ("resume la página tres del manual", part("página tres", "manual", certain=False)),
        ("resume en 1 página la guía de riego", document("la guía de riego")),
        ("resume la guía de riego en una página", document("la guía de riego")),
        ("¿Cuántas páginas tiene?", Task(kind="facts", what="pages")),
        ("¿De cuándo es el acta del comité?", document("el acta del comité", kind="facts", what="date")),
        ("¿de cuándo son?", Task(kind="facts", what="date")),
        ("¿Quién firma el acta del comité y de cuándo es?",
         document("el acta del comité", kind="facts", what="signatories, date")),
        ("¿quién escribió y de qué año es el manual de riego?",
         document("el manual de riego", kind="facts", what="author, date")),
        ("¿Quién lo escribió?", Task(kind="facts", what="author")),
        ("¿Cuántos artículos tiene la ley 29733?", document("la ley 29733", kind="facts", what="artículos")),
    ],
)  # fmt: skip
def test_what_a_task_is_about(question: str, task: Task) -> None:
    assert read_task(question) == task


GIVEN = [Message("user", "Resume la ley 29733"), Message("assistant", f"Son 34 consultas al modelo. {OFFER}")]


@pytest.mark.parametrize("yes", ["sí", "Continuar", "dale", "ok", "Sí, por favor", "continúa", "adelante"])
def test_an_offer_that_is_accepted_is_the_task_that_it_was_about(yes: str) -> None:
    plan = analyze(yes, GIVEN)
    assert plan.task == Task(kind="summarise", of="documents", names=("la ley 29733",), confirmed=True)


@pytest.mark.parametrize("no", ["no", "mejor no", "¿Cuánto dura?", "gracias"])
def test_an_offer_that_is_not_accepted_is_none(no: str) -> None:
    assert analyze(no, GIVEN).task is None


def test_one_of_a_list_that_was_just_given() -> None:
    listed = [
        Message("user", "¿Qué documentos tienes?"),
        Message("assistant", "1. Guía de calidad\n2. Manual de almacén"),
    ]
    assert read_task("resume el segundo", listed) == document("Manual de almacén")


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    task = read_task(text)
    assert task is None or all(name in text or name.strip() for name in task.names)
