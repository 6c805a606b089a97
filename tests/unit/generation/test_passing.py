"""Names that a question only brings up."""

from __future__ import annotations

import pytest

from rag_system.generation.passing import is_in_passing
from tests.builders import chunk, evidence

APPEAL = chunk(
    "El recurso de apelación contra la multa se presenta en quince días hábiles ante la Administración Tributaria.",
    title="Código Tributario",
    headings=("Artículo 146.- Apelación",),
)
NATIONALITY = chunk(
    "Puede pedir la nacionalidad peruana el extranjero que resida dos años en el país.",
    title="Ley de Nacionalidad",
    headings=("Artículo 3",),
)
NAMES = [
    ("SUNAT", "¿Qué plazo me da la SUNAT para apelar una multa?", True),
    ("SUNAT", "¿Qué es la SUNAT?", False),
    ("SUNAT", "¿Dónde quedan las oficinas de la SUNAT en Cusco?", False),
    ("OTAN", "¿Qué plazo da la OTAN para apelar una multa?", False),  # nobody's everyday agency
    ("Colombia", "Soy de Colombia, ¿puedo pedir la nacionalidad peruana?", True),
    ("Colombia", "¿Cómo se pide la nacionalidad en Colombia?", False),
    ("Chile", "Mi esposa es de Chile, ¿cuánto dura la visa de turista?", False),
]


@pytest.mark.parametrize(("name", "question", "in_passing"), NAMES)
def test_a_name_in_passing(name: str, question: str, in_passing: bool) -> None:
    best = NATIONALITY if name == "Colombia" else APPEAL
    assert is_in_passing(name, question, evidence(best)) is in_passing
