"""Norms that people cite by their name alone, and articles as they name them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.articles import article_references
from rag_system.query.identifiers import (
    by_name,
    extract_identifiers,
    family,
    find_identifiers,
    own_names,
    same_identifier,
    without_identifiers,
)
from rag_system.query.word_lists import load_data

SPELLINGS = {
    "constitucion": [
        "¿Qué dice el artículo 2 inciso 24 de la Constitución?", "art 2 inc 24 de la constitucion",
        "Constitución Política del Perú", "CONSTITUCION POLITICA DEL PERU", "constitucion politica", "carta magna",
        "según la Constitución, ¿quién es ciudadano?", "artículo 2 de la CPP", "la constitución peruana",
        "dime el articulo 2 de la const", "según la Const., ¿quién es ciudadano?",
        "¿la Constitución permite la huelga?", "en nuestra Constitución Política del Estado",
        "derechos de la persona en la constitución vigente", "la Constitución de la República",
    ],
    "constitucion@1993": [
        "Constitución de 1993", "la constitucion del 93", "constitución del año 1993",
        "Constitución Política del Perú de 1993", "Constitución Política (1993)", "CONSTITUCION-POLITICA-1993",
        "la Constitución Política del Perú, 1993",
    ],
    "constitucion@1979": ["la Constitución de 1979"],
    "codigo:civil": ["Código Civil", "codigo civil", "CÓDIGO CIVIL", "art. 1361 del CC", "artículo 1361 CC"],
    "codigo:procesal-civil": ["Código Procesal Civil", "codigo procesal civil", "según el CPC", "art. 5 del cpc"],
    "codigo:procesal-penal": ["nuevo código procesal penal", "el CPP", "NCPP", "art 268 del CPP"],
    "codigo:penal": ["código penal", "CODIGO PENAL", "art. 185 del CP"],
    "codigo:tributario": ["Código Tributario", "TUO del Código Tributario", "codigo  tributario"],
    "codigo:ninos-adolescentes": [
        "Código de los Niños y Adolescentes", "codigo del niño y del adolescente", "codigo de niños y adolescentes",
        "código de los niños, niñas y adolescentes", "codigo niños adolescentes",
    ],
    "codigo:consumidor": ["Código de Protección y Defensa del Consumidor", "código del consumidor"],
    "codigo:civil-comercial": ["código civil y comercial"],
    "ley:procedimiento-administrativo-general": [
        "LPAG", "la lpag", "TUO de la LPAG", "Ley del Procedimiento Administrativo General",
        "ley de procedimiento administrativo general", "LEY DEL PROCEDIMIENTO ADMINISTRATIVO GENERAL",
    ],
    "ley:seguridad-salud-trabajo": ["LSST", "Ley de Seguridad y Salud en el Trabajo", "ley seguridad y salud trabajo"],
    "ley:general-sociedades": ["Ley General de Sociedades", "LGS", "ley general de sociedades"],
    "reglamento:seguridad-salud-trabajo": [
        "reglamento de la LSST", "Reglamento de la Ley de Seguridad y Salud en el Trabajo",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("text", "canonical"), [(s, c) for c, spellings in SPELLINGS.items() for s in spellings])
def test_spellings(text: str, canonical: str) -> None:
    assert extract_identifiers(text) == [canonical]
    assert by_name(canonical)


@pytest.mark.parametrize(
    "text",
    [
        "la constitución de la sociedad", "constitución de una empresa", "requisitos para la constitución",
        "la constitución en mora del deudor", "constitución simultánea", "la constitución de garantías",
        "la constitución y registro de una asociación", "constitución física", "código postal", "código de ética",
        "código QR", "código de barras", "el código fuente", "con cc al jefe", "CPC Juan Pérez", "cc", "el cp",
        "código civilizado", "un código", "la ley de la calle", "ley general", "lgsx", "reglamento interno",
    ],
)  # fmt: skip
def test_nothing_is_found(text: str) -> None:
    assert extract_identifiers(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Its own number says which law it is.
        ("Ley del Procedimiento Administrativo General, Ley 27444", ["ley:27444"]),
        ("Ley N° 29783 - Ley de Seguridad y Salud en el Trabajo", ["ley:29783"]),
        ("Código Civil, aprobado por el Decreto Legislativo 295", ["dl:295"]),
        ("el TUO de la LPAG (D.S. 004-2019-JUS)", ["ds:004-2019-jus"]),
        ("Reglamento de la Ley 29783, Ley de Seguridad y Salud en el Trabajo", ["ley:29783"]),
        # Others are another norm.
        ("el Código Civil y la Ley 27444", ["codigo:civil", "ley:27444"]),
        ("según la Constitución, la Ley 29783 y el Código Penal", ["constitucion", "ley:29783", "codigo:penal"]),
        ("¿en qué difieren el código civil y el código penal?", ["codigo:civil", "codigo:penal"]),
    ],
)
def test_a_name_beside_its_number_and_beside_others(text: str, expected: list[str]) -> None:
    assert extract_identifiers(text) == expected


@pytest.mark.parametrize(
    ("title", "own"),
    [
        ("Código Civil", ["codigo:civil"]),
        ("Decreto Legislativo N° 295, Código Civil", ["codigo:civil"]),
        ("Texto Único Ordenado del Código Tributario", ["codigo:tributario"]),
        ("Aprueban el Código de los Niños y Adolescentes", ["codigo:ninos-adolescentes"]),
        ("Ley que modifica el Código Penal", []),
        ("Ley que incorpora el artículo 108-B al Código Penal", []),
        ("Exposición de motivos del Código Civil", []),
        ("Ley de Reforma del artículo 91 de la Constitución", []),
    ],
)
def test_what_a_title_says_its_document_is(title: str, own: list[str]) -> None:
    assert own_names(title) == own


def test_they_compete_with_laws_and_with_their_editions() -> None:
    assert (
        family("codigo:civil") == family("constitucion@1993") == family("reglamento:transparencia") == family("ley:1")
    )
    assert same_identifier("constitucion", "constitucion@1993")
    assert not same_identifier("constitucion@1979", "constitucion@1993")
    assert not same_identifier("codigo:civil", "codigo:procesal-civil")
    assert not by_name("ley:29783")


def test_the_passage_question_is_left_without_them() -> None:
    assert without_identifiers("¿Qué dice el Código Civil sobre la herencia?").split() == (
        "¿Qué dice sobre la herencia?".split()
    )


NAMES = [
    (kind, name, way)
    for kind, group in (("código", "codigos"), ("ley", "leyes"))
    for name, ways in load_data("normas.toml")[group].items()
    for way in ways
]


@given(
    st.sampled_from(NAMES),
    st.sampled_from([str.upper, str.lower, str.title]),
    st.sampled_from(["", "Según el ", "¿Qué dice la "]),
)
def test_each_name_of_the_data_is_read_in_any_case(named: tuple[str, str, str], case, before: str) -> None:
    kind, name, way = named
    text = before + case(f"{kind} {way}")
    found = find_identifiers(text)
    expected = "codigo" if kind == "código" else "ley"
    assert [match.canonical for match in found] == [f"{expected}:{name}"]
    assert text[found[0].start : found[0].end].lower() == f"{kind} {way}".lower()


@pytest.mark.parametrize(
    ("text", "articles"),
    [
        ("art. 23-A", ["23-A"]),
        ("artículo 23A", ["23-A"]),
        ("art. 23°-A", ["23-A"]),
        ("artículo 23 numeral 23.2 literal c)", ["23"]),
        ("art 23.2", ["23"]),
        ("¿qué dice el numeral 23.2 de la Ley 29783?", ["23"]),
        ("el numeral 7.5 de la ISO 9001", []),
        ("numeral 23.2", []),
        ("artículo 2, inciso 24", ["2"]),
        ("inciso 24 del artículo 2", ["2"]),
        ("artº 12", ["12"]),
        ("ART. N° 23", ["23"]),
        ("aritculo 23", ["23"]),
        ("artíclo 23", ["23"]),
        ("artículo IV del Título Preliminar", ["IV"]),
        ("ARTICULO PRIMERO", ["1"]),
        ("artículo décimo", ["10"]),
        ("artículos 23 al 25", ["23", "25"]),
        ("artículo en el que", []),
        ("arte 5", []),
        ("el artículo y la ley", []),
    ],
)
def test_articles(text: str, articles: list[str]) -> None:
    assert article_references(text) == articles


ABBREVIATED = {
    "ley:29783": ["L. 29783", "L.29783", "L 29783", "L. N° 29783", "l. nro. 29783", "Ley Nº29783", "ley n29783"],
    "ds:005-2012-tr": ["DS 5-2012-TR", "Dto. Supremo 005-2012-TR", "dcto supremo 5-2012-tr", "Dec. Sup. 005-2012-TR"],
    "dl:1440": ["D. Leg. 1440", "dto. leg. 1440", "decreto leg 1440"],
    "du:016-2020": ["Dec. Urg. 016-2020", "decreto de urg. 016-2020"],
    "rm:050-2013-tr": ["RM 050-2013-TR", "Res. Min. 50-2013-TR", "resol. ministerial 050-2013-TR"],
    "rs:067-2012-pcm": ["R.S. 067-2012-PCM", "Res. Sup. 067-2012-PCM"],
    "rvm:005-2020-minedu": ["R.V.M. 5-2020-MINEDU", "res. vice. 005-2020-minedu"],
    "rj:123-2020-sis": ["Res. Jef. 123-2020-SIS"],
    "rd:010-2015-dp": ["Res. Dir. 010-2015-DP"],
    "resolucion:010-2020-ce-pj": [
        "Res. Adm. 010-2020-CE-PJ", "R.A. N° 010-2020-CE-PJ", "Resolución Administrativa 10-2020-CE-PJ",
        "Resol. Adm. 010-2020-CE-PJ",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("text", "canonical"), [(s, c) for c, texts in ABBREVIATED.items() for s in texts])
def test_abbreviations(text: str, canonical: str) -> None:
    assert extract_identifiers(text) == [canonical]


@pytest.mark.parametrize("text", ["obra n 5", "para 29783 personas", "vol. 29783", "sol 29783", "radio 5"])
def test_what_only_looks_like_an_abbreviation(text: str) -> None:
    assert extract_identifiers(text) == []
