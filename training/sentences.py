"""Teaches the ranking of sentences, and how sure an answer without a model may be, on the product's own evidence.

    nice python -m training.sentences collect --project P --questions F.jsonl --out FIGURES.pkl
    python -m training.sentences fit --lessons FIGURES.pkl… --kept FIGURES.pkl… [--only FIGURE…] [--write]

A question's line is `{"question", "kind", "path", "answer"}`, kind `plain`, `everyday` or `absent` (no answer).
`collect` asks the product for the sources of each, and keeps the figures of every sentence with whether it overlaps the
answer, and the signals of the search. `fit` finds the weights by gradient descent on the listwise loss
−ln(Σ p(right) / Σ p(all)) (Cao et al. 2007, ListNet, with several right ones) and, for the confidence, on log loss.
With `--only` just the weights of these figures are found; the others, and the confidence, stay as they are shipped.
With `--confidence` only the confidence is found. With `--cut`, `collect` also keeps each question with all passages
that have its answer taken away: on the topic, and not answered.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assistant.assistant import Assistant
from evaluation.measure import quotes
from rag_system import LOCAL_PERSON
from rag_system.embeddings import EmbeddingModel, load_embeddings
from rag_system.generation.confidence import read_signals
from rag_system.generation.sentence_ranking import (
    COMPARED,
    FIGURES,
    figures_of,
    score_by_words,
    sentence_rows,
    with_vectors,
)
from rag_system.settings import load_settings
from training.evidence import Asked, ask_all
from training.lessons import flat

Array = npt.NDArray[np.float64]
RIDGE = 0.002
EMBEDDED = 32  # sentences of a question whose vectors are computed: the best by words, as ranked so far
KINDS = ("plain", "everyday", "absent")
CUT = "cut"  # a question whose answer was taken away
NEVER_ASKED = frozenset({"defines"})  # of the figures: no lesson asks what a thing is
CUT_WEIGHT = 0.5  # of such a lesson in the confidence: most questions that people ask have an answer
SIGNALS = ("passage_lead", "sentence_lead", "states_figure", "states_time")
WRITTEN = Path(__file__).parents[1] / "rag_system" / "generation" / "data"


@dataclass(frozen=True)
class Example:
    """A question's sentences, as figures, and which of them answer."""

    kind: str
    document: str
    table: Array
    near: Array  # cosines of the sentences with the question
    right: npt.NDArray[np.bool_]
    signals: Array
    first: bool  # whether the first quote of the product's answer has the words of the right one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    collecting = commands.add_parser("collect")
    collecting.add_argument("--project", required=True)
    collecting.add_argument("--questions", type=Path, nargs="+", required=True)
    collecting.add_argument("--out", type=Path, required=True)
    collecting.add_argument("--cut", action="store_true")
    collecting.set_defaults(run=collect)
    fitting = commands.add_parser("fit")
    fitting.add_argument("--lessons", type=Path, nargs="+", required=True)
    fitting.add_argument("--kept", type=Path, nargs="+", required=True)
    fitting.add_argument("--only", choices=FIGURES, nargs="+", default=())
    fitting.add_argument("--confidence", action="store_true")
    fitting.add_argument("--write", action="store_true")
    fitting.set_defaults(run=fit)
    options = parser.parse_args()
    options.run(options)


# ---------------------------------------------------------------- collecting


def collect(options: argparse.Namespace) -> None:
    """The figures of the questions' sentences, as the product sees them."""
    rows = [json.loads(line) for path in options.questions for line in path.read_text("utf-8").splitlines()]
    with Assistant.open() as assistant:
        model = load_embeddings(load_settings())
        project = assistant.as_person(LOCAL_PERSON).project(options.project)
        asked = ask_all(project, rows)
        pairs = [pair for pair in zip(rows, asked, strict=True) if pair[1].evidence]
        pairs += [less for pair in pairs if (less := _cut(*pair))] if options.cut else []
        examples = [_example(row, each, model) for row, each in pairs]
    options.out.write_bytes(pickle.dumps(examples))


def _cut(row: Mapping[str, str], asked: Asked) -> tuple[Mapping[str, str], Asked] | None:
    """The question without the passages that have its answer; None where none or all have it."""
    answer = flat(row["answer"])
    evidence = [each for each in asked.evidence if answer not in flat(each.text)]
    if not evidence or len(evidence) == len(asked.evidence):
        return None
    left = [each for each in asked.found.candidates if answer not in flat(each.text)]
    found = replace(asked.found, candidates=tuple(left))
    return {**row, "kind": CUT}, replace(asked, found=found, evidence=evidence)


