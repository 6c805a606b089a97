"""How sure it is that the first sentence quoted answers, from figures alone: nothing here reads words.

Two things are told, both of which a person can check:

- nothing near: no passage has any of the question's words («asdfgh»; of 490 questions that manuals, theses and pages
  of answers answer, none; `evaluation/`). Then nothing is quoted. Few words and far passages are no sign: who asks in
  other words has as few, and of eight such questions with an answer, seven had it in the first passage.
- the nearest: the probability that the first quote is the right one is below a half, by how far the best sentence leads
  the others and its passage the others, and by whether it states a number or a time where one is asked for; or what it
  counts is something else than «¿cuántos X?» asks for (`evaluation/cuantos.jsonl`). Then what is quoted is called the
  nearest that was found, and a model is told to look twice.

The weights are taught on questions with and without an answer (`training/sentences.py`); how often each answer of a
given probability was right is in `docs/reference/answers.md`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np

from rag_system.generation.deciding import counts_what_is_asked
from rag_system.generation.sentence_ranking import FIGURES, asked_for, figures_of, score_by_words, sentence_rows
from rag_system.query.articles import article_references
from rag_system.types import AnswerRequest, Candidate, Evidence, QueryPlan, SearchResult

__all__ = ["NEAREST_BELOW", "Doubt", "Signals", "doubted", "first_quote_probability", "read_doubt", "read_signals"]

NEAREST_BELOW = 0.5
_CONTRARY, _DEFINES = FIGURES.index("contrary"), FIGURES.index("defines")
RIVAL = 4  # the lead is measured over the fifth best: the next ones often say the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Figures of a search and of the sentences that it led to."""

    coverage: float  # the largest share of the question's words that a passage holds, 0…1
    passage_lead: float  # of the best cosine over the fifth
    sentence_lead: float  # of the best sentence's score over the fifth, in log-odds
    states_figure: float = 1.0  # 0 where a number is asked for, and it states none
    states_time: float = 1.0  # 0 where a time is asked for, and it states none
    counts_asked: bool = True  # whether, where «how many» is asked, it may count that


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """What speaks against the passages found."""

    off_topic: bool = False  # none is about the question
    nearest: bool = False  # they may be about something near it


def read_doubt(plan: QueryPlan, found: SearchResult, evidence: Sequence[Evidence], *, words_tell: bool) -> Doubt:
    """Where an author or a norm that was asked for is there, it is the topic; an article of it, the answer.

    `words_tell`: the documents are in the question's language, so that what has none of its words is about something
    else.
    """
    named = bool(plan.authors or set(plan.identifiers) - set(found.absent))
    question = plan.standalone_question
    if named and article_references(question):
        return Doubt()
    signals = read_signals(question, found.candidates, evidence, past=plan.past)
    return Doubt(
        off_topic=words_tell and not named and not signals.coverage,
        nearest=first_quote_probability(signals) < NEAREST_BELOW or not signals.counts_asked,
    )


def doubted(request: AnswerRequest, found: SearchResult) -> AnswerRequest:
    """One of the questions of a message, with a doubt of its own."""
    doubt = read_doubt(request.plan, found, request.evidence, words_tell=False)
    return replace(request, is_doubtful=doubt.nearest)


def read_signals(
    question: str, candidates: Sequence[Candidate], evidence: Sequence[Evidence], *, past: bool = False
) -> Signals:
    """The figures of what was found. What is not in force rivals no other text, unless the `past` is asked for; its
    words are the topic's all the same.
    """
    coverage = max((each.scores.get("lexical", 0.0) for each in candidates), default=0.0)
    if not past:
        candidates = [each for each in candidates if each.chunk.state is None] or candidates
        evidence = [each for each in evidence if each.chunk.state is None] or evidence
    cosines = sorted((each.scores.get("semantic", 0.0) for each in candidates), reverse=True)
    rows = sentence_rows(question, evidence)
    table = figures_of(question, rows) if rows else np.zeros((0, len(FIGURES)))
    table[:, _DEFINES] = table[:, _DEFINES] == 1  # what a part of it is («presidente») does not answer for the whole
    table[:, _CONTRARY] = 0  # what speaks of the opposite rivals all the same
    scores = score_by_words(table)
    best = dict(zip(FIGURES, table[scores.argmax()].tolist(), strict=True)) if rows else {}
    asks_figure, asks_time = asked_for(question)
    return Signals(
        coverage=coverage,
        passage_lead=_lead(cosines),
        sentence_lead=_lead(np.sort(scores)[::-1].tolist()),
        states_figure=float(not asks_figure or bool(best.get("figure"))),
        states_time=float(not asks_time or bool(best.get("time"))),
        counts_asked=not rows or counts_what_is_asked(question, rows[scores.argmax()].sentence.text),
    )


def first_quote_probability(signals: Signals) -> float:
    """The probability, 0…1, that the best sentence is the right one. Who calls it has asked for named gaps first."""
    weights = _weights()
    total = weights["bias"] + sum(weights[name] * getattr(signals, name) for name in weights if name != "bias")
    return 1.0 / (1.0 + math.exp(-total))


def _lead(descending: Sequence[float]) -> float:
    return descending[0] - descending[min(RIVAL, len(descending) - 1)] if descending else 0.0


@cache
def _weights() -> Mapping[str, float]:
    text = files("rag_system.generation").joinpath("data", "confidence.json").read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)
    return weights
