"""A plain text of any length: read in windows that leave no trace in its blocks, in the encoding it is in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.ingestion.document import BlockKind
from rag_system.ingestion.lines import Line
from rag_system.ingestion.loaders import extract, txt
from rag_system.ingestion.structure import blocks_from_lines, stream_blocks

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


@settings(max_examples=60, deadline=None)
@given(st.lists(_PARAGRAPH, min_size=1, max_size=30), st.integers(300, 2_000))
def test_a_window_leaves_no_trace(paragraphs: list[str], size: int) -> None:
    """Of amendments, only what stands in the window is known: none of their articles come after it here."""
    text = "\n\n".join([*_HEAD, *paragraphs])
    lines = [line for line in txt.text_lines(text) if "Modifícase" not in line.text]
    assert list(stream_blocks(lines, window_chars=size)) == list(blocks_from_lines(lines))


def test_a_text_without_any_prose_is_cut_all_the_same() -> None:
    lines = [Line(text=f"palabra{number}", start=number == 0) for number in range(5_000)]
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


def test_a_few_damaged_bytes_in_a_long_text_do_not_change_its_encoding() -> None:
    line = "La señora recibió la notificación.\n\n".encode()
    data = line * 10_000 + b"da\xf1ado y da\xf1ado\n\n" + line * 10
    texts = [block.text for block in extract(data, name="a.txt").blocks]
    assert set(texts) == {"La señora recibió la notificación.", "daado y daado"}


def test_one_line_without_end_keeps_its_accents() -> None:
    text = "ñandú, " * 60_000
    document = extract(text.encode(), name="a.txt")
    assert {block.kind for block in document.blocks} == {BlockKind.TEXT}
    assert " ".join(block.text for block in document.blocks).split() == text.split()
