"""Which passages a question about what a thing is lifts: those that say it, and not those that use its name."""

from __future__ import annotations

import pytest

from rag_system.query.plan import analyze
from rag_system.search.collection import Collection
from rag_system.search.recipes import RECIPES
from rag_system.search.request import SearchRequest
from rag_system.search.strategies import Definition
from rag_system.search.table import Table
from rag_system.storage.projects import ProjectRow

GLOSSARY = "Foliación: Numeración correlativa de las hojas.\nPlazo perentorio: Plazo que, vencido, no admite prórroga."
USE = "El término para interponer los recursos es de quince días. Los plazos perentorios no se suspenden."
SAYS_OF_ANOTHER = "Plazo perentorio de la apelación: quince días."
BELOW = "Plazo que, vencido, extingue el derecho."
TEXTS = [GLOSSARY, USE, SAYS_OF_ANOTHER, BELOW, "Se entiende por plazo perentorio el que no se prorroga.", ""]
HEADINGS = [["Términos"], ["1. Recursos"], [], ["Términos", "3. Plazo perentorio"], [], []]


def lifted(question: str) -> list[bool]:
    request = SearchRequest(
        collection=Collection(projects=[ProjectRow(project_id="pruebas")]),
        plan=analyze(question),
        embedded=list,
        terms=[],
        recipe=RECIPES["default"],
        top_k=8,
    )
    ids = range(len(TEXTS))
    table = Table(chunk_ids=ids, document_ids=[str(i) for i in ids], heading_paths=HEADINGS, texts=TEXTS)
    return [bool(each) for each in Definition(request).column(table)]


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué es un plazo perentorio?",
        "que quiere decir plazo perentorio",
        "q significa plazo perentorio?",
        "¿Qué es un plazo perentorio en la ley?",
    ],
)
def test_what_says_what_a_thing_is_is_lifted_and_what_only_uses_its_name_is_not(question: str) -> None:
    assert lifted(question) == [True, False, False, True, True, False]


@pytest.mark.parametrize(
    "question",
    ["¿Cuándo vence un plazo perentorio?", "plazo perentorio", "¿Qué es el silencio?"],
)
def test_other_questions_lift_nothing(question: str) -> None:
    assert not any(lifted(question))
