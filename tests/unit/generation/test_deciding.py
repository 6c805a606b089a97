"""The words of a quote that decide: what is asked for, and nothing where nothing is ahead."""

from __future__ import annotations

import pytest

from rag_system.generation.deciding import deciding_words

TERMS = "El plazo para apelar es de quince (15) días hábiles; la autoridad resuelve en treinta (30) días."

DECIDED = [
    ("¿Qué plazo hay para apelar?", TERMS, "quince (15) días hábiles"),
    ("¿En cuántos días resuelve la autoridad?", TERMS, "treinta (30) días"),
    ("¿Cuántos controles reúne el Anexo A?", "El Anexo A reúne 93 controles en cuatro grupos.", "93 controles"),
    ("¿Cuánto cuesta la licencia?", "La licencia cuesta S/ 1,500.00 al año.", "S/ 1,500.00"),
    ("¿Cuál es el monto de la multa?", "La multa es de 5 a 10 UIT según la gravedad.", "5 a 10 UIT"),
    ("¿Qué porcentaje se paga?", "Se paga el 40 % del total.", "40 %"),
    (
        "¿Cuántos días dan para apelar la multa?",
        "Apelación de la multa | 12 días hábiles | Gerencia",
        "12 días hábiles",
    ),
    ("¿Cuándo entra en vigor?", "Entra en vigor el 1 de enero de 2026, según el artículo 3.", "1 de enero de 2026"),
    ("¿Quién firma el acta?", "La firma el gerente, en 5 días.", ""),  # no number is asked for
    ("¿Cuántas copias se conservan?", "La copia se hace a las 23:15 y se guarda un mes.", ""),  # no time is asked for
    ("¿Cuántos controles tiene la norma?", "La norma asigna a cada control cinco atributos.", ""),  # of something else
    ("¿Cuántos días hay?", "El plazo es el que fija el reglamento.", ""),
    (
        "¿Cuánto dura la licencia?",
        "Dura 3 meses, que se prorrogan por 2 meses si dura la obra.",
        "",
    ),  # neither is ahead
    (
        "¿Cuánto se paga el turno no autorizado?",
        "El autorizado se paga 9 soles. El no autorizado, en días.",
        "",
    ),
    ("¿Cuánto se paga el no autorizado?", "El autorizado se paga 9 soles; el no autorizado, 4 soles.", "4 soles"),
    ("¿Cuándo se reúne?", "Según el artículo 15, cuando lo pida la mitad.", ""),
]


@pytest.mark.parametrize(("question", "quote", "words"), DECIDED)
def test_what_is_asked_for_stands_out(question: str, quote: str, words: str) -> None:
    found = deciding_words(question, quote)
    assert quote[slice(*found)] == words if found else not words
