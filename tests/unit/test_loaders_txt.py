"""A plain text of any length: read in windows that leave no trace in its blocks, in the encoding it is in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.lines import Line, windows
from rag_system.ingestion.loaders import extract, txt
from rag_system.ingestion.structure import blocks_from_lines, stream_blocks
from tests.effort import examples

_PROSE = "El administrado presenta su solicitud ante la mesa de partes de la entidad, con los requisitos del anexo."
_HEAD = [f"Artículo {number}.- Objeto\n{_PROSE}" for number in (1, 2)]
_PARAGRAPH = st.one_of(
    st.sampled_from(
        [
            "TÍTULO II",
            "CAPÍTULO I\nDEL PLAZO",
            "DISPOSICIONES COMPLEMENTARIAS FINALES",
            "PRIMERA.- Vigencia\nLa presente norma entra en vigencia al día siguiente de su publicación.",
            "a) El plazo;\nb) el monto.",
            "4. ALCANCE DEL SISTEMA",
            "conforme a lo dispuesto por",
            "Modifícase el artículo 5 de la Ley 29733, con el texto siguiente:",
            "Dado en la Casa de Gobierno, a los dos días del mes de mayo.",
            _PROSE,
            f"{_PROSE}\n{_PROSE}",
        ]
    ),
    st.integers(1, 12).map(lambda number: f"Artículo {number}.- Plazo\n{_PROSE}"),
)


@settings(max_examples=examples(60))
@given(st.lists(_PARAGRAPH, min_size=1, max_size=30), st.integers(300, 2_000))
def test_a_window_leaves_no_trace(paragraphs: list[str], size: int) -> None:
    """Of amendments, only what stands in the window is known: none of their articles come after it here."""
    text = "\n\n".join([*_HEAD, *paragraphs])
    lines = [line for line in txt.text_lines(text) if "Modifícase" not in line.text]
    assert list(stream_blocks(lines, window_chars=size)) == list(blocks_from_lines(lines))


def test_a_row_of_headings_stays_in_one_window() -> None:
    contents = [f"TÍTULO {number}\n\nCAPÍTULO ÚNICO\n\nArtículo {number}.- Plazo" for number in range(1, 60)]
    lines = list(txt.text_lines("\n\n".join([*_HEAD, *contents, *_HEAD])))
    assert list(stream_blocks(lines, window_chars=300)) == list(blocks_from_lines(lines))


def test_a_text_without_any_prose_is_cut_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag_system.ingestion.lines._PATIENCE_CHARS", 1_000)
    lines = [Line(text=f"palabra{number}", start=number == 0) for number in range(5_000)]
    assert max(sum(len(line.text) for line in window) for window in windows(lines, size=1_000)) < 2_100
    words = " ".join(block.text for block in stream_blocks(lines, window_chars=1_000)).split()
    assert words == [line.text for line in lines]


@pytest.mark.parametrize("joint", ["\n\n", "\n", "\r\n", "\r", " ", ""])
def test_nothing_is_lost_between_the_windows_of_a_file(monkeypatch: pytest.MonkeyPatch, joint: str) -> None:
    monkeypatch.setattr(txt, "_WINDOW_CHARS", 500)
    text = joint.join(f"Oración número {number} de un texto sin fin, con eñes y tildes." for number in range(200))
    document = extract(text.encode(), name="a.txt")
    read = "".join(block.text for block in document.blocks)
    assert re.sub(r"\s", "", read) == re.sub(r"\s", "", text)
    assert list(document.blocks) == list(document.blocks)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "cp850"])
def test_the_encoding_of_a_long_text_may_show_late(encoding: str) -> None:
    licence = "This file may be copied by anyone, without any warranty.\n\n" * 6_000
    text = f"{licence}La señora recibió la notificación: ¿cuándo venció el plazo?\n\n{licence}"
    spanish = [block.text for block in extract(text.encode(encoding), name="a.txt").blocks if "plazo" in block.text]
    assert spanish == ["La señora recibió la notificación: ¿cuándo venció el plazo?"]


def test_a_few_bytes_of_another_encoding_in_a_long_text_do_not_change_its_own() -> None:
    line = "La señora recibió la notificación.\n\n".encode()
    data = line * 10_000 + b"da\xf1ado y da\xf1ado\n\n" + line * 10
    texts = [block.text for block in extract(data, name="a.txt").blocks]
    assert set(texts) == {"La señora recibió la notificación.", "dañado y dañado"}


def test_one_line_without_end_keeps_its_accents() -> None:
    text = "ñandú, " * 60_000
    document = extract(text.encode(), name="a.txt")
    assert {block.kind for block in document.blocks} == {BlockKind.TEXT}
    assert " ".join(block.text for block in document.blocks).split() == text.split()


_IN_UTF8 = "La resolución «rige» desde mañana."
_IN_WINDOWS = "¿Según qué año? El 1º, en la sesión n° 5 del “Pleno”."


@pytest.mark.parametrize(("first", "second"), [(1, 1), (5, 1), (1, 5), (30, 1)])
@pytest.mark.parametrize("suffix", ["txt", "html"])
def test_lines_in_two_encodings(first: int, second: int, suffix: str) -> None:
    lines = [_IN_UTF8.encode()] * first + [_IN_WINDOWS.encode("cp1252")] * second
    data = b"\n\n".join(b"<p>%b</p>" % line if suffix == "html" else line for line in lines)
    text = " ".join(block.text for block in extract(b"<html>" * (suffix == "html") + data, name=f"a.{suffix}").blocks)
    assert (text.count(_IN_UTF8), text.count(_IN_WINDOWS)) == (first, second)


@pytest.mark.parametrize("damage", [b"ma\xb1ana", b"ma\xc3 ana", b"seg\xban", b"\xe2\x82 5"])
def test_half_a_character_is_left_out(damage: bytes) -> None:
    text = "".join(block.text for block in extract(_IN_UTF8.encode() + b" " + damage, name="a.txt").blocks)
    assert text.isprintable()
    assert not set(text) & set("±Ãºâ‚")


def test_a_long_text_goes_on_in_another_encoding() -> None:
    data = f"{_IN_UTF8}\n\n".encode() * 6_000 + _IN_WINDOWS.encode("cp1252")
    blocks = list(extract(data, name="a.txt").blocks)
    assert (blocks[0].text, blocks[-1].text) == (_IN_UTF8, _IN_WINDOWS)


_FULL = "El comisionado rinde cuenta documentada de los viáticos que recibió, ante la oficina de administración,\n"
_REST = "dentro de los diez días hábiles.\n"


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        (
            f"Fecha: 18 de marzo de 2026\nHora: 10:00\nLugar: sala de reuniones\n{_FULL}{_REST}",
            ["Fecha: 18 de marzo de 2026", "Hora: 10:00", "Lugar: sala de reuniones", f"{_FULL[:-1]} {_REST[:-1]}"],
        ),
        (
            f"{_FULL}Se devuelve a la\noficina lo que sobra.\n{_FULL}{_REST}",  # cut short by hand
            [f"{_FULL[:-1]} Se devuelve a la oficina lo que sobra.", f"{_FULL[:-1]} {_REST[:-1]}"],
        ),
        *(
            (
                f"{_FULL}{line}\nMunicipalidad de Lima.\n{_FULL}",
                [f"{_FULL[:-1]} {line} Municipalidad de Lima.", _FULL[:-1]],
            )
            for line in ("y la aprueba la", "La tasa es de", "Así lo dispuso,", "según", "conforme a")
        ),
        (f"{_FULL}Zona E\nPuerto de Ilo\n{_FULL}", [_FULL[:-1] + " Zona E", "Puerto de Ilo", _FULL[:-1]]),
    ],
)
def test_a_line_that_ends_long_before_the_margin_ends_its_paragraph(text: str, paragraphs: list[str]) -> None:
    assert [block.text for block in extract(text.encode(), name="a.txt").blocks] == paragraphs
