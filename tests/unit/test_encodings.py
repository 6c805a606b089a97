"""Encodings of Spanish text, from a few words to pages that declare another than they are in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.ingestion.loaders.encodings import detect_encoding, is_utf16
from rag_system.ingestion.loaders.html import decode_markup

_PHRASES = [
    "Año",
    "Señor Muñoz:",
    "¿Cuándo vence el plazo?",
    "La niñez",
    "Resolución N.º 15",
    "AÑO DE LA INNOVACIÓN",
    "El café está en la esquina.",
    "Él vendrá mañana",
    "Índice",
    "«Artículo único»",
    "Distrito;Población\nBreña;85.316\nJesús María;75.359",
    "GESTIÓN PÚBLICA",
    "¡Atención!",
    "Precio: 15 € por niño",
    "Sesión ordinaria – 2.ª convocatoria",
    "Dirección: Av. Perú 123, 3º piso",
    "pingüino y cigüeña",
    "Se aprobó el “Reglamento” del año",
]
_ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1", "cp850", "mac_roman"]


@pytest.mark.parametrize("encoding", _ENCODINGS)
@pytest.mark.parametrize("phrase", _PHRASES)
def test_a_phrase_in_its_encoding(phrase: str, encoding: str) -> None:
    try:
        data = phrase.encode(encoding)
    except UnicodeEncodeError:
        pytest.skip("the encoding has no such character")
    assert data.decode(detect_encoding(data), errors="replace") == phrase


def test_utf8_cut_inside_a_character_and_damaged_stays_utf8() -> None:
    data = ("La administración señala el año de la información pública. " * 9).encode()
    assert detect_encoding(data[: data.rindex("ó".encode()) + 1]) == "utf-8"
    assert detect_encoding(data + b" Fi\xffn.") == "utf-8"


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=200))
def test_utf8_is_always_recognised_when_it_is_long_enough(text: str) -> None:
    data = f"Según la resolución, el año de la niñez: {text}".encode()
    found = detect_encoding(data)
    assert found == "utf-8" or is_utf16(data)


@given(st.binary(max_size=300))
def test_any_bytes_decode(data: bytes) -> None:
    assert isinstance(data.decode(detect_encoding(data), errors="replace"), str)
    assert isinstance(decode_markup(data), str)


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ('<meta charset="iso-8859-1">', "cp1252"),  # as browsers read it: it holds the quotation marks
        ('<meta charset="ISO-8859-1">', "utf-8"),  # says another than it is in
        ('<meta charset="utf-8">', "cp1252"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">', "cp1252"),
        ("<?xml version='1.0' encoding='iso-8859-1'?>", "cp1252"),
        ("", "cp1252"),
        ("", "utf-16"),
        ('<meta charset="no-existe">', "utf-8"),
        ('<meta charset="hex">', "cp1252"),
    ],
)
def test_a_page_is_decoded_as_its_bytes_show_and_browsers_do(declared: str, encoding: str) -> None:
    page = f"{declared}<p>El “año” de la niñez: 15 € – según Muñoz</p>"
    assert decode_markup(page.encode(encoding)) == page
