"""What a question takes for granted is missed when no passage says it, and never where one does."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rag_system.generation.premises import unsaid_premise
from rag_system.generation.silence import missing_from
from rag_system.types import Evidence
from tests.builders import chunk, evidence, request

WRITTEN = tomllib.loads(Path(__file__).with_name("premises.toml").read_text(encoding="utf-8"))
BORNE_OUT = "con respaldo"
FALSE = [
    (question, tuple(group.get("pasajes", ())))
    for group in WRITTEN["grupo"]
    if group["clase"] != BORNE_OUT
    for question in group["preguntas"]
]
TRUE = [question for group in WRITTEN["grupo"] if group["clase"] == BORNE_OUT for question in group["preguntas"]]


@cache
def passages(places: tuple[int, ...] = ()) -> tuple[Evidence, ...]:
    """Those of the places in the file, from 1; all when none is given."""
    rows = [row for place, row in enumerate(WRITTEN["pasaje"], 1) if not places or place in places]
    return evidence(
        *(
            chunk(row["texto"].strip(), chunk_id=n, title=row["titulo"], headings=tuple(row["encabezados"]))
            for n, row in enumerate(rows)
        )
    )


def test_the_set_is_large_enough() -> None:
    assert (len(FALSE) >= 40, len(TRUE) >= 60) == (True, True)


def test_false_premises_are_told() -> None:
    missed = [question for question, places in FALSE if not unsaid_premise(request(question).plan, passages(places))]
    assert len(missed) / len(FALSE) <= 0.1, missed


def test_what_is_borne_out_is_answered() -> None:
    silenced = [question for question in TRUE if unsaid_premise(request(question).plan, passages())]
    assert len(silenced) / len(TRUE) <= 0.02, silenced


TOLD = [
    ("¿Por qué fue derogada la Ley 27444?", "en los pasajes que tratan de eso no se dice que se derogara"),
    ("x q fue derogada la Ley 27444", "en los pasajes que tratan de eso no se dice que se derogara"),
    ("xq derogaron la Ley 27444", "en los pasajes que tratan de eso no se dice que se derogara"),
    ("¿En qué artículo se prohíbe la minería?", "en ellos no se dice que eso se prohíba"),
    ("¿Cuánto cuesta la bitácora?", "en lo que dicen sobre eso no hay ningún precio"),
    ("¿Qué pena hay por robo agravado?", "en lo que dicen sobre eso no hay penas de cárcel"),
    ("¿Cuál es el sueldo mínimo?", "en ellos no se dice cuánto es"),
    ("¿Quién inventó el carné?", "en ellos no se dice quién fue"),
    ("¿Cuánto cuesta el carné de la biblioteca?", ""),
    ("¿Quién redactó el acta?", ""),
    ("¿Dónde vive Rosa Medina?", "en ellos no se dice dónde vive"),
    ("¿Qué plazo hay para apelar?", ""),
]


@pytest.mark.parametrize(("question", "told"), TOLD)
def test_the_reason_names_what_is_missed(question: str, told: str) -> None:
    assert missing_from(request(question).plan, passages((2, 3, 4, 5, 7))) == told


FEES = chunk("El perito cobra 2 UIT. La municipalidad cobra una tasa por el divorcio. El divorcio lo firma un abogado.")


@pytest.mark.parametrize(
    ("question", "missed"),
    [("¿Cuánto cobra un abogado por el divorcio?", True), ("¿Cuánto cobra el perito?", False)],
)
def test_that_something_is_paid_does_not_say_how_much(question: str, missed: bool) -> None:
    assert bool(unsaid_premise(request(question).plan, evidence(FEES))) is missed


PRICES = [
    ("El pase del museo cuesta 40 en ventanilla.", False),
    ("El pase del museo se vende a US$ 12.", False),
    ("Por el pase del museo se abonan MXN 300.", False),
    ("Por el pase del museo se abonan quince euros.", False),
    ("Los jubilados reciben el pase del museo sin pagar.", False),
    ("El pase del museo se pide en ventanilla.", True),
    ("El pase del museo no depende del peso del equipaje.", True),
]


@pytest.mark.parametrize(("passage", "missed"), PRICES)
def test_a_price_is_in_any_money(passage: str, missed: bool) -> None:
    assert bool(unsaid_premise(request("¿Cuánto cuesta el pase del museo?").plan, evidence(chunk(passage)))) is missed


OTHERWISE_SAID = [
    ("¿Qué recibe la esposa de un asegurado fallecido?", "La viuda del asegurado recibe media pensión.", False),
    ("¿Qué recibe la esposa de un asegurado fallecido?", "El asegurado recibe una pensión.", True),
    ("¿Qué título tiene el capítulo II?", "Capítulo II. De los préstamos.", False),
    ("¿Qué título tiene la directora?", "La directora firma el capítulo II.", True),
    ("¿Qué pena tiene el robo?", "El robo es castigado con diez años.", False),
    ("¿Qué pena tiene el robo?", "El robo se denuncia en la comisaría.", True),
    ("¿Qué delito comete el que roba?", "Quien roba es juzgado por el artículo 185 del Código Penal.", False),
    ("¿Qué delito comete el que roba?", "Quien roba lo denuncia en la comisaría.", True),
]


@pytest.mark.parametrize(("question", "passage", "missed"), OTHERWISE_SAID)
def test_the_same_is_said_in_other_words(question: str, passage: str, missed: bool) -> None:
    assert bool(unsaid_premise(request(question).plan, evidence(chunk(passage)))) is missed


TELEWORK = chunk(
    "Única.- Derogación. Se deroga la Ley N.° 30036. Quedan derogadas las normas que se opongan a la presente ley.",
    title="Ley N.° 31572, Ley del Teletrabajo",
    headings=("DISPOSICIÓN COMPLEMENTARIA DEROGATORIA",),
)
REPEALED = [
    ("¿Cuándo se derogó la Ley 31572?", ("ley:31572",), True),
    ("¿Qué ley derogó la Ley 30036?", ("ley:30036",), False),
    ("¿Por qué fue derogada la Ley 29733?", ("ley:29733",), True),
]


@pytest.mark.parametrize(("question", "identifiers", "missed"), REPEALED)
def test_what_a_norm_repeals_is_not_itself(question: str, identifiers: tuple[str, ...], missed: bool) -> None:
    plan = replace(request(question).plan, identifiers=identifiers)
    assert bool(unsaid_premise(plan, evidence(TELEWORK))) is missed
