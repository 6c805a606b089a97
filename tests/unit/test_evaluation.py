"""What the figures of `legajo evaluate` count, and how they are shown."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.evaluation import as_read, plan_agrees, score_answer, score_search, summarize
from assistant.questions import AskedQuestion
from assistant.tables import evaluation_tables
from rag_system.query import analyze
from rag_system.types import Answer, Citation
from tests.builders import candidates, chunk

PHRASE = "quince (15) días"


def asked(**fields: Any) -> AskedQuestion:
    return AskedQuestion(id="1", question="¿Qué plazo hay?", fields=fields)


def found(*documents: str) -> list[Any]:
    """A result a document, best first; «a!» holds the phrase."""
    return candidates(
        *(
            (
                1 / rank,
                chunk(
                    "El plazo es de\n**quince (15) DÍAS**." if name.endswith("!") else "Otra cosa.",
                    document=name.strip("!"),
                ),
            )
            for rank, name in enumerate(documents, 1)
        )
    )


READ = [
    ("Quince  (15)\ndías", "quince (15) días"),
    ("**El plazo** es de `15` días", "el plazo es de 15 días"),
    ("art&iacute;culo 5", "artículo 5"),
    ("art&amp;iacute;culo 5", "artículo 5"),
    ("di\u0301as", "días"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "read"), READ)
def test_texts_are_compared_as_a_reader_would(text: str, read: str) -> None:
    assert as_read(text) == read


SEARCHED = [
    # found, file@1, file@5, file@10, phrase@1, phrase@5, phrase@10, mrr (1 / rank of the first gold file)
    (["a!"], 1, 1, 1, 1, 1, 1, 1.0),
    (["a"], 1, 1, 1, 0, 0, 0, 1.0),
    (["b", "a!"], 0, 1, 1, 0, 1, 1, 1 / 2),
    (["a", "b", "a!"], 1, 1, 1, 0, 1, 1, 1.0),
    (["b!"], 0, 0, 0, 0, 0, 0, 0.0),  # the phrase in another file does not count
    (["b"] * 5 + ["a!"], 0, 0, 1, 0, 0, 1, 1 / 6),
    (["b"] * 10 + ["a!"], 0, 0, 0, 0, 0, 0, 1 / 11),
    ([], 0, 0, 0, 0, 0, 0, 0.0),
]


@pytest.mark.parametrize(("documents", "f1", "f5", "f10", "p1", "p5", "p10", "mrr"), SEARCHED)
def test_search_scores(
    documents: list[str], f1: float, f5: float, f10: float, p1: float, p5: float, p10: float, mrr: float
) -> None:
    scores = score_search(asked(gold_file="leyes/a.md", answer_phrase=PHRASE), found(*documents))
    assert scores == {
        **{"file@1": f1, "file@5": f5, "file@10": f10},
        **{"phrase@1": p1, "phrase@5": p5, "phrase@10": p10, "mrr": mrr},
    }


def test_any_gold_file_counts_unless_all_are_required() -> None:
    gold = {"gold_file": "leyes/a.md", "gold_files": ["leyes/a.md", "leyes/c.md"]}
    one, both = found("b", "c"), found("c", "b", "a")
    assert score_search(asked(**gold), one)["file@5"] == 1.0
    assert score_search(asked(**gold, require_all=True), one)["file@5"] == 0.0
    required = score_search(asked(**gold, require_all=True), both)
    assert (required["file@1"], required["file@5"]) == (0.0, 1.0)


def test_a_question_without_a_phrase_has_no_score_for_it() -> None:
    assert set(score_search(asked(gold_file="leyes/a.md"), found("a"))) == {"file@1", "file@5", "file@10", "mrr"}


def cited(path: str) -> tuple[Citation, ...]:
    return (Citation(n=1, chunk_id=1, document="x", path=path, page=None, quote="x"),)


ANSWERED: list[tuple[dict[str, Any], Answer, dict[str, float]]] = [
    ({"gold_file": None}, Answer(text="No encontré…", abstained=True), {"abstained": 1.0}),
    ({"gold_file": None}, Answer(text="Son 15 días [1]."), {"abstained": 0.0}),
    (
        {"gold_file": "a.md", "answer_phrase": PHRASE},
        Answer(text="Son «Quince (15) días» [1].", citations=cited("a.md")),
        {"answered": 1.0, "phrase_in_answer": 1.0, "cited_gold_file": 1.0},
    ),
    (
        {"gold_file": "a.md", "gold_files": ["a.md", "c.md"], "answer_phrase": PHRASE},
        Answer(text="Son treinta días [1].", citations=cited("c.md")),
        {"answered": 1.0, "phrase_in_answer": 0.0, "cited_gold_file": 1.0},
    ),
    (
        {"gold_file": "a.md", "answer_phrase": PHRASE},
        Answer(text="No encontré…", abstained=True),
        {"answered": 0.0, "phrase_in_answer": 0.0, "cited_gold_file": 0.0},
    ),
]


@pytest.mark.parametrize(("fields", "answer", "scores"), ANSWERED)
def test_answer_scores(fields: dict[str, Any], answer: Answer, scores: dict[str, float]) -> None:
    assert score_answer(asked(**fields), answer) == scores


EXPECTED: list[tuple[str, dict[str, Any], dict[str, float]]] = [
    ("hola", {"route": "trivial"}, {"route": 1.0, "exact": 1.0}),
    ("hola", {"route": "retrieve"}, {"route": 0.0, "exact": 0.0}),
    (
        "¿Qué dice la Ley 29733?",
        {"route": "retrieve", "identifiers": ["ley:29733"]},
        {"route": 1.0, "identifiers": 1.0, "exact": 1.0},
    ),
    (
        "¿Qué dice la Ley 29733?",
        {"route": "retrieve", "identifiers": ["ley:1"]},
        {"route": 1.0, "identifiers": 0.0, "exact": 0.0},
    ),
    (
        "¿Qué dice la Ley 29733?",
        {"standalone_contains": ["LEY 29733"], "standalone_excludes": ["iso"]},
        {"standalone_contains": 1.0, "standalone_excludes": 1.0, "exact": 1.0},
    ),
    (
        "¿Qué dice la Ley 29733?",
        {"standalone_contains": ["ley", "iso"], "standalone_excludes": ["léy"]},
        {"standalone_contains": 0.0, "standalone_excludes": 0.0, "exact": 0.0},
    ),
    ("hola", {}, {"exact": 1.0}),
]


@pytest.mark.parametrize(("question", "expect", "scores"), EXPECTED)
def test_plans_are_compared_with_what_is_expected(
    question: str, expect: dict[str, Any], scores: dict[str, float]
) -> None:
    assert plan_agrees(asked(expect=expect), analyze(question)) == scores


def test_scores_are_means_and_times_medians() -> None:
    rows = [{"mrr": 1.0, "search_ms": 10.0}, {"mrr": 0.5, "search_ms": 20.0}, {"phrase@1": 1.0, "search_ms": 900.0}]
    assert summarize(rows) == {"mrr": 0.75, "search_ms": 20.0, "phrase@1": 1.0}


SEARCH = {"file@1": 0.9, "file@5": 1.0, "file@10": 1.0, "mrr": 0.95, "phrase@1": 0.5, "phrase@5": 0.7, "phrase@10": 0.8}
ANSWER = {"answered": 1.0, "cited_gold_file": 0.9, "phrase_in_answer": 0.6, "search_ms": 43.21}


def test_each_kind_of_set_has_its_table() -> None:
    text = evaluation_tables(
        [
            {"set": "identifiers", "recipe": "default", "questions": 40, **SEARCH, **ANSWER},
            {
                "set": "routing",
                "recipe": "–",
                "questions": 60,
                "exact": 0.95,
                "route": 0.97,
                "standalone_contains": 0.9,
            },
            {"set": "content", "recipe": "default", "questions": 32, **ANSWER, **SEARCH},
            {"set": "unanswerable", "recipe": "default", "questions": 8, "search_ms": 39.0, "abstained": 0.875},
        ]
    )
    assert [" ".join(line.split()) for line in text.splitlines()] == [
        "Búsqueda y respuesta",
        "phrase cited search",
        "conjunto receta n file@1 file@5 file@10 phrase@1 phrase@5 phrase@10 mrr answered in_answer gold_file ms",
        "identifiers default 40 0.900 1.000 1.000 0.500 0.700 0.800 0.950 1.000 0.600 0.900 43",
        "content default 32 0.900 1.000 1.000 0.500 0.700 0.800 0.950 1.000 0.600 0.900 43",
        "",
        "Sin respuesta en los documentos",
        "search",
        "conjunto receta n abstained ms",
        "unanswerable default 8 0.875 39",
        "",
        "Comprensión de la pregunta",
        "standalone",
        "conjunto receta n route contains exact",
        "routing – 60 0.970 0.900 0.950",
    ]
    assert max(map(len, text.splitlines())) <= 120


def test_a_score_that_a_set_lacks_stays_empty() -> None:
    mixed = {"set": "mixed", "recipe": "rrf", "questions": 2, "mrr": 0.5, "abstained": 1.0}
    text = evaluation_tables([mixed, {"set": "plain", "recipe": "rrf", "questions": 1, "mrr": 1.0}])
    assert text.splitlines()[-1].split() == ["plain", "rrf", "1", "1.000"]


def test_an_empty_question_file_is_shown_as_such() -> None:
    assert evaluation_tables([{"set": "vacío", "recipe": "–", "questions": 0}]).splitlines()[-1].split() == [
        "vacío",
        "–",
        "0",
    ]
