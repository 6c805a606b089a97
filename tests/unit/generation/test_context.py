"""Which passages are read, under which numbers, in how much room."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rag_system.generation.context import build_context
from rag_system.generation.prompt_budget import estimate_tokens
from rag_system.types import Candidate
from tests.builders import candidates, chunk


def numbered(found: list[Candidate], max_chars: int = 12_000) -> list[tuple[int, int]]:
    return [(item.n, item.chunk.chunk_id) for item in build_context(found, max_chars=max_chars)]


def test_documents_in_order_of_their_best_passage() -> None:
    found = candidates(
        (0.5, chunk("Cuarto.", chunk_id=4, document="b")),
        (0.9, chunk("Primero.", chunk_id=1, document="a")),
        (0.8, chunk("Segundo.", chunk_id=2, document="b")),
        (0.3, chunk("Quinto.", chunk_id=5, document="a")),
    )
    assert numbered(found) == [(1, 1), (2, 5), (3, 2), (4, 4)]


def test_copies_and_blanks_get_no_number() -> None:
    found = candidates(
        (0.9, chunk("El plazo es de\n15 días.", chunk_id=1)),
        (0.8, chunk("El plazo es de 15 días.", chunk_id=2, document="copia")),
        (0.7, chunk(" \n ", chunk_id=3)),
        (0.6, chunk("Otro.", chunk_id=4)),
    )
    assert numbered(found) == [(1, 1), (2, 4)]


def test_a_good_passage_is_not_displaced_by_a_weak_one_of_a_better_document() -> None:
    long = "Una oración cualquiera de relleno. " * 20  # 700 characters
    found = candidates(
        (0.9, chunk("A. " + long, chunk_id=1, document="a")),
        (0.8, chunk("B. " + long, chunk_id=2, document="b")),
        (0.1, chunk("C. " + long, chunk_id=3, document="a")),
    )
    assert numbered(found, 1450) == [(1, 1), (2, 2)]


def test_the_last_passage_is_cut_at_a_sentence() -> None:
    text = "Primera oración con algo de texto. " * 20
    evidence = build_context(candidates((0.9, chunk(text))), max_chars=500)
    assert len(evidence[0].text) <= 500
    assert evidence[0].text.endswith("texto.")
    assert evidence[0].chunk.text == text


def test_one_endless_sentence_is_cut_at_a_word() -> None:
    evidence = build_context(candidates((0.9, chunk("palabra " * 200))), max_chars=500)
    assert evidence[0].text.endswith("palabra")


def test_tokens_are_a_room_of_their_own() -> None:
    figures = "1.234,56 | 98,7 | 2023 |\n" * 30  # 750 characters, 30 × 17 tokens
    found = candidates((0.9, chunk(figures, chunk_id=1)), (0.8, chunk(f"B {figures}", chunk_id=2)))
    evidence = build_context(found, max_chars=12_000, max_tokens=700)
    assert [item.chunk.chunk_id for item in evidence] == [1, 2]
    assert sum(estimate_tokens(item.text) for item in evidence) <= 700
    assert len(evidence[1].text) < len(figures) * 2 / 3


words = st.text(alphabet="ab .\n", max_size=400)


@settings(deadline=None)  # the machine may be busy
@given(st.lists(st.tuples(st.floats(0, 1), words, st.sampled_from("xyz")), max_size=12), st.integers(1, 1500))
def test_never_too_much_never_empty_always_numbered(found: list[tuple[float, str, str]], room: int) -> None:
    chunks = [(score, chunk(text, chunk_id=i, document=doc)) for i, (score, text, doc) in enumerate(found)]
    evidence = build_context(candidates(*chunks), max_chars=room)
    assert [item.n for item in evidence] == list(range(1, len(evidence) + 1))
    assert sum(len(item.text) for item in evidence) <= room
    assert all(item.text.strip() and item.text in item.chunk.text for item in evidence)
    documents = [item.chunk.document_id for item in evidence]
    assert len(set(documents)) == sum(a != b for a, b in zip(documents, [None, *documents], strict=False))
