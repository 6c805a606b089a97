"""How a quote shows that it leaves words out, and that it stays literal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rag_system.generation.abstention import ABSTENTION
from rag_system.generation.cuts import main_piece
from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.grounding import ground
from rag_system.generation.sanitizing import disarm
from rag_system.query.joining import join
from rag_system.types import Chunk, Evidence, StateKind, TextState
from tests.builders import chunk, evidence, request

PADDED = "El trámite de la licencia sigue su curso ordinario en la oficina de partes. "
LIST = "La solicitud de licencia contiene:\n" + "\n".join(
    f"{letter}) El requisito {letter}, con {'su detalle, ' * 14}y su copia." for letter in "abcdefgh"
)

CUTS = [
    ("¿Cuánto demora la licencia de funcionamiento?",
     "la licencia de funcionamiento demora cuatro días hábiles desde la solicitud.", "«(…) la licencia", "solicitud.»"),
    ("¿Cuánto demora la licencia de funcionamiento?",
     "La licencia de funcionamiento demora cuatro días hábiles desde que se presenta la solicitud con todos los "
     "anexos que señala el", "«La licencia", "que señala el (…)»"),
    ("¿Qué requisitos contiene la solicitud de licencia?", LIST, "«La solicitud de licencia contiene:", "(…)»"),
    ("¿Cuánto demora la licencia de funcionamiento?",
     "a) La licencia de funcionamiento demora cuatro días hábiles.\nb) El duplicado, dos.", "«a) La licencia", "»"),
]  # fmt: skip


def _answered(question: str, passage: Chunk) -> str:
    return "".join(ExtractiveAnswerer().stream(request(question, evidence(passage))))


@pytest.mark.parametrize(("question", "text", "opening", "end"), CUTS)
def test_a_cut_shows_and_the_quote_stays_literal(question: str, text: str, opening: str, end: str) -> None:
    passage = chunk(text, title="Ordenanza de licencias", headings=("Artículo 9",))
    said = _answered(question, passage)
    assert opening in said
    assert end in said.split(" [1]")[0]
    assert ground(said, evidence(passage)).unsupported == ()


@pytest.mark.parametrize("goes_on", [False, True])
def test_a_list_that_goes_on_beyond_its_passage_is_not_quoted_as_if_it_were_whole(goes_on: bool) -> None:
    lines = [f"{n}. La copia {n}, legible y firmada por quien la pide." for n in range(1, 4)]
    passage = chunk("\n".join(["La solicitud de licencia contiene:", *lines]), title="Ordenanza de licencias")
    found = tuple(replace(each, goes_on=goes_on) for each in evidence(passage))
    said = "".join(ExtractiveAnswerer().stream(request("¿Qué contiene la solicitud de licencia?", found)))
    assert said.split("» [1]")[0].endswith("(…)") == goes_on
    assert ground(said, found).unsupported == ()


def _of_a_list(*items: range) -> tuple[Evidence, ...]:
    """One passage of the chunks in which a list stands, each below its lead-in."""
    lead = "La solicitud de licencia contiene:"
    texts = ["\n".join([lead, *(f"{n}. La copia {n}, firmada." for n in part)]) for part in items]
    chunks = tuple(chunk(text, title="Ordenanza de licencias", chunk_id=n) for n, text in enumerate(texts, 1))
    (whole,) = evidence(chunks[0])
    return (replace(whole, text=join(chunks), neighbours=chunks if chunks[1:] else ()),)


def test_a_list_over_several_chunks_is_quoted_as_one() -> None:
    found = _of_a_list(range(1, 4), range(4, 7), range(7, 9))
    said = "".join(ExtractiveAnswerer().stream(request("¿Qué contiene la solicitud de licencia?", found)))
    assert [f"copia {n}," in said for n in range(1, 9)] == [True] * 8
    assert said.count("contiene:") == 1
    assert "(…)" not in said
    assert ground(said, found).unsupported == ()


def test_a_list_that_begins_in_an_earlier_chunk_says_so_after_its_lead_in() -> None:
    found = _of_a_list(range(4, 7))
    said = "".join(ExtractiveAnswerer().stream(request("¿Qué contiene la solicitud de licencia?", found)))
    assert "contiene:\n(…)\n4. La copia 4" in said
    assert ground(said, found).unsupported == ()


def test_how_the_items_of_a_list_begin_is_cited_where_the_first_stands() -> None:
    assert main_piece("No va: (…) c) La copia.") == "c) La copia."
    assert main_piece("No va:\na) La copia (…)\nb) El recibo (…)\nc) La foto.") == "No va:\na) La copia"


def test_a_row_comes_with_the_head_of_its_table() -> None:
    rows = "\n".join(f"Falta de tipo {n} | Multa de {n} UIT" for n in range(1, 40))
    said = _answered("¿Qué multa hay por una falta de tipo 17?", chunk(f"Infracción | Sanción\n{rows}", title="Cuadro"))
    assert "«Infracción | Sanción\n(…)\nFalta de tipo 17 | Multa de 17 UIT" in said


NOTE = "(*) Artículo derogado por la Ley 30999, publicada el 4 mayo 2019."
REPEALED = f"La licencia de funcionamiento demora cuatro días hábiles.\n{PADDED * 9}\n{NOTE}"
STATE = TextState(kind=StateKind.REPEALED, told=NOTE, by="Ley 30999", year=2019)


def test_a_quote_is_told_with_the_page_of_its_words_and_not_of_the_note_after_them() -> None:
    passage = replace(
        chunk(REPEALED, title="Ordenanza de licencias", headings=("Artículo 9",), page=3),
        page_last=4,
        page_starts=(REPEALED.index(NOTE),),
        state=STATE,
    )
    sources = evidence(passage)
    said = "".join(ExtractiveAnswerer().stream(request("¿Cuánto demora la licencia de funcionamiento?", sources)))
    assert NOTE not in said
    assert said.startswith("Según Ordenanza de licencias, artículo 9 (p. 3), texto derogado en 2019 (Ley 30999): «La")
    for shown in (said, disarm(said)):
        citation = ground(shown, sources, adds_markers=False).citations[0]
        assert citation.page == 3
        assert citation.quote.startswith("La licencia de funcionamiento demora cuatro días hábiles.")


@pytest.mark.parametrize("text", ["(…)", "(…)\n(…)", "(…)\n---\n(…)"])
def test_a_passage_without_words_is_not_quoted(text: str) -> None:
    passage = chunk(text, title="Ordenanza del plazo de la licencia", headings=("Plazo de la licencia",), page=1)
    assert _answered("¿Qué plazo tiene la licencia?", passage) == ABSTENTION


@pytest.mark.parametrize(
    ("quote", "main"),
    [
        ("La solicitud contiene:\n(…)\nb) el plano.", "b) el plano."),
        ("(…) demora cuatro días (…)", "demora cuatro días"),
        ("Demora cuatro días.\n(…)\n(*) Artículo derogado por la Ley 1.", "Demora cuatro días."),
        ("(*) Artículo derogado por la Ley 1.", "(*) Artículo derogado por la Ley 1."),
        ("(…) (…)", ""),
    ],
)
def test_the_main_piece_of_a_quote_is_what_answers(quote: str, main: str) -> None:
    assert main_piece(quote) == main
