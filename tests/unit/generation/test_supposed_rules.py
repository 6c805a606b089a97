"""The rules that questions take for granted, and whether a passage says them."""

from __future__ import annotations

import pytest

from rag_system.generation.silence import missing_from
from rag_system.generation.supposed_rules import unsaid_rule
from tests.builders import chunk, evidence, request

POOL = chunk(
    "Los bañistas usan gorro dentro del agua. Está prohibido correr junto a la piscina. Los menores de ocho años no "
    "podrán bañarse sin un adulto. El certificado médico es obligatorio para los nadadores del equipo. La ducha es "
    "voluntaria para los visitantes.",
    title="Reglamento de la piscina municipal",
    headings=("Artículo 6.- Uso",),
)
RULES = [
    ("¿Por qué se prohíbe correr junto a la piscina?", True),
    ("¿Por qué el reglamento prohíbe que los menores de ocho años se bañen sin un adulto?", True),
    ("¿Por qué exigen certificado médico a los nadadores del equipo?", True),
    ("¿Por qué se prohíbe comer helados junto a la piscina?", False),
    ("¿Por qué el reglamento prohíbe las aletas en la piscina?", False),
    ("¿Por qué exigen seguro de vida a los bañistas?", False),
    ("x q exigen seguro d vida a los bañistas", False),
    ("¿Por qué obligan a los visitantes a la ducha?", False),  # says the contrary
    ("¿Se prohíbe comer helados?", True),  # supposes nothing
    ("¿Por qué cierran los lunes?", True),  # no rule of these kinds
]
ORDERED = [
    ("¿Por qué me obligan a usar casco?", "Todo trabajador usará casco dentro de la planta.", True),
    ("¿Por qué me obligan a usar casco?", "Cada uno se pondrá el casco al entrar a usar la planta.", True),
    ("¿Por qué me obligan a usar casco?", "En la planta hay que usar casco, bajo apercibimiento de retiro.", True),
    ("¿Por qué me obligan a usar casco?", "El visitante no usará casco en las oficinas.", False),
    ("¿Por qué me obligan a usar casco?", "El casco se puede usar de cualquier manera.", False),
    ("¿Por qué me obligan a usar casco?", "Se considera de primera usar casco para la obra.", False),
    (
        "¿Por qué exigen escritura para donar una casa?",
        "Donar una casa va en escritura, so pena de nulidad.",
        True,
    ),
]


HELMET = "¿Por qué me obligan a usar casco?"
CARD = "¿Por qué exigen el DNI para votar?"
SMOKE = "¿Por qué se prohíbe fumar en la sala?"
REFLEXIVE = [
    (HELMET, "En la obra se usa casco.", True),
    (HELMET, "Dentro de la planta se usan casco y guantes.", True),
    (HELMET, "Úsese casco en toda la obra.", True),
    (HELMET, "En la planta es de uso el casco, como el guante.", True),
    (HELMET, "El casco es de uso diario en la planta.", True),
    (HELMET, "Hay que usar casco.", True),
    (HELMET, "Nadie entra a la obra a usar la grúa sin casco.", True),
    (HELMET, "No se puede entrar ni usar la grúa sin casco.", True),
    (HELMET, "Se prohíbe usar la grúa sin casco.", True),
    (HELMET, "El casco es de uso exclusivo de los bomberos.", False),
    (HELMET, "El casco no se usa en las oficinas.", False),
    (HELMET, "Se usa casco si se desea.", False),
    (HELMET, "Usar casco es opcional.", False),
    (HELMET, "Se recomienda usar casco.", False),
    (HELMET, "Se prohíbe usar casco en la oficina.", False),
    (HELMET, "No se exige usar casco a los visitantes sin demora.", False),
    (HELMET, "Se usan guantes. El casco es azul.", False),
    ("¿Por qué me obligan a llevar casco?", "En la obra se lleva puesto el casco.", True),
    (CARD, "Para votar se presenta el DNI.", True),
    (CARD, "Para votar, preséntese el DNI en la mesa.", True),
    (CARD, "El DNI azul sirve para votar.", False),
    (CARD, "Nadie presenta DNI para votar.", False),
    ("¿Por qué exigen escritura para donar una casa?", "Donar una casa se hace por escritura pública.", True),
    ("¿Por qué obligan a pagar la matrícula en marzo?", "La matrícula se paga en marzo.", True),
    ("¿Por qué obligan a pagar la matrícula en marzo?", "La matrícula no se paga en marzo.", False),
    (SMOKE, "En la sala no se fuma.", True),
    (SMOKE, "En la sala se fuma.", False),
    (SMOKE, "No se prohíbe fumar en la sala.", False),
    (SMOKE, "En la sala no se aplica lo dicho sobre fumar.", False),
]


PETS = "¿Por qué se prohíbe el ingreso con mascotas?"
CLAUSES = [
    (PETS, "Está prohibido el ingreso con mascotas; no se prohíbe a los perros guía.", True),
    (PETS, "Está prohibido el ingreso con mascotas, no se prohíbe a los perros guía.", True),
    (PETS, "No se prohíbe el ingreso con mascotas; está prohibido dejarlas sueltas.", False),
    (HELMET, "Usar casco es obligatorio y no se prohíbe pintarlo.", True),
    ("¿Por qué se exige el casco?", "El uso del casco es obligatorio y no se prohíbe pintarlo.", True),
    (HELMET, "Usar casco es voluntario y el chaleco es obligatorio.", False),
    (HELMET, "No es obligatorio usar casco, aunque debe estar limpio.", False),
    (CARD, "Para votar es obligatorio el DNI, salvo que sea opcional por edad.", True),
    (CARD, "Para votar es opcional el DNI, salvo que la mesa deba verlo.", False),
]


@pytest.mark.parametrize(("question", "passage", "said"), CLAUSES)
def test_one_clause_that_says_the_contrary_does_not_undo_another(question: str, passage: str, said: bool) -> None:
    asked = request(question, evidence(chunk(passage, title="Reglamento interno")))
    assert (missing_from(asked.plan, asked.evidence) == "") is said


@pytest.mark.parametrize(("question", "passage", "said"), REFLEXIVE)
def test_a_rule_may_be_said_with_the_reflexive(question: str, passage: str, said: bool) -> None:
    asked = request(question, evidence(chunk(passage, title="Reglamento interno")))
    assert (missing_from(asked.plan, asked.evidence) == "") is said


@pytest.mark.parametrize(("question", "passage", "said"), ORDERED)
def test_an_order_may_be_in_the_future_or_be_told_by_what_its_breach_brings(
    question: str, passage: str, said: bool
) -> None:
    asked = request(question, evidence(chunk(passage)))
    assert (unsaid_rule(asked.plan, asked.evidence) == "") is said


@pytest.mark.parametrize(("question", "said"), RULES)
def test_a_rule_is_said_where_a_sentence_has_its_verb_and_its_thing(question: str, said: bool) -> None:
    asked = request(question, evidence(POOL))
    assert (unsaid_rule(asked.plan, asked.evidence) == "") is said
