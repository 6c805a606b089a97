"""How sure it is that the passages found answer the question: a probability, from figures of the search alone.

A logistic model of a few figures that a person can check, taught on questions with and without an answer over statutes
(`training/sentences.py`, figures in `docs/reference/answers.md`). Nothing here reads words.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files

from rag_system.types import Candidate

__all__ = ["NEAREST_BELOW", "SILENT_BELOW", "Signals", "confidence", "read_signals"]

SILENT_BELOW = 0.2  # the documents hardly answer: nothing is quoted
NEAREST_BELOW = 0.5  # they may: what is quoted is called the nearest that was found


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """Figures of a search, each 0…1."""

    nearness: float  # of the best passage: its cosine above the model's floor, as a share of what is left to 1
    lead: float  # how far the best passage is above the mean of those found, in the same unit
    coverage: float  # the largest share of the question's words, rarer ones weighing more, that a passage holds


def read_signals(candidates: Sequence[Candidate], floor: float) -> Signals:
    """The figures of what was found. A model without a floor is not calibrated: its cosines are taken as they are."""
    cosines = [each.scores["semantic"] for each in candidates if "semantic" in each.scores]
    near = [max(cosine - floor, 0.0) / (1.0 - floor) for cosine in cosines] or [0.0]
    return Signals(
        nearness=max(near),
        lead=max(near) - sum(near) / len(near),
        coverage=max((each.scores.get("lexical", 0.0) for each in candidates), default=0.0),
    )


def confidence(signals: Signals) -> float:
    """The probability, 0…1, that what was found answers. Who calls it has asked `answerability.named_gap` first."""
    weights = _weights()
    total = weights["bias"] + sum(weights[name] * value for name, value in asdict(signals).items())
    return 1.0 / (1.0 + math.exp(-total))


@cache
def _weights() -> Mapping[str, float]:
    text = files("rag_system.generation").joinpath("data", "confidence.json").read_text("utf-8")
    weights: Mapping[str, float] = json.loads(text)
    return weights
