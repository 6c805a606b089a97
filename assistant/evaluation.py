"""How well questions with known answers are understood, searched and answered.

A question counts for `file@k` when a gold file is among the first k results (all of them with `require_all`), and for
`phrase@k` when a result of a gold file within the first k holds the answer phrase.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from time import perf_counter

from assistant.questions import AskedQuestion, read_questions
from rag_system.pipeline import RAGPipeline, Scope, collect
from rag_system.query.text import fold
from rag_system.types import Answer, Candidate, QueryPlan

__all__ = ["CUTS", "Scores", "as_read", "evaluate_files", "plan_agrees", "score_answer", "score_search", "summarize"]

CUTS = (1, 5, 10)
Scores = dict[str, float]

_MARKS = str.maketrans("", "", "*_#>|\\`")


def as_read(text: str) -> str:
    """Text as a reader would compare it: entities resolved, Markdown marks gone, white space collapsed, lower case."""
    plain = html.unescape(html.unescape(text)).translate(_MARKS)
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", plain)).strip().lower()


def score_search(question: AskedQuestion, found: Sequence[Candidate]) -> Scores:
    """`file@k`, `phrase@k` and `mrr` of one question with gold files."""
    row = question.fields
    gold = list(row.get("gold_files") or [row["gold_file"]])
    phrase = as_read(row.get("answer_phrase") or "")
    hits = [c.chunk.path in gold for c in found]
    answers = [hit and phrase in as_read(c.chunk.text) for hit, c in zip(hits, found, strict=True)]
    scores: Scores = {}
    for k in CUTS:
        paths = {c.chunk.path for c in found[:k]}
        enough = paths.issuperset(gold) if row.get("require_all") else bool(paths.intersection(gold))
        scores[f"file@{k}"] = float(enough)
        if phrase:
            scores[f"phrase@{k}"] = float(any(answers[:k]))
    scores["mrr"] = next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0)
    return scores


def score_answer(question: AskedQuestion, answer: Answer) -> Scores:
    """Whether a question without an answer was left unanswered, or one with an answer was answered with its phrase."""
    row = question.fields
    if not row.get("gold_file"):
        return {"abstained": float(answer.abstained)}
    gold = row.get("gold_files") or [row["gold_file"]]
    return {
        "answered": float(not answer.abstained),
        "phrase_in_answer": float(as_read(row.get("answer_phrase") or "") in as_read(answer.text)),
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


def summarize(rows: Iterable[Scores]) -> Scores:
    """The mean of each score over the questions that have it; of times the median: one slow start does not move it."""
    columns: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for name, value in row.items():
            columns[name].append(value)
    return {
        name: round(median(values) if name.endswith("_ms") else fmean(values), 4) for name, values in columns.items()
    }


def evaluate_files(
    pipeline: RAGPipeline, paths: Sequence[Path], *, recipes: Sequence[str], project: str
) -> Iterator[dict[str, object]]:
    """One row a question file and recipe; files whose questions carry `expect` are only understood, not searched."""
    for path in paths:
        questions = read_questions(path)
        for recipe in ("",) if all("expect" in q.fields for q in questions) else recipes:
            scope = Scope(project=project, recipe=recipe, top_k=max(CUTS))
            rows = [_evaluate(pipeline, question, scope) for question in questions]
            yield {"set": path.stem, "recipe": recipe or "–", "questions": len(rows), **summarize(rows)}


def _evaluate(pipeline: RAGPipeline, question: AskedQuestion, scope: Scope) -> Scores:
    if "expect" in question.fields:
        return plan_agrees(question, pipeline.plan(question.question, question.history))
    started = perf_counter()
    _, found = pipeline.search(question.question, question.history, scope=scope)
    elapsed = (perf_counter() - started) * 1e3
    answered = replace(scope, top_k=None, provider="extractive")
    answer = collect(pipeline.stream(question.question, question.history, scope=answered)).answer
    scores = score_search(question, found.candidates) if question.fields.get("gold_file") else {}
    return {**scores, **score_answer(question, answer), "search_ms": elapsed}
