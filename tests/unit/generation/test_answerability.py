"""When the question names what the evidence lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag_system.generation.abstention import ABSTENTION, abstain, is_abstention
from rag_system.generation.answerability import NormsElsewhere, named_gap
from rag_system.types import Evidence, QueryPlan
from tests.builders import chunk, evidence, request

VACATION = chunk(
    "El trabajador tiene derecho a treinta días calendario de descanso vacacional por cada año completo de servicios.",
    title="Decreto Legislativo 713",
    headings=("Capítulo III", "Artículo 10.- Descanso vacacional"),
    page=4,
)
POLICY = chunk("Las claves se cambian cada noventa días.", title="Política de claves")


def _gap(plan: QueryPlan, passages: Sequence[Evidence]) -> str:
    return named_gap(plan, passages, NormsElsewhere())


NAMED = [
    ({"identifiers": ("ley:30407",)}, "¿Qué dice la Ley 30407 de vacaciones?", "entre ellos no está la Ley 30407."),
    ({"authors": ("quispe", "mamani"), "years": (2018,)}, "Según Quispe y Mamani (2018), ¿qué son vacaciones?",
     "en ellos no aparece Quispe ni Mamani (2018)."),
    ({"identifiers": ("dl:713",)}, "¿Qué dice el artículo 240 del Decreto Legislativo 713 de vacaciones?",
     "en ellos no aparece el artículo 240 del Decreto Legislativo 713."),
]  # fmt: skip


@pytest.mark.parametrize(("named", "question", "end"), NAMED)
def test_what_is_named_and_absent_is_said_so(named: dict[str, tuple[object, ...]], question: str, end: str) -> None:
    asked = request(question, evidence(VACATION, POLICY))
    asked = replace(asked, plan=replace(asked.plan, **named))  # type: ignore[arg-type]
    text = abstain(_gap(asked.plan, asked.evidence))
    assert text == f"{ABSTENTION.rstrip('.')}: {end}"
    assert is_abstention(text)


def test_what_is_named_and_present_is_not_missed() -> None:
    question = "¿Qué dice el artículo 10 del Decreto Legislativo 713?"
    asked = request(question, evidence(VACATION, POLICY))
    assert _gap(replace(asked.plan, identifiers=("dl:713",)), asked.evidence) == ""


QUESTION = "¿Qué dice Arias (2020)?"
CITES = [
    (("arias",), (2020,), "Se evaluaron varias metodologías en 2020.", False),  # «arias» inside «varias»
    (("arias",), (2020,), "Arias propuso otra en la resolución 120201.", False),  # 2020 inside 120201
    (("arias",), (2020,), "ARIAS (2020a) propuso otra.", True),
    (("de la cruz",), (2019,), "Lo afirma De la\nCruz, en 2019.", True),
    (("garcía",), (), "Según Garcia-Rojas, no.", True),
    (("garcía",), (), "Según Garcías, no.", False),
]


@pytest.mark.parametrize(("authors", "years", "text", "present"), CITES)
def test_authors_and_years_are_whole_words(
    authors: tuple[str, ...], years: tuple[int, ...], text: str, present: bool
) -> None:
    plan = replace(request(QUESTION).plan, authors=authors, years=years)
    assert (_gap(plan, evidence(chunk(text))) == "") is present


@pytest.mark.parametrize(
    ("author", "printed"),
    [
        ("arias", "Arias"),
        ("de la cruz", "De la Cruz"),
        ("ramón y cajal", "Ramón y Cajal"),
        ("garcía-lópez", "García-López"),
        ("san martín", "San Martín"),
        ("pérez de cuéllar", "Pérez de Cuéllar"),
    ],
)
def test_a_missing_author_is_printed_as_surnames_are(author: str, printed: str) -> None:
    plan = replace(request(QUESTION).plan, authors=(author,))
    assert _gap(plan, evidence(POLICY)) == f"en ellos no aparece {printed}"


def test_another_edition_is_missed() -> None:
    standard = chunk("La ISO/IEC 27001:2022 tiene 93 controles.", title="Guía de la ISO/IEC 27001:2022")
    plan = replace(request("¿Qué trae la ISO 27001:2035?").plan, identifiers=("iso:27001@2035",))
    assert _gap(plan, evidence(standard)) != ""
    plan = replace(plan, identifiers=("iso:27001@2022",))
    assert _gap(plan, evidence(standard)) == ""
