"""Which items of a list have the degree that a question asks for."""

from __future__ import annotations

import pytest

from rag_system.generation.degrees import misses_degree
from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.terms import topic_terms
from tests.builders import chunk, evidence, request

FAULTS = ["a) Las faltas leves: una UIT.", "b) Las faltas graves: dos UIT.", "c) Las faltas muy graves: diez UIT."]
RESIDENTS = ["1. Los no domiciliados: 30 %.", "2. Los domiciliados: 29,5 %."]
FIRMS = ["- De 10 a 50 trabajadores: uno.", "- Más de 50 trabajadores: dos.", "- Más de 100 trabajadores: tres."]
FEES = ["i) La tasa es, como mínimo, de S/ 10.", "ii) La tasa es, como máximo, de S/ 90."]

MISSED = [
    ("¿Cuánto pago por una falta muy grave?", FAULTS, [True, True, False]),
    ("multa por faltas muy graves", FAULTS, [True, True, False]),
    ("¿Cuánto pago por una falta grave?", FAULTS, [False, False, True]),
    ("¿Cuánto pago por una falta leve?", FAULTS, [False, False, False]),  # its word tells it apart
    ("¿Es grave o muy grave?", FAULTS, [True, True, True]),
    ("¿Qué tasa pagan los no domiciliados?", RESIDENTS, [False, True]),
    ("¿Qué tasa pagan los domiciliados?", RESIDENTS, [True, False]),
    ("¿Cuántos delegados con más de 50 trabajadores?", FIRMS, [True, False, True]),
    ("¿Cuántos delegados con más de 70 trabajadores?", FIRMS, [False, False, False]),  # nobody's
    ("¿Cuál es la tasa máxima?", FEES, [True, False]),
    ("¿Cuál es el mínimo de la tasa?", FEES, [False, True]),
    ("¿Cuál es la tasa mínima y la máxima?", FEES, [False, False]),
    ("¿Qué pasa si no se paga?", ["a) Si no se inscribe.", "b) Si paga."], [False, False]),
    ("falta muy grave", FAULTS[:1], [False]),
    ("falta muy grave", [], []),
]


@pytest.mark.parametrize(("question", "items", "missed"), MISSED)
def test_items_without_the_degree(question: str, items: list[str], missed: list[bool]) -> None:
    assert misses_degree(question, topic_terms(question), items) == missed


LEAD = "El inspector aplica a la empresa que incumple esta ley, según su gravedad, las siguientes multas:\n"
REST = " Se paga en el banco que la autoridad señala, dentro del plazo que fija la resolución que la impone" * 2
FINES = [
    f"1. Las infracciones leves son sancionadas con multa de una UIT.{REST}.",
    f"2. Las infracciones graves son sancionadas con multa de dos UIT.{REST}.",
    f"3. Las infracciones de las empresas que son muy graves son sancionadas con multa de nueve UIT.{REST}.",
]

QUOTED = [
    ("¿Cuánto es la multa por infracción muy grave?", "nueve UIT"),
    ("cuanto es la multa por infraccion grave", "dos UIT"),
    ("multa de las infracciones leves", "una UIT"),
]


@pytest.mark.parametrize(("question", "quoted"), QUOTED)
def test_the_item_with_the_degree_is_quoted_first(question: str, quoted: str) -> None:
    law = chunk(LEAD + "\n".join(FINES), title="Ley de inspección", headings=("Artículo 9.- Multas",))
    first = "".join(ExtractiveAnswerer().stream(request(question, evidence(law)))).split("\n\n")[0]
    assert [each for each in ("una UIT", "dos UIT", "nueve UIT") if each in first] == [quoted]
