"""Questions for an empty chat."""

from __future__ import annotations

import pytest

from assistant.suggestions import INVENTORY, suggest
from rag_system.storage.documents import SampleHeading


def sample(
    heading: str, *, identifiers: tuple[str, ...] = (), category: str = "a", title: str = "Manual"
) -> SampleHeading:
    path = f"{category}/{title}.md"
    return SampleHeading(title=title, path=path, category=category, identifiers=list(identifiers), heading=heading)


QUESTIONS = [
    (
        sample("9. Infracciones y multas", identifiers=("ley:29733",)),
        "¿Qué dice la Ley 29733 sobre infracciones y multas?",
    ),
    (sample("Artículo 5.- Ámbito de aplicación"), "¿Qué dice «Manual» sobre ámbito de aplicación?"),
    (sample("Capítulo 7. Apoyo", identifiers=("iso:9001@2015",)), "¿Qué dice la ISO 9001 sobre apoyo?"),
    (sample("SGSI y sus partes"), "¿Qué dice «Manual» sobre SGSI y sus partes?"),
    (sample("¿Quién responde los reclamos?"), "¿Quién responde los reclamos?"),
    (sample("3.1 Plazos", identifiers=("ds:003-2013-jus",)), "¿Qué dice el Decreto Supremo 003-2013-JUS sobre plazos?"),
    (sample("SEGUNDA.- Vigencia de la norma"), "¿Qué dice «Manual» sobre vigencia de la norma?"),
    (sample("Glosario breve", identifiers=("cobit@2019",)), "¿Qué dice «Manual» sobre glosario breve?"),
]


@pytest.mark.parametrize(("heading", "question"), QUESTIONS)
def test_a_heading_becomes_a_question(heading: SampleHeading, question: str) -> None:
    assert suggest([heading], limit=4) == [question, INVENTORY]


def test_norms_and_different_folders_come_first() -> None:
    headings = [sample("Uno dos", category="a"), sample("Tres cuatro", category="a", title="Otro")]
    headings.append(sample("Cinco seis", category="b", identifiers=("ley:1",)))
    first, second, last = suggest(headings, limit=3)
    assert "Ley 1" in first
    assert "uno dos" in second
    assert last == INVENTORY


UNFIT = [
    "GOBIERNO REGIONAL DEL CUSCO CONSEJO REGIONAL Es",
    "Artículo 1",
    "De los requisitos para la",
    "1.2. a)",
    "Artículo único",
    "Circular AFP Nº 0002-2001",
    "Lo que se aprueba es",
    "2.3 Del tiempo de respuesta a la respuesta útil",
    "ASISTENTES",
    "5. PRÓXIMA SESIÓN",
    "Lucía Arancibia Tello, Mateo Ferrándiz Quispe y Renata Oyola Paz",
]


@pytest.mark.parametrize("heading", UNFIT)
def test_a_heading_that_says_nothing_makes_no_question(heading: str) -> None:
    assert suggest([sample(heading)], limit=4) == [INVENTORY]


def test_the_next_heading_of_a_document_stands_in() -> None:
    first, last = suggest([sample("Artículo 1"), sample("Plazos de pago"), sample("Otra cosa")], limit=4)
    assert first == "¿Qué dice «Manual» sobre plazos de pago?"
    assert last == INVENTORY


def test_without_documents_there_is_nothing_to_suggest() -> None:
    assert suggest([], limit=4) == []
