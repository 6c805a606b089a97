"""What is checked of an answer that no model wrote."""

from __future__ import annotations

import pytest

from rag_system.generation.answering import write
from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.timing import Stopwatch
from rag_system.types import Finished
from tests.builders import chunk, evidence, request


@pytest.mark.parametrize(
    "title",
    [
        "TUO del D.Leg. 728 - Ley de Productividad y Competitividad Laboral",
        "Ley laboral. El período de prueba es de tres meses",
        "¿Cuánto dura? El período de prueba es de tres meses. Guía",
    ],
)
def test_no_marker_and_no_notice_is_added_to_what_is_only_quoted(title: str) -> None:
    law = chunk("El período de prueba es de tres meses.", title=title, headings=("Artículo 10.- Período de prueba",))
    asked = request("cuanto dura el periodo de prueba", evidence(law))
    *_, last = write(asked, ExtractiveAnswerer(), Stopwatch())
    assert isinstance(last, Finished)
    assert last.answer.text == f"Según {title}, artículo 10: «El período de prueba es de tres meses.» [1]"
    assert (last.answer.notices, [citation.added for citation in last.answer.citations]) == ((), [False])