def _example(row: Mapping[str, str], asked: Asked, model: EmbeddingModel) -> Example:
    rows = sentence_rows(asked.plan.standalone_question, asked.evidence)
    table = figures_of(asked.plan.standalone_question, rows)
    best = np.argsort(-score_by_words(table), kind="stable")[:EMBEDDED]
    rows, table = [rows[place] for place in best], table[best]
    answer, texts = flat(row["answer"]), {each.evidence.text: flat(each.evidence.text) for each in rows}
    right = [
        row["kind"] != CUT and _overlaps(answer, flat(each.sentence.text), texts[each.evidence.text]) for each in rows
    ]
    question = model.embed_query(asked.plan.standalone_question)
    near = np.array(model.embed_documents([each.compared for each in rows])) @ np.array(question)
    signals = read_signals(asked.plan.standalone_question, asked.found.candidates, asked.evidence)
    return Example(
        kind=row["kind"],
        document=row["path"],
        table=table,
        near=near,
        right=np.array(right, dtype=bool),
        signals=np.array([getattr(signals, name) for name in SIGNALS]),
        first=row["kind"] != CUT and bool(answer) and any(answer in flat(each) for each in quotes(asked.answer)[:1]),
    )


def _overlaps(answer: str, sentence: str, passage: str) -> bool:
    """Whether at least half of the answer, or of the sentence, stands in the other."""
    at, start = passage.find(answer) if answer else -1, passage.find(sentence)
    if at < 0 or start < 0 or not sentence:
        return False
    common = min(at + len(answer), start + len(sentence)) - max(at, start)
    return common >= 0.5 * min(len(answer), len(sentence))


# ---------------------------------------------------------------- fitting


def fit(options: argparse.Namespace) -> None:
    """Find the weights on the lessons, tell what they are worth on the kept questions, and write them."""
    lessons, kept = _read(options.lessons), {path.stem: _read([path]) for path in options.kept}
    answered = [each for each in lessons if each.right.any()]
    shipped = _shipped(options.only, all_of_it=options.confidence)
    words = _listwise([(each.table, each.right) for each in answered], held=shipped["words"])
    compared = [pair for each in answered if (pair := _compared(each, words))[1].any()]
    vectors = _listwise(compared, held=shipped["vectors"])
    weights, bias = (
        _shipped_confidence()
        if options.only
        else _logistic([(each.signals, each.first, _weight(each)) for each in lessons])
    )
    for name, examples in kept.items():
        print(json.dumps({name: _figures(examples, words, vectors, weights, bias)}))
    shown = {
        "sentences": {"words": _named(words), "vectors": _named(vectors)},
        "confidence": {"bias": round(bias, 3), **dict(zip(SIGNALS, np.round(weights, 3).tolist(), strict=True))},
    }
    print(json.dumps(shown, indent=1))
    if options.write:
        models = {"models": shown["sentences"]}
        (WRITTEN / "sentence_ranking.json").write_text(json.dumps(models, indent=2) + "\n", encoding="utf-8")
        (WRITTEN / "confidence.json").write_text(json.dumps(shown["confidence"], indent=2) + "\n", encoding="utf-8")


def _weight(lesson: Example) -> float:
    return CUT_WEIGHT if lesson.kind == CUT else 1.0


def _shipped(taught: Collection[str], *, all_of_it: bool = False) -> dict[str, Array]:
    """By model, the weights that are held: not a number for what is to be taught, which is all but `NEVER_ASKED`."""
    named = taught if taught or all_of_it else set(FIGURES) - NEVER_ASKED
    models = json.loads((WRITTEN / "sentence_ranking.json").read_text("utf-8"))["models"]
    return {
        name: np.array([np.nan if each in named else of.get(each, 0.0) for each in FIGURES])
        for name, of in models.items()
    }


def _shipped_confidence() -> tuple[Array, float]:
    of = json.loads((WRITTEN / "confidence.json").read_text("utf-8"))
    return np.array([of[name] for name in SIGNALS]), of["bias"]


