"""Citation markers in every shape that models write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.generation.markers import MarkerStream, clean_answer, defuse_markers, strip_markers

SOURCES = (1, 2, 3, -1, -4)  # three passages, and the facts [M1] and [M4]

SHAPES = [
    ("El plazo es de 15 días [1].", "El plazo es de 15 días [1].", (1,)),
    ("[1,2]", "[1][2]", (1, 2)),
    ("[1, 2] y [2]", "[1][2] y [2]", (1, 2)),
    ("[2][1]", "[2][1]", (2, 1)),
    ("[1; 3]", "[1][3]", (1, 3)),
    ("[1 y 3]", "[1][3]", (1, 3)),
    ("[1 and 3]", "[1][3]", (1, 3)),
    ("[S1]", "[1]", (1,)),
    ("[S1, S2]", "[1][2]", (1, 2)),
    ("[SOURCE:S1]", "[1]", (1,)),
    ("[source: 2]", "[2]", (2,)),
    ("[Fuente 1]", "[1]", (1,)),
    ("[Fuentes 1 y 2]", "[1][2]", (1, 2)),
    ("[Fuente 1; Fuente 3]", "[1][3]", (1, 3)),
    ("(Fuente 2)", "[2]", (2,)),
    ("(fuentes 1, 2)", "[1][2]", (1, 2)),
    ("[Doc. 3]", "[3]", (3,)),
    ("[1]-[3]", "[1][2][3]", (1, 2, 3)),
    ("[1]–[3]", "[1][2][3]", (1, 2, 3)),
    ("[1-3]", "[1][2][3]", (1, 2, 3)),
    ("[1–3]", "[1][2][3]", (1, 2, 3)),
    ("[1 a 3]", "[1][2][3]", (1, 2, 3)),
    ("[3-1]", "[3][1][2]", (3, 1, 2)),
    ("［１］", "[1]", (1,)),
    ("【2】", "[2]", (2,)),
    ("【1†L3-L5】", "[1]", (1,)),
    ("[1](#fuente-1)", "[1]", (1,)),
    ("[1](https://malo.example/?q=dato)", "[1]", (1,)),
    ("[M1]", "[M1]", (-1,)),
    ("[m4]", "[M4]", (-4,)),
    ("[M 1]", "[M1]", (-1,)),
    ("[M1, M4]", "[M1][M4]", (-1, -4)),
    ("[1, M4]", "[1][M4]", (1, -4)),
    ("[M1][2]", "[M1][2]", (-1, 2)),
    ("[2 y M1]", "[2][M1]", (2, -1)),
    ("[M1-M4]", "[M1][M4]", (-1, -4)),
    ("[1-M4]", "[1][M4]", (1, -4)),
    ("[Hecho M1]", "[M1]", (-1,)),
    ("[Hecho 1]", "[M1]", (-1,)),
    ("【M4】", "[M4]", (-4,)),
    ("[M1](#hecho-1)", "[M1]", (-1,)),
]


@pytest.mark.parametrize(("text", "clean", "numbers"), SHAPES)
def test_shapes(text: str, clean: str, numbers: tuple[int, ...]) -> None:
    assert clean_answer(text, SOURCES) == (clean, numbers)


DROPPED = [
    ("El plazo es de 15 días [9].", "El plazo es de 15 días."),
    ("Uno [1, 9].", "Uno [1]."),
    ("Uno [0].", "Uno."),
    ("Uno [7-9].", "Uno."),
    ("Uno [2-9].", "Uno [2][3]."),
    ("Uno [Fuente 120].", "Uno."),
    ("Uno [M2].", "Uno."),
    ("Uno [M0].", "Uno."),
    ("Uno [M2, M4].", "Uno [M4]."),
]


@pytest.mark.parametrize(("text", "clean"), DROPPED)
def test_numbers_without_evidence_are_dropped(text: str, clean: str) -> None:
    assert clean_answer(text, SOURCES)[0] == clean


@pytest.mark.parametrize(
    "text",
    [
        "La reforma de [2020] cambió el texto.",
        "«El plazo […] vence»",
        "«El plazo [...] vence»",
        "según lo prevén [sic] las partes",
        "el inciso [a]",
        "[Artículo 5]",
        "[Ley 29733]",
        "la resolución [004-2019-JUS]",
        "(3) el empleador",
        "(2020)",
        "El artículo 5 [modificado en 2021]",
        "[ ]",
        "a[i] = 3",
        "el plano (M1)",
        "[IM1]",
    ],
)
def test_what_is_no_marker_stays(text: str) -> None:
    assert clean_answer(text, SOURCES) == (text, ())


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Lo fija el artículo [23] de la ley [1].", "Lo fija el artículo 23 de la ley [1]."),
        ("Vea los artículos [23, 24] [2].", "Vea los artículos 23, 24 [2]."),
        ("Según el art. [12].", "Según el art. 12."),
        ("Lo dice ese artículo [3].", "Lo dice ese artículo [3]."),
    ],
)
def test_an_articles_number_in_brackets_is_not_lost(text: str, clean: str) -> None:
    assert clean_answer(text, SOURCES)[0] == clean
    stream = MarkerStream(SOURCES)
    assert "".join(map(stream.feed, text)) + stream.close() == clean


def test_no_evidence_leaves_no_marker() -> None:
    assert clean_answer("Uno [1]. Dos [2].", ()) == ("Uno. Dos.", ())


@pytest.mark.parametrize(
    ("text", "defused"),
    [
        ("Según [3] y 【1】.", "Según (3) y (1)."),
        ("[1, 2] de [2020]", "(1, 2) de [2020]"),
        ("(Fuente 1)", "(Fuente\u2060 1)"),
        ("[S1]", "(S\u20601)"),
        ("[M1]", "(M\u20601)"),
    ],
)
def test_a_documents_own_markers_are_defused(text: str, defused: str) -> None:
    assert defuse_markers(text) == defused


def test_strip_markers_reads_as_prose() -> None:
    assert (
        strip_markers("El plazo es de 15 días [1][3]. En [2020] era otro.")
        == "El plazo es de 15 días. En [2020] era otro."
    )


def in_pieces(text: str, sizes: list[int]) -> str:
    stream, start, shown = MarkerStream(SOURCES), 0, []
    for size in sizes:
        shown.append(stream.feed(text[start : start + size]))
        start += size
    return "".join([*shown, stream.feed(text[start:]), stream.close()])


ALPHABET = st.sampled_from(["Fuente ", "hola ", "\n", "†L", *"[]()129,- SMya【】#."])


@settings(deadline=None)  # the machine may be busy
@given(st.lists(ALPHABET, max_size=24).map("".join), st.lists(st.integers(1, 4), max_size=24))
def test_streamed_in_any_pieces_it_equals_the_whole(text: str, sizes: list[int]) -> None:
    streamed = in_pieces(text, sizes)
    assert clean_answer(streamed, SOURCES) == clean_answer(text, SOURCES)


@settings(deadline=None)  # the machine may be busy
@given(st.lists(ALPHABET, max_size=24).map("".join))
def test_nothing_defused_is_read_as_a_marker(text: str) -> None:
    assert clean_answer(defuse_markers(text), SOURCES)[1] == ()


@settings(deadline=None)  # the machine may be busy
@given(st.text(max_size=200))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = clean_answer(text, SOURCES)
    assert clean_answer(once[0], SOURCES) == once


def test_words_are_not_held_back() -> None:
    stream = MarkerStream(SOURCES)
    assert stream.feed("El plazo") == "El plazo"
    assert stream.feed(" es") == " es"


def test_a_split_marker_waits() -> None:
    stream = MarkerStream(SOURCES)
    assert [stream.feed(piece) for piece in ["días", " [", "1", "]", ". Luego"]] == ["días", "", "", "", " [1]. Luego"]
