"""How well questions with known answers are understood, searched and answered.

A question counts for `file@k` when a gold file is among the first k results (all of them with `require_all`), and for
`phrase@k` when a result of a gold file within the first k holds the answer phrase. How the order of the results is
judged stands in `assistant.relevance`. Each question is asked once, without a model, from as many passages as are
measured.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median
from time import perf_counter, process_time

from assistant.gold import gold_files, read_gold
from assistant.questions import AskedQuestion
from assistant.relevance import as_read, ndcg
from rag_system.errors import LegajoError
from rag_system.outcome import Outcome, collect
from rag_system.pipeline import RAGPipeline, Scope
from rag_system.query.text import fold
from rag_system.search.recipes import RECIPES, get_recipe
from rag_system.types import Answer, Candidate, Event, Message, QueryPlan, Retrieved

__all__ = [
    "ALL_RECIPES",
    "CUTS",
    "Scores",
    "evaluate_files",
    "plan_agrees",
    "recipes_to_measure",
    "score_answer",
    "score_search",
    "summarize",
    "without_accents",
]

CUTS = (1, 5, 10)
ALL_RECIPES = "all"
Scores = dict[str, float]

# Accents and the diaeresis are what people leave out; «ñ» has a key of its own.
_UNACCENTED = str.maketrans("áéíóúüÁÉÍÓÚÜ", "aeiouuAEIOUU")


# ---------------------------------------------------------------- one question


def score_search(question: AskedQuestion, found: Sequence[Candidate]) -> Scores:
    """`file@k`, `phrase@k`, `mrr` and `ndcg@10` of one question with gold files."""
    row = question.fields
    gold = gold_files(question)
    phrase = as_read(row.get("answer_phrase") or "")
    scores: Scores = {}
    for k in CUTS:
        paths = {c.chunk.path for c in found[:k]}
        enough = paths.issuperset(gold) if row.get("require_all") else bool(paths.intersection(gold))
        scores[f"file@{k}"] = float(enough)
        if phrase:
            scores[f"phrase@{k}"] = float(any(c.chunk.path in gold and phrase in as_read(c.text) for c in found[:k]))
    first = next((rank for rank, c in enumerate(found, 1) if c.chunk.path in gold), None)
    return {**scores, "mrr": 1 / first if first else 0.0, "ndcg@10": ndcg(question, found)}


def score_answer(question: AskedQuestion, answer: Answer) -> Scores:
    """Whether a question without an answer was left unanswered, or one with an answer was answered with its phrase."""
    gold = gold_files(question)
    if not gold:
        return {"abstained": float(answer.abstained)}
    phrase = as_read(question.fields.get("answer_phrase") or "")
    return {
        "answered": float(not answer.abstained),
        **({"phrase_in_answer": float(phrase in as_read(answer.text))} if phrase else {}),
        "cited_gold_file": float(any(c.path in gold for c in answer.citations)),
    }


def plan_agrees(question: AskedQuestion, plan: QueryPlan) -> Scores:
    """Whether the plan has each value that the question's `expect` names, and all of them (`exact`)."""
    expect: Mapping[str, object] = question.fields["expect"]
    scores = {key: float(_agrees(key, wanted, plan)) for key, wanted in expect.items()}
    return {**scores, "exact": min(scores.values(), default=1.0)}


def _agrees(key: str, wanted: object, plan: QueryPlan) -> bool:
    standalone = fold(plan.standalone_question)
    match key, wanted:
        case "standalone_contains", list():
            return all(fold(str(text)) in standalone for text in wanted)
        case "standalone_excludes", list():
            return not any(fold(str(text)) in standalone for text in wanted)
        case _:
            value = getattr(plan, key)
            return (list(value) if isinstance(value, tuple) else value) == wanted


