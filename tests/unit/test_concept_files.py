"""Trees of concepts as people write them: read, written, changed concept by concept, and shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.concepts import (
    ConceptSummary,
    parse_tree,
    put_concept,
    read_tree,
    show_tree,
    take_concept,
    write_tree,
)
from rag_system.errors import InputError
from rag_system.types import Concept

TREE = [
    Concept(name="Jornada y descansos"),
    Concept(name="Vacaciones", parent="Jornada y descansos", aliases=("descanso vacacional", "récord vacacional")),
    Concept(name="Vacaciones truncas", parent="Vacaciones"),
]
WRITTEN = """\
[[conceptos]]
nombre = "Jornada y descansos"

[[conceptos]]
nombre = "Vacaciones"
padre = "Jornada y descansos"
alias = ["descanso vacacional", "récord vacacional"]

[[conceptos]]
nombre = "Vacaciones truncas"
padre = "Vacaciones"
"""


def test_a_tree_is_written_as_a_person_would() -> None:
    assert write_tree(TREE) == WRITTEN
    assert parse_tree(WRITTEN) == TREE
    assert (write_tree([]), parse_tree("")) == ("", [])


NAMES = st.text(st.characters(exclude_categories=("C",)), max_size=30)


@given(st.lists(st.builds(Concept, name=NAMES, parent=NAMES, aliases=st.lists(NAMES, max_size=3).map(tuple))))
def test_what_is_written_is_read_back(tree: list[Concept]) -> None:
    assert parse_tree(write_tree(tree)) == tree


UNREADABLE = [
    (
        "[[conceptos]]\nnombre = Multa\n",
        "El texto no es TOML válido en la línea 2: revise las comillas y los corchetes.",
    ),
    (
        'nombre = "Multa"',
        "Cada concepto debe empezar con una línea «[[conceptos]]», y no puede haber nada más.",
    ),
    (
        '[conceptos]\nnombre = "Multa"',
        "Cada concepto debe empezar con una línea «[[conceptos]]», y no puede haber nada más.",
    ),
    (
        '[[conceptos]]\npadre = "Multa"',
        'El concepto 1 no tiene nombre: escriba nombre = "…" debajo de «[[conceptos]]».',
    ),
    ("conceptos = [1]", 'El concepto 1 no tiene nombre: escriba nombre = "…" debajo de «[[conceptos]]».'),
    (
        '[[conceptos]]\nnombre = "Multa"\nalais = ["pena"]',
        "«Multa» tiene «alais», que no se conoce. Use nombre, padre y alias.",
    ),
    ('[[conceptos]]\nnombre = "Multa"\npadre = 3', "El padre de «Multa» debe ser un nombre entre comillas."),
    (
        '[[conceptos]]\nnombre = "Multa"\nalias = "pena"',
        'Los alias de «Multa» deben ser una lista: alias = ["uno", "otro"].',
    ),
]


@pytest.mark.parametrize(("text", "told"), UNREADABLE)
def test_what_cannot_be_read_is_one_clear_line(text: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        parse_tree(text)
    assert str(error.value) == told


def test_a_file_that_is_not_there_or_no_text_is_told(tmp_path: Path) -> None:
    binary = tmp_path / "arbol.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "falta.toml", binary, tmp_path):
        with pytest.raises(InputError, match="Indique un archivo de texto UTF-8 que exista"):
            read_tree(path)
    binary.write_text(f"\N{BYTE ORDER MARK}{WRITTEN}", encoding="utf-8")
    assert read_tree(binary) == TREE


def test_a_renamed_concept_takes_what_is_below_it_along() -> None:
    renamed = put_concept(TREE, Concept(name="Descansos"), instead_of="Jornada y descansos")
    assert [(each.name, each.parent) for each in renamed] == [
        ("Descansos", ""),
        ("Vacaciones", "Descansos"),
        ("Vacaciones truncas", "Vacaciones"),
    ]
    new = Concept(name="Multas")
    assert put_concept(TREE, new) == put_concept(TREE, new, instead_of="Quitado") == [*TREE, new]


def test_what_was_below_a_removed_concept_goes_up() -> None:
    assert take_concept(TREE, "Vacaciones") == [TREE[0], Concept(name="Vacaciones truncas", parent=TREE[0].name)]
    assert take_concept(TREE, "Nada") == TREE


def test_a_tree_is_shown_with_what_is_about_each() -> None:
    shown = [
        ConceptSummary(name="Descansos", parent="", aliases=(), depth=0, documents=1, chunks=2),
        ConceptSummary(name="Vacaciones", parent="Descansos", aliases=("feriado",), depth=1, documents=0, chunks=1),
    ]
    assert show_tree(shown).splitlines() == [
        "Descansos: 1 documento, 2 fragmentos",
        "  Vacaciones (feriado): 0 documentos, 1 fragmento",
    ]
    assert "legajo concepts --file" in show_tree([])
