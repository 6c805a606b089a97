"""Lessons: a question, and the chunks of its collection that hold the words of its answer.

A lesson's line is `{"question", "kind", "path", "answer"}`: the path of a document and the literal words that answer.
A collection is what `training.dump` wrote of a project whose documents the lessons are about.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

__all__ = ["Collection", "Lesson", "as_typed", "flat", "read_lessons"]

_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*_#>|\\`\[\]]")
_ACCENTS = str.maketrans("áéíóúÁÉÍÓÚ", "aeiouAEIOU")


@dataclass(frozen=True, slots=True)
class Lesson:
    """A question and the chunks that answer it, as places in all the collections read."""

    question: str
    kind: str
    document: str
    right: tuple[int, ...]


class Collection:
    """The chunks of one or more projects, one below the other."""

    def __init__(self, dumps: Iterable[Path]) -> None:
        vectors, self.chunks = [], list[dict[str, str]]()
        for dump in dumps:
            vectors.append(np.load(dump.with_suffix(".npy")).astype(np.float32))
            lines = dump.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()
            self.chunks += [{**json.loads(line), "collection": dump.name} for line in lines]
        self.vectors: npt.NDArray[np.float32] = np.concatenate(vectors)
        self.vectors /= np.linalg.norm(self.vectors, axis=1, keepdims=True)
        self._texts = [flat(chunk["text"]) for chunk in self.chunks]
        self._of = defaultdict[tuple[str, str], list[int]](list)
        for place, chunk in enumerate(self.chunks):
            self._of[chunk["collection"], chunk["path"]].append(place)

    def holding(self, collection: str, path: str, answer: str) -> tuple[int, ...]:
        """The chunks of a document that have the words of an answer."""
        words = flat(answer)
        return tuple(place for place in self._of[collection, path] if words in self._texts[place])


def read_lessons(path: Path, collection: Collection) -> Iterator[Lesson]:
    """The lessons of a file whose answer stands in a chunk; the file is named as its collection: `ar-train.jsonl`."""
    name = path.stem.partition("-")[0]
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if right := collection.holding(name, row["path"], row["answer"]):
            yield Lesson(row["question"], row["kind"], f"{name}/{row['path']}", right)


def flat(text: str) -> str:
    """Text as answers are compared: without Markdown, white space and case."""
    text = _MARKS.sub("", _LINK.sub(r"\1", html.unescape(html.unescape(text))))
    return re.sub(r"\s+", " ", text).strip().lower()


def as_typed(question: str, chance: random.Random) -> str:
    """The question as hurried people type it, one time in three: without accents or signs, or with a slip."""
    if chance.random() < 0.3:
        question = question.translate(_ACCENTS)
    if chance.random() < 0.15:
        question = question.strip("¿?¡!. ").replace("¿", "")
    if chance.random() < 0.1:
        question = question.lower()
    if chance.random() < 0.05 and len(question) > 12:
        question = _with_a_slip(question, chance)
    return question


def _with_a_slip(question: str, chance: random.Random) -> str:
    at = chance.randrange(2, len(question) - 2)
    dropped = question[:at] + question[at + 1 :]
    swapped = question[:at] + question[at + 1] + question[at] + question[at + 2 :]
    return chance.choice((dropped, swapped))


def batches(lessons: Sequence[Lesson], size: int, chance: random.Random) -> Iterator[list[Lesson]]:
    """Groups of similar length in random order, so that little is padded."""
    order = sorted(lessons, key=lambda lesson: len(lesson.question) * chance.uniform(0.8, 1.25))
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    chance.shuffle(groups)
    yield from groups
