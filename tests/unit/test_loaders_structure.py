"""Which lines become headings, how names and bodies part, and at which level."""

from __future__ import annotations

import pytest

from rag_system.ingestion.document import Block, BlockKind
from rag_system.ingestion.headings import is_capitals, match_legal, match_numbered, split_inline, split_name
from rag_system.ingestion.structure import Line, blocks_from_lines, starts_item
from rag_system.ingestion.text import clean, unescape


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("Artículo 23.- Plazos", "Artículo 23"),
        ("Art. 5° Plazos", "Artículo 5°"),
        ("ARTÍCULO PRIMERO.- APROBAR la ordenanza", "ARTÍCULO PRIMERO"),
        ("ARTICULO 1º.- Objeto", "ARTÍCULO 1°"),
        ("Art¡culo 12.- Vigencia", "Artículo 12"),
        ("Artículo 16-A. Información", "Artículo 16-A"),
        ("Artículo 62°-A.- Plazo", "Artículo 62°-A"),
        ("Artículo 34”%.- Para que se acredite", "Artículo 34"),
        ("Artículo VIII.- Deficiencia de fuentes", "Artículo VIII"),
        ("Artículo único. Objeto", "Artículo único"),
        ("“Artículo 5.- Del Comité", "“Artículo 5"),
        ("Artículo 271 Audiencia y resolución.-", "Artículo 271"),
        ("TÍTULO II", "TÍTULO II"),
        ("TÍTULO Il", "TÍTULO Il"),
        ("CAPITULO I: DISPOSICIONES GENERALES", "CAPITULO I"),
        ("Capítulo III - Contratos de Naturaleza Accidental", "Capítulo III"),
        ("SUB CAPÍTULO II", "SUB CAPÍTULO II"),
        ("LIBRO PRIMERO", "LIBRO PRIMERO"),
        ("TÍTULO PRELIMINAR", "TÍTULO PRELIMINAR"),
        ("ANEXO Nº 9", "ANEXO Nº 9"),
        ("ANEXO", "ANEXO"),
        ("DISPOSICIONES COMPLEMENTARIAS FINALES", "DISPOSICIONES COMPLEMENTARIAS FINALES"),
        ("Disposición Complementaria Derogatoria", "Disposición Complementaria Derogatoria"),
        ("CONSIDERANDO:", "CONSIDERANDO"),
        ("NORMA IV: PRINCIPIO DE LEGALIDAD", "NORMA IV"),
    ],
)
def test_legal_headings(line: str, heading: str) -> None:
    found = match_legal(line)
    assert found is not None
    assert found.label == heading


@pytest.mark.parametrize(
    "line",
    [
        "Artículo modificado por la Ley 29032, publicada el 5 de junio de 2007.",
        "Artículo 1 de la Ley 31988, publicada el 20 de marzo de 2024.",
        "artículo 38° de la misma norma legal",
        "Art. 173, Inc. 2 MODIFICADO por el Artículo Único",
        "Artículos 5 y 6 de la ley",
        "ARTURO ALEGRÍA GARCÍA",
        "parte integrante de la presente Ordenanza",
        "Disposición incorporada por el artículo 2 de la Ley",
        "disposiciones modificatorias contenidas en este Código",
        "Capítulo II de la Ley General",
        "Título de propiedad",
        "Sección 2.3 describe el procedimiento.",
        "El artículo 5 regula los plazos.",
    ],
)
def test_lines_that_only_look_legal(line: str) -> None:
    assert match_legal(line) is None


@pytest.mark.parametrize(
    ("rest", "name", "body"),
    [
        ("Plazos. El plazo es de diez días.", "Plazos", "El plazo es de diez días."),
        ("Objeto de la Ley", "Objeto de la Ley", ""),
        ("Plazos\nEl plazo es de diez días.", "Plazos", "El plazo es de diez días."),
        ("El plazo es de diez días. Vence sin prórroga.", "", "El plazo es de diez días. Vence sin prórroga."),
        (
            "Plazo Los proyectos desarrollados bajo la modalidad se otorgan por sesenta años.",
            "Plazo",
            "Los proyectos desarrollados bajo la modalidad se otorgan por sesenta años.",
        ),
        ("Deróganse las normas que se opongan.", "", "Deróganse las normas que se opongan."),
        (
            "Audiencia y resolución.- El juez escucha a las partes.",
            "Audiencia y resolución",
            "El juez escucha a las partes.",
        ),
        ("Modificación del art. 5 de la Ley 27444", "Modificación del art. 5 de la Ley 27444", ""),
        ("[Derogado]", "[Derogado]", ""),
    ],
)
def test_an_article_s_name_and_body_part(rest: str, name: str, body: str) -> None:
    assert split_name(rest) == (name, body)


