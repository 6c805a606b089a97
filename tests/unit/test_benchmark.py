"""The synthetic collection is like a real one, the same each time, and its figures make a table that can be read."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from assistant.commands import measures
from benchmarks.collection import Collection
from benchmarks.questions import BenchmarkQuestion, Questioner
from benchmarks.report import Measure, benchmark_table
from benchmarks.run import parse_sizes
from benchmarks.words import Words
from rag_system.errors import InputError
from rag_system.query.identifiers import extract_identifiers
from rag_system.query.plan import analyze
from rag_system.query.text import fold, query_terms
from rag_system.types import Route

CHUNKS = 2_000


@pytest.fixture(scope="module")
def collection() -> Collection:
    return Collection(chunks=CHUNKS)


@pytest.fixture(scope="module")
def questions(collection: Collection) -> list[BenchmarkQuestion]:
    questioner = Questioner(collection=collection, count=40)
    assert sum(len(document.chunks) for document in questioner.watch(collection.documents())) == CHUNKS
    return questioner.questions


@pytest.mark.parametrize("chunks", [100, 101, 999, CHUNKS])
def test_it_has_exactly_the_chunks_asked_for(chunks: int) -> None:
    assert sum(len(document.chunks) for document in Collection(chunks=chunks).documents()) == chunks


def test_it_is_the_same_each_time(collection: Collection) -> None:
    again = list(Collection(chunks=CHUNKS).documents())
    for one, other in zip(collection.documents(), again, strict=True):
        assert (one.title, one.acronyms, one.mentions) == (other.title, other.acronyms, other.mentions)
        assert [chunk.text for chunk in one.chunks] == [chunk.text for chunk in other.chunks]
        assert np.array_equal([chunk.vector for chunk in one.chunks], [chunk.vector for chunk in other.chunks])


def test_vectors_lie_as_those_of_e5(collection: Collection) -> None:
    documents = [np.array([chunk.vector for chunk in document.chunks]) for document in collection.documents()]
    anywhere = np.concatenate(documents)
    assert np.allclose(np.linalg.norm(anywhere, axis=1), 1, atol=1e-5)
    low, middle, high = np.percentile(anywhere[::7] @ anywhere[3::7].T, [5, 50, 95])
    assert 0.76 < low < middle < high < 0.92
    neighbours = [one @ other for document in documents for one, other in pairwise(document)]
    assert 0.88 < np.median(neighbours) < 0.96


def test_few_words_are_said_often_and_many_once() -> None:
    ranks = Words(running=200_000).draw(np.random.default_rng(1), 200_000)
    counts = np.sort(np.bincount(ranks))[::-1]
    assert 0.04 < counts[0] / len(ranks) < 0.12  # «de» is 6 of 100 words of Spanish
    assert counts[10] > 5 * counts[100] > 25 * counts[1_000]
    once = np.count_nonzero(counts == 1) / np.count_nonzero(counts)
    assert once > 0.25


def test_words_differ() -> None:
    spelled = Words(running=20_000_000).spelled
    assert len(set(spelled)) == len(spelled)


def test_most_documents_have_an_identifier_that_their_title_says(collection: Collection) -> None:
    documents = list(collection.documents())
    named = [document for document in documents if document.name]
    assert 0.6 < len(named) / len(documents) < 0.9
    for document in named:
        assert document.identifiers == extract_identifiers(document.title)[:1]
    assert len({document.identifiers[0] for document in named}) == len(named)


def test_questions_are_as_people_ask(questions: list[BenchmarkQuestion]) -> None:
    plans = [analyze(question.text) for question in questions]
    assert {plan.route for plan in plans} == {Route.RETRIEVE}
    assert 0.15 < sum(bool(plan.identifiers) for plan in plans) / len(plans) < 0.45
    assert 0.2 < sum(question.text == fold(question.text) for question in questions) / len(questions) < 0.6
    of_content = [len(query_terms(p.question)) for p in plans if not p.identifiers]
    assert min(of_content) >= 4
    assert max(of_content) <= 20


def test_a_question_is_nearest_to_what_it_asks_about(
    collection: Collection, questions: list[BenchmarkQuestion]
) -> None:
    vectors = np.array([chunk.vector for document in collection.documents() for chunk in document.chunks])
    nearest = vectors @ np.array([question.vector for question in questions]).T
    assert 0.84 < np.median(nearest.max(axis=0)) < 0.93


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1000", [1_000]), ("1000,10000", [1_000, 10_000]), ("1.000, 1.000.000", [1_000, 1_000_000])],
)
def test_sizes_are_read(text: str, expected: list[int]) -> None:
    assert parse_sizes(text) == expected


@pytest.mark.parametrize("text", ["", "mil", "10", "-1000", "1000,,2000", "1e4", "99999999999"])
def test_wrong_sizes_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--chunks"):
        parse_sizes(text)


def test_the_table_has_a_line_a_measure_and_a_column_a_size() -> None:
    table = benchmark_table(
        [
            Measure(chunks=0, measure="embedding_query_p50", value=5.25, unit="ms"),
            Measure(chunks=1_000, measure="search_cpu_p50", value=7.5, unit="ms"),
            Measure(chunks=100_000, measure="search_cpu_p50", value=12.0, unit="ms"),
            Measure(chunks=1_000, measure="recall_at_50", value=1.0, unit=""),
            Measure(chunks=100_000, measure="threads_rate_8", value=80.5, unit="1/s"),
        ]
    )
    assert [line.split() for line in table.splitlines()] == [
        ["fragmentos", "1.000", "100.000"],
        ["CPU", "por", "búsqueda,", "p50", "(ms)", "7,5", "12,0"],
        ["Exhaustividad@50", "del", "índice", "aproximado", "1"],
        ["Búsquedas", "a", "la", "vez:", "8", "(por", "s)", "80,5"],
        ["Embedding", "de", "una", "pregunta,", "p50", "(ms)", "5,2", "5,2"],
    ]


def test_without_the_repository_a_sentence_says_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "__file__", str(tmp_path / "assistant" / "commands" / "measures.py"))
    with pytest.raises(InputError, match="clone el repositorio"):
        measures._benchmarks()
