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


@given(st.text(alphabet=st.characters(exclude_characters="ÂÃâÅË")))  # what they begin may be mended once more
def test_cleaning_again_changes_nothing_and_gives_the_composed_form(text: str) -> None:
    once = clean_line(text)
    assert clean_line(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.text(alphabet="abcñáéíóúüÑÁÉÍÓÚÜºª½²°¿¡«»“”—–€§ .,;0123456789"))
def test_spanish_text_stays_as_it_is(text: str) -> None:
    assert clean(text) == text