@pytest.mark.parametrize(
    ("line", "depth"),
    [
        ("4.2.1 Alcance del sistema", 3),
        ("1.6.2. Expresiones regulares", 3),
        ("3 Metodología", 1),
        ("2.5 ¿Qué se mide?", 2),
    ],
)
def test_numbered_sections(line: str, depth: int) -> None:
    assert match_numbered(line) == (depth, line)


@pytest.mark.parametrize(
    "line",
    ["40.2 Las entidades realizan el análisis de calidad.", "3. Los fines son estos:", "25.12", "10 000 soles por día"],
)
def test_numbered_lines_that_are_text(line: str) -> None:
    assert match_numbered(line) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("DE LAS INFRACCIONES Y SANCIONES", True),
        ("SEGURIDAD", True),
        ("INPCFA-IT.00.02", False),
        ("CONCORDANCIAS: D.S. N° 1", False),
        ("EL PRESIDENTE DE LA REPÚBLICA", False),
        ("POR CUANTO:", False),
        ("Del Congreso", False),
    ],
)
def test_headings_in_capitals(line: str, expected: bool) -> None:
    assert is_capitals(line) is expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a) Interna mercancías", True),
        ("2.1 La presente ley", True),
        ("• Un punto", True),
        ("- El titular", True),
        ("iv) Cuarto", True),
        ("(1) Los demás", True),
        ("(45) días hábiles de trabadas las medidas", False),
        ("2024 fue un año bueno", False),
        ("de la ley", False),
    ],
)
def test_items(line: str, expected: bool) -> None:
    assert starts_item(line) is expected


def test_articles_run_together_in_one_line_are_parted() -> None:
    line = "Artículo 1. Objeto La ley regula. Artículo 2. Ámbito Rige en todo el país. Véase el Artículo 9."
    assert split_inline(line) == [
        "Artículo 1. Objeto La ley regula.",
        "Artículo 2. Ámbito Rige en todo el país. Véase el Artículo 9.",
    ]


def _outline(*texts: str) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in blocks_from_lines(Line(text=text) for text in texts)]


def test_a_law_s_levels() -> None:
    outline = _outline(
        "TÍTULO I",
        "DISPOSICIONES GENERALES",
        "CAPÍTULO I",
        "DEL OBJETO",
        "Artículo 1.- Objeto",
        "La ley regula el trabajo.",
        "Artículo 2.- Ámbito",
        "Rige en todo el país.",
        "DISPOSICIONES COMPLEMENTARIAS FINALES",
        "PRIMERA.- Vigencia",
        "Rige desde mañana.",
    )
    assert outline == [
        (4, "TÍTULO I. DISPOSICIONES GENERALES"),
        (5, "CAPÍTULO I. DEL OBJETO"),
        (9, "Artículo 1.- Objeto"),
        (0, "La ley regula el trabajo."),
        (9, "Artículo 2.- Ámbito"),
        (0, "Rige en todo el país."),
        (4, "DISPOSICIONES COMPLEMENTARIAS FINALES"),
        (9, "PRIMERA.- Vigencia"),
        (0, "Rige desde mañana."),
    ]


@pytest.mark.parametrize(("order", "level"), [(("SECCIÓN I", "TÍTULO I"), 3), (("TÍTULO I", "SECCIÓN I"), 7)])
def test_a_section_stands_above_titles_in_codes_and_below_chapters_in_laws(order: tuple[str, str], level: int) -> None:
    outline = _outline(*order, "Artículo 1.- Uno", "Es así.", "Artículo 2.- Dos", "Es así.")
    assert (level, "SECCIÓN I") in outline


