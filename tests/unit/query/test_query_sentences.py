"""Spanish sentences as literal spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.sentences import ends_in_abbreviation, sentence_end_before, split_sentences

ONE = [
    "Según el art. 14 inc. 2 de la Ley N.° 29733, procede.",
    "El D.S. N.º 003-2013-JUS aprueba el reglamento.",
    "Lo firmó el Sr. Pérez ante la Dra. Quispe.",
    "El núm. 3 del lit. b) lo prohíbe.",
    "Lo dicen García, J. A. y Mendoza, P. (2020).",
    "El rango es el que informan Quintana et al. (2022), de 6 % a 25 %.",
    "La tasa es de 3.5 puntos y S/ 1.500,00.",
    "EE. UU. firmó el tratado.",
    "Véase la pág. 45 del vol. II.",
    "Artículo 5.- El plazo es de quince días.",
    "1. El empleador registra la jornada.",
    "a. El empleador registra la jornada.",
    "Es decir, p. ej. Lima o el Callao.",
    "Según el Art. 5 y el inc. B. Así es.",
    "1.1. Principio de legalidad.- Las autoridades actúan.",
    "«41.1. Pertenece al Sistema.",
    "29-A.5. La gestión del Sistema.",
    "XVIII. El Estado promueve el deporte.",
    "TÍTULO II. DEUDOR TRIBUTARIO",
    "Subcapítulo IV. Conflictos de competencia",
    "Lo dicen las Leyes N.°s. 26648 y 26653.",
    "Rigen los Decretos Supremos núms. 23 y 24.",
    "La Ley. 29733 lo dice.",
    "Lo aprueba la R.M. N.° 123-2020-MINSA y la R. M. 45.",
    "Minera Los Andes S.A.C. La Oroya presentó su recurso.",
    "Landa (2018), cap. IV, 3.ª ed. Lima: Fondo Editorial.",
    "El Ing. J. A. Ruiz vive en Av. Grau 123, Dpto. 4.",
    "La multa era de S/. 500 al mes.",
    "Se resuelve en el plazo de nueve\n(9) meses.",
    "Rigen el TUO del D.Leg. 728 y el D. Leg. N.° 713.",
    "Rigen el D.Leg. N° 728, el D. Legis. Nro. 276 y la R.Leg. 26183.",
    "Según D.L. 19990, D.S. 003-97-TR, R.D. 12, R.S. N.° 5 y R.J. 7.",
    "Lo fijan la Res. 45, la R. Min. 123 y el Reg. 4.",
    "Lo dicen la Const. 1993, el Exp. N.° 12, la Cas. 3480-2014 y el Of. 8.",
    "Se elevó el Mem. 5 con el Inf. N.º 23-2020 y el Inf. Técnico.",
]


@pytest.mark.parametrize("text", ONE)
def test_abbreviations_do_not_end_a_sentence(text: str) -> None:
    assert [span.text for span in split_sentences(text)] == [text]


MANY = [
    ("Procede. No procede.", ["Procede.", "No procede."]),
    ("¿Cuándo vence? En 15 días.", ["¿Cuándo vence?", "En 15 días."]),
    ("Se llevan actas, etc. (3) cajas van abajo.", ["Se llevan actas, etc.", "(3) cajas van abajo."]),
    ("¡Atención! Lea esto.", ["¡Atención!", "Lea esto."]),
    ("Dice: «No se cobra.» Lo firma el juez.", ["Dice: «No se cobra.»", "Lo firma el juez."]),
    ("Son días hábiles. 10 días como máximo.", ["Son días hábiles.", "10 días como máximo."]),
    ("El plazo es de 15 días. [1] Luego vence. [2]", ["El plazo es de 15 días. [1]", "Luego vence. [2]"]),
    ("Requisitos:\na) DNI;\nb) Recibo.", ["Requisitos:", "a) DNI;", "b) Recibo."]),
    ("Empresas pesqueras 10%\nEmpresas mineras 8%", ["Empresas pesqueras 10%", "Empresas mineras 8%"]),
    ("El plazo vence\na los quince días.", ["El plazo vence\na los quince días."]),
    ("Uno.\n\ndos", ["Uno.", "dos"]),
    ("¿Vence? Sí. ¡Hoy!", ["¿Vence?", "Sí.", "¡Hoy!"]),
    ("El D.S. N.° 003-2013-JUS rige. Otra.", ["El D.S. N.° 003-2013-JUS rige.", "Otra."]),
    ("Cuesta S/ 3.50 y 1.000 soles. Fin.", ["Cuesta S/ 3.50 y 1.000 soles.", "Fin."]),
    ("Lo prohíbe la ley. La sanción sigue.", ["Lo prohíbe la ley.", "La sanción sigue."]),
    ("Véase el párrafo 64.3. El plazo corre.", ["Véase el párrafo 64.3.", "El plazo corre."]),
    ("Lo regula el Capítulo III. Esta fase dura.", ["Lo regula el Capítulo III.", "Esta fase dura."]),
    ("Viajó a EE. UU. El acuerdo rige.", ["Viajó a EE. UU.", "El acuerdo rige."]),
    ("Lo regula el D.Leg. El plazo corre.", ["Lo regula el D.Leg.", "El plazo corre."]),
    ("Rige el inciso; Otro no.", ["Rige el inciso; Otro no."]),
    ("", []),
]


@pytest.mark.parametrize(("text", "sentences"), MANY)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [span.text for span in split_sentences(text)] == sentences


@given(st.text(alphabet=st.sampled_from("aÑz .:;!?¿\n[1]«»()0°"), max_size=120))
def test_spans_are_literal_and_lose_only_white_space(text: str) -> None:
    spans = split_sentences(text)
    assert all(text[span.start : span.end] == span.text for span in spans)
    assert "".join("".join(span.text for span in spans).split()) == "".join(text.split())


@pytest.mark.parametrize("sign", [".", "\n ", ". ", "«", "1.", "a. ", "[1]", " ", "Art. 5 "])
def test_long_runs_of_signs_are_read_in_linear_time(sign: str) -> None:
    text = sign * 30_000  # quadratic time would run into the test's time-out
    assert all(span.text == text[span.start : span.end] for span in split_sentences(text))


@pytest.mark.parametrize(
    ("text", "limit", "end"),
    [
        ("Uno dos. Tres cuatro.", 12, 8),
        ("Uno dos. Tres cuatro.", 21, 21),
        ("Uno dos. Tres cuatro.", 8, 8),
        ("Uno dos. Tres cuatro.", 7, 0),
        ("Sin final", 5, 0),
    ],
)
def test_last_sentence_end(text: str, limit: int, end: int) -> None:
    assert sentence_end_before(text, limit) == end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Según TUO del D.Leg.", True),
        ("según el D. Leg.", True),
        ("según el D.S.", True),
        ("Minera Los Andes S.A.C.", True),
        ("según el Exp.", True),
        ("según la Res.", True),
        ("Así lo fija la ley.", False),
        ("La respuesta es no.", False),
        ("La multa es de 5.3 UIT.", False),
        ("Véase el párrafo 64.3.", False),
        ("según el D.Leg", False),
        ("", False),
    ],
)
def test_a_text_that_ends_in_an_abbreviation(text: str, expected: bool) -> None:
    assert ends_in_abbreviation(text) is expected
