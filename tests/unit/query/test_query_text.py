"""Documents and questions meet at the same terms, however they are typed."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.text import analyze_terms, fold, matching_words, query_terms, stem, tokens

SPANISH = st.text(
    alphabet="abcdefghijklmnopqrstuvwxyzáéíóúüñABCDEFGHIJKLMNOPQRSTUVWXYZÁÉÍÓÚÜÑ0123456789 .,:;-/()¿?°º", max_size=80
)
WORDS = st.text(alphabet="abcdefghijlmnopqrstuvzáéíóúñ", min_size=2, max_size=14)


def without_accents(text: str) -> str:
    return text.translate(str.maketrans("áéíóúüÁÉÍÓÚÜ", "aeiouuAEIOUU"))


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ADMINISTRACIÓN", "administracion"),
        ("Año", "año"),
        ("AÑO", "año"),
        ("an\u0303o", "año"),  # the ñ written as two characters
        ("Pingu\u0308ino", "pinguino"),
        ("Ley N.º 29733", "ley n. 29733"),
        ("ﬁrma", "firma"),
        ("ＬＥＹ ２９７３３", "ley 29733"),
        ("tele\u00adtrabajo", "teletrabajo"),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    "words",
    [
        "administración administracion administraciones administraciónes ADMINISTRACIÓN",
        "público publico publica pública públicos publicos",
        "gestión gestion gestiones",
        "sanción sancion sanciones",
        "decisión decision decisiones",
        "infracción infraccion infracciones",
        "joven jóvenes jovenes",
        "examen exámenes examenes",
        "orden órdenes ordenes",
        "almacén almacen almacenes",
        "interés interes intereses",
        "tecnología tecnologia tecnologías tecnologias",
        "región region regiones",
        "trabajador trabajadora trabajadores",
        "pensión pension pensiones",
        "jurídico juridico jurídica",
        "vacación vacacion vacaciones",
        "trámite tramite trámites",
        "título titulo títulos",
        "inglés ingles ingleses",
        "ley leyes",
        "crédito credito créditos",
        "opinión opinion opiniones",
        "sesión sesion sesiones",
        "analogía analogia analogías",
    ],
)
def test_forms_of_a_word_share_the_stem(words: str) -> None:
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("año", "ano"), ("caña", "cana"), ("peña", "pena"), ("moño", "mono"), ("sueño", "sueno")]
)
def test_the_tilde_makes_another_letter(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(WORDS)
def test_a_word_without_accents_has_the_same_stem(word: str) -> None:
    assert stem(word) == stem(without_accents(word))


@given(SPANISH)
def test_accents_and_case_never_change_the_terms(text: str) -> None:
    assert (
        analyze_terms(text) == analyze_terms(without_accents(text)) == analyze_terms(unicodedata.normalize("NFD", text))
    )


@given(SPANISH)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(SPANISH)
def test_a_question_keeps_only_terms_of_its_text(text: str) -> None:
    assert set(query_terms(text)) <= set(analyze_terms(text))
    assert bool(query_terms(text)) == bool(analyze_terms(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ley 29.733", ["ley", "29733"]),
        ("Ley 29733", ["ley", "29733"]),
        ("S/ 1,500", ["s", "1500"]),
        ("S/ 1.500,50", ["s", "1500.50", "1500"]),
        ("1,500.50", ["1500.50", "1500"]),
        ("3,5 %", ["3.5"]),
        ("cláusula 8.2.1", ["clausula", "8.2.1"]),
        ("27001:2022", ["27001:2022", "27001", "2022"]),
        ("004-2019-JUS", ["004-2019-jus", "004", "2019", "jus"]),
        ("2016/679", ["2016/679", "2016", "679"]),
        ("iso27001", ["iso27001", "iso", "27001"]),
        ("NTP 350.043-1", ["ntp", "350.043-1", "350043", "1"]),
        ("N° 5", ["n", "5"]),
        ("artículo 5.º", ["articulo", "5"]),
        ("y/o", ["y", "o"]),
        ("fin.Inicio", ["fin", "inicio"]),
        ("ISO/IEC", ["iso", "iec"]),
        ("50%", ["50"]),
        ("correo_electrónico", ["correo", "electronico"]),
        ("¿?¡!", []),
        ("👍", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("¿Cuáles son las vacaciones del trabajador?", ["vacacion", "trabaj"]),
        ("¿qué es?", ["que", "es"]),  # nothing but stopwords: they stay
        ("el de la", ["el", "de", "la"]),
        ("vacaciones y vacación", ["vacacion"]),
        ("¿IGV?", ["igv"]),
        ("", []),
    ],
)
def test_query_terms(question: str, expected: list[str]) -> None:
    assert query_terms(question) == expected


def test_documents_keep_stopwords_and_repetitions() -> None:
    assert analyze_terms("la ley y la norma") == ["la", "ley", "y", "la", "norm"]


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("Las VACACIONES del trabajador", "¿vacación del trabajador?", ["VACACIONES", "trabajador"]),
        ("Administraciones públicas", "administracion publica", ["Administraciones", "públicas"]),
        ("El plazo. Los plazos.", "plazos", ["plazo"]),  # the first spelling
        ("la Ley N.° 29.733", "ley 29733", ["Ley", "29.733"]),
        ("ISO/IEC 27001:2022", "iso 27001", ["ISO", "27001:2022"]),
        ("tér\u00admino para apelar", "término", ["término"]),  # a soft hyphen, as PDF files have it
        ("otra cosa", "vacaciones", []),
        ("", "vacaciones", []),
    ],
)
def test_a_text_shows_its_own_spelling_of_what_was_asked(text: str, question: str, expected: list[str]) -> None:
    assert list(matching_words(text, query_terms(question)).values()) == expected


@given(st.text(max_size=80), st.text(max_size=40))
def test_matching_words_are_those_that_the_index_would_match(text: str, question: str) -> None:
    terms = query_terms(question)
    assert list(matching_words(text, terms)) == [term for term in terms if term in analyze_terms(text)]


@given(st.text(), st.text(alphabet="áÉíóÜñÑçŒøß“–ªº\u0301\u00ad aeiou"))
def test_folding_reads_every_letter_by_itself(one: str, other: str) -> None:
    assert fold(f"{one} {other}") == f"{fold(one)} {fold(other)}"
    assert fold(fold(other)) == fold(other)