def test_signatures_are_not_headings_but_the_approved_regulation_is() -> None:
    outline = _outline(
        "Artículo 1.- Apruébase el reglamento.",
        "Artículo 2.- Publíquese.",
        "Dado en la Casa de Gobierno, en Lima.",
        "OSCAR DE LA PUENTE RAYGADA",
        "REGLAMENTO DE LA LEY DE EJEMPLO",
        "Artículo 1.- Objeto",
        "Regula el ejemplo.",
    )
    assert (0, "OSCAR DE LA PUENTE RAYGADA") in outline
    assert (2, "REGLAMENTO DE LA LEY DE EJEMPLO") in outline


def test_a_table_of_contents_is_text() -> None:
    outline = _outline("Artículo 1.- Objeto", "Artículo 2.- Ámbito", "Artículo 1.- Objeto", "La ley regula.")
    assert outline == [
        (0, "Artículo 1.- Objeto"),
        (0, "Artículo 2.- Ámbito"),
        (9, "Artículo 1.- Objeto"),
        (0, "La ley regula."),
    ]


def test_an_open_sentence_is_not_cut_by_a_reference_at_a_line_s_start() -> None:
    lines = [Line(text="Se resuelve conforme al"), Line(text="Artículo 23.- del reglamento vigente.", start=False)]
    assert [block.kind for block in blocks_from_lines(lines)] == [BlockKind.TEXT]


def test_a_hyphen_at_a_line_s_end_joins_the_word() -> None:
    lines = [Line(text="La infor-"), Line(text="mación es pública.", start=False)]
    assert blocks_from_lines(lines) == (Block(kind=BlockKind.TEXT, text="La información es pública."),)


@pytest.mark.parametrize(
    ("dirty", "text"),
    [
        ("o\ufb01cina", "oficina"),
        ("informacio\u0301n", "información"),
        ("informaci´on y a˜no", "información y año"),
        ("a\x00b\x07c", "abc"),
        ("\ufeffhola\u200b\xadmundo", "holamundo"),
        ("uno\xa0dos", "uno dos"),
        ("\uf0b7 punto", "• punto"),
        ("suelto \ud800", "suelto "),
        ("«código» ´bien´", "«código» ´bien´"),
    ],
)
def test_cleaning(dirty: str, text: str) -> None:
    assert clean(dirty) == text


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        ("T&eacute;cnica", "Técnica"),
        ("T&amp;eacute;cnica", "Técnica"),
        ("AT&T y R&D", "AT&T y R&D"),
        ("a &lt; b", "a < b"),
    ],
)
def test_entities_are_undone_twice(escaped: str, text: str) -> None:
    assert unescape(escaped) == text


