"""Teach which words of a message ask (`rag_system/query/asking.py`), on questions with courtesy put around them.

    python -m training.courtesy [--messages 40000] [--kept 0.2] [--write]

`data/courtesy.toml` has what people write around a question; the questions are those of the lessons, and stand in half
of the messages with nothing around them. With `--kept`, that share of the phrases and of the questions is never taught:
the figure told is of messages made of them alone.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rag_system.query import asking
from rag_system.query.identifier_grammar import aligned_fold
from rag_system.query.text import fold

__all__ = ["Message", "Weights", "compose", "fit", "kept_whole"]

HERE = Path(__file__).parent
WRITTEN = HERE.parent / "rag_system" / "query" / "data" / "asking.npz"

Phrases = dict[str, list[str]]
Weights = tuple[NDArray[np.float64], float]  # and the bias
Parts = list[tuple[str, bool]]  # of a message, and whether each asks

_PLAIN = 0.5  # of the messages, those with nothing around what they ask
_ASKS = re.compile(
    r"¿?(?:(?:a|de|en|con|por|para|desde|hasta|cada|sobre)\s+)?(?:que|cual|quien|como|cuando|donde|cuant)\w*\b"
)
_THING = re.compile(r"¿?cu[aá]l(?:es)? (?:es|son) ((?:el|la|los|las) .+?)\??", re.IGNORECASE)
_TERM = re.compile(r"\b[a-zñáéíóú]{6,}(?: [a-zñáéíóú]+){0,3}")
_PAUSES = (", ", ", ", ". ", ". ", "! ", ": ", "; ", "\n", "... ", "!! ", " - ")
_RATE, _PASSES = 0.1, 2  # of AdaGrad
_SURE = 0.02  # an error below which nothing is learned


@dataclass(frozen=True, slots=True)
class Message:
    """Its text, and where in it what it asks begins and ends."""

    text: str
    start: int
    end: int


def read() -> Phrases:
    """The phrases by kind; `questions`, `things` and `terms` are out of the lessons."""
    written = tomllib.loads((HERE / "data" / "courtesy.toml").read_text("utf-8"))
    phrases = {kind: lines.split("\n")[1:-1] for kind, lines in written.items()}
    files = [HERE / "data" / f"{name}.jsonl" for name in ("statutes", "documents")]
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    phrases["questions"] = [row["question"] for row in rows]
    phrases["things"] = [found[1] for row in rows if (found := _THING.fullmatch(row["question"]))]
    phrases["terms"] = [found[0] for row in rows if (found := _TERM.search(row["answer"].lower()))]
    return phrases


def compose(phrases: Phrases, rng: random.Random) -> Message:
    """A message as somebody might type it."""
    parts = _typed(_parts(phrases, rng), rng)
    asked = [n for n, (_, asks) in enumerate(parts) if asks]
    start = sum(len(text) for text, _ in parts[: asked[0]]) if asked else 0
    return Message("".join(text for text, _ in parts), start, start + (len(parts[asked[0]][0]) if asked else 0))


def _parts(phrases: Phrases, rng: random.Random) -> Parts:
    if rng.random() < 0.04:
        return [(rng.choice(phrases[rng.choice(("messages", "openings", "closings"))]), False)]
    asked = _asked(phrases, rng)
    if rng.random() < _PLAIN:
        return [(asked, True)]
    request = _requested(asked, phrases, rng) if rng.random() < 0.4 else []
    parts = request or [(asked, True)]
    before = _before(rng.choice((0, 0, 1, 1, 2) if request else (0, 1, 1, 1, 2, 2, 3)), asked, phrases, rng)
    count = rng.choice((0, 0, 1, 1, 2) if before or request else (1, 1, 2))
    return [*before, *parts, *_after(count, parts[-1][0], phrases, rng)]


def _asked(phrases: Phrases, rng: random.Random) -> str:
    kind = rng.choices(("questions", "commands", "foreign", "tasks", "things", "terms"), (58, 12, 4, 10, 7, 9))[0]
    if kind == "tasks":
        return f"{rng.choice(phrases['tasks'])} {rng.choice(phrases['things'])}"
    if kind == "terms":
        return " ".join(rng.choice(phrases["terms"]).split()[: rng.choice((1, 1, 2, 3))])
    return rng.choice(phrases[kind])


def _requested(asked: str, phrases: Phrases, rng: random.Random) -> Parts:
    """«Necesito saber» before a question, where that makes a sentence."""
    bare = asked.strip("¿?. ")
    bare = bare[:1].lower() + bare[1:]
    thing = _THING.fullmatch(asked)
    if thing and rng.random() < 0.7:
        opening, bare = rng.choice(phrases["requests_of_things"]), thing[1]
    elif _ASKS.match(fold(asked)):
        opening = rng.choice(phrases["requests"])
    elif "?" in asked and not re.search(r"[,.:;?]", bare):
        opening = f"{rng.choice(phrases['requests'])} si"
    else:
        return []
    return [(f"{opening} ", False), (f"{bare}{rng.choice(('', '', '?'))}", True)]


def _before(count: int, asked: str, phrases: Phrases, rng: random.Random) -> Parts:
    """Without a pause only where the next begins clearly: «no» before «pagar» is part of what is asked."""
    parts: Parts = []
    for left in range(count, 0, -1):
        clear = left > 1 or _ASKS.match(fold(asked)) is not None
        pause = " " if clear and rng.random() < 0.3 else rng.choice(_PAUSES)
        parts += [(rng.choice(phrases["openings"]), False), (pause, False)]
    return parts


def _after(count: int, last: str, phrases: Phrases, rng: random.Random) -> Parts:
    parts: Parts = []
    for _ in range(count):
        pause = " " if last.endswith("?") else rng.choice((". ", ". ", ", ", ", ", " ", " ", "\n", "! "))
        last = rng.choice(phrases["closings"])
        parts += [(pause, False), (last, False)]
    return [*parts, (rng.choice(("", "", ".", "!", " :)")), False)] if parts else []


def _typed(parts: Parts, rng: random.Random) -> Parts:
    lower, shouted = rng.random() < 0.4, rng.random() < 0.03
    gone = ("¿¡" if rng.random() < 0.4 else "") + ("¿?" if rng.random() < 0.25 else "")
    hurried = rng.random() < 0.15  # without commas around what is asked

    def one(text: str, *, asks: bool) -> str:
        text = text.lower() if lower else text.upper() if shouted else text
        text = text.translate(dict.fromkeys(map(ord, gone)))
        return text if asks or not hurried else re.sub(r"[,;:](?= )", "", text)

    return [(one(text, asks=asks), asks) for text, asks in parts]


# ---------------------------------------------------------------- learning


def fit(messages: Sequence[Message], rng: random.Random) -> Weights:
    """Logistic regression on their words, by AdaGrad."""
    table, seen = np.zeros(asking.BUCKETS + 1), np.full(asking.BUCKETS + 1, 1e-6)  # the last place is the bias
    order = list(messages)
    for _ in range(_PASSES):
        rng.shuffle(order)
        for message in order:
            for figures, asks in _lesson(message):
                _learn(table, seen, figures, asks=asks)
    return table[:-1], float(table[-1])


def _lesson(message: Message) -> list[tuple[asking.Figures, bool]]:
    plain = aligned_fold(unicodedata.normalize("NFC", message.text))
    said, place, lesson = asking.message_words(plain), 0, []
    for word, figures in zip(said, asking.figures_of_words(said), strict=True):
        place = plain.index(word, place)
        if word[0].isalnum():
            lesson.append((figures, message.start <= place < message.end))
        place += len(word)
    return lesson


def _learn(table: NDArray[np.float64], seen: NDArray[np.float64], figures: asking.Figures, *, asks: bool) -> None:
    places = np.concatenate([*figures, [asking.BUCKETS]])
    shares = np.concatenate([*(np.full(len(group), len(group) ** -0.5) for group in figures), [1.0]])
    error = 1 / (1 + np.exp(-(table[places] @ shares))) - asks
    if abs(error) >= _SURE:
        steps = error * shares
        seen[places] += steps**2
        table[places] -= _RATE * steps / np.sqrt(seen[places])


def kept_whole(messages: Sequence[Message]) -> float:
    """The share of messages of which exactly what they ask is found, but for signs at its ends."""
    asking.asking_stretch.cache_clear()  # what it was with other weights
    right = 0
    for message in messages:
        plain = aligned_fold(unicodedata.normalize("NFC", message.text))
        start, end = asking.asking_stretch(plain)
        right += _bare(plain[start:end]) == _bare(plain[message.start : message.end])
    return right / len(messages)


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


def _halves(phrases: Phrases, share: float, rng: random.Random) -> tuple[Phrases, Phrases]:
    taught: Phrases = {}
    kept: Phrases = {}
    for kind, lines in phrases.items():
        mixed = rng.sample(lines, len(lines))
        cut = int(len(mixed) * share)
        kept[kind], taught[kind] = mixed[:cut], mixed[cut:]
    return taught, kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=40_000)
    parser.add_argument("--kept", type=float, default=0.0, help="of the phrases and questions, the share not taught")
    parser.add_argument("--write", action="store_true", help="put the weights where the product reads them")
    options = parser.parse_args()
    rng = random.Random(1)
    taught, kept = _halves(read(), options.kept, rng)
    weights, bias = fit([compose(taught, rng) for _ in range(options.messages)], rng)
    if options.write:
        np.savez_compressed(WRITTEN, weights=weights.astype(np.float16), bias=np.float64(bias))
    if options.kept:
        asking._model = lambda: (weights, bias)
        made = [compose(kept, rng) for _ in range(2_000)]
        plain = [each for each in made if each.end - each.start == len(each.text)]
        polite = [each for each in made if each not in plain]
        print(json.dumps({"with courtesy": kept_whole(polite), "without": kept_whole(plain)}))


if __name__ == "__main__":
    main()
