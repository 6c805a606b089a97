"""When the question names what the evidence lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag_system.generation.abstention import ABSTENTION, abstain, is_abstention
from rag_system.generation.silence import missing_from, nearness, too_far
from tests.builders import chunk, evidence, request

VACATION = chunk(
    "El trabajador tiene derecho a treinta días calendario de descanso vacacional por cada año completo de servicios.",
    title="Decreto Legislativo 713",
    headings=("Capítulo III", "Artículo 10.- Descanso vacacional"),
    page=4,
)
POLICY = chunk("Las claves se cambian cada noventa días.", title="Política de claves")

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
    text = abstain(missing_from(asked.plan, asked.evidence))
    assert text == f"{ABSTENTION.rstrip('.')}: {end}"
    assert is_abstention(text)


def test_what_is_named_and_present_is_not_missed() -> None:
    question = "¿Qué dice el artículo 10 del Decreto Legislativo 713?"
    asked = request(question, evidence(VACATION, POLICY))
    assert missing_from(replace(asked.plan, identifiers=("dl:713",)), asked.evidence) == ""


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
    assert (missing_from(plan, evidence(chunk(text))) == "") is present


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
    assert missing_from(plan, evidence(POLICY)) == f"en ellos no aparece {printed}"


PROCEDURE = chunk(
    "El recurso de apelación se presenta en quince días. Lo resuelve el superior jerárquico de la Municipalidad de "
    "San Jacinto. Consultas: teléfono (01) 000-0000.",
    title="Recursos administrativos",
)
NAMES = [
    ("¿Cuál es el plazo para apelar en Colombia?", "en ellos no se habla de Colombia"),
    ("¿Qué dice la ley chilena sobre la apelación?", "en ellos no se habla de Chile"),
    ("¿Qué opina la OTAN de la apelación?", "en ellos no se habla de OTAN"),
    ("¿Quién resuelve en la Municipalidad de Miraflores?", "en ellos no se habla de Municipalidad de Miraflores"),
    ("¿Quién resuelve en la Municipalidad de San Jacinto?", ""),
    ("Trabajo en Arequipa, ¿en cuántos días apelo?", ""),
    ("¿Puedo mandar por WhatsApp la apelación?", "en ellos no se habla de WhatsApp"),
    ("¿Debo contestar WhatsApp después de apelar?", ""),
    ("¿CUÁL ES EL PLAZO PARA APELAR EN LA MUNICIPALIDAD?", ""),
    ("¿cuál es el plazo para apelar en el Perú?", ""),
    ("¿Cuál es el teléfono de consultas?", ""),
    ("¿Cuál es el correo de consultas?", "en lo que dicen sobre eso no hay ninguna dirección de correo"),
    ("a q correo consulto", "en lo que dicen sobre eso no hay ninguna dirección de correo"),
    ("Dame el número de DNI del superior", "en lo que dicen sobre eso no hay ningún número de DNI"),
    ("¿Cuánto costará apelar en 2041?", "en ellos no se habla del año 2041"),
    ("Me notificaron en 2041, ¿cuándo vence el plazo?", ""),
    ("¿CUÁNTO VALDRÁ APELAR EN 2041?", "en ellos no se habla del año 2041"),
    ("cuanto costara apelar en 2041", "en ellos no se habla del año 2041"),
    ("¿En cuántos días apelaremos en 2041?", "en ellos no se habla del año 2041"),
    ("¿Cuántos días hay para apelar en el 2041?", ""),
    ("¿A qué hora se presenta otra apelación en 2041?", ""),
    ("Queremos apelar en 2041, ¿qué plazo hay?", ""),
]


@pytest.mark.parametrize(("question", "lacking"), NAMES)
def test_names_and_data_that_no_passage_has(question: str, lacking: str) -> None:
    assert missing_from(request(question).plan, evidence(PROCEDURE)) == lacking


def test_another_edition_is_missed() -> None:
    standard = chunk("La ISO/IEC 27001:2022 tiene 93 controles.", title="Guía de la ISO/IEC 27001:2022")
    plan = replace(request("¿Qué trae la ISO 27001:2035?").plan, identifiers=("iso:27001@2035",))
    assert missing_from(plan, evidence(standard)) != ""
    plan = replace(plan, identifiers=("iso:27001@2022",))
    assert missing_from(plan, evidence(standard)) == ""


def test_nearness_is_the_share_above_the_floor() -> None:
    assert nearness([0.81, 0.9], 0.8) == pytest.approx(0.5)  # 0.1 of 0.2
    assert nearness([0.7], 0.8) == 0.0
    assert nearness([], 0.8) == 0.0


FAR = [
    ("¿En cuántos días se presenta la apelación?", 0.2, False),  # not near, but the words are there
    ("¿En cuántos días se presenta la apelación?", 0.1, True),
    ("¿Cuánto cuesta una bicicleta eléctrica?", 0.2, True),
    ("¿Cuánto cuesta una bicicleta eléctrica?", 0.3, False),  # near in other words
    ("¿El superior jerárquico la resuelve solito y ahorita?", 0.2, False),  # fillers are no subject
    ("What is the deadline to appeal?", 0.1, False),  # another language is farther away
    ("What is the price of a bicycle?", 0.05, True),
]


@pytest.mark.parametrize(("question", "near", "silent"), FAR)
def test_what_is_far_away_is_not_answered(question: str, near: float, silent: bool) -> None:
    found = too_far(request(question).plan, evidence(PROCEDURE), near, lambda terms: dict.fromkeys(terms, 1.0))
    assert bool(found) is silent


def test_an_abstention_says_what_was_searched() -> None:
    text = abstain("en ellos no se habla de Chile", searched=["multa", "chilena"])
    assert text == f"{ABSTENTION.rstrip('.')}: en ellos no se habla de Chile. Busqué: multa, chilena."
    assert is_abstention(text)


BESIDE = [
    # question, nearness, whether quotes would be beside the point
    ("¿Cuántos días de vacaciones le tocan a un trabajador?", 0.31, False),  # its article says all of it
    ("¿Qué es el descanso vacacional?", 0.26, False),  # its heading is what is asked
    ("¿Cuánto cuesta una bicicleta eléctrica?", 0.31, True),
    ("¿Quién pinta los murales del estadio?", 0.3, True),
    ("¿Quién pinta los murales del estadio?", 0.4, False),  # near in other words
    ("¿Qué es el TREC?", 0.29, True),
    (  # a story has many words, of which no passage holds most
        "Trabajé dos veranos en una heladería de mi barrio y nunca me dieron nada por escrito, ¿qué hago?",
        0.3,
        False,
    ),
]


@pytest.mark.parametrize(("question", "near", "beside"), BESIDE)
def test_quotes_that_no_model_judges_must_fit_better(question: str, near: float, beside: bool) -> None:
    def rarity(terms: Sequence[str]) -> dict[str, float]:
        return dict.fromkeys(terms, 1.0)

    plan, passages = request(question).plan, evidence(VACATION)
    assert bool(too_far(plan, passages, near, rarity, quoted=True)) is beside
    assert too_far(plan, passages, near, rarity) == ""


def test_whoever_finds_nothing_is_told_where_to_look_on() -> None:
    plan = request("¿Quién pinta los murales del estadio?").plan
    found = too_far(plan, evidence(VACATION), 0.3, lambda terms: dict.fromkeys(terms, 1.0), quoted=True)
    assert found.endswith("lo más cercano está en Decreto Legislativo 713, artículo 10")
    assert is_abstention(abstain(found, searched=["pinta", "murales", "estadio"]))