def test_a_list_of_annexes_is_not_the_parent_of_the_titles_that_follow() -> None:
    outline = _outline("ANEXO 1", "ANEXO 2", "ANEXO 3", "TÍTULO I", "Artículo 1.- Objeto", "Regula el trabajo.")
    assert outline == [
        (0, "ANEXO 1"),
        (0, "ANEXO 2"),
        (0, "ANEXO 3"),
        (4, "TÍTULO I"),
        (9, "Artículo 1.- Objeto"),
        (0, "Regula el trabajo."),
    ]


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        (("5. FRECUENCIA", "6. REGLA 3-2-1", "7. PRUEBA"), ("5. FRECUENCIA", "6. REGLA 3-2-1", "7. PRUEBA")),
        (("5. FRECUENCIA", "6. USO", "7. PLAZOS:"), ("5. FRECUENCIA", "6. USO", "7. PLAZOS")),
        (("5. FRECUENCIA", "7. PRUEBA", "8. ARCHIVO"), ("5. FRECUENCIA", "7. PRUEBA", "8. ARCHIVO")),
        (("5. FRECUENCIA", "40. SOLES POR DÍA"), ("5. FRECUENCIA",)),
        (("5. FRECUENCIA", "4. TOTAL DE COPIAS"), ("5. FRECUENCIA",)),
    ],
)
def test_numbered_sections_in_capitals_do_not_lose_those_after_them(
    titles: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    before = [f"{number}. SECCIÓN ANTERIOR" for number in range(1, 5)]
    outline = _outline(*(text for title in (*before, *titles) for text in (title, "Se guarda 90 días.")))
    assert tuple(text for level, text in outline if level == 1)[4:] == expected


@pytest.mark.parametrize(
    "reference",
    [
        "Artículo 242 de la Ley del Procedimiento Administrativo General, Ley N°",
        "Artículo 4 del presente Código",
        "CAPÍTULO III, de la presente Ley, se considera infracción al",
    ],
)
@pytest.mark.parametrize("marked", [True, False])
def test_a_reference_that_a_converter_marked_as_a_heading_stays_in_its_sentence(reference: str, marked: bool) -> None:
    lines = [
        Line(text="Artículo 13.- Registro", hint=2),
        Line(text="13.1 Amplíese el contenido del registro establecido en el"),
        Line(text=reference, hint=2 if marked else 0, bold=0 if marked else len(reference)),
        Line(text="27444, y anótense en él las sanciones."),
        Line(text="Artículo 14.- Vigencia", hint=2),
        Line(text="Rige desde mañana."),
    ]
    blocks = blocks_from_lines(lines)
    assert [block.text for block in blocks if block.level] == ["Artículo 13.- Registro", "Artículo 14.- Vigencia"]
    assert f"establecido en el {reference} 27444, y anótense" in blocks[1].text


def test_a_heading_that_names_an_article_after_a_finished_sentence_stays_a_heading() -> None:
    lines = [Line(text="Es un deber."), Line(text="Artículo 5 de la Ley 29733", hint=2), Line(text="Consentimiento.")]
    assert blocks_from_lines(lines)[1].kind is BlockKind.HEADING


def test_a_number_by_itself_heads_nothing() -> None:
    blocks = blocks_from_lines([Line(text="55", hint=2), Line(text="La ley sigue en esta página.")])
    assert [block.level for block in blocks] == [0, 0]


def _articles(*texts: str) -> list[tuple[int, str]]:
    """Each heading of a norm in which every heading has a paragraph, with its level."""
    return [found for found in _outline(*(part for text in texts for part in (text, "Es así."))) if found[0]]


@pytest.mark.parametrize(
    ("headings", "quoted"),
    [
        (("Artículo 1.- Modificación de los artículos 27 y 46 de la Ley 27269", "Artículo 27.- Riesgos"), {27}),
        (
            ("Artículo 1.- Incorporación del título VIII a la Ley 26662", "Artículo 45.- Uno", "Artículo 46.- Dos"),
            {45, 46},
        ),
        (("Artículo 1.- Modificación del artículo 3 de la Ley 1", "Artículo 3.- Cosa", "Artículo 2.- Vigencia"), {3}),
        (("Artículo 1.- Objeto de la norma", "Artículo 90.- Del ámbito", "Artículo 91.- Plazos"), set()),
        (("Artículo 1.- Modificación del contrato", "Artículo 90.- Del ámbito", "Artículo 91.- Plazos"), set()),
        (("Artículo 1.- Modificación de la Ley 27269", "Artículo 2.- Refrendo", "Artículo 3.- Vigencia"), set()),
        (("Artículo 1.- Modificación de la Ley 27269", "ANEXO", "Artículo 7.- Objeto", "Artículo 8.- Plazo"), set()),
    ],
)
def test_the_articles_that_an_amendment_sets_out_are_not_the_norm_s_own(
    headings: tuple[str, ...], quoted: set[int]
) -> None:
    found = {text.removeprefix("Artículo ").split(".-")[0] for level, text in _articles(*headings) if level == 10}
    assert found == {str(number) for number in quoted}


def test_an_article_without_a_name_amends_by_its_first_words() -> None:
    opening = "Artículo único.- Modifícanse los artículos 80 y 81 de la Constitución, con el texto siguiente:"
    assert [level for level, _ in _articles(opening, "Artículo 80.-", "Artículo 81.-")] == [9, 10, 10]


def test_in_a_book_numbers_stand_below_chapters() -> None:
    chapters = [text for n in range(1, 5) for text in (f"Capítulo {n}", f"{n}.1 Alcance", f"El texto {n} sigue aquí.")]
    levels = {text: level for level, text in _outline(*chapters) if level}
    assert (levels["Capítulo 1"], levels["1.1 Alcance"], levels["4.1 Alcance"]) == (1, 2, 2)
