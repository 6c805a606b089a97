"""Teaches what kind of request a message is, and whether it leans on the turns before: `rag_system.query.kinds`.

    python -m training.requests [--kept 0.2] [--write]

Lessons: `data/requests.jsonl`, messages written for this, and the questions of the other lessons; as they are, with
courtesy around them, and with slips. Figures in `docs/reference/answers.md`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rag_system.query import kinds
from training.courtesy import HERE, read

WRITTEN = HERE.parent / "rag_system" / "query" / "data" / "kinds.npz"

_OTHERS = ("statutes", "documents", "faq")
_RATE, _PASSES = 0.25, 6  # of AdaGrad
_FEWEST, _MOST_TIMES = 1200, 5  # messages of a kind, and how often one is given for that
_LEANING = 4  # how often a question that leans is given
_TERMS = 1500  # of the answers' words, searched for by themselves
_SURE = 0.01  # an error below which nothing is learned
_SMALLEST = 0.004  # a weight below this share of the largest is none: the file stays small
_LEVELS = 127  # of a weight in one byte
_COURTEOUS, _SLIPPED, _HURRIED = 0.35, 0.15, 0.2  # of the messages that are given once more
_SHORT = {"que": "q", "por": "x", "para": "pa", "porque": "xq", "también": "tmb", "de": "d", "quiero": "kiero"}
_SMALL_TALK = frozenset(("greeting", "thanks", "farewell", "about", "acknowledgement", "noise"))

Figures = tuple[NDArray[np.int64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Lesson:
    message: str
    kind: str
    follows: bool | None = False  # None: either

    @property
    def asks_on(self) -> bool:
        """Whether it is a question that leans on the turns before."""
        return self.follows and self.kind == "question"


def written() -> list[Lesson]:
    """The messages written for this."""
    rows = map(json.loads, (HERE / "data" / "requests.jsonl").read_text("utf-8").splitlines())
    return [Lesson(row["message"], row["kind"], row.get("follows", False)) for row in rows]


def questions() -> list[Lesson]:
    """The questions of the other lessons, which stand alone."""
    files = (HERE / "data" / f"{name}.jsonl" for name in _OTHERS)
    rows = (json.loads(line) for file in files for line in file.read_text("utf-8").splitlines())
    return [Lesson(row["question"], "question") for row in rows]


def terms(phrases: dict[str, list[str]], rng: random.Random) -> list[Lesson]:
    """Words that are searched for by themselves; whether they lean is not said."""
    said = rng.sample(phrases["terms"], _TERMS)
    return [Lesson(" ".join(each.split()[: rng.choice((1, 1, 2, 3))]), "question", follows=None) for each in said]


def evened(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Rare kinds, and what leans, are given several times over."""
    many = Counter((lesson.kind, lesson.follows) for lesson in lessons)
    times = {each: min(max(_FEWEST // count, 1), _MOST_TIMES) for each, count in many.items()}
    return [
        lesson for lesson in lessons for _ in range(_LEANING if lesson.asks_on else times[lesson.kind, lesson.follows])
    ]


def varied(lessons: Sequence[Lesson], phrases: dict[str, list[str]], rng: random.Random) -> Iterator[Lesson]:
    """Each as it is; some again, with courtesy around, a slip, or in the shorthand of a chat."""
    for lesson in lessons:
        yield lesson
        if rng.random() < _COURTEOUS and lesson.kind not in ("noise", "greeting"):
            yield Lesson(_courteous(lesson.message, phrases, rng), lesson.kind, lesson.follows)
        if rng.random() < _SLIPPED and lesson.kind != "noise":
            yield Lesson(_slipped(lesson.message, rng), lesson.kind, lesson.follows)
        if rng.random() < _HURRIED:
            words = (_SHORT.get(word, word) for word in lesson.message.lower().split())
            yield Lesson(" ".join(words), lesson.kind, lesson.follows)


def _courteous(message: str, phrases: dict[str, list[str]], rng: random.Random) -> str:
    before = f"{rng.choice(phrases['openings'])}{rng.choice((', ', '. ', ' ', ': '))}" if rng.random() < 0.8 else ""
    after = f"{rng.choice((', ', '. ', ' '))}{rng.choice(phrases['closings'])}" if rng.random() < 0.5 else ""
    return f"{before}{message}{after}"


def _slipped(message: str, rng: random.Random) -> str:
    places = [match.start() for match in re.finditer(r"(?<=\w)\w(?=\w)", message)]
    if not places:
        return message
    at = rng.choice(places)
    kept = rng.choice(("", message[at] * 2, message[at + 1] + message[at]))
    return message[:at] + kept + message[at + (2 if len(kept) == 2 and kept[0] != kept[1] else 1) :]


# ---------------------------------------------------------------- learning


def fit(lessons: Sequence[Lesson], rng: random.Random) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Softmax for the kinds, logistic for leaning, by AdaGrad: the table and the bias."""
    columns = len(kinds.KINDS) + 1
    table, seen = np.zeros((kinds.BUCKETS + 1, columns)), np.full((kinds.BUCKETS + 1, columns), 1e-2)
    told = [(_with_bias(lesson.message), kinds.KINDS.index(lesson.kind), lesson.follows) for lesson in lessons]
    for _ in range(_PASSES):
        rng.shuffle(told)
        for (places, weights), kind, follows in told:
            logits = weights @ table[places]
            error = np.exp(logits - logits[:-1].max())
            error[:-1] /= error[:-1].sum()
            error[-1] = 1 / (1 + np.exp(-logits[-1])) - (follows or 0)
            error[kind] -= 1
            if follows is None or kinds.KINDS[kind] in _SMALL_TALK:
                error[-1] = 0
            if np.abs(error).max() > _SURE:
                steps = weights[:, None] * error[None, :]
                seen[places] += steps**2
                table[places] -= _RATE * steps / np.sqrt(seen[places])
    return table[:-1], table[-1]


def _with_bias(message: str) -> Figures:
    places, weights = kinds.features(kinds.masked_words(message))
    return np.append(places, kinds.BUCKETS), np.append(weights, 1.0)


def packed(table: NDArray[np.float64]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """The table in bytes, and what one step of a byte is worth."""
    scale = np.float32(np.abs(table).max() / _LEVELS)
    small = np.where(np.abs(table) < _SMALLEST * np.abs(table).max(), 0, table)
    return np.round(small / scale).astype(np.int8), scale


def told(lessons: Sequence[Lesson]) -> dict[str, object]:
    """What the product makes of lessons: of all, and by kind."""
    right, each, leaning = Counter[str](), Counter[str](), 0
    for lesson in lessons:
        found = kinds.read_kind(lesson.message)
        each[lesson.kind] += 1
        right[lesson.kind] += found.kind == lesson.kind
        leaning += lesson.follows is None or (found.follows > kinds.LEANS) == lesson.follows
    shares = {kind: round(right[kind] / count, 3) for kind, count in sorted(each.items())}
    return {"right": round(right.total() / len(lessons), 4), "leaning": round(leaning / len(lessons), 4), **shares}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", type=float, default=0.0, help="of the lessons, the share not taught, and told")
    parser.add_argument("--write", action="store_true", help="put the weights where the product reads them")
    options = parser.parse_args()
    rng = random.Random(1)
    phrases = read()
    lessons = [*written(), *questions(), *terms(phrases, rng)]
    rng.shuffle(lessons)
    cut = int(len(lessons) * options.kept)
    table, bias = fit(list(varied(evened(lessons[cut:]), phrases, rng)), rng)
    weights, scale = packed(table)
    if options.write:
        np.savez_compressed(WRITTEN, weights=weights, scale=scale, bias=bias.astype(np.float32))
    if options.kept:
        kinds._model = lambda: (weights * float(scale), bias)
        print(json.dumps(told(lessons[:cut]), ensure_ascii=False))


if __name__ == "__main__":
    main()
