"""A hit brings the rest of its article and the articles beside it; hits inside a better passage are part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_system.generation.context import build_context
from rag_system.generation.extractive import ExtractiveAnswerer
from rag_system.generation.grounding import ground
from rag_system.query.joining import join
from rag_system.search.passages import Passages, as_passages, goes_on
from rag_system.search.texts import Piece
from rag_system.storage.states import stored_state
from rag_system.types import Candidate, Chunk, Passage
from tests.builders import candidates, chunk, request

TITLE = "Título III. Vacaciones"


def article(number: int, text: str, *, chunk_id: int = 0, document: str = "ley", page: int | None = None) -> Chunk:
    headings = (TITLE, f"Artículo {number}")
    return chunk(text, chunk_id=chunk_id or number, document=document, headings=headings, page=page)


def law(*texts: str) -> dict[int, Chunk]:
    """Articles 1, 2, … with these texts, by chunk id."""
    return {n: article(n, text) for n, text in enumerate(texts, 1)}


def piece(of: Chunk) -> Piece:
    return Piece(
        chunk_id=of.chunk_id,
        document_id=of.document_id,
        path=of.path,
        title=of.title,
        identifiers=of.identifiers,
        heading_path=of.heading_path,
        page_first=of.page_first,
        page_last=of.page_last,
        page_starts=None,
        text=of.text,
        state=stored.obj if (stored := stored_state(of.state)) else None,
    )


def widened(hits: Sequence[int], around: dict[int, Chunk], *, longest: int) -> Passages:
    pieces = {number: piece(each) for number, each in around.items()}
    return as_passages(hits, pieces, around=around.keys(), longest=longest)


# ---------------------------------------------------------------- joining


def test_the_end_that_two_chunks_of_an_article_share_stands_once() -> None:
    first = article(6, "El plazo es de treinta días. Vence en marzo.", chunk_id=1)
    second = article(6, "Vence en marzo. Después se pagan intereses.", chunk_id=2)
    assert (
        join([piece(first), piece(second)])
        == "El plazo es de treinta días. Vence en marzo. Después se pagan intereses."
    )


@pytest.mark.parametrize(
    ("header", "first", "second"),
    [("Está prohibido:", "1. Pedir.", "2. Recibir."), ("Falta | Multa", "Leve | 1 UIT", "Grave | 5 UIT")],
)
def test_what_a_list_or_a_table_is_read_under_stands_once(header: str, first: str, second: str) -> None:
    chunks = article(6, f"{header}\n{first}", chunk_id=1), article(6, f"{header}\n{second}", chunk_id=2)
    assert join([piece(each) for each in chunks]) == f"{header}\n{first}\n{second}"


def test_below_what_a_list_is_read_under_the_end_that_two_chunks_share_stands_once() -> None:
    chunks = article(6, "No va:\na) Uno. Dos.", chunk_id=1), article(6, "No va:\nDos. Tres.", chunk_id=2)
    assert join([piece(each) for each in chunks]) == "No va:\na) Uno. Dos. Tres."


def test_what_another_list_is_read_under_stands_again() -> None:
    first = article(6, "Requisitos:\n- Solicitud.\nNo procede:\n- Zona monumental.", chunk_id=1)
    second = article(6, "Requisitos:\n- Copia del DNI.", chunk_id=2)
    assert join([piece(first), piece(second)]) == f"{first.text}\n{second.text}"


def test_a_letter_in_common_is_nothing_shared() -> None:
    first, second = article(6, "Se paga en a", chunk_id=1), article(6, "abril o mayo.", chunk_id=2)
    assert join([piece(first), piece(second)]) == "Se paga en a\nabril o mayo."


def test_a_new_article_is_announced_by_its_heading() -> None:
    first, second = article(6, "El plazo es de treinta días."), article(7, "Vencido el plazo se pagan intereses.")
    assert join([piece(first), piece(second)]) == (
        "El plazo es de treinta días.\nArtículo 7\nVencido el plazo se pagan intereses."
    )


# ---------------------------------------------------------------- widening


def test_an_article_brings_the_ones_beside_it_up_to_the_length() -> None:
    around = law("a" * 100, "b" * 100, "c" * 100, "d" * 100)
    passages = widened([2], around, longest=310)
    assert list(passages.runs[2]) == [1, 2, 3]
    assert passages.absorbed == []


def test_the_rest_of_the_article_comes_before_its_neighbours() -> None:
    parts = [
        article(5, "x" * 90, chunk_id=1),
        *(article(6, c * 90, chunk_id=i) for i, c in ((2, "a"), (3, "b"), (4, "c"))),
    ]
    around = {part.chunk_id: part for part in parts}
    assert list(widened([2], around, longest=280).runs[2]) == [2, 3, 4]


def test_another_title_and_another_document_stay_out() -> None:
    other_title = chunk("Otra materia.", chunk_id=2, headings=("Título IV", "Artículo 9"))
    other_document = article(1, "Otra ley.", chunk_id=4, document="decreto")
    around = {2: other_title, 3: article(8, "El descanso se fracciona."), 4: other_document}
    around[3] = article(8, "El descanso se fracciona.", chunk_id=3)
    assert list(widened([3], around, longest=5_000).runs[3]) == [3]


def test_a_hit_inside_a_better_passage_leaves_its_place() -> None:
    passages = widened([2, 3, 50], law("Uno.", "Dos.", "Tres."), longest=100)
    assert list(passages.runs) == [2, 50]
    assert passages.absorbed == [3]


@pytest.mark.parametrize(
    ("header", "item"),
    [("Está prohibido:", "{}. Pedir o recibir lo de la clase {}."), ("Falta | Multa", "{} | {} UIT")],
)
@pytest.mark.parametrize("hit", [1, 2, 3])
def test_a_list_is_one_passage_to_its_end_however_short_passages_are(hit: int, header: str, item: str) -> None:
    texts = ["\n".join([header, *(item.format(n, n) for n in range(at, at + 8))]) for at in (1, 9, 17)]
    around = {i: article(6, text, chunk_id=i) for i, text in enumerate(texts, 1)}
    around[4] = article(7, "El plazo es de diez días.", chunk_id=4)
    assert list(widened([hit], around, longest=60).runs[hit]) == [1, 2, 3]


def test_a_list_ends_with_its_room_and_is_told_to_go_on() -> None:
    texts = [f"Está prohibido:\n{n}. {'Pedir. ' * 200}" for n in range(1, 6)]
    pieces = [piece(article(6, text, chunk_id=i)) for i, text in enumerate(texts, 1)]
    around = {i: article(6, text, chunk_id=i) for i, text in enumerate(texts, 1)}
    run = widened([1], around, longest=100).runs[1]
    assert list(run) == [1, 2]
    assert goes_on(join(pieces[:2]), pieces[1], pieces[2])
    assert not goes_on(join(pieces), pieces[-1], None)
    assert not goes_on(texts[0], pieces[0], piece(article(7, "El plazo es de diez días.", chunk_id=2)))


@given(st.lists(st.integers(1, 30), unique=True, min_size=1), st.integers(0, 400))
def test_passages_never_overlap_nor_grow_beyond_the_length(hits: list[int], longest: int) -> None:
    around = {n: article(n // 4, f"Párrafo {n}. " * 3, chunk_id=n) for n in range(1, 31)}
    passages = widened(hits, around, longest=longest)
    seen = [i for run in passages.runs.values() for i in run]
    assert len(seen) == len(set(seen))
    assert {*passages.runs, *passages.absorbed} == set(hits)
    for hit, run in passages.runs.items():
        assert sum(len(around[i].text) for i in run) <= max(longest, len(around[hit].text))
        assert list(run) == list(range(run[0], run[-1] + 1))


# ---------------------------------------------------------------- in the context


AROUND = {
    6: article(6, "La participación se distribuye a los trabajadores.", page=3),
    7: article(7, "El pago se hace dentro de los treinta días siguientes a la declaración anual.", page=4),
}


def passages() -> list[Candidate]:
    both = tuple(AROUND.values())
    passage = Passage(chunks=both, text=join([piece(each) for each in both]))
    return [replace(hit, passage=passage) for hit in candidates((1.0, AROUND[6]))]


def test_neighbours_are_read_when_the_budget_allows() -> None:
    (whole,) = build_context(passages(), max_chars=1_000)
    (alone,) = build_context(passages(), max_chars=60)
    assert "treinta días" in whole.text
    assert alone.text == AROUND[6].text
    assert alone.chunks == (AROUND[6],)


def test_every_hit_has_its_room_before_any_neighbour() -> None:
    other = chunk("Otra norma sobre lo mismo, que también hay que leer.", chunk_id=90, document="decreto")
    context = build_context([*passages(), *candidates((0.5, other))], max_chars=150)
    assert [item.chunk.chunk_id for item in context] == [6, 90]
    assert context[0].text == AROUND[6].text


def test_a_quote_from_a_neighbour_is_cited_with_its_own_page_and_article() -> None:
    context = build_context(passages(), max_chars=1_000)
    answer = "".join(
        ExtractiveAnswerer().stream(request("¿En cuántos días se hace el pago de la participación?", context))
    )
    assert "artículo 7 (p. 4): «El pago se hace dentro de los treinta días" in answer
    citation = next(each for each in ground(answer, context).citations if "treinta días" in each.quote)
    assert (citation.chunk_id, citation.page) == (7, 4)
    assert citation.quote in AROUND[7].text


def test_a_list_whose_passage_does_not_fit_is_told_to_go_on() -> None:
    texts = [f"Está prohibido:\n{n}. {'Pedir. ' * 50}".strip() for n in (1, 2)]
    chunks = tuple(article(6, text, chunk_id=i) for i, text in enumerate(texts, 1))
    found = replace(candidates((1.0, chunks[0]))[0], passage=Passage(chunks=chunks, text=join(chunks)))
    (cut,) = build_context([found], max_chars=len(texts[0]) + 10)
    (whole,) = build_context([found], max_chars=5_000)
    assert (cut.text, cut.goes_on) == (texts[0], True)
    assert (whole.text, whole.goes_on) == (join(chunks), False)