def _read(paths: Sequence[Path]) -> list[Example]:
    return [example for path in paths for example in pickle.loads(path.read_bytes())]  # noqa: S301 - our own files


def _compared(example: Example, words: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """The table of the sentences whose vectors are compared, as `rank_sentences` makes it."""
    best = np.argsort(-(example.table @ words), kind="stable")[:COMPARED]
    return with_vectors(example.table[best].copy(), example.near[best].tolist()), example.right[best]


def _listwise(
    examples: Sequence[tuple[Array, npt.NDArray[np.bool_]]], *, held: Array | None = None, steps: int = 300
) -> Array:
    """Weights of the figures as they stand, found on standardised ones; of those `held`, what is a number is kept."""
    tables = np.concatenate([table for table, _ in examples])
    deviation = tables.std(axis=0)
    scale = np.where(deviation > 0, 1 / np.maximum(deviation, 1e-9), 0.0)
    stacked, right = tables * scale, np.concatenate([right for _, right in examples])
    starts = np.cumsum([0, *(len(table) for table, _ in examples)])[:-1]
    sizes = np.diff([*starts, len(stacked)])
    free = np.isnan(held) if held is not None else np.ones(stacked.shape[1], dtype=bool)
    weights = np.where(free | (scale == 0), 0.0, (held if held is not None else 0.0) / np.where(scale > 0, scale, 1.0))
    momentum, spread = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        scores = stacked @ weights
        scores = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        every = scores / np.repeat(np.add.reduceat(scores, starts), sizes)
        good = scores * right / np.repeat(np.add.reduceat(scores * right, starts), sizes)
        gradient = np.where(free, stacked.T @ (every - good) / len(examples) + RIDGE * weights, 0.0)
        momentum, spread = 0.9 * momentum + 0.1 * gradient, 0.999 * spread + 0.001 * gradient**2
        weights -= 0.05 * momentum / (1 - 0.9**step) / (np.sqrt(spread / (1 - 0.999**step)) + 1e-8)
    found: Array = np.where(free, weights * scale, 0.0 if held is None else held)
    return found


def _logistic(rows: Sequence[tuple[Array, bool, float]], *, steps: int = 3000) -> tuple[Array, float]:
    """Weights, none below 0, and bias of the probability that the first quote is right; a row has a weight too."""
    signals, right = np.array([row for row, _, _ in rows]), np.array([yes for _, yes, _ in rows], dtype=float)
    counts = np.array([weight for _, _, weight in rows])
    counts /= counts.sum()
    mean, deviation = signals.mean(axis=0), signals.std(axis=0) + 1e-9
    standard = (signals - mean) / deviation
    weights, bias = np.zeros(signals.shape[1]), 0.0
    for _ in range(steps):
        error = (1 / (1 + np.exp(-(standard @ weights + bias))) - right) * counts
        weights = np.maximum(weights - (standard.T @ error + RIDGE * weights), 0.0)
        bias -= float(error.sum())
    return weights / deviation, bias - float((weights / deviation * mean).sum())


def _figures(
    examples: Sequence[Example], words: Array, vectors: Array, weights: Array, bias: float
) -> dict[str, object]:
    by_kind: dict[str, list[Example]] = {kind: [each for each in examples if each.kind == kind] for kind in KINDS}
    told: dict[str, object] = {}
    for kind, of in filter(lambda pair: pair[1], by_kind.items()):
        sure = [float(1 / (1 + np.exp(-(each.signals @ weights + bias)))) for each in of]
        told[kind] = {
            "n": len(of),
            "in_sources": round(float(np.mean([each.right.any() for each in of])), 3),
            "first_by_words": round(float(np.mean([_first(each.table @ words, each.right) for each in of])), 3),
            "first": round(float(np.mean([_first(table @ vectors, right) for table, right in
                                          (_compared(each, words) for each in of)])), 3),
            "confidence": np.quantile(sure, [0.05, 0.1, 0.25, 0.5, 0.75, 0.9]).round(3).tolist(),
        }  # fmt: skip
    return told


def _first(scores: Array, right: npt.NDArray[np.bool_]) -> bool:
    return bool(right[int(np.argmax(scores))])


def _named(weights: Array) -> dict[str, float]:
    return {name: round(float(weight), 3) for name, weight in zip(FIGURES, weights, strict=True) if abs(weight) > 0.001}


if __name__ == "__main__":
    main()