def without_accents(question: AskedQuestion) -> AskedQuestion:
    """The same question and conversation as people type them in a hurry: «cual es el termino», but still «año»."""
    history = tuple(Message(turn.role, _unaccented(turn.content)) for turn in question.history)
    return replace(question, question=_unaccented(question.question), history=history)


def _unaccented(text: str) -> str:
    return unicodedata.normalize("NFC", text).translate(_UNACCENTED)


# ---------------------------------------------------------------- question files


@dataclass(frozen=True, slots=True, kw_only=True)
class _Set:
    """The questions of a file, as they are asked."""

    name: str
    questions: Sequence[AskedQuestion]

    @property
    def only_understood(self) -> bool:
        return all(_is_expected(question) for question in self.questions)


def _is_expected(question: AskedQuestion) -> bool:
    """Whether only its plan is looked at."""
    return question.fields.get("expect") is not None


def recipes_to_measure(names: Sequence[str], in_force: str) -> list[str]:
    """Those named, every one for `all`, and the one in force for none. An unknown one raises `ConfigurationError`."""
    if ALL_RECIPES in names:
        return list(RECIPES)
    return [get_recipe(name).name for name in dict.fromkeys(names or (in_force,))]


def evaluate_files(
    pipeline: RAGPipeline, paths: Sequence[Path], *, recipes: Sequence[str], unaccented: bool = False
) -> Iterator[dict[str, object]]:
    """One row a question file and recipe; files whose questions carry `expect` are only understood, not searched.

    With `unaccented` each searched file has further rows, of the same questions without accents.
    """
    for path in paths:
        asked = _Set(name=path.stem, questions=read_gold(path))
        for each in (asked, _unaccented_set(asked)) if unaccented and not asked.only_understood else (asked,):
            for recipe in ("",) if each.only_understood else recipes:
                yield _measure(pipeline, each, Scope(recipe=recipe, top_k=max(CUTS)))


def _unaccented_set(asked: _Set) -> _Set:
    return replace(asked, name=f"{asked.name} sin tildes", questions=[*map(without_accents, asked.questions)])


def _measure(pipeline: RAGPipeline, asked: _Set, scope: Scope) -> dict[str, object]:
    scores = summarize(_evaluate(pipeline, question, scope) for question in asked.questions)
    return {"set": asked.name, "recipe": scope.recipe or "–", "questions": len(asked.questions), **scores}


def summarize(rows: Iterable[Scores]) -> Scores:
    """The mean of each score over the questions that have it; of times the median: one slow start does not move it."""
    columns: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for name, value in row.items():
            columns[name].append(value)
    return {
        name: round(median(values) if name.endswith("_ms") else fmean(values), 4) for name, values in columns.items()
    }


def _evaluate(pipeline: RAGPipeline, question: AskedQuestion, scope: Scope) -> Scores:
    if _is_expected(question):
        return plan_agrees(question, pipeline.plan(question.question, question.history))
    events = pipeline.stream(question.question, question.history, scope=replace(scope, provider="extractive"))
    outcome, took = _timed(events)
    if outcome.answer.error:  # nothing was measured: a model that does not fit, a database that is gone
        raise LegajoError(outcome.answer.error)
    scores = score_search(question, outcome.search.candidates) if gold_files(question) else {}
    return {**scores, **score_answer(question, outcome.answer), **took}


def _timed(events: Iterator[Event]) -> tuple[Outcome, Scores]:
    """All that was said, and what it took until the passages were there, in milliseconds.

    `search_ms` is what a person waits, the question's vector included. `cpu_ms` is what this process computes for it,
    on all cores; the database is another process, and `legajo benchmark` measures it.
    """
    seen: list[Event] = []
    took: Scores = {}
    started, computed = perf_counter(), process_time()
    for event in events:
        if isinstance(event, Retrieved):
            took = {"search_ms": (perf_counter() - started) * 1e3, "cpu_ms": (process_time() - computed) * 1e3}
        seen.append(event)
    return collect(seen), took
