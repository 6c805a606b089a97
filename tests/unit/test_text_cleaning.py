"""What every loader does to a string: one spelling of each letter, nothing invisible, nothing lost that is said."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.ingestion.text import clean, clean_line


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("o\ufb01cina y con\ufb02icto", "oficina y conflicto"),
        ("e\ufb03caz", "efficaz"),
        ("nin\u0303o pingu\u0308ino co\u0301digo", "niño pingüino código"),
        ("AN\u0303O", "AÑO"),
        ("admi\u00adnis\u00adtra\u00adción", "administración"),
        ("15\u00a0días\u202fhábiles", "15 días hábiles"),
        ("cero\u200bancho\ufeff y \u2060unido", "ceroancho y unido"),
        ("\u202aizquierda\u202c \u2067aislado\u2069 \u200fmarca", "izquierda aislado marca"),
        ("Resolución N.º 15, 2.ª sala, ½ UIT, m², 3ª", "Resolución N.º 15, 2.ª sala, ½ UIT, m², 3ª"),
        ("\uf0b7 primero", "• primero"),
        ("informaci´on y a˜no", "información y año"),
        ("tab\tuno\x00\x07dos", "tab\tunodos"),
        ("línea\r\notra\rmás\u2028fin", "línea\notra\nmás\nfin"),
        ("\U000e0041etiqueta\U000e007f", "etiqueta"),
        ("casi\ufe0f igual", "casi igual"),
        ("salto\vsuave", "salto\nsuave"),
    ],
)
def test_cleaning(raw: str, expected: str) -> None:
    assert clean(raw) == expected


_SAID = (
    "ARTÍCULO 5.º La resolución “única” del niño pingüino, según el N.° 3: ¿cuánto? ¡Así! «Él» – 15 € — 3.ª — "
    "ÁÉÍÓÚÑÜ áéíóúñü … § 2 m² ½ • ‘sí’ ção"
)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
@pytest.mark.parametrize("times", [1, 2])
def test_what_was_encoded_twice_or_thrice_is_mended(encoding: str, times: int) -> None:
    text = _SAID
    for _ in range(times):
        data = text.encode()
        text = "".join(bytes([byte]).decode(encoding, errors="ignore") or chr(byte) for byte in data)
    assert clean(text) == clean(_SAID)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("El año pasado: resoluciÃ³n N.Âº 15", "El año pasado: resolución N.º 15"),  # both kinds in a paragraph
        ("ArtÃ\xadculo 5.-Â\xa0Objeto", "Artículo 5.- Objeto"),
        ("MÃ\x8dNIMO", "MÍNIMO"),
        ("â€œasÃ\xadâ€ y â€‹â‰¤ 5", "“así” y ≤ 5"),
        ("CONCLUSÃO: SÃO JOÃO DA MANHÃ", "CONCLUSÃO: SÃO JOÃO DA MANHÃ"),
        ("CÂMARA, Âncora, câmbio, âmbito", "CÂMARA, Âncora, câmbio, âmbito"),
        ("Â«LEYÂ» de la nociÃ³nÂ» del NIÃ‘O", "«LEY» de la noción» del NIÑO"),
        ("nociÃ³nÂ», NÂ° 5, literal Ã‘) y 2â…”", "noción», N° 5, literal Ñ) y 2⅔"),
        ("Le théâtre à Pâques", "Le théâtre à Pâques"),
    ],
)
def test_only_what_can_mean_nothing_else_is_mended(raw: str, expected: str) -> None:
    assert clean(raw) == expected


_DOS_TEXT = (
    "ARTÍCULO ÚNICO.- ¿Qué órgano, según el artículo 5.º, aprobó la resolución del año? «Está» en la 2ª área: el "
    "índice de Perú y el pingüino. DISPOSICIÓN DEL NIÑO, ACTUACIÓN PÚBLICA, ÁREA ÚNICA"
)


@pytest.mark.parametrize("read_as", ["cp1252", "latin-1"])
def test_text_of_dos_that_was_read_as_windows_is_mended(read_as: str) -> None:
    raw = "".join(bytes([byte]).decode(read_as, errors="ignore") or chr(byte) for byte in _DOS_TEXT.encode("cp850"))
    assert clean(raw) == _DOS_TEXT


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Resoluci¢n N§ 15", "Resolución Nº 15"),
        ("El a¤o 2024", "El año 2024"),
        ("DISPOSICIàN GENERAL", "DISPOSICIÓN GENERAL"),
        ("Seg£n el tr\xa0mite de c¢mputo, d‚ aviso", "Según el trámite de cómputo, dé aviso"),
        ("Seg£n el n£mero", "Según el número"),
        ("resoluci├│n N.┬║ 15 del a├▒o: ÔÇ£as├¡ÔÇØ", "resolución N.º 15 del año: “así”"),
        ("ÔÇó Plazos", "• Plazos"),
    ],
)
def test_a_line_of_dos_is_mended(raw: str, expected: str) -> None:
    assert clean(raw) == expected


@pytest.mark.parametrize("read_as", ["cp850", "cp437"])
def test_utf8_that_was_read_as_dos_is_mended(read_as: str) -> None:
    said = f"{_DOS_TEXT} “así” – ‘sí’ — N.° 3…"
    assert clean(said.encode().decode(read_as)) == said


@pytest.mark.parametrize(
    "text",
    [
        "Cuesta 5¢, ¢500 o £20; miden 15 µm, § 3, ¤ 7 y ® marca",
        "Se resuelve con£orme a ley",  # as optical character recognition reads an «f»
        "Hay su£iciente causa, con£orme a ley, y se o£rece de£ensa",
        "La a¤oranza dura años y la resoluci¢n también",  # written with accents
        "PéREZ, à la carte, Öland y ¡hola!",
        "├── actas\n│   ├── 2024\n└── índice",
        "┌─┬┐\n├─┼┤\n├│─\n└─┴┘",
        "CONTRATO A €5 ‚entre comillas‘ y 3 ¥",
    ],
)
def test_signs_of_dos_that_mean_themselves_stay(text: str) -> None:
    assert clean(text) == text


def test_a_drawn_line_after_much_text_of_dos_costs_no_more_than_its_length() -> None:
    drawn = "├⌐" * 100_000 + "─"
    assert clean(drawn) == drawn


@given(st.text(alphabet=st.characters(exclude_characters="ÂÃâÅË")))  # what they begin may be mended once more
def test_cleaning_again_changes_nothing_and_gives_the_composed_form(text: str) -> None:
    once = clean_line(text)
    assert clean_line(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.text(alphabet="abcñáéíóúüÑÁÉÍÓÚÜºª½²°¿¡«»“”—–€§ .,;0123456789"))
def test_spanish_text_stays_as_it_is(text: str) -> None:
    assert clean(text) == text
