"""One language a document: real openings, mixed documents, and texts that say nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.language import detect_language

SPANISH = "El empleador entrega a los trabajadores una copia del reglamento, que se publica en la sede y en su portal. "
ENGLISH = (
    "The purpose of this policy is to set out the rules that apply to the staff of the agency and to its vendors. "
)
PORTUGUESE = (
    "O empregador deve entregar aos trabalhadores uma cópia do regulamento, que não pode ser cobrada pela empresa. "
)
FRENCH = "Le présent règlement est applicable dans les services de la ville et par les agents qui sont sous contrat. "
ITALIAN = "Il presente regolamento si applica ai dipendenti della società che non sono in prova, e ai collaboratori. "
GERMAN = "Die Richtlinie gilt für alle Mitarbeiter und ist mit dem Vertrag zu unterschreiben, der nicht befristet ist. "

TEXTS = [
    (SPANISH, "es"),
    (ENGLISH, "en"),
    (PORTUGUESE * 2, "pt"),
    (FRENCH * 2, "fr"),
    (ITALIAN * 2, "it"),
    (GERMAN, "de"),
    (SPANISH.upper(), "es"),
    (
        "Que, mediante Oficio N° 123-2024, la Gerencia solicita la aprobación de la Directiva; estando a lo expuesto;",
        "es",
    ),
    # A paper in Spanish that opens with its abstract in English, a handbook in English with a cover in Spanish
    (ENGLISH * 15 + SPANISH * 200, "es"),
    (SPANISH * 10 + ENGLISH * 300, "en"),
    # A bilingual one: the language in which more is written
    ((SPANISH + ENGLISH * 2) * 80, "en"),
    ((SPANISH * 2 + ENGLISH) * 80, "es"),
    # Names of products, forms, tables and other alphabets say nothing
    ("Word, Excel, PowerPoint, Outlook, Windows Server", "es"),
    ("Name: ____ Date: ____ Signature: ____", "es"),
    ("12.5 | 13.0 | 14.2\n" * 50, "es"),
    ("يبيبح " * 50, "es"),
    ("", "es"),
]


@pytest.mark.parametrize(("text", "language"), TEXTS)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert detect_language(text) == language


@given(st.text(max_size=50_000))
def test_any_text_has_a_language(text: str) -> None:
    assert detect_language(text) in {"es", "en", "pt", "fr", "it", "de"}
