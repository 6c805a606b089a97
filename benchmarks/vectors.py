"""Vectors with the geometry of multilingual-e5-small over a real collection, without a model.

A chunk is the direction that all texts share, plus the departures of its topic, its document, its section and its own.
Fitted to 21,927 chunks of 487 norms: cosines of two chunks of anywhere 0.79…0.89 (there 0.80…0.90), of one document
0.85…0.95 (there 0.85…0.98), of a question and its answer about 0.88, of the 50th of its neighbours 0.86.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIMENSION", "TOPIC", "Vectors", "chunk_vectors", "departures", "question_vector"]

DIMENSION = 384

COMMON = 0.84  # squared length that all texts share: the mean cosine of two of them
# Mean squared departures; they and COMMON add up to 1.
TOPIC, DOCUMENT, SECTION, CHUNK = 0.018, 0.050, 0.027, 0.065
SPREAD = 0.25  # of the logarithm of a chunk's own departure: some are commonplace, some are far out
SECTION_STARTS = 0.25  # of the chunks
ASKED, QUESTION_COMMON, QUESTION_OWN = 0.50, 0.866, 0.41  # what a question keeps of a chunk, of all, and has alone

Vectors = NDArray[np.float32]


def _scales() -> Vectors:
    """Standard deviation along each principal axis, as the covariance of the real vectors falls off."""
    axis = np.arange(DIMENSION - 1)
    variance = (1 + axis / 5) ** -0.8 * np.exp(-axis / 250)
    scales: Vectors = np.sqrt(variance / variance.sum()).astype(np.float32)
    return scales


_SCALES = _scales()


def departures(rng: np.random.Generator, count: int, variance: float) -> Vectors:
    """`count` random departures of that mean squared length, at right angles to what all share (the first axis)."""
    made = np.zeros((count, DIMENSION), np.float32)
    made[:, 1:] = rng.standard_normal((count, DIMENSION - 1), dtype=np.float32) * (_SCALES * np.float32(variance**0.5))
    return made


def chunk_vectors(rng: np.random.Generator, topic: Vectors, count: int) -> Vectors:
    """Unit vectors of the consecutive chunks of one document."""
    section = np.cumsum(rng.random(count) < SECTION_STARTS)
    own = rng.lognormal(-(SPREAD**2), SPREAD, (count, 1)).astype(np.float32)
    made = topic + departures(rng, 1, DOCUMENT) + departures(rng, int(section[-1]) + 1, SECTION)[section]
    made += departures(rng, count, CHUNK) * own
    made[:, 0] += np.float32(COMMON**0.5)
    return _unit(made)


def question_vector(rng: np.random.Generator, chunk: Vectors) -> list[float]:
    """The unit vector of a question that the chunk answers."""
    made = np.float32(ASKED) * chunk.reshape(1, -1) + departures(rng, 1, QUESTION_OWN**2)
    made[:, 0] = QUESTION_COMMON
    return [float(value) for value in _unit(made)[0]]


def _unit(made: Vectors) -> Vectors:
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit
