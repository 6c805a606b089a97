"""What texts and questions name, told from other words with capitals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.query.entities import LONGEST_KEY, MOST_ENTITIES, Mention, extract_entities, possible_entities

NAMED = [
    # norms, whatever their spelling, without the edition
    ("Conforme a la Ley N.º 29.733 y al D.S. 003-2013-JUS.", ["ley:29733", "ds:003-2013-jus"]),
    ("La ISO/IEC 27001:2022 reemplaza a la de 2013.", ["iso:27001"]),
    # acronyms
    ("La SUNAT y el OSCE publican la lista.", ["sunat", "osce"]),
    ("El depósito de la CTS vence en mayo.", ["cts"]),
    ("medidas frente al COVID-19 en centros de trabajo", ["covid-19"]),
    ("La Autoridad Nacional (ANPD) supervisa.", ["anpd", "autoridad nacional"]),
    # proper names: connectors and articles do not count, «y» joins one name and separates two
    ("Lo aprueba el Ministerio de Trabajo y Promoción del Empleo.", ["ministerio trabajo promocion empleo"]),
    ("Sentencia del Tribunal Constitucional sobre el caso.", ["tribunal constitucional"]),
    (
        "el Ministerio de Salud y Ministerio de Educación coordinan",
        ["ministerio salud", "ministerio educacion"],
    ),
    (
        "la Superintendencia Nacional de Aduanas y de Administración Tributaria",
        ["superintendencia nacional aduanas administracion tributaria"],
    ),
    ("El Código Civil rige los contratos.", ["codigo civil"]),
    ("los señores María Quispe Mamani y otros", ["maria quispe mamani"]),
    # authors, as citations in print name them
    ("Como señalan Hernández y Mendoza (2018), el método importa.", ["autor:hernandez", "autor:mendoza"]),
    ("La gestión del conocimiento (Nonaka, 1994) lo explica.", ["autor:nonaka"]),
]

NAMELESS = [
    "El trabajador tiene derecho a treinta días de descanso.",
    "Los plazos se cuentan en días hábiles.\nToda persona puede pedirlos.",
    "CAPÍTULO III\nDE LAS VACACIONES ANUALES\nEl descanso es anual.",
    "ANEXO\nDefiniciones de este reglamento",
    "TÍTULO IV. En el literal IX y en el XII se indica.",
    "SE RESUELVE: Aprobar la propuesta. REGÍSTRESE.",
    "Mediante Decreto Supremo se aprobó el Reglamento.",
    "La Primera Disposición Complementaria Final queda igual.",
    "Lea el PDF en la página www.ejemplo.pe o descargue el DOC.",
    "En Lima, El Peruano lo publicó.",
    "La ley del año 2019 (enero, 2020) sigue vigente.",
    "Los expedientes del fondo 1.2-PCM se archivan.",
    "",
]


@pytest.mark.parametrize(("text", "expected"), NAMED)
def test_texts_name_norms_acronyms_authors_and_proper_names(text: str, expected: list[str]) -> None:
    assert extract_entities(text) == expected


@pytest.mark.parametrize("text", NAMELESS)
def test_headings_numerals_and_the_first_word_of_a_sentence_name_nothing(text: str) -> None:
    assert extract_entities(text) == []


# What documents write with capitals, and how people ask for it.
ASKED = [
    ("¿Qué multa impone la SUNAT?", "La SUNAT fiscaliza."),
    ("que multas pone la sunat", "La SUNAT fiscaliza."),
    ("¿cuando depositan la cts?", "El depósito de la CTS."),
    ("que hace el ministerio de trabajo y promocion del empleo", "el Ministerio de Trabajo y Promoción del Empleo"),
    ("funciones del ministerio del trabajo", "el Ministerio de Trabajo"),
    ("¿QUÉ DICE EL CÓDIGO CIVIL?", "El Código Civil rige."),
    ("reglas por el covid-19", "la pandemia de COVID-19"),
    ("plazos de la ley 29733", "según la Ley N° 29733"),
    ("¿Qué dicen Hernández y Mendoza (2018)?", "Hernández y Mendoza (2018) señalan"),
]


@pytest.mark.parametrize(("question", "text"), ASKED)
def test_questions_meet_documents_without_capitals_or_accents(question: str, text: str) -> None:
    possible = {mention.key for mention in possible_entities(question)}
    named = extract_entities(text)
    assert named
    assert possible.issuperset(named)


def test_a_mention_within_a_longer_one_is_known() -> None:
    whole = Mention("ministerio trabajo promocion empleo", 1, 5)
    assert Mention("ministerio trabajo", 1, 3).within(whole)
    assert not whole.within(whole)
    assert not Mention("empleo publico", 4, 6).within(whole)
    assert not Mention("ley:27444").within(whole)


@given(st.text(alphabet=st.sampled_from("AÑéya .,()-\n0129XILORdel°º/"), max_size=200))
def test_any_text_gives_few_distinct_short_keys(text: str) -> None:
    keys = extract_entities(text)
    assert len(keys) == len(set(keys)) <= MOST_ENTITIES
    assert all(0 < len(key) <= LONGEST_KEY for key in keys)
