"""Who asks for a work by author and year sees the sentence that cites it and the entry in the bibliography."""

from __future__ import annotations

import pytest

from rag_system.query.plan import analyze
from rag_system.search.recipes import Recipe
from rag_system.search.selection import select
from rag_system.search.strategies import CitationCue
from rag_system.types import Candidate, Chunk
from tests.builders import chunk, ranking, search_request, table

PLAN = analyze("¿Qué dice Arias (2020) sobre el muestreo?")

CITES = [
    ("Según Arias (2020), la muestra debe ser representativa.", ()),
    ("La muestra debe ser representativa (Arias, 2020, p. 59).", ()),
    ("Los autores Arias, Covinos y Cáceres (2020) distinguen dos tipos.", ()),
    ("Como advierte ARIAS (2020) en su manual", ()),
    ("Lo sostienen Arias (2018, 2020) y otros.", ()),
    ("Lo define Arias (2020a) en la primera parte.", ()),
]
ENTRIES = [
    ("Arias, J. L. (2020). Técnicas e instrumentos de investigación científica. Enfoques Consulting.", ()),
    ("• Arias-Odón, F. y Pérez, M. (2020). El proyecto de investigación. Episteme.", ()),
    ("[3] Arias J. Métodos de investigación. Lima, 2020. Arias (2020).", ("Referencias bibliográficas",)),
]
NEITHER = [
    ("En 2020 se matricularon más alumnos; Varias (2020) no es un apellido.", ()),
    (
        "Arias dirigió el taller. La encuesta que se aplicó a los docentes se repitió, por último, en 2020.",
        (),
    ),
    ("Pérez (2020) propone otra cosa que Arias (2018).", ()),
    ("Arias (2018) y Pérez (2020) no coinciden.", ()),
]


def found(text: str, headings: tuple[str, ...], chunk_id: int, score: float = 0.5) -> Candidate:
    return Candidate(chunk=chunk(text, chunk_id=chunk_id, headings=headings, document="tesis"), score=score, scores={})


def share(*chunks: Chunk) -> list[float]:
    return [float(value) for value in CitationCue(PLAN).column(table(chunks))]


@pytest.mark.parametrize(("text", "headings"), [*CITES, *ENTRIES])
def test_author_and_year_together_count(text: str, headings: tuple[str, ...]) -> None:
    assert share(chunk(text, headings=headings)) == [1.0]


@pytest.mark.parametrize(("text", "headings"), NEITHER)
def test_author_and_year_apart_do_not(text: str, headings: tuple[str, ...]) -> None:
    assert share(chunk(text, headings=headings)) == [0.0]


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("cite", CITES)
def test_both_sides_are_found(cite: tuple[str, tuple[str, ...]], entry: tuple[str, tuple[str, ...]]) -> None:
    ranked = [found(*CITES[0], 1), found(*cite, 2), found(*entry, 3), found(*NEITHER[1], 4)]
    assert list(CitationCue(PLAN).both_sides(range(4), table([each.chunk for each in ranked]))) == [2, 0]


def test_both_sides_get_a_place_among_three() -> None:
    ranked = [found(f"{CITES[0][0]} Página {n}: {'abcd'[n]}", (), n, 0.9 - n / 10) for n in range(4)]
    ranked.append(found(*ENTRIES[0], 9, 0.1))
    all_of_them = ranking(ranked, search_request("¿?", recipe=Recipe(name="r", duplicate_similarity=1.0), top_k=3))
    wanted = list(CitationCue(PLAN).both_sides(all_of_them.kept, all_of_them.table))
    selection = select(all_of_them, lambda row: ranked[row].chunk.text, wanted=wanted)
    assert selection.chosen == (0, 1, 4)
    assert selection.guaranteed == (4,)
