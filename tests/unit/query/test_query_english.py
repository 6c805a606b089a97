"""A question in English or Portuguese is neither corrected nor accented as if it were Spanish, and names norms too."""

from __future__ import annotations

import pytest

from rag_system.query.identifiers import extract_identifiers
from rag_system.query.language import in_another_language
from rag_system.query.spelling import suspects

ENGLISH = [
    "Illegal access to computer systems",
    "What is the penalty for illegal access?",
    "illegal interception: the definition and the sanction",
    "Which version must be used?",
    "Can my boss fire me while I am pregnant?",
    "how long is a trial period",
    "HOW MANY VACATION DAYS DO I GET?",
    "Does a worker get paid during maternity leave?",
    "must my employer pay overtime",
]
PORTUGUESE = [
    "Quais são os direitos do trabalhador?",
    "Quantos dias de férias tem o trabalhador?",
    "Qual é o prazo em que posso apelar da decisão?",
    "O empregador pode demitir uma trabalhadora grávida? Não tem direito a indenização?",
    "Você pode explicar a lei de proteção de dados?",
]
SPANISH = [
    "que dicen los terms of use de la devolucion",
    "principio in dubio pro reo",
    "¿has visto el plazo?",
    "curso on line de seguridad",
    "Ley 29783",
    "teletrabajo",
    "¿cuál es el impuesto a las ventas y quién lo paga?",
    "¿puedo hacer home office si tengo un bebe?",
    "dos días de permiso, ¿quién los paga?",
    "",
]


@pytest.mark.parametrize("question", ENGLISH)
def test_english_is_left_as_it_is(question: str) -> None:
    assert in_another_language(question)
    assert suspects(question) == []


@pytest.mark.parametrize("question", PORTUGUESE)
def test_portuguese_is_left_as_it_is(question: str) -> None:
    assert in_another_language(question)
    assert suspects(question) == []


@pytest.mark.parametrize("question", SPANISH)
def test_spanish_is_not_taken_for_another_language(question: str) -> None:
    assert not in_another_language(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does Law 29783 say about committees?", ["ley:29783"]),
        ("Law No. 29,783", ["ley:29783"]),
        ("article 5 of Supreme Decree 005-2012-TR", ["ds:005-2012-tr"]),
        ("Legislative Decree 1440", ["dl:1440"]),
        ("O que diz a Lei nº 29.783?", ["ley:29783"]),
        ("What does the Constitution say about strikes?", ["constitucion"]),
        ("O que diz a Constituição sobre a greve?", ["constitucion"]),
        ("a lei do trabalho", []),
        ("the law of 2019", []),
    ],
)
def test_norms_in_other_languages(question: str, expected: list[str]) -> None:
    assert extract_identifiers(question) == expected
