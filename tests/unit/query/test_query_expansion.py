"""Acronyms and slips."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.expansion import expand, learn_acronyms
from rag_system.query.spelling import correct, suspects

DEFINED = {
    "CTS": "compensación por tiempo de servicios",
    "SST": "seguridad y salud en el trabajo",
    "IR": "impuesto a la renta",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("¿Cuándo depositan la CTS?", ["compensación por tiempo de servicios"]),
        ("comité de sst", ["seguridad y salud en el trabajo"]),
        ("¿quién puede ir?", []),
        ("tasas del IR", ["impuesto a la renta"]),
        ("la CTS o compensación por tiempo de servicios", []),
        ("", []),
        ("zapatos azules", []),
    ],
)
def test_what_documents_define_is_looked_for_by_its_long_form(text: str, expected: list[str]) -> None:
    assert expand(text, DEFINED) == expected


def test_a_text_of_acronyms_is_given_twelve_terms() -> None:
    many = {f"QZ{letter}": f"junta {letter}" for letter in "ABCDEFGHIJKLMNOP"}
    assert len(expand(" ".join(many), many)) == 12


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("la Compensación por Tiempo de Servicios (CTS)", {"CTS": "Compensación por Tiempo de Servicios"}),
        ("Texto Único Ordenado (en adelante, TUO)", {"TUO": "Texto Único Ordenado"}),
        ("Texto Único Ordenado (en adelante «TUO»)", {"TUO": "Texto Único Ordenado"}),
        ("SGC (Sistema de Gestión de la Calidad)", {"SGC": "Sistema de Gestión de la Calidad"}),
        ("la Presidencia del Consejo de Ministros (PCM)", {"PCM": "Presidencia del Consejo de Ministros"}),
        (
            "el Registro de Deudores Alimentarios Morosos (REDAM)",
            {"REDAM": "Registro de Deudores Alimentarios Morosos"},
        ),
        (
            "MINCETUR (Ministerio de Comercio Exterior y Turismo)",
            {"MINCETUR": "Ministerio de Comercio Exterior y Turismo"},
        ),
        ("el Comité de Apoyo y de Control (CAYC)", {"CAYC": "Comité de Apoyo y de Control"}),
        ("el Ministerio (MEF)", {}),
        ("el Ministerio (MIN)", {}),
        ("el Registro de los Deudores Morosos (REDAM)", {}),
        ("treinta días (30)", {}),
        ("la ley vigente (PERÚ)", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_learn_acronyms(text: str, expected: dict[str, str]) -> None:
    assert learn_acronyms(text) == expected


# ---------------------------------------------------------------- spelling


class Words:
    """A vocabulary in memory."""

    def __init__(self, **frequencies: int) -> None:
        self._frequencies = frequencies

    def frequencies(self, words: Collection[str]) -> Mapping[str, int]:
        return {word: frequency for word, frequency in self._frequencies.items() if word in words}

    def beginning(self, beginnings: Sequence[str], *, shortest: int, longest: int) -> Mapping[str, int]:
        return {
            word: frequency
            for word, frequency in self._frequencies.items()
            if word.startswith(tuple(beginnings)) and shortest <= len(word) <= longest
        }


VOCABULARY = Words(
    vacaciones=40, vocaciones=1, gratificacion=12, despido=9, despidos=2, teletrabajo=7, banco=3, planilla=5
)


@pytest.mark.parametrize(
    ("typed", "corrected"),
    [
        ("vacasiones", "vacaciones"),
        ("bacaciones", "vacaciones"),  # the first letter sounds alike
        ("pacaciones", None),  # it does not
        ("vacaziones", "vacaciones"),
        ("vacasionse", "vacaciones"),  # a half and a whole
        ("bacasionse", None),  # too much: not even its beginning can be trusted
        ("vocasionez", "vocaciones"),
        ("gratificacionn", "gratificacion"),
        ("grattificasiom", "gratificacion"),  # two wholes and a half would be too many: m and n sound alike
        ("teletarbjo", "teletrabajo"),  # two whole slips in a long word
        ("vacacioens", "vacaciones"),
        ("gratificasion", "gratificacion"),
        ("despdio", "despido"),
        ("teletravajo", "teletrabajo"),
        ("planiya", None),  # two slips in a short word
        ("vacaciones", None),
        ("zanahoria", None),
        ("ban", None),
        ("29733", None),
    ],
)
def test_correct(typed: str, corrected: str | None) -> None:
    assert correct([typed], VOCABULARY).get(typed) == corrected


@given(st.sampled_from(["vacaciones", "despido", "banco", "planilla"]), st.data())
def test_a_slip_after_the_first_letter_is_put_right(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(word) - 1))
    letter = data.draw(st.sampled_from("abcdefghijklmnñopqrstuvwxyz"))
    slip = data.draw(st.sampled_from(["missing", "extra", "changed", "swapped"]))
    before, after = word[:place], word[place:]
    typed = {
        "missing": before + after[1:],
        "extra": before + letter + after,
        "changed": before + letter + after[1:],
        "swapped": before + after[1::-1] + after[2:],
    }[slip]
    only = Words(**{word: 3})
    expected = word if typed != word and len(typed) >= 4 else None
    assert correct([typed], only).get(typed) == expected


def test_the_more_used_word_wins() -> None:
    assert correct(["vucaciones"], VOCABULARY) == {"vucaciones": "vacaciones"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Hola, ¿cuantas vacasiones da la Ley 29733 según Arias (2020) en SUNAT?", ["vacasiones"]),
        ("¿Qué exige Telefónica?", []),
        ("¿Qué exixe Telefónica?", ["exixe"]),
        ("ISO 27001", []),
        ("Gratificasion trunca", ["gratificasion"]),
        ("VACASIONES PAGADAS", ["vacasiones"]),
        ("¿y eso?", []),
    ],
)
def test_suspects(question: str, expected: list[str]) -> None:
    assert suspects(question) == expected


@given(st.text(max_size=100))
def test_any_text_can_be_expanded_and_suspected(text: str) -> None:
    assert len(expand(text, DEFINED)) <= 3
    assert all(word.isalpha() for word in suspects(text))
    assert isinstance(learn_acronyms(text), dict)


def test_a_thousand_letters_in_a_row_are_no_word_to_put_right() -> None:
    class NeverAsked:
        def frequencies(self, words: Collection[str]) -> Mapping[str, int]:
            raise AssertionError(f"{len(words)} words")

        def beginning(self, beginnings: Sequence[str], *, shortest: int, longest: int) -> Mapping[str, int]:
            raise AssertionError((beginnings, shortest, longest))

    assert correct(["x" * 1_000], NeverAsked()) == {}
