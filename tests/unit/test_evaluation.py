"""What the figures of `legajo evaluate` count, and how they are shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.evaluation import (
    plan_agrees,
    recipes_to_measure,
    score_answer,
    score_search,
    summarize,
    without_accents,
)
from assistant.gold import gold_files
from assistant.questions import AskedQuestion
from assistant.relevance import as_read, ndcg
from assistant.tables import evaluation_tables
from rag_system.errors import ConfigurationError
from rag_system.query.plan import analyze
from rag_system.search.recipes import RECIPES
from rag_system.types import Answer, Candidate, Citation, Message, Passage
from tests.builders import candidates, chunk

PHRASE = "quince (15) días"


def asked(**fields: Any) -> AskedQuestion:
    return AskedQuestion(id="1", question="¿Qué plazo hay?", fields=fields)


def found(*documents: str) -> list[Candidate]:
    """A result a document, best first, with its rank for an id; «a!» holds the phrase."""
    return candidates(
        *(
            (
                1 / rank,
                chunk(
                    "El plazo es de\n**quince (15) DÍAS**." if name.endswith("!") else "Otra cosa.",
                    document=name.strip("!"),
                    chunk_id=rank,
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
    question = asked(gold_file="leyes/a.md", answer_phrase=PHRASE)
    scores = score_search(question, found(*documents))
    del scores["ndcg@10"]
    assert scores == {
        **{"file@1": f1, "file@5": f5, "file@10": f10},
        **{"phrase@1": p1, "phrase@5": p5, "phrase@10": p10, "mrr": pytest.approx(mrr)},
    }


def test_any_gold_file_counts_unless_all_are_required() -> None:
    gold = {"gold_file": "leyes/a.md", "gold_files": ["leyes/a.md", "leyes/c.md"]}
    one, both = found("b", "c"), found("c", "b", "a")
    assert score_search(asked(**gold), one)["file@5"] == 1.0
    assert score_search(asked(**gold, require_all=True), one)["file@5"] == 0.0
    required = score_search(asked(**gold, require_all=True), both)
    assert (required["file@1"], required["file@5"]) == (0.0, 1.0)


def test_a_question_without_a_phrase_has_no_score_for_it() -> None:
    scored = score_search(asked(gold_file="leyes/a.md"), found("a"))
    assert set(scored) == {"file@1", "file@5", "file@10", "mrr", "ndcg@10"}
    answered = score_answer(asked(gold_file="leyes/a.md"), Answer(text="Sí."))
    assert set(answered) == {"answered", "cited_gold_file"}


# ---------------------------------------------------------------- the order of the results

GOLD = [
    ({"gold_file": "a.md"}, ["a.md"]),
    ({"gold_file": "a.md", "gold_files": ["a.md", "c.md"]}, ["a.md", "c.md"]),
    ({"gold_file": None}, []),
    ({"gold_file": ""}, []),
    ({}, []),
]


@pytest.mark.parametrize(("fields", "paths"), GOLD)
def test_the_files_that_answer(fields: dict[str, Any], paths: list[str]) -> None:
    assert gold_files(asked(**fields)) == paths


BOTH = {"gold_files": ["leyes/a.md", "leyes/b.md"], "answer_phrase": PHRASE}
# At rank r a gain is divided by log2(r + 1): 1, 0.6309, 0.5, 0.4307…
ORDERS = [
    # gold files, found, nDCG@10
    ({"gold_file": "leyes/a.md"}, ["a!"], 1.0),
    ({"gold_file": "leyes/a.md"}, ["b", "a"], 0.6309),  # with neither phrase nor article the file is the answer
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["a!", "b", "c"], 1.0),
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["a!", "a!", "a"], 1.0),  # more of the same adds nothing
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["a!", "b", "a!"], 1.0),  # nor does it take away
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["a", "b", "a!"], 0.5),
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["b!", "a!"], 0.6309),
    # only the file: 1 / (2 + 0.6309), at the second place 0.6309 / (2 + 0.6309)
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["a", "a"], 0.3801),
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["b", "a"], 0.2398),
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, ["b"] * 10 + ["a!"], 0.0),
    ({"gold_file": "leyes/a.md", "answer_phrase": PHRASE}, [], 0.0),
    (BOTH, ["c", "b!"], 0.6309),  # any of them suffices
    ({**BOTH, "require_all": True}, ["a!", "b!"], 1.0),
    ({**BOTH, "require_all": True}, ["a!", "c", "b!"], (2 + 1) / (2 + 2 * 0.6309)),
    ({**BOTH, "require_all": True}, ["a!"], 2 / (2 + 2 * 0.6309)),
]


@pytest.mark.parametrize(("gold", "documents", "score"), ORDERS)
def test_the_order_of_the_results(gold: dict[str, Any], documents: list[str], score: float) -> None:
    assert ndcg(asked(**gold), found(*documents)) == pytest.approx(score, abs=1e-4)


ARTICLES = [("218", 1.0), ("21", 0.3801), ("", 0.3801)]


@pytest.mark.parametrize(("article", "score"), ARTICLES)
def test_the_gold_article_is_an_answer_too(article: str, score: float) -> None:
    result = candidates((1.0, chunk("Véase el artículo 21.", document="a", headings=("Artículo 218. Recursos",))))
    question = asked(gold_file="leyes/a.md", answer_phrase=PHRASE, gold_article=article)
    assert ndcg(question, result) == pytest.approx(score, abs=1e-4)


def test_a_passage_answers_with_its_neighbours() -> None:
    own, next_one = chunk("Otra cosa.", document="a"), chunk(PHRASE, document="a", chunk_id=2)
    (alone,) = candidates((1.0, own))
    widened = replace(alone, passage=Passage(chunks=(own, next_one), text=f"Otra cosa.\n{PHRASE}"))
    question = asked(gold_file="leyes/a.md", answer_phrase=PHRASE)
    assert ndcg(question, [widened]) == 1.0 > ndcg(question, [alone])


# ---------------------------------------------------------------- what is measured


def test_the_recipes_that_are_measured() -> None:
    assert recipes_to_measure((), "lume") == ["lume"]
    assert recipes_to_measure(("rrf", "default", "rrf"), "lume") == ["rrf", "default"]
    assert recipes_to_measure(("rrf", "all"), "lume") == list(RECIPES)
    with pytest.raises(ConfigurationError, match="No existe la receta «mejor»"):
        recipes_to_measure(("mejor",), "default")


def test_accents_are_dropped_and_the_letter_with_a_key_of_its_own_stays() -> None:
    question = AskedQuestion(id="1", question="¿Cuál año, PINGÜINO?", history=(Message("user", "¿Qué opino\u0301?"),))
    plain = without_accents(question)
    assert (plain.question, plain.history) == ("¿Cual año, PINGUINO?", (Message("user", "¿Que opino?"),))
    assert plain.id == "1"


# ---------------------------------------------------------------- answers


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


SEARCH = {"file@1": 0.9, "file@5": 1.0, "file@10": 1.0, "phrase@1": 0.5, "phrase@5": 0.7, "phrase@10": 0.8}
ORDER = {"mrr": 0.95, "ndcg@10": 0.875}
ANSWER = {"answered": 1.0, "cited_gold_file": 0.9, "phrase_in_answer": 0.6}
TIMES = {"search_ms": 43.21, "cpu_ms": 12.3}
SCORED = {**SEARCH, **ORDER, **ANSWER, **TIMES}
ROUTED = {"exact": 0.95, "route": 0.97, "standalone_contains": 0.9}


def test_what_is_searched_is_one_table_and_what_is_only_understood_another() -> None:
    text = evaluation_tables(
        [
            {"set": "identifiers", "recipe": "default", "questions": 40, **SCORED},
            {"set": "identifiers", "recipe": "rrf", "questions": 40, **SCORED},
            {"set": "routing", "recipe": "–", "questions": 60, **ROUTED},
            {"set": "unanswerable", "recipe": "default", "questions": 8, "abstained": 0.875, **TIMES},
        ]
    )
    assert [" ".join(line.split()) for line in text.splitlines()] == [
        "Búsqueda y respuesta",
        "phrase cited search cpu",
        "conjunto receta n file@1 file@5 file@10 phrase@1 phrase@5 phrase@10 mrr ndcg@10 "
        "answered in_answer gold_file abstained ms ms",
        "identifiers default 40 0.900 1.000 1.000 0.500 0.700 0.800 0.950 0.875 1.000 0.600 0.900 43 12",
        "identifiers rrf 40 0.900 1.000 1.000 0.500 0.700 0.800 0.950 0.875 1.000 0.600 0.900 43 12",
        "unanswerable default 8 0.875 43 12",
        "",
        "Comprensión de la pregunta",
        "standalone",
        "conjunto receta n route contains exact",
        "routing – 60 0.970 0.900 0.950",
    ]
    assert max(map(len, text.splitlines())) <= 140


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
