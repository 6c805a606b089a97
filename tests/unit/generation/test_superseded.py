"""What the notes of a text say is no longer in force, and that it gives way to what is."""

from __future__ import annotations

import pytest

from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.passages import read_passage
from rag_system.generation.superseded import superseded
from tests.builders import chunk, evidence, request

REPLACED = (
    "El carné de lector vale seis meses. (*)\n"
    "(*) Artículo modificado por el Artículo 2 de la Ordenanza N° 41, publicada el 3 mayo 2019, cuyo texto es el "
    "siguiente:\n"
    "“El carné de lector vale dos años desde su entrega.”"
)
PAST = [
    (REPLACED, ["El carné de lector vale seis meses. (*)"]),
    ("El pago es mensual.\n(*) Artículo derogado por la Ley 3.\nLa sede es Lima.", ["El pago es mensual."]),
    ("El pago es mensual.\nEl cobro es anual.\n(*) Ley 7 DEROGADA por la Ley 9.",
     ["El pago es mensual.", "El cobro es anual."]),
    ("a) Pagar a tiempo.\nb) Pagar la mora. (*)\n(*) Inciso derogado por la Ley 3.\nc) Avisar.",
     ["b) Pagar la mora. (*)"]),
    ("El pago es mensual. Texto anterior: el pago era anual.", ["Texto anterior: el pago era anual."]),
    ("El pago es mensual.\n(*) Artículo modificado por la Ley 3, publicada el 4 mayo 2018.", []),
    ("El pago es mensual.\n(*) Artículo incorporado por la Ley 3.", []),
    ("Quedan derogadas las normas que se opongan a la presente ley.", []),
    ("El texto original del contrato se guarda en el archivo.", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "past"), PAST)
def test_notes_tell_what_is_not_in_force(text: str, past: list[str]) -> None:
    found = superseded(read_passage(text))
    assert sorted(span.text for span in found) == sorted(past)


def answer(question: str, text: str) -> str:
    passage = chunk(text, title="Reglamento de la biblioteca", headings=("Artículo 9.- Carné",))
    return "".join(ExtractiveAnswerer().stream(request(question, evidence(passage))))


def test_the_text_in_force_is_quoted_instead() -> None:
    said = answer("¿Cuánto tiempo vale el carné de lector?", REPLACED)
    assert "dos años desde su entrega" in said
    assert "seis meses" not in said


def test_what_was_repealed_is_quoted_with_the_note_that_says_so() -> None:
    text = "El carné de lector vale seis meses desde su entrega.\n(*) Artículo derogado por la Ley 3."
    said = answer("¿Cuánto tiempo vale el carné de lector?", text)
    assert "«El carné de lector vale seis meses" in said
    assert "(*) Artículo derogado por la Ley 3.»" in said
