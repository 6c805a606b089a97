"""When a tree of concepts is sound, and which of them a chunk is about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.ingestion.concepts import Calibration, Tagger, calibrate, embedded_text, tidy, tree_errors
from rag_system.query.phrases import phrase_terms
from rag_system.types import Concept

TREE = [
    Concept(name="Jornada y descansos"),
    Concept(
        name="Vacaciones",
        parent="Jornada y descansos",
        aliases=("descanso vacacional", "récord vacacional", "feriado vacacional"),
    ),
    Concept(name="Pena", aliases=("pena privativa de libertad",)),
    Concept(name="Marca"),
    Concept(name="País"),
    Concept(name="Ley 29733", aliases=("LPDP",)),
    Concept(name="Niñez", aliases=("niño", "niña")),
]


def named(text: str, *headings: str) -> dict[str, float]:
    (tags,) = Tagger(TREE).tag([(headings, text)])
    return {TREE[place].name: round(confidence, 4) for place, confidence in tags}


TEXTS: list[tuple[str, dict[str, float]]] = [
    ("El trabajador tiene derecho a vacaciones.", {"Vacaciones": 0.8}),
    ("LAS VACACIONES TRUNCAS", {"Vacaciones": 0.8}),
    ("Una vacación de quince días; luego, otra vacacion.", {"Vacaciones": 0.85}),  # 0.8 + 1 · 0.05
    ("El record vacacional y los RÉCORDS VACACIONALES.", {"Vacaciones": 0.85}),
    ("El récord del trabajador no es vacacional.", {}),  # the words, not side by side
    ("Un descanso no siempre es\nvacacional.", {}),
    ("El descanso\nvacacional se paga.", {"Vacaciones": 0.8}),  # over the end of a line
    ("vacacional descanso", {}),  # another order
    ("Apenas llegó, sin pensar ni penar a los peninsulares.", {}),  # never inside a word, nor by a common root
    ("Las penas y la pena.", {"Pena": 0.85}),
    ("La pena privativa de la libertad", {"Pena": 0.8}),
    ("La pena privativa de libertad.", {"Pena": 0.8}),  # two names of one concept at one place are one mention
    ("En el marco de la ley, las marcaciones se enmarcan.", {}),  # «marca» is no «marco»
    ("Las MARCAS colectivas", {"Marca": 0.8}),
    ("los países, el pais", {"País": 0.85}),
    ("Según la Ley N.º 29.733", {}),  # «Nº» stands between
    ("Según la Ley 29.733", {"Ley 29733": 0.8}),
    ("la lpdp", {"Ley 29733": 0.8}),
    ("Los niños y las niñas", {"Niñez": 0.85}),
    ("el ninho nino", {}),  # the ñ is a letter
    ("pena pena pena pena pena pena", {"Pena": 0.95}),  # 0.8 + 5 · 0.05, cut to 0.95
    ("", {}),
]


@pytest.mark.parametrize(("text", "expected"), TEXTS)
def test_names_are_found_as_whole_words_in_order(text: str, expected: dict[str, float]) -> None:
    assert named(text) == expected


def test_a_heading_says_more_than_any_number_of_mentions() -> None:
    assert named("El goce es anual.", "Título II", "Artículo 10.- De las vacaciones") == {"Vacaciones": 1.0}
    assert named("pena pena pena", "Vacaciones y penas") == {"Vacaciones": 1.0, "Pena": 1.0}
    assert named("vacacional", "Del descanso") == {}  # a name does not begin above and end below


def test_a_chunk_keeps_the_five_surest() -> None:
    tree = [Concept(name=name) for name in ("alfa", "beta", "gamma", "delta", "épsilon", "dseta", "eta")]
    (tags,) = Tagger(tree).tag([(("Dseta",), "alfa beta gamma delta épsilon eta eta")])
    assert [(tree[place].name, confidence) for place, confidence in tags] == [
        ("dseta", 1.0),
        ("eta", pytest.approx(0.85)),
        ("alfa", 0.8),
        ("beta", 0.8),
        ("gamma", 0.8),
    ]


# ---------------------------------------------------------------- similarity


Z = [
    (3.49, 0.0),
    (3.5, 0.3),
    (4.5, 0.45),  # 0.3 + 0.15 · (4.5 − 3.5)
    (5.5, 0.6),
    (9.0, 0.6),
]


@pytest.mark.parametrize(("z", "confidence"), Z)
def test_similarity_is_measured_in_deviations_from_what_is_usual(z: float, confidence: float) -> None:
    usual = Calibration(
        vectors=np.array([[1.0, 0.0]], np.float32),
        means=np.array([0.8], np.float32),
        spreads=np.array([0.01], np.float32),
    )
    cosine = 0.8 + 0.01 * z + 1e-6
    chunks = np.array([[cosine, 0.0]], np.float32)
    assert usual.confidences(chunks)[0, 0] == pytest.approx(confidence, abs=1e-3)


def test_the_better_of_name_and_similarity_counts() -> None:
    usual = Calibration(
        vectors=np.array([[1.0, 0.0], [0.0, 1.0]], np.float32),
        means=np.zeros(2, np.float32),
        spreads=np.full(2, 0.125, np.float32),
    )
    tagger = Tagger([Concept(name="multa"), Concept(name="plazo")], usual)
    chunks = [((), "La multa"), ((), "Otra cosa")]
    near_first = np.array([[1.0, 0.0], [1.0, 0.0]], np.float32)
    assert list(tagger.tag(chunks, near_first)) == [[(0, 0.8)], [(0, pytest.approx(0.6))]]
    assert list(tagger.tag(chunks)) == [[(0, 0.8)], []]


def test_a_handful_of_chunks_or_equal_ones_make_nothing_similar() -> None:
    concept = np.array([[1.0, 0.0]], np.float32)
    assert calibrate(concept, np.ones((49, 2), np.float32)) is None
    flat = calibrate(concept, np.ones((50, 2), np.float32))
    assert flat is not None
    assert not flat.confidences(np.ones((3, 2), np.float32)).any()


# ---------------------------------------------------------------- the tree


def concept(name: str, parent: str = "", *aliases: str) -> Concept:
    return Concept(name=name, parent=parent, aliases=aliases)


WRONG = [
    ([concept("Multa", "Sanción")], "«Multa» está dentro de «Sanción», que no existe. Agréguelo o corrija el nombre."),
    (
        [concept("Multa", "Multa")],
        "Un concepto no puede estar dentro de sí mismo: «Multa» → «Multa». Cambie uno de ellos de lugar.",
    ),
    (
        [concept("A", "C"), concept("B", "A"), concept("C", "B"), concept("D", "A")],
        "Un concepto no puede estar dentro de sí mismo: «A» → «C» → «B» → «A». Cambie uno de ellos de lugar.",
    ),
    ([concept("Multa"), concept("MULTAS")], "«MULTAS» está dos veces: en «Multa» y en «MULTAS». Quite una."),
    ([concept("Multa", "", "pena"), concept("Pena")], "«Pena» está dos veces: en «Multa» y en «Pena». Quite una."),
    ([concept("", "", "pena")], "«(sin nombre)»: un nombre no tiene ninguna palabra. Escríbalo con letras o números."),
    ([concept("Pena", "", "¡…!")], "«Pena»: un alias no tiene ninguna palabra. Escríbalo con letras o números."),
    (
        [concept("x" * 101)],
        f"«{'x' * 100}»: un nombre pasa de 100 caracteres o tiene signos invisibles.",
    ),
    (
        [concept("Multa", "", *(f"alias{n}" for n in range(51)))],
        "«Multa» tiene 51 alias y caben 50. Quite los que menos se usen.",
    ),
    ([concept(f"c{n}") for n in range(2001)], "Hay 2001 conceptos y caben 2000. Quite los que no use."),
]


@pytest.mark.parametrize(("tree", "error"), WRONG)
def test_what_is_wrong_with_a_tree_is_one_clear_line(tree: list[Concept], error: str) -> None:
    assert tree_errors(tree) == [error]


def test_a_sound_tree_has_no_errors_whatever_its_order() -> None:
    assert tree_errors(TREE) == tree_errors(TREE[::-1]) == tree_errors([]) == []
    own_plural = [concept("Vacación", "", "vacaciones", "Vacacion")]
    assert tree_errors(own_plural) == []  # a concept may spell its own name twice


def test_a_tree_is_tidied_before_it_is_judged() -> None:
    untidy = [
        concept(" Jornada  y\tdescansos "),
        concept("Vacaciones", "jornada y descansos", "feriado ", "feriado", ""),
    ]
    assert tidy(untidy) == [
        concept("Jornada y descansos"),
        concept("Vacaciones", "Jornada y descansos", "feriado"),
    ]
    assert embedded_text(tidy(untidy)[1]) == "Vacaciones, feriado"


def reaches_itself(parents: dict[str, str], name: str) -> bool:
    at, steps = parents[name], 0
    while at and at != name and steps <= len(parents):
        at, steps = parents.get(at, ""), steps + 1
    return at == name


NAMES = [f"nombre{n}" for n in range(8)]


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["", *NAMES]), min_size=1))
def test_a_tree_is_sound_when_every_parent_is_there_and_none_is_below_itself(parents: dict[str, str]) -> None:
    errors = tree_errors([concept(name, parent) for name, parent in parents.items()])
    missing = sum(bool(parent) and parent not in parents for parent in parents.values())
    looped = any(reaches_itself(parents, name) for name in parents)
    assert sum("no existe" in error for error in errors) == missing
    assert any("sí mismo" in error for error in errors) is looped
    assert len(errors) >= missing + looped


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_name_is_found_between_any_other_words(before: str, after: str) -> None:
    (tags,) = Tagger(TREE[:2]).tag([((), f"{before} récord vacacional {after}")])
    assert 1 in dict(tags)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("ley", "LEYES", True),
        ("luz", "luces", True),
        ("clase", "clases", True),
        ("mes", "meses", True),
        ("juez", "jueces", True),
        ("bien", "bienes", True),
        ("red", "redes", True),
        ("contratación", "CONTRATACIONES", True),
        ("trabajador", "trabajadoras", True),
        ("casa", "caso", False),
        ("banco", "banca", False),
        ("pena", "pene", False),
        ("año", "ano", False),
    ],
)
def test_words_compare_by_stem_unless_it_is_too_short(one: str, other: str, same: bool) -> None:
    assert (phrase_terms(one) == phrase_terms(other)) is same
